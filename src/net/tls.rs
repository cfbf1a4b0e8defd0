//! Trust of encrypted connections.

use rustls::{ClientConfig, RootCertStore};
use std::sync::{Arc, OnceLock};

/// Trusts Mozilla's roots, which are compiled in, and the system's.
pub(crate) fn of_the_world() -> Arc<ClientConfig> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        Arc::new(by_roots(roots))
    });
    config.clone()
}

pub(super) fn by_roots(roots: RootCertStore) -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring knows the default protocol versions")
        .with_root_certificates(roots)
        .with_no_client_auth()
}

#[cfg(feature = "native")]
pub(crate) use special::{by_roots_of, mutual_client, mutual_server, unverified};

#[cfg(feature = "native")]
mod special {
    use super::by_roots;
    use crate::trusted_file;
    use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
    use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
    use rustls::server::WebPkiClientVerifier;
    use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, ServerConfig, SignatureScheme};
    use std::io::BufReader;
    use std::path::Path;
    use std::sync::Arc;

    /// Trusts only the certificates in a file (PEM).
    pub(crate) fn by_roots_of(file: &Path) -> Result<Arc<ClientConfig>, String> {
        Ok(Arc::new(by_roots(roots_of(file)?)))
    }

    fn roots_of(file: &Path) -> Result<RootCertStore, String> {
        let mut roots = RootCertStore::empty();
        for certificate in certificates(file)? {
            roots.add(certificate).map_err(|error| error.to_string())?;
        }
        if roots.is_empty() { Err("it has no certificates".to_owned()) } else { Ok(roots) }
    }

    fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
        let file = trusted_file::open(file).map_err(|error| error.to_string())?;
        CertificateDer::pem_reader_iter(BufReader::new(file))
            .map(|certificate| certificate.map_err(|error| error.to_string()))
            .collect()
    }

    /// Roots, certificate and key (PEM).
    type Files<'a> = (&'a Path, &'a Path, &'a Path);

    fn own(
        certificate: &Path,
        key: &Path,
    ) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), String> {
        let of = |file: &Path, error: String| format!("{}: {error}", file.display());
        let chain = certificates(certificate).map_err(|error| of(certificate, error))?;
        let file = trusted_file::open(key).map_err(|error| of(key, error.to_string()))?;
        let secret = PrivateKeyDer::from_pem_reader(BufReader::new(file));
        let secret = secret.map_err(|error| of(key, error.to_string()))?;
        Ok((chain, secret))
    }

    fn unusable(certificate: &Path, key: &Path, error: &rustls::Error) -> String {
        let (certificate, key) = (certificate.display(), key.display());
        match error {
            rustls::Error::NoCertificatesPresented => format!("{certificate}: has no certificate (PEM)"),
            rustls::Error::InconsistentKeys(_) => format!("{key}: is not the key of {certificate}"),
            error => format!("{certificate}: can't be shown, it must be X.509 of version 3: {error}"),
        }
    }

    /// Trusts only what `roots` has signed, and presents a certificate of its own.
    pub(crate) fn mutual_client((roots, certificate, key): Files<'_>) -> Result<Arc<ClientConfig>, String> {
        let trusted = roots_of(roots).map_err(|error| format!("{}: {error}", roots.display()))?;
        let (chain, secret) = own(certificate, key)?;
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .expect("ring knows TLS 1.3")
            .with_root_certificates(trusted)
            .with_client_auth_cert(chain, secret);
        config.map(Arc::new).map_err(|error| unusable(certificate, key, &error))
    }

    /// The other side of [`mutual_client`].
    pub(crate) fn mutual_server((roots, certificate, key): Files<'_>) -> Result<Arc<ServerConfig>, String> {
        let trusted = roots_of(roots).map_err(|error| format!("{}: {error}", roots.display()))?;
        let (chain, secret) = own(certificate, key)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(trusted), provider.clone()).build();
        let config = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .expect("ring knows TLS 1.3")
            .with_client_cert_verifier(verifier.map_err(|error| error.to_string())?)
            .with_single_cert(chain, secret);
        config.map(Arc::new).map_err(|error| unusable(certificate, key, &error))
    }

    /// Accepts any certificate: encrypted, but the other side is not verified.
    pub(crate) fn unverified() -> Arc<ClientConfig> {
        let mut config = by_roots(RootCertStore::empty());
        let algorithms = rustls::crypto::ring::default_provider().signature_verification_algorithms;
        config.dangerous().set_certificate_verifier(Arc::new(AnyCertificate(algorithms)));
        Arc::new(config)
    }

    /// Verifies that the other side has the key of its certificate, whatever that is.
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
