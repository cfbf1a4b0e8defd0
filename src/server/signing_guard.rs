//! Whether somebody's requests may have a wallet sign: whether their key still holds, its rights to what is
//! done, limits on spending of the key and of the wallet, and approvals of others where limits want some.

use super::App;
use super::access::Entry;
use super::approvals::{Approval, ApprovalError, ListError, State, describe};
use super::auth::Caller;
use crate::api::texts::API_KEY_GONE;
use crate::api::{Right, Rights};
use crate::keys::Purpose;
use crate::ledger::{Amount, sha256d};
use crate::limits::{
    Assessment, Charge, Counted, Effects, Kinds, PaymentId, Rule, Rules, assess, refusal, wants_approval,
};
use crate::rt::{self, BoxFuture};
use crate::service::{Awaiting, Guard, Refused, SendError, SendKey, ToAdmit, Wallet};
use crate::store::{Spending, StoreError, Stores};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The limits for all wallets that have none of their own.
const ALL_WALLETS: &str = "*";

struct SigningGuard {
    app: App,
    caller: Caller,
    wallet_id: String,
    wallet: Wallet,
    /// Which approval is carried out, if it is one.
    approval: Option<String>,
    /// What was counted for it.
    counted: Mutex<HashMap<PaymentId, (u64, Vec<Charge>)>>,
}

impl App {
    /// The wallet as somebody's requests may use it.
    pub(super) fn permitted(&self, caller: &Caller, id: &str, wallet: &Wallet) -> Option<Wallet> {
        let is_owner = matches!(caller, Caller::Owner);
        if is_owner && self.limits_of(id).is_empty() {
            return None;
        }
        Some(self.guarded(caller, id, wallet, None))
    }

    /// The wallet as what was approved may use it, for whoever had asked for it.
    pub(super) fn guarded(
        &self,
        caller: &Caller,
        id: &str,
        wallet: &Wallet,
        approval: Option<String>,
    ) -> Wallet {
        wallet.guarded(Arc::new(SigningGuard {
            app: self.clone(),
            caller: caller.clone(),
            wallet_id: id.to_owned(),
            wallet: wallet.unguarded(),
            approval,
            counted: Mutex::default(),
        }))
    }

    pub(super) fn limits_of(&self, id: &str) -> Arc<[Rule]> {
        let config = self.config();
        config.limits.get(id).or_else(|| config.limits.get(ALL_WALLETS)).cloned().unwrap_or_default()
    }
}

/// The rights that a signature takes. What the wallet sends takes a right for each kind of thing that it
/// does; whoever is given what is signed can do all of it.
fn needed(what: ToAdmit<'_>) -> Rights {
    let (purpose, kinds) = match what {
        ToAdmit::Transaction { purpose, effects, .. } => (purpose, effects.kinds),
        ToAdmit::Statement(purpose) => (purpose, Kinds::default()),
    };
    match purpose {
        Purpose::Send => rights_of(kinds),
        Purpose::Build | Purpose::Swap | Purpose::Share | Purpose::Message | Purpose::OracleData => {
            Rights::NONE.and(Right::Sign)
        }
    }
}

fn rights_of(Kinds { pays, creates, mints, melts, calls }: Kinds) -> Rights {
    // A call can create a token by itself.
    let all = [
        (pays, Right::Send),
        (creates && !calls, Right::CreateTokens),
        (mints, Right::Mint),
        (melts, Right::Melt),
        (calls, Right::Contracts),
    ];
    all.into_iter().filter_map(|(does, right)| does.then_some(right)).collect()
}

impl SigningGuard {
    /// The key of whoever asks, as it is now; `None` for who needs none.
    fn key(&self) -> Result<Option<Entry>, Refused> {
        let gone = || Refused::Outright(API_KEY_GONE.to_owned());
        let key = match &self.caller {
            Caller::Named(key) => key,
            Caller::Gone(_) | Caller::Nobody => return Err(gone()),
            Caller::Owner => return Ok(None),
        };
        let now = u64::from(rt::unix_seconds());
        let known = self.app.access().known();
        let holds = |key: &&Entry| !key.has_ended(now) && key.named.grant.is_for(&self.wallet_id);
        known.named(&key.named.name).filter(holds).cloned().map(Some).ok_or_else(gone)
    }

    /// Looks at the rights first: limits tell what is left of them.
    async fn decide(&self, what: ToAdmit<'_>, is_done: bool) -> Result<(), Refused> {
        if let Some(key) = self.key()?
            && let Some(why) = Caller::Named(key).lacks(needed(what))
        {
            return Err(Refused::Forbidden(why));
        }
        match what {
            ToAdmit::Transaction { effects, id, .. } => self.check(effects, id, is_done).await,
            ToAdmit::Statement(_) => Ok(()),
        }
    }

    fn assess(&self, effects: &Effects, approvers: &[String]) -> Result<Assessment, Refused> {
        let of_wallet = self.app.limits_of(&self.wallet_id);
        // As the key is now, like its rights.
        let key = self.key()?.map(Caller::Named);
        let of_key = key.as_ref().map(Caller::limits).unwrap_or_default();
        let name = self.caller.name().unwrap_or_default();
        let (key, whose_key) = (format!("key {name}"), format!("the API key {name:?}"));
        // The account's name: its ids are counted as one.
        let wallet = format!("wallet {}", self.wallet.owner_name());
        let whose_wallet = format!("the wallet {:?}", self.wallet_id);
        let all = [
            Rules { scope: &key, whose: &whose_key, rules: of_key },
            Rules { scope: &wallet, whose: &whose_wallet, rules: &of_wallet },
        ];
        assess(effects, &all, approvers).map_err(Refused::Outright)
    }

    /// Looks whether the limits let a transaction pass, and counts it where it is to be done.
    async fn check(&self, effects: &Effects, id: PaymentId, is_done: bool) -> Result<(), Refused> {
        let approvers = self.approvers(id, is_done).await?;
        let assessment = self.assess(effects, &approvers)?;
        if let Some(wanted) = assessment.wanted.first() {
            return Err(self.unapproved(&assessment, id, wanted.why.clone()).await);
        }
        if assessment.charges.is_empty() {
            return Ok(());
        }
        let stores = self.app.stores();
        let spending = spending(stores.as_ref())?;
        let by =
            getrandom::u64().map_err(|_| Refused::Outright("There are no random numbers.".to_owned()))?;
        let counted = match is_done {
            true => spending.count(self.wallet.owner_name(), id, by, &assessment).await,
            false => spending.look(id, &assessment).await,
        };
        match counted.map_err(|failure| unread(&failure))? {
            Counted::Passed(place, left) => {
                let limit = &assessment.limits[place];
                let Charge { account, amount } = &assessment.charges[limit.charge];
                if limit.unless.is_none() {
                    return Err(passed(&assessment, place, left));
                }
                let why = wants_approval(&limit.rule, account.verb, account.token, *amount, left);
                Err(self.unapproved(&assessment, id, why).await)
            }
            Counted::Yes(news) => {
                if is_done {
                    self.counted().insert(id, (by, news));
                }
                Ok(())
            }
        }
    }

    /// That approval is wanted, unless it is of no use: other limits refuse it all the same.
    async fn unapproved(&self, assessment: &Assessment, id: PaymentId, why: String) -> Refused {
        let anyway = assessment.if_approved();
        if anyway.limits.is_empty() {
            return Refused::Unapproved(why);
        }
        let stores = self.app.stores();
        let looked = match spending(stores.as_ref()) {
            Ok(spending) => spending.look(id, &anyway).await,
            Err(refused) => return refused,
        };
        match looked {
            Ok(Counted::Yes(_)) => Refused::Unapproved(why),
            Ok(Counted::Passed(place, left)) => passed(&anyway, place, left),
            Err(failure) => unread(&failure),
        }
    }

    /// Who has approved this very transaction, where it is carried out as approved: by keys that hold still,
    /// and have the right. Nobody approves their own.
    async fn approvers(&self, id: PaymentId, is_done: bool) -> Result<Vec<String>, Refused> {
        let Some(approval) = &self.approval else { return Ok(Vec::new()) };
        let list = self.app.read_approvals().await.map_err(|error| Refused::Outright(error.to_string()))?;
        let is_ready = |of: &&Approval| match of.state {
            State::Sending(..) => true,
            State::Waiting => !is_done,
            State::Sent(_) | State::Denied(_) | State::Expired => false,
        };
        let approval = list.find(&self.wallet_id, approval).filter(is_ready);
        let Some(approval) = approval.filter(|of| of.digest == hex::encode(id)) else {
            return Err(Refused::Outright("It does not wait for approval any more.".to_owned()));
        };
        let Some(known) = self.app.access().whole().await else {
            return Err(Refused::Outright("The API keys can't be read now: try again.".to_owned()));
        };
        let (now, needed) = (u64::from(rt::unix_seconds()), Rights::NONE.and(Right::Approve));
        let may = |name: &&String| {
            let key = known.named(name).filter(|key| !key.has_ended(now));
            let grant = key.map(|key| &key.named.grant);
            grant.is_some_and(|grant| grant.rights.have(needed) && grant.is_for(&self.wallet_id))
                && self.caller.name() != Some(name)
        };
        Ok(approval.approved.iter().filter(may).cloned().collect())
    }

    /// Whether any limit can want approval.
    fn may_want_approval(&self) -> bool {
        let wants = |rule: &Rule| matches!(rule, Rule::Cap(cap) if cap.unless.is_some());
        self.caller.limits().iter().any(wants) || self.app.limits_of(&self.wallet_id).iter().any(wants)
    }

    async fn have_wait(&self, plan: Awaiting<'_>) -> Result<String, Refused> {
        let outright = |text: &str| Refused::Outright(text.to_owned());
        // It waits already.
        if self.approval.is_some() {
            return Err(Refused::Unapproved(plan.why.to_owned()));
        }
        let Awaiting { transaction, effects, .. } = plan;
        let (Ok(bytes), Ok(digest)) = (transaction.to_bytes(), transaction.sighash()) else {
            return Err(outright("The transaction can't be written."));
        };
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|_| outright("There are no random numbers for an id."))?;
        let id = hex::encode(random);
        // Another send with the same key is the same payment; without one it is the plan that tells it.
        let own_key = SendKey { name: sha256d(id.as_bytes()), request: digest };
        let key = plan.key.unwrap_or(own_key);
        let assessment = self.assess(effects, &[])?;
        let quorums = assessment.wanted.iter().map(|wanted| &wanted.of);
        let quorums = quorums.chain(assessment.limits.iter().filter_map(|limit| limit.unless.as_ref()));
        let mut of: Vec<_> = quorums.flat_map(|quorum| quorum.names()).cloned().collect();
        of.sort();
        of.dedup();
        let network = self.wallet.backend().network;
        let arguments = self.wallet.for_sending().call_arguments(transaction).await;
        let arguments = arguments.map_err(|error| {
            Refused::Outright(format!("The arguments of the call can't be shown: {error}"))
        })?;
        let does = self.wallet.look(|state, _| {
            describe(transaction, &arguments, effects, network, |script| state.paid_index(script).is_some())
        });
        let now = u64::from(rt::unix_seconds());
        let new = Approval {
            id,
            wallet: self.wallet_id.clone(),
            by: self.caller.name().map(str::to_owned),
            digest: hex::encode(digest),
            transaction: hex::encode(bytes),
            key: hex::encode(key.name),
            request: hex::encode(key.request),
            does,
            why: plan.why.to_owned(),
            of,
            created: now,
            until: plan.until.into(),
            approved: Vec::new(),
            state: State::Waiting,
            error: None,
            steps: 0,
        };
        let asked = self.app.change_approvals(|list| list.ask(new.clone(), now)).await;
        asked.map_err(|error| Refused::Outright(error.to_string()))
    }

    /// What came of a plan that was made for this key, if it waits or was not approved.
    async fn waiting(&self, key: SendKey) -> Result<(), SendError> {
        if !self.may_want_approval() {
            return Ok(());
        }
        let list = match self.app.read_approvals().await {
            Ok(list) => list,
            Err(ApprovalError::Nowhere) => return Ok(()),
            Err(error) => return Err(SendError::Limit(error.to_string())),
        };
        let name = hex::encode(key.name);
        let Some(approval) = list.approvals.iter().rev().find(|of| of.key == name) else { return Ok(()) };
        if approval.request != hex::encode(key.request) {
            return Err(SendError::KeyTaken);
        }
        match approval.status(rt::unix_seconds().into()) {
            "sent" => Ok(()),
            "waiting" | "sending" => {
                Err(SendError::AwaitsApproval { id: approval.id.clone(), why: approval.why.clone() })
            }
            over => Err(SendError::Limit(ListError::Over(over).to_string())),
        }
    }

    fn counted(&self) -> std::sync::MutexGuard<'_, HashMap<PaymentId, (u64, Vec<Charge>)>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn spending(stores: Option<&Arc<dyn Stores>>) -> Result<&dyn Spending, Refused> {
    let nowhere = "A limit can't be counted: start the server with `data_dir` or `store`.";
    stores.and_then(|stores| stores.spending()).ok_or_else(|| Refused::Outright(nowhere.to_owned()))
}

fn passed(assessment: &Assessment, place: usize, left: Amount) -> Refused {
    let limit = &assessment.limits[place];
    let Charge { account, amount } = &assessment.charges[limit.charge];
    Refused::Outright(refusal(&limit.rule, account.verb, account.token, *amount, left))
}

fn unread(failure: &StoreError) -> Refused {
    tracing::error!("what was spent under limits can't be counted: {failure}");
    Refused::Outright(format!("Nothing was signed, as it can't be counted under its limits: {failure}."))
}

impl Guard for SigningGuard {
    fn admit<'a>(&'a self, what: ToAdmit<'a>) -> BoxFuture<'a, Result<(), Refused>> {
        Box::pin(self.decide(what, true))
    }

    fn look<'a>(&'a self, what: ToAdmit<'a>) -> BoxFuture<'a, Result<(), Refused>> {
        Box::pin(self.decide(what, false))
    }

    fn ask<'a>(&'a self, plan: Awaiting<'a>) -> BoxFuture<'a, Result<String, Refused>> {
        Box::pin(self.have_wait(plan))
    }

    fn asked_before(&self, key: SendKey) -> BoxFuture<'_, Result<(), SendError>> {
        Box::pin(self.waiting(key))
    }

    fn take_back(&self, id: PaymentId) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let counted = self.counted().remove(&id).filter(|(_, charges)| !charges.is_empty());
            let stores = self.app.stores();
            let spending = stores.as_ref().and_then(|stores| stores.spending());
            let (Some((by, charges)), Some(spending)) = (counted, spending) else { return };
            if let Err(failure) = spending.take_back(id, by, &charges).await {
                tracing::warn!("what was not sent still counts as spent: {failure}");
            }
        })
    }

    fn still_holds(&self) -> Result<(), Refused> {
        self.key().map(drop)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Effects, Kinds, Purpose, ToAdmit, needed};

    #[test]
    fn each_purpose_and_each_kind_of_thing_takes_its_right() {
        let of = |purpose, kinds| {
            let effects = Effects { kinds, ..Effects::default() };
            needed(ToAdmit::Transaction { purpose, effects: &effects, id: [0; 32] }).to_string()
        };
        let none = Kinds::default();
        let all = Kinds { pays: true, creates: true, mints: true, melts: true, calls: true };
        for (kinds, rights) in [
            (Kinds { pays: true, ..none }, "send"),
            (Kinds { creates: true, ..none }, "create-tokens"),
            (Kinds { mints: true, ..none }, "mint"),
            (Kinds { melts: true, ..none }, "melt"),
            (Kinds { calls: true, ..none }, "contracts"),
            (Kinds { calls: true, creates: true, ..none }, "contracts"),
            (Kinds { pays: true, mints: true, ..none }, "send, mint"),
            (all, "send, mint, melt, contracts"),
        ] {
            assert_eq!(of(Purpose::Send, kinds), rights);
        }
        for purpose in Purpose::ALL.into_iter().filter(|purpose| *purpose != Purpose::Send) {
            assert_eq!(of(purpose, all), "sign", "{purpose:?}");
            assert_eq!(needed(ToAdmit::Statement(purpose)).to_string(), "sign");
        }
    }
}
