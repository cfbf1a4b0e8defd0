//! Who signs wallets of `POST /fireblocks/start`.

use super::ServiceUrl;
use crate::net::HttpClient;
use crate::signer::Fireblocks;
use crate::trusted_file;
use secrecy::{ExposeSecret, SecretString};
use std::path::PathBuf;
use zeroize::Zeroizing;

/// The service, and this server's key there.
#[derive(Clone, Debug)]
pub struct FireblocksSettings {
    pub(super) url: ServiceUrl,
    pub(super) api_key: String,
    pub(super) secret: FireblocksSecret,
}

/// An RSA key in PEM, or the file that it is in.
#[derive(Clone, Debug)]
pub(super) enum FireblocksSecret {
    Text(SecretString),
    File(PathBuf),
}

impl FireblocksSettings {
    /// What asks the service. A file is read each time, so that a renewed one holds.
    ///
    /// # Errors
    /// What can't be used, and why; not a word of the secret.
    pub fn client(&self) -> Result<Fireblocks, String> {
        let secret = match &self.secret {
            FireblocksSecret::Text(text) => Zeroizing::new(text.expose_secret().to_owned()),
            FireblocksSecret::File(path) => {
                trusted_file::read(path).map_err(|error| format!("{}: {error}", path.display()))?
            }
        };
        Fireblocks::new(HttpClient::shared(), self.url.as_str(), &self.api_key, &secret)
    }
}
