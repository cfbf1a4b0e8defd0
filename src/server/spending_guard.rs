//! Whether somebody's requests may have a wallet sign: limits on spending of their key and of the wallet, and
//! whether the key holds still.

use super::App;
use super::auth::Caller;
use crate::api::texts::API_KEY_GONE;
use crate::ledger::Amount;
use crate::limits::{Assessment, Charge, Counted, Effects, PaymentId, Rule, Rules, assess, refusal};
use crate::rt::{self, BoxFuture};
use crate::service::{Guard, Refused, Wallet};
use crate::store::StoreError;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The limits for all wallets that have none of their own.
const ALL_WALLETS: &str = "*";

/// Of one request.
struct SpendingGuard {
    app: App,
    caller: Caller,
    wallet_id: String,
    /// The account's name: its ids are counted as one.
    account: String,
    /// What was counted for it.
    counted: Mutex<HashMap<PaymentId, Vec<Charge>>>,
}

impl App {
    /// The wallet as somebody's requests may use it.
    pub(super) fn permitted(&self, caller: &Caller, id: &str, wallet: &Wallet) -> Option<Wallet> {
        let is_owner = matches!(caller, Caller::Owner);
        if is_owner && self.limits_of(id).is_empty() {
            return None;
        }
        Some(wallet.guarded(Arc::new(SpendingGuard {
            app: self.clone(),
            caller: caller.clone(),
            wallet_id: id.to_owned(),
            account: wallet.owner_name().to_owned(),
            counted: Mutex::default(),
        })))
    }

    fn limits_of(&self, id: &str) -> Arc<[Rule]> {
        let config = self.config();
        config.limits.get(id).or_else(|| config.limits.get(ALL_WALLETS)).cloned().unwrap_or_default()
    }
}

impl SpendingGuard {
    fn assessment(&self, effects: &Effects) -> Result<Assessment, Refused> {
        self.still_holds()?;
        let (of_wallet, of_key) = (self.app.limits_of(&self.wallet_id), self.caller.limits());
        let name = self.caller.name().unwrap_or_default();
        let (key, whose_key) = (format!("key {name}"), format!("the API key {name:?}"));
        let (wallet, whose_wallet) =
            (format!("wallet {}", self.account), format!("the wallet {:?}", self.wallet_id));
        let all = [
            Rules { scope: &key, whose: &whose_key, rules: of_key },
            Rules { scope: &wallet, whose: &whose_wallet, rules: &of_wallet },
        ];
        assess(effects, &all).map_err(Refused)
    }

    /// Looks whether the limits let a transaction pass, and counts it where it is to be done.
    async fn check(&self, effects: &Effects, id: PaymentId, is_done: bool) -> Result<(), Refused> {
        let assessment = self.assessment(effects)?;
        if assessment.charges.is_empty() {
            return Ok(());
        }
        let stores = self.app.stores();
        let spending = stores.as_ref().and_then(|stores| stores.spending()).ok_or_else(nowhere)?;
        let counted = match is_done {
            true => spending.count(id, &assessment).await,
            false => spending.look(id, &assessment).await,
        };
        match counted.map_err(|failure| unread(&failure))? {
            Counted::Passed(place, left) => Err(passed(&assessment, place, left)),
            Counted::Yes(news) => {
                if is_done {
                    self.counted().insert(id, news);
                }
                Ok(())
            }
        }
    }

    fn counted(&self) -> std::sync::MutexGuard<'_, HashMap<PaymentId, Vec<Charge>>> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn nowhere() -> Refused {
    Refused("A limit can't be counted: start the server with `data_dir` or `store`.".to_owned())
}

fn passed(assessment: &Assessment, place: usize, left: Amount) -> Refused {
    let limit = &assessment.limits[place];
    let Charge { account, amount } = &assessment.charges[limit.charge];
    Refused(refusal(&limit.rule, account.verb, *amount, left))
}

fn unread(failure: &StoreError) -> Refused {
    tracing::error!("what was spent under limits can't be counted: {failure}");
    Refused(format!("Nothing was signed, as it can't be counted under its limits: {failure}."))
}

impl Guard for SpendingGuard {
    fn admit<'a>(&'a self, effects: &'a Effects, id: PaymentId) -> BoxFuture<'a, Result<(), Refused>> {
        Box::pin(self.check(effects, id, true))
    }

    fn look<'a>(&'a self, effects: &'a Effects, id: PaymentId) -> BoxFuture<'a, Result<(), Refused>> {
        Box::pin(self.check(effects, id, false))
    }

    fn take_back(&self, id: PaymentId) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let counted = self.counted().remove(&id).filter(|charges| !charges.is_empty());
            let stores = self.app.stores();
            let spending = stores.as_ref().and_then(|stores| stores.spending());
            let (Some(charges), Some(spending)) = (counted, spending) else { return };
            if let Err(failure) = spending.take_back(id, &charges).await {
                tracing::warn!("what was not sent counts as spent all the same: {failure}");
            }
        })
    }

    fn still_holds(&self) -> Result<(), Refused> {
        let Caller::Named(key) = &self.caller else { return Ok(()) };
        let known = self.app.access().known();
        let now = u64::from(rt::unix_seconds());
        match known.named(&key.named.name).filter(|key| !key.has_ended(now)) {
            Some(_) => Ok(()),
            None => Err(Refused(API_KEY_GONE.to_owned())),
        }
    }
}
