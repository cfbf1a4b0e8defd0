//! `/wallet/tx-proposal`: transactions that are built here and signed elsewhere.

use super::valid::Valid;
use super::write::make;
use crate::api::texts::{MULTISIG, NOT_MULTISIG, UNKNOWN_SIGNER};
use crate::api::{
    AddSignatures, BuildTx, GivenSignatures, InputDataAnswer, MakeInputData, ProposalAnswer, Refusal,
    WalletInputsAnswer, WalletInputsQuery,
};
use crate::keys::{MultisigPublic, account_key_of};
use crate::ledger::{EncodeError, InputData, Transaction};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::selection::Selected;
use crate::service::{InputsError, Operation, Preview, SendKey, SignatureError};
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use std::collections::BTreeMap;

/// Where the keys of wallets of one key are.
const ACCOUNT: &str = "m/44'/280'/0'";
/// Where those of participants are.
const MULTISIG_ACCOUNT: &str = "m/45'/280'/0'";

/// `POST /wallet/tx-proposal`: nothing is reserved. A repetition with the same `Idempotency-Key` gets the
/// same transaction.
pub(super) async fn build(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    key: Option<Extension<SendKey>>,
    Valid(request): Valid<BuildTx>,
) -> Result<Response, Refused> {
    let request = request.for_network(app.config().network).map_err(|refusal| app.refuse(refusal))?;
    let transaction = async {
        let Preview { mut transaction, .. } = selected.wallet.preview(Operation::Send(request)).await?;
        // For whoever pushes it to fill in.
        (transaction.weight, transaction.timestamp) = (0.0, 0);
        Ok(transaction)
    };
    let key = key.map(|Extension(key)| key);
    make(&app, &selected, key, transaction, |transaction| {
        let digest = transaction.sighash().map_err(|error| app.refuse_unwritable(&error))?;
        Ok(json(&app.proposal(transaction)?.to_sign(&digest)))
    })
    .await
}

/// `POST /wallet/tx-proposal/add-signatures`.
pub(super) async fn add_signatures(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(request): Valid<AddSignatures>,
) -> Result<Response, Refused> {
    let transaction = request.signed().map_err(|refusal| app.refuse(refusal))?;
    if app.config().compat.checks_signatures() {
        let checked = selected.wallet.check_signatures(&transaction).await;
        checked.map_err(|error| app.refuse_signature(error))?;
    }
    Ok(json(&app.proposal(&transaction)?))
}

/// `GET /wallet/tx-proposal/get-wallet-inputs`.
pub(super) async fn wallet_inputs(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(WalletInputsQuery { transaction }): Valid<WalletInputsQuery>,
) -> Result<Response, Refused> {
    let inputs = selected.wallet.read(|state, _| state.own_inputs(&transaction));
    let inputs = inputs.map_err(|not_ready| app.refuse_not_ready(not_ready))?;
    let account = if selected.wallet.participants().is_some() { MULTISIG_ACCOUNT } else { ACCOUNT };
    Ok(json(&WalletInputsAnswer::new(&inputs, account)))
}

/// `POST /wallet/tx-proposal/input-data`.
pub(super) async fn input_data(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Valid(MakeInputData { index, signatures }): Valid<MakeInputData>,
) -> Result<Response, Refused> {
    let data = match signatures {
        GivenSignatures::One(signature) => {
            let public_key = selected.wallet.public_key(index);
            let public_key = public_key.ok_or_else(|| app.refuse(Refusal::failure(MULTISIG)))?;
            InputData::P2pkh { signature, public_key }
        }
        GivenSignatures::Participants(given) => {
            let participants = selected.wallet.participants();
            let participants = participants.ok_or_else(|| app.refuse(Refusal::failure(NOT_MULTISIG)))?;
            of_participants(participants, index, given)
                .map_err(|error| app.refuse(Refusal::failure(error)))?
        }
    };
    let data = data.to_bytes().map_err(|error| app.refuse(Refusal::failure(error.to_string())))?;
    Ok(json(&InputDataAnswer::new(&data)))
}

/// The signatures of participants, in the order of their keys.
fn of_participants(
    participants: &MultisigPublic,
    index: u32,
    given: Vec<(String, Vec<u8>)>,
) -> Result<InputData, String> {
    let mut signatures = BTreeMap::new();
    for (xpub, signature) in given {
        let position = account_key_of(&xpub).and_then(|key| participants.position(&key));
        signatures.insert(position.ok_or(UNKNOWN_SIGNER)?, signature);
    }
    let redeem_script = participants.redeem_script(index).to_bytes().map_err(|error| error.to_string())?;
    Ok(InputData::P2sh { signatures: signatures.into_values().collect(), redeem_script })
}

impl App {
    pub(super) fn proposal(&self, transaction: &Transaction) -> Result<ProposalAnswer, Refused> {
        let bytes = transaction.to_bytes().map_err(|error| self.refuse_unwritable(&error))?;
        Ok(ProposalAnswer::new(&bytes))
    }
    fn refuse_unwritable(&self, error: &EncodeError) -> Refused {
        self.refuse(Refusal::failure(error.to_string()))
    }
    /// The response for a transaction that is not signed as it must be.
    pub(super) fn refuse_signature(&self, error: SignatureError) -> Refused {
        match error {
            SignatureError::Inputs(InputsError::NotReady(not_ready)) => self.refuse_not_ready(not_ready),
            error => self.refuse(Refusal::failure(error.to_string())),
        }
    }
}
