//! Judging a transaction before it is signed, from its bytes alone: which rules it breaks, what it does, and
//! that others' inputs are not the wallet's.

use crate::keys::AddressKeys;
use crate::ledger::nano::ActionKind;
use crate::ledger::{
    Address, AddressKind, Amount, AmountVersion, Block, DepositRate, Header, Network, Outpoint, Output,
    RedeemScript, Script, SignedAmount, SpentOutput, TokenUid, Transaction, data_of, hash160, vertex_outputs,
};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {why}")]
pub struct Breach {
    pub rule: &'static str,
    pub why: String,
}

impl Breach {
    pub(super) fn new(rule: &'static str, why: impl Into<String>) -> Self {
        Self { rule, why: why.into() }
    }
}

/// An address on any network: whether it is multisig, and its hash.
pub type To = (bool, [u8; 20]);

/// The address that a script pays, and its time lock.
pub(super) fn paid(script: &[u8]) -> Option<(To, Option<u32>)> {
    match Script::parse(script, Network::Mainnet)? {
        Script::Pay { to, timelock } => Some((of_address(to), timelock)),
        Script::Data(_) => None,
    }
}

pub(super) fn of_address(address: Address) -> To {
    (address.kind() == AddressKind::P2sh, address.hash())
}

// What a transaction does to the wallet that is to sign it, from its bytes and those of the transactions that
// it spends. The client may lie: each lie breaks a rule, which has a name.

/// Greatest index of an address for change: a later one could not be found again from the seed phrase.
const MAX_INDEX: u32 = 1_000_000;
/// HTR for each output of fee tokens, in cents.
const FEE_OF_OUTPUT: u128 = 1;

/// A transaction, with the client's claims.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub transaction: &'a Transaction,
    /// The inputs to be signed, with the indexes of their addresses.
    pub inputs: &'a [(u8, u32)],
    pub caller: Option<u32>,
    /// The outputs claimed to be the wallet's, with the indexes of their addresses.
    pub own: &'a [(u8, u32)],
    pub previous: &'a [&'a [u8]],
    /// The redeem scripts of multisig inputs, by the inputs' indexes.
    pub scripts: &'a [(u8, &'a RedeemScript)],
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Does {
    /// What leaves the wallet by token, fees and deposits included; without tokens of which more comes in.
    pub spends: BTreeMap<TokenUid, Amount>,
    /// Recipients besides the wallet.
    pub pays: BTreeSet<To>,
    /// Whether it pays a script that is neither an address nor data.
    pub pays_unknown: bool,
    /// Whether it creates, mints or melts tokens, or gives away or drops an authority.
    pub tokens: bool,
    /// Whether it calls a contract, or makes a blueprint.
    pub contracts: bool,
    /// Whether it has inputs or calls that are not signed here: another's, or reserved for another signature.
    pub others: bool,
}

/// Judges a transaction. Yields to other tasks, because deriving keys takes a while.
///
/// # Errors
/// [`Breach`]: of `previous`, `keys`, `change`, `fee` or `sums`.
pub async fn judge(shown: Shown<'_>, account: &AddressKeys) -> Result<Does, Breach> {
    let Shown { transaction, inputs, caller, own, scripts, .. } = shown;
    let spends = spent(shown)?;
    if transaction.headers.iter().filter_map(Header::call).count() > 1 {
        return Err(Breach::new("transaction-bytes", "it calls contracts by two headers"));
    }
    // Before any key is derived, to bound their number by the inputs and outputs.
    check_places(("keys", "input"), inputs, spends.len())?;
    check_places(("change", "output"), own, transaction.outputs.len())?;
    let derived = derived(shown, account).await;
    let several = account.kind() == AddressKind::P2sh;
    let address_of = |index: u32| derived.get(&index).map(|address| (several, address.hash));
    let mut signed = BTreeSet::new();
    for (place, index) in inputs {
        let output = &spends[usize::from(*place)];
        if !is_paid(&output.script, address_of(*index)) {
            let why = format!("input {place} does not spend what address {index} of this wallet has");
            return Err(Breach::new("keys", why));
        }
        signed.insert(*place);
    }
    check_caller(transaction, caller, address_of)?;
    Signing { derived: &derived, inputs, caller, scripts, several }.check_unnamed(&spends)?;
    let mut mine = BTreeSet::new();
    for (place, index) in own {
        let output = &transaction.outputs[usize::from(*place)];
        if *index > MAX_INDEX || !is_paid(&output.script, address_of(*index)) {
            let why = format!("output {place} is said to pay address {index} of this wallet, and does not");
            return Err(Breach::new("change", why));
        }
        // A locked output may be lost for good: it counts as paid.
        if paid(&output.script).is_some_and(|(_, lock)| lock.is_none()) {
            mine.insert(*place);
        }
    }
    let made = check_sums(transaction, &spends)?;
    let contracts = transaction.nano().is_some() || transaction.blueprint.is_some();
    let mut does = Does {
        tokens: made.changes,
        contracts,
        others: signed.len() < spends.len() || contracts && caller.is_none(),
        ..Does::default()
    };
    // What would come to the wallet if nobody else got it: its inputs, contracts' withdrawals, and minted
    // tokens.
    let mut net = made.amounts;
    let mut rights = Rights::default();
    for (_, output) in (0..=u8::MAX).zip(&spends).filter(|(place, _)| signed.contains(place)) {
        match output.token_data.is_authority() {
            true => rights.add(output.token, output.value, 1),
            false => add(&mut net, output.token, output.value.to_signed()),
        }
    }
    for action in transaction.nano().into_iter().flat_map(|call| &call.actions) {
        let token = token_of(transaction, action.token_index)?;
        match action.kind {
            ActionKind::Withdrawal => add(&mut net, token, action.amount.to_signed()),
            ActionKind::AcquireAuthority => rights.add(token, action.amount, 1),
            ActionKind::GrantAuthority => does.tokens = true,
            ActionKind::Deposit => {}
        }
    }
    for (place, output) in (0..=u8::MAX).zip(&transaction.outputs) {
        let authority = output.token_data.is_authority();
        if mine.contains(&place) {
            // A created token has no uid that could be spent.
            match transaction.token_at(output.token_data) {
                Some(token) if authority => rights.add(token, output.value, -1),
                Some(token) => add(&mut net, token, -output.value.to_signed()),
                None => {}
            }
            continue;
        }
        does.tokens |= authority;
        match paid(&output.script) {
            Some((to, _)) => drop(does.pays.insert(to)),
            None => does.pays_unknown |= data_of(&output.script).is_none(),
        }
    }
    does.tokens |= rights.lost().next().is_some();
    let left = net.into_iter().filter(|(_, sum)| *sum > SignedAmount::ZERO);
    does.spends = left.map(|(token, sum)| (token, sum.abs())).collect();
    Ok(does)
}

/// Each index must exist and be named once.
fn check_places(
    (rule, what): (&'static str, &str),
    places: &[(u8, u32)],
    count: usize,
) -> Result<(), Breach> {
    let mut seen = BTreeSet::new();
    for (place, _) in places {
        if usize::from(*place) >= count {
            return Err(Breach::new(rule, format!("there is no {what} {place}")));
        }
        if !seen.insert(*place) {
            return Err(Breach::new(rule, format!("{what} {place} is named twice")));
        }
    }
    Ok(())
}

async fn derived(shown: Shown<'_>, account: &AddressKeys) -> BTreeMap<u32, Derived> {
    let named = shown.inputs.iter().chain(shown.own).map(|(_, index)| *index).chain(shown.caller);
    let named: BTreeSet<u32> = named.filter(|index| *index < account.count()).collect();
    let mut derived = BTreeMap::new();
    for index in named {
        derived.extend(Derived::of(account, index).map(|address| (index, address)));
        tokio::task::yield_now().await;
    }
    derived
}

/// The outputs that the inputs spend, from the bytes of the previous transactions, whose hashes are the ids
/// in the inputs.
pub(super) fn spent(Shown { transaction, previous, .. }: Shown<'_>) -> Result<Vec<SpentOutput>, Breach> {
    let breach = |why: String| Breach::new("previous", why);
    let places = transaction.spends();
    if previous.len() > places.len() {
        return Err(breach("more is shown than is spent".to_owned()));
    }
    let mut known: BTreeMap<Outpoint, SpentOutput> = BTreeMap::new();
    for bytes in previous {
        let id = match Block::from_bytes(bytes) {
            Ok(block) => block.id(),
            Err(_) => Transaction::from_bytes(bytes).map_err(|error| breach(error.to_string()))?.id(),
        };
        let id = id.map_err(|error| breach(error.to_string()))?;
        let outputs = vertex_outputs(bytes, id, AmountVersion::V1).map_err(breach)?;
        for place in places.iter().filter(|place| place.tx == id) {
            known.extend(outputs.get(usize::from(place.index)).map(|output| (*place, output.clone())));
        }
    }
    if places.iter().enumerate().any(|(at, place)| places[..at].contains(place)) {
        return Err(breach("two inputs spend the same".to_owned()));
    }
    let output = |place: &Outpoint| {
        let output = known.get(place)?;
        output.unknown.is_none().then(|| output.clone())
    };
    places
        .iter()
        .map(|place| {
            output(place)
                .ok_or_else(|| breach(format!("output {} of {} is not shown", place.index, place.tx)))
        })
        .collect()
}

fn check_caller(
    transaction: &Transaction,
    caller: Option<u32>,
    address_of: impl Fn(u32) -> Option<To>,
) -> Result<(), Breach> {
    let Some(index) = caller else { return Ok(()) };
    let hash = match (transaction.nano(), &transaction.blueprint) {
        (Some(call), _) if call.caller.kind() == AddressKind::P2pkh => Some(call.caller.hash()),
        (_, Some(blueprint)) => Some(hash160(&blueprint.public_key)),
        _ => None,
    };
    match hash {
        Some(hash) if Some((false, hash)) == address_of(index) => Ok(()),
        _ => Err(Breach::new(
            "keys",
            format!("address {index} of this wallet does not call or publish anything"),
        )),
    }
}

/// Authorities, by token and bit: how many more come to the wallet than go back to it.
#[derive(Default)]
pub(super) struct Rights(BTreeMap<(TokenUid, u8), i32>);

impl Rights {
    pub(super) fn add(&mut self, token: TokenUid, mask: Amount, count: i32) {
        for bit in [Output::MINT, Output::MELT].into_iter().filter(|bit| has(mask, *bit)) {
            *self.0.entry((token, bit)).or_default() += count;
        }
    }

    pub(super) fn lost(self) -> impl Iterator<Item = (TokenUid, u8)> {
        self.0.into_iter().filter(|(_, count)| *count > 0).map(|(right, _)| right)
    }
}

fn has(mask: Amount, bit: u8) -> bool {
    mask.cents() & u128::from(bit) != 0
}

struct Made {
    /// Of minted tokens, and HTR that melting returns.
    amounts: BTreeMap<TokenUid, SignedAmount>,
    changes: bool,
}

/// Inputs and outputs must match, except for the ledger's rules on minting, melting, deposits and fees.
fn check_sums(transaction: &Transaction, spends: &[SpentOutput]) -> Result<Made, Breach> {
    let mut left: BTreeMap<TokenUid, SignedAmount> = BTreeMap::new();
    let (mut mints, mut melts) = (BTreeSet::new(), BTreeSet::new());
    let mut authority = |token: TokenUid, mask: Amount| {
        if has(mask, Output::MINT) {
            mints.insert(token);
        }
        if has(mask, Output::MELT) {
            melts.insert(token);
        }
    };
    for output in spends {
        match output.token_data.is_authority() {
            true => authority(output.token, output.value),
            false => add(&mut left, output.token, output.value.to_signed()),
        }
    }
    let mut created = Amount::ZERO;
    for output in transaction.outputs.iter().filter(|output| !output.token_data.is_authority()) {
        match transaction.token_at(output.token_data) {
            Some(token) => add(&mut left, token, -output.value.to_signed()),
            None if transaction.creates.is_some() => created = created.saturating_add(output.value),
            None => return Err(Breach::new("sums", "an output is of a token that is not listed")),
        }
    }
    for action in transaction.nano().into_iter().flat_map(|call| &call.actions) {
        let token = token_of(transaction, action.token_index)?;
        match action.kind {
            ActionKind::Deposit => add(&mut left, token, -action.amount.to_signed()),
            ActionKind::Withdrawal => add(&mut left, token, action.amount.to_signed()),
            ActionKind::AcquireAuthority => authority(token, action.amount),
            ActionKind::GrantAuthority => {}
        }
    }
    let fees: Vec<_> = transaction.headers.iter().flat_map(Header::fees).collect();
    if fees.iter().any(|fee| fee.token_index != 0) {
        return Err(Breach::new("fee", "a fee is paid in something else than HTR"));
    }
    let fee: Amount = fees.iter().map(|fee| fee.amount).sum();
    let most = FEE_OF_OUTPUT * (transaction.outputs.len() as u128 + transaction.tokens.len() as u128);
    if fee > Amount::new(most) {
        return Err(Breach::new("fee", format!("the fee is {fee}, and can be {most} cents at most")));
    }
    add(&mut left, TokenUid::Native, -fee.to_signed());
    let htr = left.remove(&TokenUid::Native).unwrap_or_default();
    // The network's own: a wallet could tell of another one, and have more spent.
    let rate = DepositRate::default();
    let mut deposit = rate.deposit(created);
    let mut withdrawn = Amount::ZERO;
    let mut made = Made { amounts: BTreeMap::new(), changes: transaction.creates.is_some() };
    for (token, sum) in left {
        let amount = sum.abs();
        let (allowed, what) = if sum.is_negative() { (&mints, "minted") } else { (&melts, "melted") };
        if sum != SignedAmount::ZERO && !allowed.contains(&token) {
            return Err(Breach::new(
                "sums",
                format!("{amount} of token {token} are {what} without the right to"),
            ));
        }
        made.changes |= sum != SignedAmount::ZERO;
        match sum.is_negative() {
            true => {
                deposit = deposit.saturating_add(rate.deposit(amount));
                add(&mut made.amounts, token, amount.to_signed());
            }
            false => withdrawn = withdrawn.saturating_add(rate.withdraw(amount)),
        }
    }
    if htr > deposit.to_signed() {
        let burned = htr - deposit.to_signed();
        return Err(Breach::new("fee", format!("{burned} cents of HTR would be burned")));
    }
    if htr < -withdrawn.to_signed() {
        return Err(Breach::new("sums", "it pays more HTR than it spends"));
    }
    add(&mut made.amounts, TokenUid::Native, (-htr).max(SignedAmount::ZERO));
    Ok(made)
}

fn token_of(transaction: &Transaction, index: u8) -> Result<TokenUid, Breach> {
    let token = transaction.token_at(crate::ledger::TokenData::token(index));
    token.ok_or_else(|| Breach::new("sums", "an action is of a token that is not listed"))
}

fn is_paid(script: &[u8], address: Option<To>) -> bool {
    paid(script).is_some_and(|(to, _)| Some(to) == address)
}

pub(super) fn add(sums: &mut BTreeMap<TokenUid, SignedAmount>, token: TokenUid, amount: SignedAmount) {
    *sums.entry(token).or_default() += amount;
}

// Inputs claimed to be another's. All inputs have the same digest, so that a signature for one is valid for
// every other one of the same key: such inputs are not another's.

pub(super) struct Derived {
    pub(super) hash: [u8; 20],
    /// Of all participants; one in a single-key wallet.
    keys: Vec<[u8; 33]>,
}

impl Derived {
    /// `None` if there is no such address.
    pub(super) fn of(account: &AddressKeys, index: u32) -> Option<Self> {
        if let AddressKeys::Multisig(participants) = account {
            let script = participants.redeem_script(index);
            return Some(Self { hash: hash160(&script.to_bytes().ok()?), keys: script.public_keys });
        }
        let key = account.public_key(index)?;
        Some(Self { hash: hash160(&key), keys: vec![key] })
    }
}

/// The keys that sign, and the inputs that each was named for.
pub(super) struct Signing<'a> {
    pub(super) derived: &'a BTreeMap<u32, Derived>,
    pub(super) inputs: &'a [(u8, u32)],
    pub(super) caller: Option<u32>,
    pub(super) scripts: &'a [(u8, &'a RedeemScript)],
    pub(super) several: bool,
}

impl Signing<'_> {
    /// Refuses unnamed inputs whose key also signs another input or the call.
    ///
    /// # Errors
    /// [`Breach`] of `keys`.
    pub(super) fn check_unnamed(&self, spends: &[SpentOutput]) -> Result<(), Breach> {
        let breach = |why: String| Err(Breach::new("keys", why));
        let named: BTreeSet<u8> = self.inputs.iter().map(|(place, _)| *place).collect();
        let unnamed = || (0..=u8::MAX).zip(spends).filter(|(place, _)| !named.contains(place));
        for (place, output) in unnamed() {
            let to = to(output);
            let same = self.inputs.iter().find(|(other, _)| self::to(&spends[usize::from(*other)]) == to);
            if let Some((other, _)) = same {
                return breach(format!(
                    "input {place} spends from the same address as input {other}, and has no `path`"
                ));
            }
        }
        // A participant has the same key at one index in all its multisig wallets.
        let by = self.inputs.iter().map(|(_, index)| *index).chain(self.caller);
        let by: BTreeSet<[u8; 33]> = by
            .filter_map(|index| self.derived.get(&index))
            .flat_map(|address| &address.keys)
            .copied()
            .collect();
        let hashes: BTreeSet<_> = by.iter().map(|key| hash160(key)).collect();
        for (place, output) in unnamed() {
            let is_own = match to(output) {
                Some((false, hash)) => hashes.contains(&hash),
                Some((true, hash)) => match self.scripts.iter().find(|(of, _)| *of == place) {
                    Some((_, script)) => {
                        let bytes =
                            script.to_bytes().map_err(|error| Breach::new("keys", error.to_string()))?;
                        if hash160(&bytes) != hash {
                            return breach(format!(
                                "input {place} does not spend what its `redeemScript` has"
                            ));
                        }
                        script.public_keys.iter().any(|key| by.contains(key))
                    }
                    None if self.several => {
                        return breach(format!(
                            "input {place} spends what several keys have, and no `redeemScript` says which: \
                             put a file of those who have it beside this one"
                        ));
                    }
                    None => false,
                },
                None => false,
            };
            if is_own {
                return breach(format!(
                    "input {place} is said to be somebody else's, and a key that signs here may sign it, too"
                ));
            }
        }
        Ok(())
    }
}

/// The recipient of an output, locked or not.
fn to(output: &SpentOutput) -> Option<To> {
    paid(&output.script).map(|(to, _)| to)
}
