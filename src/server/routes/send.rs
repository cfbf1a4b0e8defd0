//! Everything that sends a transaction of the wallet and is answered with it.

use super::write::{Sending, write};
use crate::api::texts::{
    READ_ONLY_CREATE, READ_ONLY_MELT, READ_ONLY_MINT, READ_ONLY_SEND, READ_ONLY_SIMPLE_SEND,
};
use crate::api::{CreateNft, CreateToken, MeltTokens, MintTokens, Refusal, Request, SendTx, SimpleSendTx};
use crate::ledger::{Address, Network};
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::selection::Selected;
use crate::service::Operation;
use crate::wallet::PlanError;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

/// A request that sends.
pub(super) trait Send: Request {
    /// What release 0.39 calls it to a wallet that can't sign.
    const CALLED: &'static str;
    /// What the wallet is to do.
    fn operation(self, network: Network) -> Result<Operation, Refusal>;
}

/// Carries out a request that sends.
pub(super) async fn send<R: Send>(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { request, manner }: Sending<R>,
) -> Result<Response, Refused> {
    let operation = request.operation(app.config().network).map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, operation, R::CALLED).await
}

impl Send for SendTx {
    const CALLED: &'static str = READ_ONLY_SEND;
    fn operation(self, network: Network) -> Result<Operation, Refusal> {
        self.for_network(network).map(Operation::Send)
    }
}

impl Send for SimpleSendTx {
    const CALLED: &'static str = READ_ONLY_SIMPLE_SEND;
    fn operation(self, network: Network) -> Result<Operation, Refusal> {
        self.for_network(network).map(Operation::Send)
    }
}

impl Send for CreateToken {
    const CALLED: &'static str = READ_ONLY_CREATE;
    fn operation(self, network: Network) -> Result<Operation, Refusal> {
        self.for_network(network).map(Operation::CreateToken)
    }
}

impl Send for CreateNft {
    const CALLED: &'static str = READ_ONLY_CREATE;
    fn operation(self, network: Network) -> Result<Operation, Refusal> {
        self.for_network(network).map(Operation::CreateToken)
    }
}

impl Send for MintTokens {
    const CALLED: &'static str = READ_ONLY_MINT;
    fn operation(self, network: Network) -> Result<Operation, Refusal> {
        self.for_network(network).map(Operation::Mint)
    }
}

impl Send for MeltTokens {
    const CALLED: &'static str = READ_ONLY_MELT;
    fn operation(self, network: Network) -> Result<Operation, Refusal> {
        self.for_network(network).map(Operation::Melt)
    }
}

/// `POST /wallet/simple-send-tx`: the change address is looked at before all else, and in other words than that of send-tx.
pub(super) async fn simple_send(
    State(app): State<App>,
    selected: Extension<Selected>,
    Sending { request, manner }: Sending<SimpleSendTx>,
) -> Result<Response, Refused> {
    if let Some(change) = &request.change_address {
        let change = Address::parse(change, app.config().network).map_err(|_| app.refuse(not_mine()))?;
        let mine = selected.wallet.read(|state, _| state.index_of(&change).is_some());
        if !mine.map_err(|not_ready| app.refuse_not_ready(not_ready))? {
            return Err(app.refuse(not_mine()));
        }
    }
    send(State(app), selected, Sending { request, manner }).await
}

fn not_mine() -> Refusal {
    Refusal::failure(PlanError::ChangeNotFromThisWallet.to_string())
}
