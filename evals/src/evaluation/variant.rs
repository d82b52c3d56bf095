//! One way to retrieve, with a name, and at which levels it is judged.

use palimpsest_memory::Settings;
use serde::{Deserialize, Serialize};

use super::{Embedded, Plain, TextForm};
use crate::contract::Level;
use crate::embeddings::Tokens;
use crate::product::{SpeakerIn, ablations};

/// One way to retrieve.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    pub(crate) name: String,
    pub(crate) levels: Vec<Level>,
    pub(crate) method: Method,
}

/// By the contract, or by the product.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Method {
    Plain(Plain),
    Product(Product),
}

/// How the product is set up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Product {
    pub(crate) settings: Settings,
    pub(crate) speaker_in: SpeakerIn,
}

impl Method {
    /// The vectors that it needs, if any.
    pub(crate) fn embedded(&self) -> Option<Embedded> {
        match self {
            Self::Plain(plain) => plain.embedded(),
            Self::Product(product) => Some(Embedded {
                tokens: Tokens::Windows,
                text: match product.speaker_in {
                    SpeakerIn::Source => TextForm::Verbatim,
                    SpeakerIn::Text => TextForm::WithSpeaker,
                },
            }),
        }
    }
}

impl Variant {
    /// A plain variant, named by what it is.
    pub(crate) fn plain(plain: Plain, levels: &[Level]) -> Self {
        Self {
            name: plain.name(),
            levels: levels.to_vec(),
            method: Method::Plain(plain),
        }
    }

    /// The product, each time with one of its terms the other way round.
    pub(crate) fn ablations(product: &Product, levels: &[Level]) -> Vec<Self> {
        let turned = ablations(&product.settings).into_iter();
        let variants = turned.map(|(name, settings)| Self {
            name: format!("product {name}"),
            levels: levels.to_vec(),
            method: Method::Product(Product {
                settings,
                speaker_in: product.speaker_in,
            }),
        });
        variants.collect()
    }

    /// The product with these settings.
    pub(crate) fn product(product: Product, levels: &[Level]) -> Self {
        let name = if product.settings == Settings::default() {
            "product, default settings"
        } else {
            "product, other settings"
        };
        Self {
            name: name.to_owned(),
            levels: levels.to_vec(),
            method: Method::Product(product),
        }
    }
}
