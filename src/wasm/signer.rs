//! The option `signer`: keys that JavaScript has, or asks something else for.

use super::failure::Failure;
use super::js_arg::{JsArg, Method};
use super::secrets;
use super::store::reason;
use crate::keys::{
    AddressKeys, MultisigPublic, Signature, Signer, SignerAccount, SignerError, SigningRequest, ToSign,
    account_key_of,
};
use crate::rt::{self, BoxFuture};
use js_sys::JSON;
use serde_json::json;
use std::ops::RangeInclusive;
use std::time::Duration;

/// How long a signature may take: a person may have to press a button.
const MILLISECONDS: RangeInclusive<u32> = 1..=600_000;

pub(super) struct JsSigner {
    sign: Method,
    account: SignerAccount,
    /// What the wallet's addresses come from.
    keys: AddressKeys,
    patience: Duration,
}

impl JsSigner {
    /// Reads one that signs alone, or of these participants' wallet the share of one.
    pub(super) fn read(given: &JsArg, participants: Option<MultisigPublic>) -> Result<Self, Failure> {
        let limit = given.member("timeout")?.given();
        let limit = limit.map_or(Ok(*MILLISECONDS.end()), |limit| limit.count(MILLISECONDS))?;
        let xpub = given.member("xpub")?;
        let (account, keys) = match participants {
            None => {
                let account = secrets::public(&xpub)?;
                (SignerAccount::Account(account.clone()), account.into())
            }
            Some(participants) => {
                let key = account_key_of(&xpub.text()?).filter(|key| participants.position(key).is_some());
                let key = key.ok_or_else(|| xpub.refuse("must be one of `multisig.pubkeys`"))?;
                (SignerAccount::Participant(key), participants.into())
            }
        };
        let (sign, patience) = (given.method("sign")?, Duration::from_millis(limit.into()));
        Ok(Self { sign, account, keys, patience })
    }

    /// What the wallet's addresses come from.
    pub(super) fn address_keys(&self) -> AddressKeys {
        self.keys.clone()
    }

    /// The key that signs for the address at an index.
    fn public_key(&self, index: u32) -> Result<[u8; 33], SignerError> {
        let key = match (&self.keys, &self.account) {
            (AddressKeys::Multisig(all), SignerAccount::Participant(key)) => {
                all.position(key).and_then(|place| all.redeem_script(index).public_keys.get(place).copied())
            }
            (keys, _) => keys.public_key(index),
        };
        key.ok_or_else(|| SignerError::Wrong(format!("there is no key of address {index}")))
    }

    async fn ask(&self, request: SigningRequest<'_>) -> Result<Vec<Signature>, SignerError> {
        let indexes: Vec<_> = request.what.indexes().collect();
        let mut asked = match request.what {
            ToSign::Transaction(asked) => {
                let previous = asked.facts.previous().await?;
                let previous: Vec<_> = previous.into_iter().map(|(_, bytes)| hex::encode(bytes)).collect();
                let mut shown = json!({
                    "transaction": hex::encode(asked.unsigned_bytes()?),
                    "inputs": asked.inputs,
                    "caller": asked.caller,
                    "own": asked.facts.own_outputs(),
                    "previous": previous,
                });
                if let AddressKeys::Multisig(all) = &self.keys {
                    let scripts = asked.others_scripts().into_iter();
                    let scripts: Vec<_> =
                        scripts.map(|(place, script)| json!([place, hex::encode(script)])).collect();
                    shown["multisig"] =
                        json!({"numSignatures": all.num_signatures(), "pubkeys": all.account_xpubs()});
                    shown["scripts"] = scripts.into();
                }
                shown
            }
            ToSign::Message { text, .. } => json!({ "message": text }),
            ToSign::OracleData { data, .. } => json!({ "oracleData": hex::encode(data) }),
        };
        asked["purpose"] = request.purpose.name().into();
        asked["digest"] = hex::encode(request.digest).into();
        asked["indexes"] = indexes.as_slice().into();
        let asked = JSON::parse(&asked.to_string()).map_err(|thrown| SignerError::Facts(reason(&thrown)))?;
        let answered = rt::timeout(self.patience, self.sign.call(&[asked])).await;
        let answer = answered.map_err(|_| {
            SignerError::Unreachable(format!("it did not answer within {} ms", self.patience.as_millis()))
        })?;
        let answer = answer
            .map_err(|thrown| SignerError::Refused { rule: "sign".to_owned(), why: reason(&thrown) })?;
        let wrong = |failure: Failure| SignerError::Wrong(failure.message().to_owned());
        let given = JsArg::new(answer, "what `sign` gives").elements().map_err(wrong)?;
        let signature = |(index, given): (&u32, &JsArg)| {
            let mut compact = [0; 64];
            hex::decode_to_slice(given.text().map_err(wrong)?, &mut compact)
                .map_err(|_| wrong(given.refuse("must be r and s, 64 bytes in hexadecimal")))?;
            Ok(Signature::given(self.public_key(*index)?, compact))
        };
        // Whether there are too few, or any is wrong, is looked at by who asked.
        indexes.iter().zip(&given).map(signature).collect()
    }
}

impl Signer for JsSigner {
    fn account(&self) -> SignerAccount {
        self.account.clone()
    }

    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(self.ask(request))
    }
}

impl std::fmt::Debug for JsSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("JsSigner")
    }
}
