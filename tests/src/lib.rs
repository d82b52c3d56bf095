//! What no one crate can hold: the built program driven as its users drive it.
