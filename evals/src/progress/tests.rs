use std::time::Duration;

use super::line;

#[test]
fn a_line_tells_the_rate_and_the_time_that_is_left_at_it() {
    let told = line("turns", 50, 250, Duration::from_secs(10));
    assert_eq!(told, "turns: 50/250 (5.0 a second, 40 s left)");
}
