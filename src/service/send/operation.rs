//! Everything that a wallet can send. An operation is carried out, tried without sending
//! ([`Wallet::preview`]) or turned into an unsigned transaction ([`Wallet::propose`]).

use super::record::Recorder;
use crate::ledger::{Amount, AmountVersion, Cost, Header, TokenUid, TokenVersion, Transaction, VertexId};
use crate::rt;
use crate::service::account::Sent;
use crate::service::account::live_state::lock;
use crate::service::account::reserve::TO_ITS_END;
use crate::service::error::{NotReady, SendError};
use crate::service::nano::{CallArgument, ContractCall};
use crate::service::wallet::Wallet;
use crate::wallet::{
    BlueprintRequest, ConsolidateRequest, CreateTokenRequest, MeltRequest, MintRequest, OutputRequest, Plan,
    PlanError, SendRequest, State, TemplateRequest,
};

#[derive(Clone, Copy)]
pub enum OracleSignatures {
    /// By the wallet's keys, if the caller's guard admits it.
    Signed,
    /// Zeros of the same length, if that guard would admit it: a dry run signs nothing.
    Placeholders,
}

#[derive(Clone, Debug)]
pub enum Operation {
    Send(SendRequest),
    CreateToken(CreateTokenRequest),
    Mint(MintRequest),
    Melt(MeltRequest),
    /// Many outputs into one.
    Consolidate(ConsolidateRequest),
    Template(Box<TemplateRequest>),
    Call(Box<ContractCall>),
    Blueprint(BlueprintRequest),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Not signed, without parents and proof of work; its weight is the one it will need.
    pub transaction: Transaction,
    pub cost: Cost,
    pub arguments: Vec<CallArgument>,
}

/// The HTR behind an amount of a token, by the rules of the wallet's node, in cents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deposit {
    /// Deposited by minting.
    pub deposit: Amount,
    /// Returned by melting.
    pub withdraw: Amount,
}

impl Wallet {
    /// The deposit for an amount of a token, or of a new one, whatever the wallet has. Tokens that are paid
    /// for by fees have none.
    pub async fn deposit(&self, amount: Amount, token: Option<VertexId>) -> Result<Deposit, SendError> {
        let version = match token {
            Some(token) => self.token_version(&token).await?,
            None => TokenVersion::Deposit,
        };
        let rate = self.inner.version.deposit;
        Ok(match version {
            TokenVersion::Deposit => {
                Deposit { deposit: rate.deposit(amount), withdraw: rate.withdraw(amount) }
            }
            TokenVersion::Fee => Deposit { deposit: Amount::ZERO, withdraw: Amount::ZERO },
        })
    }

    /// Sends. How the tokens moved are paid for is filled in from the node.
    ///
    /// # Errors
    /// [`SendError`]. The transaction may be on the ledger only after [`SendError::Unknown`] or
    /// [`SendError::CutOff`]; its inputs are free again in any case.
    pub async fn carry_out(&self, operation: Operation) -> Result<Sent, SendError> {
        self.carry_out_before(Recorder::new(&self.inner.account, None), operation).await
    }

    pub(in crate::service) async fn carry_out_before(
        &self,
        recorder: Recorder,
        mut operation: Operation,
    ) -> Result<Sent, SendError> {
        self.check_can_send()?;
        if self.guard.is_some() {
            self.look_before_oracles(&mut operation).await?;
        }
        operation.complete(&self.for_sending(), OracleSignatures::Signed).await?;
        let plan = |state: &mut State, now, until| operation.plan(state, now, until);
        let sent = self.submit(plan, recorder).await?;
        if let Some(created) = &sent.transaction.creates {
            lock(&self.inner.account.token_versions).insert(sent.id, created.version);
        }
        Ok(sent)
    }

    /// Plans without sending. Nothing is reserved, and a wallet that can't sign may do it, too.
    pub async fn preview(&self, mut operation: Operation) -> Result<Preview, SendError> {
        self.check_ready()?;
        operation.complete(self, OracleSignatures::Placeholders).await?;
        let (mut transaction, cost, signed) = {
            let mut state = self.inner.write();
            let transaction = operation.plan_unreserved(&mut state)?;
            // Only templates can make what a guard refuses.
            if let Operation::Template(request) = &operation {
                state.check_taken(request, &transaction)?;
            }
            let cost = cost_of(&state, &transaction);
            (transaction, cost.expect("plans spend what the wallet has"), state.signed_input_bytes())
        };
        self.check_planned(&transaction).await?;
        set_signatures(&mut transaction, &vec![0; signed]);
        transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        set_signatures(&mut transaction, &[]);
        self.inner.look_by_guard(&self.guard, &transaction).await?;
        let arguments = self.call_arguments(&transaction).await?;
        Ok(Preview { transaction, cost, arguments })
    }
}

/// Refuses a transaction in units of 10^-18 that is handed out: signing files, participants, signers and
/// pushes read cents alone.
pub(super) fn check_handed_out(transaction: &Transaction) -> Result<(), PlanError> {
    if transaction.amounts() == AmountVersion::V1 { Ok(()) } else { Err(PlanError::PartsHandedOut) }
}

fn set_signatures(transaction: &mut Transaction, data: &[u8]) {
    transaction.inputs.iter_mut().for_each(|input| input.data = data.to_vec());
    for header in &mut transaction.headers {
        if let Header::Nano(call) = header {
            call.script = data.to_vec();
        }
    }
    transaction.blueprint.iter_mut().for_each(|blueprint| blueprint.signature = data.to_vec());
}

/// `None` if it spends outputs that the wallet does not know.
pub fn cost_of(state: &State, transaction: &Transaction) -> Option<Cost> {
    // The id is that of the created token, if any, which does not matter for HTR.
    let vertex = state.vertex_of(transaction, VertexId([0; 32]))?;
    let spends: Vec<_> = vertex.inputs.into_iter().map(|input| input.output).collect();
    Some(Cost::of(transaction, &spends))
}

impl Operation {
    /// Fills in how the tokens moved are paid for, and everything else that only the node knows.
    pub(in crate::service) async fn complete(
        &mut self,
        wallet: &Wallet,
        oracle: OracleSignatures,
    ) -> Result<(), SendError> {
        match self {
            Self::Send(request) => {
                for output in &request.outputs {
                    if let OutputRequest::Pay { token: TokenUid::Custom(token), .. } = output
                        && wallet.token_version(token).await? == TokenVersion::Fee
                    {
                        request.fee_tokens.insert(*token);
                    }
                }
            }
            Self::CreateToken(_) | Self::Blueprint(_) => {}
            Self::Call(call) => call.complete(wallet).await?,
            Self::Mint(request) => request.version = wallet.token_version(&request.token).await?,
            Self::Melt(request) => request.version = wallet.token_version(&request.token).await?,
            Self::Template(request) => wallet.complete_template(request, oracle).await?,
            Self::Consolidate(request) => {
                if let TokenUid::Custom(token) = &request.outputs.token {
                    request.version = wallet.token_version(token).await?;
                }
            }
        }
        Ok(())
    }

    /// Plans, and releases the inputs at once.
    pub(in crate::service) fn plan_unreserved(&self, state: &mut State) -> Result<Transaction, PlanError> {
        let now = rt::unix_seconds();
        let Plan { transaction, reservation, .. } = self.plan(state, now, now.saturating_add(1))?;
        state.release(reservation);
        Ok(transaction)
    }

    pub(in crate::service) fn plan(
        &self,
        state: &mut State,
        now: u32,
        reserve_until: u32,
    ) -> Result<Plan, PlanError> {
        match self {
            Self::Send(request) => state.plan_send(request, now, reserve_until),
            Self::CreateToken(request) => state.plan_create_token(request, now, reserve_until),
            Self::Mint(request) => state.plan_mint(request, now, reserve_until),
            Self::Melt(request) => state.plan_melt(request, now, reserve_until),
            Self::Consolidate(request) => state.plan_consolidate(request, now, reserve_until),
            Self::Template(request) => state.plan_template(request, now, reserve_until),
            Self::Call(call) => state.plan_call(&call.request, now, reserve_until),
            Self::Blueprint(request) => state.plan_blueprint(request, now, reserve_until),
        }
    }
}

/// How long a proposal's inputs are set aside: a week, because its signers may be people.
const SET_ASIDE_SECONDS: u32 = 7 * 24 * 60 * 60;

impl Wallet {
    /// Makes the transaction that an operation would send: unsigned, without parents and proof of work. A
    /// plain send also has no weight and timestamp, as in hathor-wallet-headless. A wallet that can't sign
    /// may do it, too.
    ///
    /// With `set_aside` its inputs are set aside for a week, or until they are released or spent; otherwise
    /// another send may take them.
    pub async fn propose(&self, mut operation: Operation, set_aside: bool) -> Result<Transaction, SendError> {
        self.check_ready()?;
        operation.complete(self, OracleSignatures::Signed).await?;
        let mut transaction = if set_aside {
            let _counted = self.inner.sends.begin().ok_or_else(NotReady::closed)?;
            let now = rt::unix_seconds();
            // Reserved until they are locked, so that nothing takes them in between.
            let plan = |state: &mut State| {
                let plan = operation.plan(state, now, TO_ITS_END)?;
                Ok((plan.reservation, plan.transaction))
            };
            let (planned, _held) = self.inner.account.reserve(&mut self.inner.write(), plan)?;
            check_handed_out(&planned)?;
            self.check_planned(&planned).await?;
            let until = now.saturating_add(SET_ASIDE_SECONDS);
            self.inner.account.lock_reserved(&planned.spends(), now, until).await?;
            planned
        } else {
            let planned = operation.plan_unreserved(&mut self.inner.write())?;
            check_handed_out(&planned)?;
            self.check_planned(&planned).await?;
            planned
        };
        if let Operation::Send(_) = operation {
            transaction.timestamp = 0;
        } else {
            transaction.weight = self.inner.version.weight.wallet_weight(&transaction);
        }
        Ok(transaction)
    }
}
