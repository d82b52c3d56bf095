//! Flags that several verbs share.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use directories::ProjectDirs;
use palimpsest_memory::Settings;
use serde::Serialize;

use crate::contract::Level;
use crate::dataset::LongMemEval;
use crate::embeddings::{ModelVectors, ReferenceVectors, TextVectors};
use crate::error::Error;
use crate::evaluation::{Product, Variant};
use crate::half::Half;
use crate::product::{SpeakerIn, chosen_settings};

/// By what is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Mode {
    /// Words
    Bm25,
    /// Meaning
    Vector,
    /// Both, fused by the contract
    Hybrid,
    /// The memory itself, beside the plain hybrid
    Product,
}

/// Where vectors come from.
#[derive(Debug, Clone, Args)]
pub(crate) struct VectorFlags {
    /// The model's folder [default: where `palimpsest model fetch` puts it]
    #[arg(long, env = "PALIMPSEST_MODEL", value_name = "FOLDER")]
    model: Option<PathBuf>,
    /// The folder in which vectors are kept, by model and text [default: in the platform's cache]
    #[arg(long, env = "PALIMPSEST_EVALS_CACHE", value_name = "FOLDER")]
    cache: Option<PathBuf>,
}

impl VectorFlags {
    /// Vectors by the model. It is loaded when it is first needed.
    pub(crate) fn model_vectors(&self) -> Result<TextVectors, Error> {
        let project = ProjectDirs::from("", "", "palimpsest");
        let cache = project.as_ref().map(ProjectDirs::cache_dir);
        let in_cache = |given: &Option<PathBuf>, name: &str, flag| {
            let default = || cache.map(|cache| cache.join(name));
            given
                .clone()
                .or_else(default)
                .ok_or(Error::NoFolder { flag })
        };
        let model = in_cache(&self.model, "models/all-MiniLM-L6-v2", "--model")?;
        let vectors = in_cache(&self.cache, "evals", "--cache")?;
        Ok(TextVectors::Model(ModelVectors::new(model, vectors)))
    }

    /// Vectors by the model, or from reference files where a folder of them is named.
    pub(crate) fn vectors(
        &self,
        reference: Option<&PathBuf>,
        dataset: &LongMemEval,
    ) -> Result<TextVectors, Error> {
        match reference {
            Some(folder) => {
                let reference = ReferenceVectors::read(folder, dataset)?;
                Ok(TextVectors::Reference(reference))
            }
            None => self.model_vectors(),
        }
    }
}

/// How the product is set up.
#[derive(Debug, Clone, Args)]
pub(crate) struct ProductFlags {
    /// A setting of the product, by its field's name: `fusion.vector_weight=0.5`; may be repeated
    #[arg(long = "set", value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// A TOML file of such settings
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Where a turn's speaker goes
    #[arg(long, value_enum, default_value_t)]
    speaker: SpeakerIn,
    /// Also with each of the product's terms by itself off; or on, where it is off
    #[arg(long)]
    ablate: bool,
}

impl ProductFlags {
    /// Refuses flags of the product where the product is not evaluated.
    ///
    /// # Errors
    /// [`Error::Arguments`] where `modes` lack the product and a flag of it is given.
    pub(crate) fn check_used(&self, modes: &[Mode]) -> Result<(), Error> {
        let is_given = self.ablate
            || !self.set.is_empty()
            || self.settings.is_some()
            || self.speaker != SpeakerIn::default();
        if is_given && !modes.contains(&Mode::Product) {
            let what = "--ablate, --set, --settings and --speaker are about the product: add --mode product";
            return Err(Error::Arguments(what));
        }
        Ok(())
    }

    /// The product as it is set up, and what else is asked for beside it.
    pub(crate) fn variants(&self, levels: &[Level]) -> Result<Vec<Variant>, Error> {
        let product = self.product()?;
        let others = if self.ablate {
            Variant::ablations(&product, levels)
        } else {
            Vec::new()
        };
        let first = [Variant::product(product, levels)].into_iter();
        Ok(first.chain(others).collect())
    }

    pub(crate) fn product(&self) -> Result<Product, Error> {
        Ok(Product {
            settings: self.chosen()?,
            speaker_in: self.speaker,
        })
    }

    fn chosen(&self) -> Result<Settings, Error> {
        chosen_settings(self.settings.as_deref(), &self.set)
    }
}

/// Which questions are asked, and where the record goes.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunFlags {
    /// Which half of the questions, by the CRC-32C of their ids
    #[arg(long, value_enum, default_value_t)]
    pub(crate) half: Half,
    /// The folder for the record
    #[arg(long, value_name = "FOLDER", default_value = "target/evals")]
    pub(crate) out: PathBuf,
    /// Of the bootstrap's draws
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

#[cfg(test)]
mod tests {
    //! Which flags go together.

    use super::{Mode, ProductFlags};
    use crate::product::SpeakerIn;

    #[test]
    fn flags_of_the_product_need_the_product() {
        let plain = ProductFlags {
            set: Vec::new(),
            settings: None,
            speaker: SpeakerIn::default(),
            ablate: false,
        };
        let ablated = ProductFlags {
            ablate: true,
            ..plain.clone()
        };
        let modes = [Mode::Bm25, Mode::Hybrid];
        assert!(plain.check_used(&modes).is_ok());
        let error = ablated.check_used(&modes).expect_err("nothing is ablated");
        assert!(error.to_string().contains("--mode product"), "{error}");
        assert!(ablated.check_used(&[Mode::Bm25, Mode::Product]).is_ok());
    }
}
