//! One wallet's state, as a machine without I/O: facts go in (a vertex seen, a block height, the time), change sets and events
//! come out. It knows its addresses, its history, what is unspent, and builds transactions from that.
//!
//! Nothing here reads a clock, a network or a store. Reading is `&self`; every method that changes what must outlive the process
//! returns what changed.

mod addresses;
mod change_set;
mod coins;
mod error;
mod history;
mod packed;
mod plan;
mod plan_authority;
mod plan_send;
mod plan_token;
mod reading;
mod request;
mod reserve;
mod select;
mod state;
mod utxo;

pub use change_set::{ChangeSet, Event, Update};
pub use error::PlanError;
pub use request::{
    Authority, AuthorityTo, CreateTokenRequest, DelegateRequest, DestroyRequest, InputQuery, InputRequest,
    MeltRequest, MintRequest, OutputRequest, Plan, ReservationId, SendRequest,
};
pub use state::{Settings, State};
pub use utxo::{AddressInfo, Balance, Utxo, UtxoFilter, UtxoList};
