//! The model from the hub, at one pinned revision, over HTTPS.

use std::path::Path;
use std::time::Duration;

use palimpsest_memory::ModelFile;

use super::Progress;
use super::checked_copy::stage;
use super::error::SourceError;
use super::fetch::Source;

/// Where the hub is, unless the environment names a mirror.
const ENDPOINT: &str = "https://huggingface.co";
/// The variable by which all of the hub's clients are pointed at a mirror. What it gives is checked.
const ENDPOINT_VARIABLE: &str = "HF_ENDPOINT";
const REPOSITORY: &str = "sentence-transformers/all-MiniLM-L6-v2";
const REVISION: &str = "1110a243fdf4706b3f48f1d95db1a4f5529b4d41";

/// Behind a firewall that drops packets this is what a person waits before the next source.
const CONNECT_LIMIT: Duration = Duration::from_secs(3);
/// How long a connection may be silent.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);

/// The hub, or a mirror of it.
#[derive(Debug)]
pub(super) struct Hub {
    /// Scheme and host, without a slash at the end.
    pub(super) endpoint: String,
}

impl Hub {
    /// The hub that this machine's environment names, else the public one.
    pub(super) fn of_this_machine() -> Self {
        let endpoint = std::env::var(ENDPOINT_VARIABLE).ok();
        let endpoint = endpoint.filter(|endpoint| !endpoint.trim().is_empty());
        let endpoint = endpoint.unwrap_or_else(|| ENDPOINT.to_owned());
        Self {
            endpoint: endpoint.trim().trim_end_matches('/').to_owned(),
        }
    }
}

impl Source for Hub {
    fn name(&self) -> String {
        format!("the hub ({})", self.endpoint)
    }

    fn fetch_into(
        &self,
        staging: &Path,
        files: &[ModelFile],
        progress: Progress,
    ) -> Result<(), SourceError> {
        let agent = ureq::Agent::new_with_config(
            ureq::Agent::config_builder()
                .timeout_resolve(Some(CONNECT_LIMIT))
                .timeout_connect(Some(CONNECT_LIMIT))
                .timeout_recv_response(Some(SILENCE_LIMIT))
                .timeout_per_read(Some(SILENCE_LIMIT))
                .build(),
        );
        for file in files {
            let url = format!(
                "{}/{REPOSITORY}/resolve/{REVISION}/{}",
                self.endpoint, file.name
            );
            let response = agent.get(&url).call().map_err(|source| SourceError::Hub {
                url: url.clone(),
                source: Box::new(source),
            })?;
            let mut reader = response.into_body().into_reader();
            stage(&mut reader, staging, file, progress)?;
        }
        Ok(())
    }
}
