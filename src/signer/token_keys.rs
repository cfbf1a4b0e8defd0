//! The keys of a wallet on a token, which derives none: one pair per address, labelled with the wallet's
//! name, whose id (`CKA_ID`) is the address's index in four bytes.

use super::token::{Access, Failure, TokenError, TokenPlace, with_session};
use crate::keys::{KeyList, Signature, Signer, SignerAccount, SignerError, SigningRequest};
use crate::rt::BoxFuture;
use cryptoki::mechanism::Mechanism;
use cryptoki::object::{Attribute, AttributeType, KeyType, ObjectClass};
use cryptoki::session::Session;
use std::collections::BTreeMap;
use std::time::Duration;

/// The curve secp256k1, by its OID (1.3.132.0.10, in DER).
const CURVE: [u8; 7] = [0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a];
/// Per wallet.
pub const MOST_TOKEN_KEYS: u32 = 10_000;
const DER_OCTETS: u8 = 0x04;

pub async fn token_keys(place: &TokenPlace, label: &str, patience: Duration) -> Result<KeyList, TokenError> {
    let (asked, name) = (place.clone(), label.to_owned());
    with_session(place, (Access::Read, patience), move |session| listed(session, &asked, &name)).await
}

/// Makes the token generate a wallet's key at an index, if it has none there. The key can't be extracted.
pub async fn add_token_key(
    place: &TokenPlace,
    label: &str,
    index: u32,
    patience: Duration,
) -> Result<(), TokenError> {
    let name = label.to_owned();
    let generate = move |session: &Session| {
        if private_key(session, &name, index)?.is_some() {
            return Ok(());
        }
        let both = [Attribute::Token(true), Attribute::Label(name.clone().into_bytes()), id(index)];
        let public =
            [Attribute::EcParams(CURVE.to_vec()), Attribute::Private(false), Attribute::Verify(true)];
        let private = [
            Attribute::Private(true),
            Attribute::Sensitive(true),
            Attribute::Extractable(false),
            Attribute::Sign(true),
        ];
        let of = |own: &[Attribute]| [&both, own].concat();
        session.generate_key_pair(&Mechanism::EccKeyPairGen, &of(&public), &of(&private))?;
        Ok(())
    };
    with_session(place, (Access::Write, patience), generate).await
}

fn id(index: u32) -> Attribute {
    Attribute::Id(index.to_be_bytes().to_vec())
}

fn keys_of(class: ObjectClass, label: &str) -> Vec<Attribute> {
    vec![
        Attribute::Class(class),
        Attribute::KeyType(KeyType::EC),
        Attribute::Label(label.as_bytes().to_vec()),
    ]
}

fn private_key(
    session: &Session,
    label: &str,
    index: u32,
) -> Result<Option<cryptoki::object::ObjectHandle>, Failure> {
    let mut wanted = keys_of(ObjectClass::PRIVATE_KEY, label);
    wanted.push(id(index));
    Ok(session.find_objects(&wanted)?.into_iter().next())
}

/// All keys of a label; their indexes must begin at 0 without gaps.
fn listed(session: &Session, place: &TokenPlace, label: &str) -> Result<KeyList, Failure> {
    let wrong = |what: String| {
        TokenError::Keys(format!(
            "{}: the token's keys labelled {label:?} are no wallet's: {what}",
            place.given_by
        ))
    };
    let mut keys = BTreeMap::new();
    for object in session.find_objects(&keys_of(ObjectClass::PUBLIC_KEY, label))? {
        let (mut index, mut point, mut curve) = (None, None, None);
        let asked = [AttributeType::Id, AttributeType::EcPoint, AttributeType::EcParams];
        for attribute in session.get_attributes(object, &asked)? {
            match attribute {
                Attribute::Id(id) => index = id.try_into().ok().map(u32::from_be_bytes),
                Attribute::EcPoint(bytes) => point = read_point(&bytes),
                Attribute::EcParams(bytes) => curve = Some(bytes),
                _ => {}
            }
        }
        let index = index.ok_or_else(|| wrong("an id (CKA_ID) is no index in four bytes".to_owned()))?;
        let point = point.filter(|_| curve.as_deref() == Some(&CURVE));
        let point = point.ok_or_else(|| wrong(format!("that of index {index} is not of secp256k1")))?;
        if keys.insert(index, point).is_some() {
            return Err(wrong(format!("there are two of index {index}")).into());
        }
    }
    let count = u32::try_from(keys.len()).unwrap_or(u32::MAX);
    if count > MOST_TOKEN_KEYS {
        return Err(wrong(format!("there are {count}, and {MOST_TOKEN_KEYS} are the most")).into());
    }
    if let Some(missing) = (0..count).find(|index| !keys.contains_key(index)) {
        return Err(wrong(format!("that of index {missing} is missing")).into());
    }
    let no_keys = || TokenError::NoKeys { given_by: place.given_by.clone(), label: label.to_owned() };
    Ok(KeyList::new(keys.into_values().collect()).ok_or_else(no_keys)?)
}

/// A point as tokens give it: in DER, as the standard says, or bare.
fn read_point(bytes: &[u8]) -> Option<[u8; 33]> {
    match bytes {
        [DER_OCTETS, length, point @ ..] if point.len() == usize::from(*length) => KeyList::compressed(point),
        bare => KeyList::compressed(bare),
    }
}

pub struct TokenSigner {
    place: TokenPlace,
    label: String,
    keys: KeyList,
    patience: Duration,
}

impl TokenSigner {
    /// Asks a token for the keys of a label. A token that does not answer within `patience` counts as
    /// unreachable.
    pub async fn of_label(place: TokenPlace, label: &str, patience: Duration) -> Result<Self, TokenError> {
        let keys = token_keys(&place, label, patience).await?;
        Ok(Self { place, label: label.to_owned(), keys, patience })
    }

    async fn sign_there(&self, request: SigningRequest<'_>) -> Result<Vec<Signature>, SignerError> {
        let mut wanted = Vec::new();
        for index in request.what.indexes() {
            let key = self.keys.public_key(index);
            wanted.push((index, key.ok_or_else(|| SignerError::Wrong(format!("it has no key {index}")))?));
        }
        let (label, place, digest) = (self.label.clone(), self.place.clone(), request.digest);
        let sign = move |session: &Session| {
            let mut signed = BTreeMap::new();
            for (index, key) in &wanted {
                if signed.contains_key(index) {
                    continue;
                }
                let private = private_key(session, &label, *index)?
                    .ok_or_else(|| place.unusable(format!("key {index} of {label:?} is not on the token")))?;
                let compact = session.sign(&Mechanism::Ecdsa, private, &digest)?;
                let compact = compact.try_into().map_err(|_| place.unusable("it signs by another curve"))?;
                signed.insert(*index, Signature::given(*key, compact));
            }
            Ok(wanted.iter().map(|(index, _)| signed[index].clone()).collect())
        };
        with_session(&self.place, (Access::Read, self.patience), sign)
            .await
            .map_err(|error| SignerError::Unreachable(error.to_string()))
    }
}

impl Signer for TokenSigner {
    fn account(&self) -> SignerAccount {
        SignerAccount::List(self.keys.clone())
    }

    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(self.sign_there(request))
    }
}

impl std::fmt::Debug for TokenSigner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "TokenSigner({:?}, {:?})", self.label, self.keys)
    }
}
