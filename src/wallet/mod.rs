//! One wallet's state, as a machine without I/O: facts go in (a vertex seen, a block height, the time),
//! change sets and events come out. It knows its addresses, its history, what is unspent, and builds
//! transactions from that.
//!
//! Nothing here reads a clock, a network or a store. Reading is `&self`; every method that changes what must
//! outlive the process returns what changed.
//!
//! ```
//! use headless_wallet::{keys::{AccountKeys, Mnemonic}, ledger::{DepositRate, Network, TokenUid}, wallet::{Scan, Settings, State}};
//!
//! let keys = AccountKeys::from_mnemonic(&Mnemonic::generate()?, "");
//! let (network, deposit) = (Network::Testnet, DepositRate::default());
//! let mut wallet = State::new(
//!     keys.public(),
//!     Settings { network, scan: Scan::GapLimit(20), reward_spend_min_blocks: 300, deposit },
//! );
//! // Ask the node for the history of these, and `apply` each vertex that it has.
//! assert_eq!(wallet.addresses_to_watch(0), 0..20);
//! let update = wallet.set_best_height(1_000);
//! assert_eq!(update.changes.best_height, Some(1_000));
//! assert!(wallet.balance(TokenUid::Native, 1_700_000_000).available.is_zero());
//! # Ok::<(), headless_wallet::keys::MnemonicError>(())
//! ```

mod address_totals;
mod addresses;
mod calls;
mod change_set;
mod compact;
mod error;
mod history;
mod hold;
mod lock;
mod packed;
mod packed_extra;
mod packed_nano;
mod plan;
mod plan_authority;
mod plan_consolidate;
mod plan_nano;
mod plan_send;
mod plan_token;
mod reading;
mod refusal;
mod request;
mod reserve;
mod select;
mod state;
mod swap;
mod swap_parts;
mod template;
mod tokens;
mod touch;
mod utxo;
mod utxo_set;
mod watching;

pub use address_totals::{AddressRecord, AddressTotals, Sums};
pub use addresses::ViewId;
pub(crate) use calls::CallNumber;
pub use change_set::{ChangeSet, Event, Update};
pub(crate) use compact::{Reader, Writer};
pub use error::{PlanError, Planned};
pub use packed::PackedVertex;
pub use reading::HistoryFilter;
pub use request::{
    ActionRequest, Authority, AuthorityTo, BlueprintRequest, CallRequest, ConsolidateRequest,
    CreateTokenRequest, DelegateRequest, DestroyRequest, InputQuery, InputRequest, MeltRequest, MintRequest,
    OutputRequest, Plan, ReservationId, SendRequest,
};
pub use state::{Scan, Settings, State};
pub use swap::{SwapReceive, SwapRequest};
pub use swap_parts::{PaidInSwap, SwapPart};
pub use template::{
    TemplateError, TemplateFact, TemplateFacts, TemplateProblem, TemplateRequest, TemplateWalk,
};
pub use utxo::{AddressInfo, Balance, Utxo, UtxoFilter, UtxoList};
