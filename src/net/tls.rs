//! Whom encrypted connections trust.

use rustls::{ClientConfig, RootCertStore};
use std::sync::{Arc, OnceLock};

/// Trusts Mozilla's roots, which are compiled in, and those of the system, where there are any.
pub(crate) fn of_the_world() -> Arc<ClientConfig> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        Arc::new(by_roots(roots))
    });
    config.clone()
}

/// Trusts these roots.
pub(super) fn by_roots(roots: RootCertStore) -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring knows the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

#[cfg(feature = "native")]
pub(crate) use special::{by_roots_of, unverified};

#[cfg(feature = "native")]
mod special {
    use super::by_roots;
    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
    use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
    use std::path::Path;
    use std::sync::Arc;

    /// Trusts the certificates in a file (PEM), and nobody else.
    ///
    /// # Errors
    /// Why it can't be read.
    pub(crate) fn by_roots_of(file: &Path) -> Result<Arc<ClientConfig>, String> {
        let mut roots = RootCertStore::empty();
        let read = |error: rustls::pki_types::pem::Error| match error {
            rustls::pki_types::pem::Error::Io(error) => error.to_string(),
            other => other.to_string(),
        };
        for certificate in CertificateDer::pem_file_iter(file).map_err(read)? {
            roots.add(certificate.map_err(read)?).map_err(|error| error.to_string())?;
        }
        if roots.is_empty() {
            Err("it has no certificates".to_owned())
        } else {
            Ok(Arc::new(by_roots(roots)))
        }
    }

    /// Takes any certificate: nobody listens in, but whoever answers may be somebody else.
    pub(crate) fn unverified() -> Arc<ClientConfig> {
        let mut config = by_roots(RootCertStore::empty());
        let algorithms = rustls::crypto::ring::default_provider().signature_verification_algorithms;
        config.dangerous().set_certificate_verifier(Arc::new(AnyCertificate(algorithms)));
        Arc::new(config)
    }

    /// Whoever answers must have the key of the certificate shown, whosever that is.
    #[derive(Debug)]
    struct AnyCertificate(WebPkiSupportedAlgorithms);

    impl ServerCertVerifier for AnyCertificate {
        fn verify_server_cert(
            &self,
            _: &CertificateDer<'_>,
            _: &[CertificateDer<'_>],
            _: &ServerName<'_>,
            _: &[u8],
            _: UnixTime,
        ) -> Result<ServerCertVerified, Error> {
            Ok(ServerCertVerified::assertion())
        }
        fn verify_tls12_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls12_signature(message, certificate, signed, &self.0)
        }
        fn verify_tls13_signature(
            &self,
            message: &[u8],
            certificate: &CertificateDer<'_>,
            signed: &DigitallySignedStruct,
        ) -> Result<HandshakeSignatureValid, Error> {
            verify_tls13_signature(message, certificate, signed, &self.0)
        }
        fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
            self.0.supported_schemes()
        }
    }
}
