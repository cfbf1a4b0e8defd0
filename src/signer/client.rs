//! The client side: a [`Signer`] whose keys are in another process.

use super::wire::{
    Answer, Ask, Asked, Hex, MAX_ANSWER, Several, VERSION, What, read_frame, short, write_frame,
};
use crate::keys::{
    AccountPublic, MultisigPublic, Signature, Signer, SignerAccount, SignerError, SigningRequest, ToSign,
    TransactionToSign, account_key_of,
};
use crate::net::tls;
use crate::rt::BoxFuture;
#[cfg(unix)]
use crate::trusted_file::check_listener;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, io};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

pub const PATIENCE: Duration = Duration::from_secs(30);
const MOST_IDLE: usize = 8;

pub struct RemoteSigner {
    line: Line,
    account: SignerAccount,
    /// The multisig wallet for whose shares it signs.
    several: Option<Several>,
}

struct Line {
    place: SignerPlace,
    seed: String,
    patience: Duration,
    idle: Mutex<Vec<Box<dyn Stream>>>,
}

impl RemoteSigner {
    /// Asks the signer for the account of a seed. A signer that does not answer within `patience` counts as
    /// unreachable ([`PATIENCE`] for servers).
    pub async fn of_seed(place: SignerPlace, seed: &str, patience: Duration) -> Result<Self, SignerError> {
        let line = Line::new(place, seed, patience);
        let xpub = line.xpub(Ask::Account).await?;
        let account = AccountPublic::from_xpub(&xpub).ok().filter(|account| account.to_xpub() == xpub);
        let account = account.ok_or_else(|| SignerError::Wrong("no xpub of the change level".to_owned()))?;
        Ok(Self { line, account: SignerAccount::Account(account), several: None })
    }

    /// Asks the signer for the account of a seed, which is to sign its share in these participants' wallet.
    pub async fn of_participant(
        place: SignerPlace,
        seed: &str,
        participants: &MultisigPublic,
        patience: Duration,
    ) -> Result<Self, SignerError> {
        let line = Line::new(place, seed, patience);
        let account = SignerAccount::Participant(read_participant(&line.xpub(Ask::Participant).await?)?);
        let several = Several {
            num_signatures: participants.num_signatures(),
            participants: participants.account_xpubs(),
        };
        Ok(Self { line, account, several: Some(several) })
    }

    /// The seed's xpub for the other participants.
    pub async fn participant_xpub(
        place: SignerPlace,
        seed: &str,
        patience: Duration,
    ) -> Result<String, SignerError> {
        let xpub = Line::new(place, seed, patience).xpub(Ask::Participant).await?;
        read_participant(&xpub)?;
        Ok(xpub)
    }

    /// The redeem scripts of others' inputs, for a multisig signer.
    fn scripts(&self, asked: &TransactionToSign<'_>) -> Vec<(u8, Hex)> {
        let scripts = self.several.iter().flat_map(|_| asked.others_scripts());
        scripts.map(|(place, script)| (place, Hex(script))).collect()
    }

    async fn sign_remotely(&self, request: SigningRequest<'_>) -> Result<Vec<Signature>, SignerError> {
        let what = match request.what {
            ToSign::Transaction(asked) => {
                let bytes = asked.unsigned_bytes()?;
                let previous = asked.facts.previous().await?;
                What::Transaction {
                    bytes: Hex(bytes),
                    inputs: asked.inputs.to_vec(),
                    caller: asked.caller,
                    own: asked.facts.own_outputs(),
                    previous: previous.into_iter().map(|(_, bytes)| Hex(bytes)).collect(),
                    multisig: self.several.clone(),
                    scripts: self.scripts(&asked),
                }
            }
            ToSign::Message { index, text } => What::Message { index, text: text.to_owned() },
            ToSign::OracleData { index, data } => What::OracleData { index, data: Hex(data.to_vec()) },
        };
        let (purpose, salt) = (request.purpose.name().to_owned(), Hex(request.salt.to_vec()));
        match self.line.ask(Ask::Sign { purpose, salt, what }).await? {
            Answer::Signatures(given) => {
                let signature = |(key, compact): (Hex, Hex)| {
                    let (key, compact) = (key.0.try_into().ok()?, compact.0.try_into().ok()?);
                    Some(Signature::given(key, compact))
                };
                let signatures: Option<_> = given.into_iter().map(signature).collect();
                signatures.ok_or_else(|| SignerError::Wrong("it is no key and signature".to_owned()))
            }
            other => Err(unexpected(other)),
        }
    }
}

fn unexpected(answer: Answer) -> SignerError {
    match answer {
        Answer::Refused { rule, why } => SignerError::Refused { rule: short(&rule), why: short(&why) },
        Answer::Account { .. } | Answer::Signatures(_) => {
            SignerError::Wrong("it answers something else than what it was asked".to_owned())
        }
    }
}

fn read_participant(xpub: &str) -> Result<[u8; 33], SignerError> {
    account_key_of(xpub).ok_or_else(|| SignerError::Wrong("no xpub of a participant's account".to_owned()))
}

impl Line {
    fn new(place: SignerPlace, seed: &str, patience: Duration) -> Self {
        Self { place, seed: seed.to_owned(), patience, idle: Mutex::default() }
    }

    async fn xpub(&self, ask: Ask) -> Result<String, SignerError> {
        match self.ask(ask).await? {
            Answer::Account { xpub } => Ok(xpub),
            other => Err(unexpected(other)),
        }
    }

    async fn ask(&self, ask: Ask) -> Result<Answer, SignerError> {
        let asked = Asked { version: VERSION, seed: self.seed.clone(), ask };
        match timeout(self.patience, self.exchange(&asked)).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidInput => {
                Err(SignerError::Facts(error.to_string()))
            }
            Ok(Err(error)) => Err(SignerError::Unreachable(format!("{}: {error}", self.place))),
            Err(_) => {
                let patience = self.patience;
                Err(SignerError::Unreachable(format!("{}: no answer within {patience:?}", self.place)))
            }
        }
    }

    async fn exchange(&self, asked: &Asked) -> io::Result<Answer> {
        // An idle connection may have ended. Asking again for the same signature is harmless.
        let idle = self.idle().pop();
        if let Some(stream) = idle
            && let Ok(answer) = self.exchange_on(stream, asked).await
        {
            return Ok(answer);
        }
        self.exchange_on(self.place.connect().await?, asked).await
    }

    async fn exchange_on(&self, mut stream: Box<dyn Stream>, asked: &Asked) -> io::Result<Answer> {
        write_frame(&mut stream, asked).await?;
        let answer = read_frame(&mut stream, MAX_ANSWER).await?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let answer = serde_json::from_slice(&answer).map_err(|error| {
            let why = format!("an answer that can't be read: {}", short(&error));
            io::Error::new(io::ErrorKind::InvalidData, why)
        })?;
        let mut idle = self.idle();
        if idle.len() < MOST_IDLE {
            idle.push(stream);
        }
        Ok(answer)
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Box<dyn Stream>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Signer for RemoteSigner {
    fn account(&self) -> SignerAccount {
        self.account.clone()
    }

    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(self.sign_remotely(request))
    }
}

impl std::fmt::Debug for RemoteSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RemoteSigner({:?} at {})", self.line.seed, self.line.place)
    }
}

pub(super) trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

#[derive(Clone)]
pub enum SignerPlace {
    Socket(PathBuf),
    Tls { address: String, host: ServerName<'static>, config: Arc<ClientConfig> },
}

impl SignerPlace {
    /// At `address` (host and port); files (PEM) with the trusted roots, and with the own certificate and
    /// key.
    pub fn tls(address: &str, roots: &Path, certificate: &Path, key: &Path) -> Result<Self, String> {
        let (host, port) = address.rsplit_once(':').ok_or("the address must be host:port")?;
        port.parse::<u16>().map_err(|_| "the address must end in a port")?;
        let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let host = ServerName::try_from(bare).map_err(|error| error.to_string())?;
        let config = tls::mutual_client((roots, certificate, key))?;
        Ok(Self::Tls { address: address.to_owned(), host, config })
    }

    pub(super) async fn connect(&self) -> io::Result<Box<dyn Stream>> {
        match self {
            #[cfg(unix)]
            Self::Socket(path) => {
                let stream = tokio::net::UnixStream::connect(path).await?;
                check_listener(path, stream.peer_cred()?.uid())?;
                Ok(Box::new(stream))
            }
            #[cfg(not(unix))]
            Self::Socket(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "sockets need a Unix system")),
            Self::Tls { address, host, config } => {
                let stream = TcpStream::connect(address).await?;
                stream.set_nodelay(true)?;
                Ok(Box::new(TlsConnector::from(config.clone()).connect(host.clone(), stream).await?))
            }
        }
    }
}

impl fmt::Display for SignerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Socket(path) => path.display().fmt(f),
            Self::Tls { address, .. } => f.write_str(address),
        }
    }
}

impl fmt::Debug for SignerPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
