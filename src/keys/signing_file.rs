//! A transaction on its way to be signed elsewhere, with everything needed to inspect and sign it: the
//! content of a signing file (`docs/signing-file.md`), whoever writes it and in any encoding.

use super::{ADDRESS_INDEXES, AddressKeys, MultisigPublic, Purpose, verify_digest};
use crate::ledger::{InputData, MAX_INPUTS, Network, RedeemScript, Transaction};

pub const MAX_LABEL_CHARS: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadFile(pub String);

#[derive(Clone, Debug, PartialEq)]
pub struct SigningFile {
    pub network: Network,
    /// A claim of the file's author.
    pub purpose: Purpose,
    /// The author's name for it, also only a claim.
    pub label: Option<String>,
    /// Without what is not signed: input data, weight, timestamp, parents, nonce.
    pub transaction: Transaction,
    pub previous: Vec<Vec<u8>>,
    /// Of the wallet that is to sign.
    pub account: AddressKeys,
    /// By the inputs' indexes.
    pub inputs: Vec<FileInput>,
    /// The outputs that pay the wallet, with the indexes of the addresses.
    pub outputs: Vec<(u8, u32)>,
    pub signatures: Vec<FileSignature>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInput {
    pub place: u8,
    /// The index of the wallet's address whose key signs; `None` for another's input.
    pub address: Option<u32>,
    pub redeem_script: Option<RedeemScript>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileSignature {
    pub input: u8,
    /// Compressed.
    pub public_key: [u8; 33],
    /// In DER.
    pub signature: Vec<u8>,
}

impl SigningFile {
    /// A file of a transaction, which may have signatures: those become the file's.
    ///
    /// # Errors
    /// [`BadFile`] for a transaction that does not fit into a file.
    pub fn of(
        (network, purpose, label): (Network, Purpose, Option<String>),
        transaction: &Transaction,
        (previous, account): (Vec<Vec<u8>>, AddressKeys),
        own_inputs: &[(u8, u32)],
        own_outputs: Vec<(u8, u32)>,
    ) -> Result<Self, BadFile> {
        let mut bare = transaction.clone();
        (bare.weight, bare.timestamp, bare.nonce) = (0.0, 0, 0);
        bare.parents.clear();
        bare.inputs.iter_mut().for_each(|input| input.data.clear());
        let input = |(place, index): &(u8, u32)| {
            let redeem_script = match &account {
                AddressKeys::Multisig(participants) => Some(participants.redeem_script(*index)),
                AddressKeys::Account(_) | AddressKeys::List(_) => None,
            };
            FileInput { place: *place, address: Some(*index), redeem_script }
        };
        let inputs = own_inputs.iter().map(input).collect();
        let (outputs, signatures) = (own_outputs, Vec::new());
        let transaction_with_data = transaction;
        let mut file = Self {
            network,
            purpose,
            label,
            transaction: bare,
            previous,
            account,
            inputs,
            outputs,
            signatures,
        };
        for (place, input) in (0..=u8::MAX).zip(&transaction_with_data.inputs) {
            if !input.data.is_empty() {
                file.take(place, &input.data)?;
            }
        }
        file.checked()
    }

    fn take(&mut self, place: u8, data: &[u8]) -> Result<(), BadFile> {
        let unreadable = || BadFile(format!("input {place} has data that is no signature with its key"));
        match InputData::parse(data).ok_or_else(unreadable)? {
            InputData::P2pkh { signature, public_key } => self.put(place, public_key, signature),
            InputData::P2sh { signatures, redeem_script } => {
                let script = RedeemScript::parse(&redeem_script).ok_or_else(unreadable)?;
                let digest = self.digest()?;
                for signature in signatures {
                    let key = script.public_keys.iter().find(|key| verify_digest(*key, &digest, &signature));
                    let key = *key.ok_or_else(|| wrong_signature(place))?;
                    self.put(place, key, signature);
                }
                self.know(FileInput { place, address: None, redeem_script: Some(script) });
            }
        }
        Ok(())
    }

    pub fn digest(&self) -> Result<[u8; 32], BadFile> {
        self.transaction.sighash().map_err(|error| BadFile(error.to_string()))
    }

    /// Verifies that all of the file is consistent. The outputs that its inputs spend are for
    /// `signer::inspect` to look at.
    pub fn checked(self) -> Result<Self, BadFile> {
        self.check().map_err(BadFile)?;
        Ok(self)
    }

    fn check(&self) -> Result<(), String> {
        if let Some(label) = &self.label {
            let length = label.chars().count();
            if length > MAX_LABEL_CHARS {
                return Err(format!(
                    "`label` has {length} characters and can have at most {MAX_LABEL_CHARS}"
                ));
            }
        }
        if matches!(self.purpose, Purpose::Message | Purpose::OracleData) {
            return Err(format!("`purpose` {:?} is not one of transactions", self.purpose.name()));
        }
        let tx = &self.transaction;
        let is_signed = |tx: &Transaction| tx.inputs.iter().any(|input| !input.data.is_empty());
        // Compared as bits: minus zero is another file.
        let is_solved =
            tx.weight.to_bits() != 0 || tx.timestamp != 0 || tx.nonce != 0 || !tx.parents.is_empty();
        if is_signed(tx) || is_solved {
            return Err("`transaction` must have no input data, weight, timestamp, parents and nonce: none of them is signed".to_owned());
        }
        if tx.nano().is_some() || tx.blueprint.is_some() {
            return Err("calls of contracts and blueprints have no signing file yet".to_owned());
        }
        if tx.inputs.is_empty() {
            return Err("`transaction` has no input, so there is nothing to sign".to_owned());
        }
        if self.previous.is_empty() || self.previous.len() > tx.inputs.len() {
            return Err("`previous` must have each transaction that is spent, once".to_owned());
        }
        let places: Vec<_> = self.inputs.iter().map(|input| input.place).collect();
        in_order("inputs", &places, tx.inputs.len())?;
        let places: Vec<_> = self.outputs.iter().map(|(place, _)| *place).collect();
        in_order("outputs", &places, tx.outputs.len())?;
        let indexes = self.inputs.iter().filter_map(|input| input.address);
        if indexes.chain(self.outputs.iter().map(|(_, index)| *index)).any(|index| index >= ADDRESS_INDEXES) {
            return Err("a `path` must end in a number below 2147483648".to_owned());
        }
        if matches!(self.account, AddressKeys::List(_)) {
            return Err("a wallet whose keys are on a token has no account that a file could name".to_owned());
        }
        self.inputs.iter().try_for_each(|input| self.check_input(input))?;
        self.check_signatures()
    }

    fn check_input(&self, FileInput { place, address, redeem_script }: &FileInput) -> Result<(), String> {
        let expected = match (address, &self.account) {
            (Some(index), AddressKeys::Multisig(participants)) => Some(participants.redeem_script(*index)),
            (Some(_), _) => None,
            (None, _) if redeem_script.is_none() => {
                return Err(format!("input {place} has neither a `path` nor a `redeemScript`"));
            }
            (None, _) => return Ok(()),
        };
        if *redeem_script == expected {
            return Ok(());
        }
        Err(format!("the `redeemScript` of input {place} is not that of the account's address"))
    }

    fn check_signatures(&self) -> Result<(), String> {
        let digest = self.digest().map_err(|BadFile(why)| why)?;
        let most = MAX_INPUTS * MultisigPublic::MAX_KEYS;
        if self.signatures.len() > most {
            return Err(format!("there can be {most} signatures at most"));
        }
        let mut last: Option<&FileSignature> = None;
        for signature in &self.signatures {
            let FileSignature { input, public_key, .. } = signature;
            if usize::from(*input) >= self.transaction.inputs.len() {
                return Err(format!("there is no input {input}"));
            }
            let script = self.redeem_script(*input);
            let again = |last: &FileSignature| {
                let (before, now) = ((last.input, last.public_key), (*input, *public_key));
                before >= now || (script.is_none() && last.input == *input)
            };
            if last.is_some_and(again) {
                return Err("`signatures` must be in the order of inputs and keys, each once".to_owned());
            }
            if script.is_some_and(|script| !script.public_keys.contains(public_key)) {
                return Err(format!("input {input} has a signature by a key that is none of its own"));
            }
            last = Some(signature);
        }
        // Last, because it takes longest.
        let is_wrong = |by: &&FileSignature| !verify_digest(&by.public_key, &digest, &by.signature);
        match self.signatures.iter().find(is_wrong) {
            Some(wrong) => Err(wrong_signature(wrong.input).0),
            None => Ok(()),
        }
    }

    fn redeem_script(&self, place: u8) -> Option<&RedeemScript> {
        let at = self.inputs.binary_search_by_key(&place, |input| input.place).ok()?;
        self.inputs[at].redeem_script.as_ref()
    }

    fn know(&mut self, input: FileInput) {
        if let Err(at) = self.inputs.binary_search_by_key(&input.place, |known| known.place) {
            self.inputs.insert(at, input);
        }
    }

    fn put(&mut self, input: u8, public_key: [u8; 33], signature: Vec<u8>) {
        let place = |by: &FileSignature| (by.input, by.public_key);
        if let Err(at) = self.signatures.binary_search_by_key(&(input, public_key), place) {
            self.signatures.insert(at, FileSignature { input, public_key, signature });
        }
    }

    /// The wallet's inputs that a key has not signed yet, with the indexes of its addresses. `key_of` has the
    /// key of an address.
    pub fn unsigned_by(&self, key_of: impl Fn(u32) -> [u8; 33]) -> Vec<(u8, u32)> {
        let own = self.inputs.iter().filter_map(|input| Some((input.place, input.address?)));
        let is_signed = |place: u8, key: [u8; 33]| {
            self.signatures.iter().any(|by| by.input == place && by.public_key == key)
        };
        own.filter(|(place, index)| !is_signed(*place, key_of(*index))).collect()
    }

    /// Adds signatures of inputs, in any order.
    ///
    /// # Errors
    /// [`BadFile`] if one is not by a key of its input, or of something else.
    pub fn with(mut self, signed: impl IntoIterator<Item = FileSignature>) -> Result<Self, BadFile> {
        for FileSignature { input, public_key, signature } in signed {
            self.put(input, public_key, signature);
        }
        self.checked()
    }

    /// Adds the signatures of another file of the same transaction.
    pub fn combined(mut self, other: Self) -> Result<Self, BadFile> {
        if self.digest()? != other.digest()? || self.network != other.network {
            return Err(BadFile("these are files of different transactions".to_owned()));
        }
        let script = |input: FileInput| FileInput { address: None, ..input };
        let others = other.inputs.into_iter().filter(|input| input.redeem_script.is_some());
        others.map(script).for_each(|input| self.know(input));
        self.with(other.signatures)
    }

    /// For each input, how many signatures it has and needs.
    pub fn signed_so_far(&self) -> Vec<(usize, usize)> {
        let so_far = |(place, _)| {
            let there = self.signatures.iter().filter(|by| by.input == place).count();
            let needs = self.redeem_script(place).map_or(1, |script| usize::from(script.num_signatures));
            (there.min(needs), needs)
        };
        (0..=u8::MAX).zip(&self.transaction.inputs).map(so_far).collect()
    }

    /// The transaction with all signatures; weight, timestamp, parents and proof of work are still missing.
    ///
    /// # Errors
    /// [`BadFile`] names the first input that lacks some.
    pub fn signed(&self) -> Result<Transaction, BadFile> {
        let mut transaction = self.transaction.clone();
        for (place, (there, needs)) in (0..=u8::MAX).zip(self.signed_so_far()) {
            if there < needs {
                return Err(BadFile(format!("input {place} has {there} of {needs} signatures")));
            }
            let mut by = self.signatures.iter().filter(|by| by.input == place);
            let data = match self.redeem_script(place) {
                Some(script) => {
                    // Exactly as many as required, in the order of the script's keys.
                    let by: Vec<_> = by.collect();
                    let of_key = |key: &[u8; 33]| by.iter().find(|by| by.public_key == *key);
                    let signatures = script.public_keys.iter().filter_map(of_key).take(needs);
                    let signatures = signatures.map(|by| by.signature.clone()).collect();
                    let redeem_script = script.to_bytes().map_err(|error| BadFile(error.to_string()))?;
                    InputData::P2sh { signatures, redeem_script }
                }
                None => {
                    let by = by.next().expect("it was counted");
                    InputData::P2pkh { signature: by.signature.clone(), public_key: by.public_key }
                }
            };
            transaction.inputs[usize::from(place)].data =
                data.to_bytes().map_err(|error| BadFile(error.to_string()))?;
        }
        Ok(transaction)
    }
}

fn wrong_signature(place: u8) -> BadFile {
    BadFile(format!("input {place} has a signature that is not one of this transaction by its key"))
}

/// Indexes must exist and be in ascending order without repetition.
fn in_order(what: &str, places: &[u8], count: usize) -> Result<(), String> {
    if let Some(place) = places.iter().find(|place| usize::from(**place) >= count) {
        return Err(format!("`{what}` names place {place}, and there are {count}"));
    }
    match places.is_sorted_by(|a, b| a < b) {
        true => Ok(()),
        false => Err(format!("`{what}` must be in the order of their places, each once")),
    }
}
