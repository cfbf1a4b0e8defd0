//! The kinds of values in answers: how each is written, and how it looks. What a kind's documentation says,
//! the OpenAPI document says of its values.

#[cfg(feature = "native")]
use crate::api::AmountForm;
use crate::api::Location;
use crate::api::answer::{As, Members, SerializeAs, answer, object};
use crate::api::exact_names::name_of_exact;
#[cfg(feature = "native")]
use crate::api::shape::{Form, Shape, Shaped};
use crate::keys::MultisigSignatures;
use crate::ledger::{
    Address, AddressKind, Amount, ConfigurationString, Direction, Execution, Network, Script, SignedAmount,
    SpentOutput, TokenUid, TokenVersion, TransactionKind, VertexId,
};
use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::value::RawValue;

/// Declares a kind of single values: its name in the OpenAPI document, if it has one, its JSON Schema, and
/// how values of each type are written. `BigInt` is for numbers that JavaScript has as a `bigint`.
macro_rules! kind {
    (
        $(#[doc = $about:literal])*
        $Kind:ident $(as $schema:literal)? = $Form:ident $json:tt;
        $( $($Value:ty),+: |$value:ident, $to:ident| $write:expr; )*
    ) => {
        $(#[doc = $about])*
        pub(super) struct $Kind;

        $($( impl $crate::api::answer::SerializeAs<$Value> for $Kind {
            fn serialize_as<S: serde::Serializer>($value: &$Value, $to: S) -> Result<S::Ok, S::Error> {
                $write
            }
        } )+)*

        #[cfg(feature = "native")]
        impl $crate::api::shape::Shaped for $Kind {
            const SHAPE: $crate::api::shape::Shape = {
                use $crate::api::shape::{Form, Shape};
                Shape::new(Form::$Form(|| serde_json::json!($json)))
                    .about(concat!($($about),*))$(.named($schema))?
            };
        }
    };
}
pub(super) use kind;

kind! {
    /// An amount in cents, of any size: 123 is 1.23. It is whole, unless it has parts of a cent.
    Cents as "Cents" = BigInt {"type": "number", "minimum": 0};
}
impl SerializeAs<Amount> for Cents {
    fn serialize_as<S: Serializer>(amount: &Amount, to: S) -> Result<S::Ok, S::Error> {
        if are_texts() {
            return to.serialize_str(&amount.decimal());
        }
        if amount.part() == 0 || IS_WHOLE {
            return to.serialize_u128(amount.cents());
        }
        with_decimals(&amount.to_string(), to)
    }
    fn exact(amount: &Amount) -> Option<String> {
        (amount.part() != 0 && !are_texts()).then(|| amount.decimal())
    }
}

/// The value of an output: an amount, or the bit mask of an authority, which is a number in every form.
pub(super) struct OutputValue;

impl SerializeAs<SpentOutput> for OutputValue {
    fn serialize_as<S: Serializer>(output: &SpentOutput, to: S) -> Result<S::Ok, S::Error> {
        if output.token_data.is_authority() {
            return to.serialize_u128(output.value.cents());
        }
        Cents::serialize_as(&output.value, to)
    }
    fn exact(output: &SpentOutput) -> Option<String> {
        Cents::exact(&output.value)
    }
}

/// Whether amounts are texts.
fn are_texts() -> bool {
    #[cfg(feature = "native")]
    return AmountForm::current() == AmountForm::Decimal;
    #[cfg(not(feature = "native"))]
    false
}

/// Whether numbers of amounts have no decimals: a `bigint` has none, and JavaScript's other numbers are
/// rounded.
const IS_WHOLE: bool = cfg!(target_arch = "wasm32");

/// Cents and parts of one, as a number in JSON with all its digits. Programs that take it for an integer fail
/// or miss less than a cent; of `null`, many would make 0.
fn with_decimals<S: Serializer>(cents: &str, to: S) -> Result<S::Ok, S::Error> {
    cents.parse::<serde_json::Number>().map_err(serde::ser::Error::custom)?.serialize(to)
}

/// Writes an amount of [`Cents`] as a member of an object, straight into its text. `key` ends in its name in
/// quotes and a colon.
#[cfg(feature = "native")]
pub(super) fn write_amount(json: &mut Vec<u8>, key: &str, amount: Amount, form: AmountForm) {
    json.extend_from_slice(key.as_bytes());
    let mut write = |text: String| json.extend_from_slice(text.as_bytes());
    match amount.whole_cents().map(u64::try_from) {
        _ if form == AmountForm::Decimal => write(format!("\"{}\"", amount.decimal())),
        // Nearly all amounts are of 64 bits, which take a third of the time to write.
        Some(Ok(cents)) => json.extend_from_slice(itoa::Buffer::new().format(cents).as_bytes()),
        Some(Err(_)) => write(amount.to_string()),
        None => {
            let name = key.trim_matches(['{', '"', ',', ':']);
            write(format!("{amount},\"{name}_str\":\"{}\"", amount.decimal()));
        }
    }
}

// An amount that can be below zero.
kind! {
    Change = BigInt {"type": "number"};
    // JavaScript has counts of authorities as it has amounts.
    i64: |count, to| to.serialize_i128((*count).into());
}
impl SerializeAs<SignedAmount> for Change {
    fn serialize_as<S: Serializer>(amount: &SignedAmount, to: S) -> Result<S::Ok, S::Error> {
        if are_texts() {
            return to.serialize_str(&amount.decimal());
        }
        if amount.whole_cents().is_some() || IS_WHOLE {
            return to.serialize_i128(amount.cents());
        }
        with_decimals(&amount.to_string(), to)
    }
    fn exact(amount: &SignedAmount) -> Option<String> {
        (amount.whole_cents().is_none() && !are_texts()).then(|| amount.decimal())
    }
}
kind! {
    Count = Value {"type": "integer", "minimum": 0};
    u8, u16, u32, u64, usize: |number, to| number.serialize(to);
}
kind! {
    Flag = Value {"type": "boolean"};
    bool: |flag, to| to.serialize_bool(*flag);
}
kind! {
    Null = Value {"type": "null"};
    (): |_value, to| to.serialize_unit();
}
kind! {
    Text = Value {"type": "string"};
    str, String: |text, to| to.serialize_str(text);
    Address, ConfigurationString, MultisigSignatures: |text, to| to.collect_str(text);
}
kind! {
    /// A transaction's id.
    Hash as "Hash" = Value {"type": "string", "pattern": "^[0-9a-f]{64}$"};
    VertexId: |id, to| to.collect_str(id);
    [u8]: |digest, to| to.serialize_str(&hex::encode(digest));
}
kind! {
    /// `00` is HTR; the uid of another token is the transaction that created it.
    Uid as "TokenUid" = Value {"type": "string", "pattern": "^(00|[0-9a-f]{64})$"};
    TokenUid: |uid, to| to.collect_str(uid);
    VertexId: |id, to| to.collect_str(id);
}
kind! {
    Hex as "Hex" = Value {"type": "string", "pattern": "^([0-9a-f]{2})+$"};
    [u8]: |bytes, to| to.serialize_str(&hex::encode(bytes));
    Vec<u8>: |bytes, to| to.serialize_str(&hex::encode(bytes));
}
// The same, also of no bytes.
kind! {
    HexOrEmpty = Value {"type": "string", "pattern": "^([0-9a-f]{2})*$"};
    [u8]: |bytes, to| to.serialize_str(&hex::encode(bytes));
}
kind! {
    /// In base64.
    Base64 = Value {"type": "string"};
    [u8]: |bytes, to| to.collect_str(&Base64Display::new(bytes, &STANDARD));
}
kind! {
    Byte = Value {"type": "integer", "minimum": 0, "maximum": 255};
    u8: |byte, to| to.serialize_u8(*byte);
}
kind! {
    /// 0 for HTR, n for the n-th of `tokens`; 128 more for authorities.
    TokenData = Value {"type": "integer", "minimum": 0, "maximum": 255};
    crate::ledger::TokenData: |data, to| to.serialize_u8(data.0);
}
// As JavaScript writes numbers: without `.0` where it is whole.
kind! {
    Weight = Value {"type": "number"};
    // Weights are logarithms, far below the range of a u32.
    f64: |weight, to| if weight.fract() == 0.0 && (0.0..1e9).contains(weight) {
        to.serialize_u32(*weight as u32)
    } else {
        to.serialize_f64(*weight)
    };
}
kind! {
    ScriptType = Value {"enum": ["P2PKH", "MultiSig"]};
    AddressKind: |kind, to| to.serialize_str(match kind {
        AddressKind::P2pkh => "P2PKH",
        AddressKind::P2sh => "MultiSig",
    });
}
kind! {
    StateCode = Value {"enum": [0, 1, 2, 3, 4, 5]};
    u8: |code, to| to.serialize_u8(*code);
}
kind! {
    StateName = Value {"enum": ["Closed", "Connecting", "Syncing", "Ready", "Error", "Processing"]};
    str: |name, to| to.serialize_str(name);
}
kind! {
    FeatureStateName = Value {"enum": ["LOCKED_IN", "ACTIVE"]};
    str: |name, to| to.serialize_str(name);
}
kind! {
    NetworkName = Value {"enum": ["mainnet", "testnet", "privatenet"]};
    Network: |network, to| to.serialize_str(network.name());
}
kind! {
    DirectionName = Value {"enum": ["received", "sent", "self"]};
    Direction: |direction, to| to.serialize_str(match direction {
        Direction::Received => "received",
        Direction::Sent => "sent",
        Direction::Own => "self",
    });
}
kind! {
    TransactionKindName = Value {"enum": ["payment", "swap", "data", "call", "blueprint", "creation", "nft", "mint", "melt", "reward"]};
    TransactionKind: |kind, to| to.serialize_str(match kind {
        TransactionKind::Payment => "payment",
        TransactionKind::Swap => "swap",
        TransactionKind::Data => "data",
        TransactionKind::Call => "call",
        TransactionKind::Blueprint => "blueprint",
        TransactionKind::Creation => "creation",
        TransactionKind::Nft => "nft",
        TransactionKind::Mint => "mint",
        TransactionKind::Melt => "melt",
        TransactionKind::Reward => "reward",
    });
}
kind! {
    ExecutionName = Value {"enum": ["pending", "success", "failure", "skipped"]};
    Execution: |execution, to| to.serialize_str(match execution {
        Execution::Pending => "pending",
        Execution::Success => "success",
        Execution::Failure => "failure",
        Execution::Skipped => "skipped",
    });
}
kind! {
    TransactionType = Value {"enum": ["Transaction", "Create Token Transaction"]};
    str: |kind, to| to.serialize_str(kind);
}
kind! {
    OutputType = Value {"enum": ["p2pkh", "p2sh", "data", "unknown"]};
    Option<Script>: |script, to| to.serialize_str(match script {
        Some(Script::Pay { to, .. }) if to.kind() == AddressKind::P2sh => "p2sh",
        Some(Script::Pay { .. }) => "p2pkh",
        Some(Script::Data(_)) => "data",
        None => "unknown",
    });
}
kind! {
    /// 1: paid by a deposit, 2: by fees.
    PaidBy = Value {"enum": [1, 2]};
    TokenVersion: |version, to| to.serialize_u8(*version as u8);
}
kind! {
    Component = Value {"enum": ["internal", "http"]};
    str: |component, to| to.serialize_str(component);
}
kind! {
    HttpStatus = Value {"enum": [200, 503]};
    u16: |status, to| to.serialize_u16(*status);
}
kind! {
    Time = Value {"type": "string", "format": "date-time"};
    String: |time, to| to.serialize_str(time);
}
kind! {
    Place = Value {"enum": ["body", "query"]};
    Location: |location, to| to.serialize_str(match location {
        Location::Body => "body",
        Location::Query => "query",
    });
}
kind! {
    Json = Value {};
    serde_json::Value: |json, to| json.serialize(to);
}
kind! {
    NodeObject = Value {"type": "object"};
    RawValue: |json, to| json.serialize(to);
    // Where it is put in later.
    (): |_value, to| to.serialize_unit();
}
kind! {
    ErrorCode = Value {"enum": [crate::api::texts::WALLET_ALREADY_STARTED]};
    str: |code, to| to.serialize_str(code);
}

/// Bytes as Node's `Buffer` writes them.
pub(super) struct Bytes<'a>(pub &'a [u8]);

answer! {
    /// Bytes, as Node's `Buffer` writes them to JSON.
    this: Bytes<'_> as "Buffer", type "Bytes" {
        type = "Buffer",
        data: [Byte] = this.0,
    }
}

/// An array: of what is written while walking over it.
#[derive(Clone)]
pub(super) struct List<I>(pub I);

impl<K: SerializeAs<I::Item>, I: Iterator + Clone> SerializeAs<List<I>> for [K] {
    fn serialize_as<S: Serializer>(List(values): &List<I>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.clone().map(As::<K, _>::new))
    }
}

impl<K: SerializeAs<V>, V> SerializeAs<[V]> for [K] {
    fn serialize_as<S: Serializer>(values: &[V], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(values.iter().map(As::<K, _>::new))
    }
}

/// It, or `null`.
pub(super) struct OrNull<K>(K);

impl<K: SerializeAs<V>, V> SerializeAs<Option<V>> for OrNull<K> {
    fn serialize_as<S: Serializer>(value: &Option<V>, to: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => K::serialize_as(value, to),
            None => to.serialize_unit(),
        }
    }
    fn exact(value: &Option<V>) -> Option<String> {
        K::exact(value.as_ref()?)
    }
}

/// An object with any names.
pub(super) struct ByName<K: ?Sized>(K);

impl<K: SerializeAs<V> + ?Sized, N: Serialize, V, I: Iterator<Item = (N, V)> + Clone> SerializeAs<List<I>>
    for ByName<K>
{
    fn serialize_as<S: Serializer>(List(values): &List<I>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(values.clone().map(|(name, value)| (name, As::<K, _>::new(value))))
    }
    fn serialize_member<O: SerializeStruct>(
        value: &List<I>,
        name: &'static str,
        to: &mut O,
    ) -> Result<(), O::Error> {
        to.serialize_field(name, &As::<Self, _>::new(value))?;
        let exact = value.0.clone().filter_map(|(name, value)| Some((name, K::exact(&value)?)));
        match exact.clone().next() {
            Some(_) => to.serialize_field(name_of_exact(name), &InWords(exact)),
            None => Ok(()),
        }
    }
}

/// Amounts in words, by what they are of.
struct InWords<I>(I);

impl<N: Serialize, I: Iterator<Item = (N, String)> + Clone> Serialize for InWords<I> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.clone())
    }
}

/// A member that is there at times.
pub(super) struct Maybe<K: ?Sized>(K);

impl<K: SerializeAs<V> + ?Sized, V> SerializeAs<Option<V>> for Maybe<K> {
    fn serialize_as<S: Serializer>(value: &Option<V>, to: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(As::<K, _>::new).serialize(to)
    }
    fn serialize_member<O: SerializeStruct>(
        value: &Option<V>,
        name: &'static str,
        to: &mut O,
    ) -> Result<(), O::Error> {
        value.as_ref().map_or(Ok(()), |value| K::serialize_member(value, name, to))
    }
}

/// In the place of a member, the members of another object.
pub(super) struct Flatten<K>(pub K);

impl<K: Members> SerializeAs<Flatten<&K>> for Flatten<K> {
    fn serialize_as<S: Serializer>(Flatten(value): &Flatten<&K>, to: S) -> Result<S::Ok, S::Error> {
        object(*value, to)
    }
    fn serialize_member<O: SerializeStruct>(
        Flatten(value): &Flatten<&K>,
        _: &'static str,
        to: &mut O,
    ) -> Result<(), O::Error> {
        value.write(to)
    }
}

#[cfg(feature = "native")]
mod shapes {
    use super::*;

    impl Shaped for OutputValue {
        const SHAPE: Shape = Cents::SHAPE;
    }
    impl<K: Shaped> Shaped for [K] {
        const SHAPE: Shape = Shape::new(Form::List(&K::SHAPE));
    }
    impl<K: Shaped> Shaped for OrNull<K> {
        const SHAPE: Shape = Shape::new(Form::OrNull(&K::SHAPE));
    }
    impl<K: Shaped + ?Sized> Shaped for ByName<K> {
        const SHAPE: Shape = Shape::new(Form::ByName(None, &K::SHAPE));
    }
    impl<K: Shaped + ?Sized> Shaped for Maybe<K> {
        const SHAPE: Shape = Shape::new(Form::Maybe(&K::SHAPE));
    }
    impl<K: Shaped> Shaped for Flatten<K> {
        const SHAPE: Shape = Shape::new(Form::Flatten(&K::SHAPE));
    }
}
