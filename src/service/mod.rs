//! A wallet: start, stop, read, send, create tokens, melt. Concurrency and recovery are here and nowhere
//! else.
//!
//! An account runs once in a process (`account`): one state machine ([`crate::wallet::State`]) behind a lock
//! that is held only to read or to apply a fact, never across an await, and one task that follows the node
//! (`sync`). A [`Wallet`] is an account with a view of its addresses. Each send is a task of its own
//! (`send`), which continues when its caller goes away, so that nothing is left half done.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use headless_wallet::{keys::{AccountKeys, Mnemonic}, ledger::*, net::HttpClient, node::*, service::*, wallet::*};
//!
//! let backend = Backend {
//!     network: Network::Testnet,
//!     node: FullNode::new(HttpClient::shared(), "http://localhost:8080/v1a/")?,
//!     mining: MiningService::new(HttpClient::shared(), "http://localhost:8035/", None)?.into(),
//! };
//! let account = AccountKeys::from_mnemonic(&Mnemonic::generate()?, "");
//! let wallet = Wallet::start(Account::Signing(account), backend, Options::default()).await?;
//! wallet.ready().await;
//! let balance = wallet.read(|state, now| state.balance(TokenUid::Native, now))?;
//! println!("{} cents", balance.available);
//! # Ok(()) }
//! ```

mod account;
mod backend;
mod detached;
mod error;
mod external;
mod guard;
mod messages;
mod multisig;
mod nano;
mod options;
mod registry;
mod send;
mod settling;
mod signing_file;
mod start;
mod status;
mod swap;
mod swap_proposals;
mod sync;
mod wallet;

#[cfg(all(test, feature = "native"))]
#[path = "../../tests/simulation/mod.rs"]
mod simulation;

pub use account::{Sent, SharedAccounts};
pub use backend::Backend;
pub use error::{NotReady, SendError, StartError, WatchError};
pub use external::{InputsError, SignatureError, check_signed};
pub use guard::{Awaiting, Guard, Refused, SendKey, ToAdmit};
pub use messages::{MessageError, SignedMessage};
pub use multisig::ShareError;
pub use nano::{CallArgument, ContractCall, Target};
pub use options::{Account, EVENTS_CONFIRMATIONS, Options, SyncMode};
pub use registry::Registry;
pub use send::{Deposit, IdempotentSend, Operation, Preview, Recorded, RecordedText, WAIT_FOR_CHANGE};
pub use signing_file::SigningFileError;
pub use status::{Phase, Progress, Status};
pub use swap::{SignedSwap, SwapError};
pub use swap_proposals::SwapProposalError;
pub use wallet::{ConfirmationsError, Wallet};
