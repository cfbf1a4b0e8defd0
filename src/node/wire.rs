//! The node's JSON of transactions and blocks ("extended JSON" of histories and socket frames), straight into
//! the ledger's types. What the node decoded of a script is not looked at: the script's bytes are.

use super::object::{self, Drops, WithOthers};
use crate::json;
use crate::ledger::nano::{ActionKind, NanoCall, TokenAction, VertexNano};
use crate::ledger::{
    Address, Amount, AmountVersion, ExtraMembers, Outpoint, Output, Part, ScriptBytes, SpentOutput,
    TokenData, TokenUid, Vertex, VertexId, VertexInput, VertexOutput,
};
use crate::rt;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Once;

/// The most inputs or outputs of a vertex: their counts and indexes are one byte.
const MAX_PARTS: usize = 255;

/// Reads one vertex of a history. Inputs and outputs of kinds that are not known are kept as they came.
///
/// # Errors
/// [`serde_json::Error`] for the first field that wallets need and that is missing or wrong.
pub fn parse_vertex(json: &str) -> Result<Vertex, serde_json::Error> {
    let lenient = || serde_json::from_str::<AnyFields>(json).map(WireVertex::of);
    // The other way is a faster one.
    let wire = match rt::MUST_BE_SMALL {
        true => lenient(),
        false => serde_json::from_slice(json.as_bytes()).or_else(|error| lenient().map_err(|_| error)),
    };
    wire.map(|WireVertex(vertex)| vertex)
}

/// A vertex as a node writes it, all of whose parts are known.
pub(super) struct WireVertex(pub(super) Vertex);

impl<'de> Deserialize<'de> for WireVertex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        type Fields = VertexFields<WithOthers<InputFields>, WithOthers<OutputFields>>;
        let wire = WithOthers::<Fields>::deserialize(deserializer)?;
        let VertexFields { inputs, outputs, .. } = &wire.value;
        let inputs = inputs.0.iter().map(|part| part.value.amount());
        match inputs.chain(outputs.0.iter().map(|part| part.value.amount())).all(|amount| amount.is_some()) {
            true => Ok(Self::of(wire)),
            false => Err(Error::custom("`value` is not what `value_str` says")),
        }
    }
}

/// A vertex with whatever parts.
pub(super) struct AnyVertex(pub(super) Vertex);

impl<'de> Deserialize<'de> for AnyVertex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        parse_vertex(text).map(Self).map_err(Error::custom)
    }
}

impl WireVertex {
    fn of<I, O>(WithOthers { value: wire, mut others }: WithOthers<VertexFields<I, O>>) -> Self
    where
        I: Into<Passed<VertexInput>>,
        O: Into<Passed<VertexOutput>>,
    {
        if wire.token_name.is_some() {
            // Answers have them.
            others.remove("tokens");
        }
        let mut extra = ExtraMembers::default();
        extra.push(Part::Whole, members(&others));
        let inputs = (0..=u8::MAX).zip(wire.inputs.0).map(|(index, input)| {
            let (input, members) = input.into();
            extra.push(Part::Input(index), members);
            input
        });
        let inputs = inputs.collect();
        let outputs = (0..=u8::MAX).zip(wire.outputs.0).map(|(index, output)| {
            let (output, members) = output.into();
            extra.push(Part::Output(index), members);
            output
        });
        let outputs = outputs.collect();
        let amounts = match others.get("token_amount_version").map(Value::as_u64) {
            None | Some(Some(1)) => Some(AmountVersion::V1),
            Some(Some(2)) => Some(AmountVersion::V2),
            Some(_) => None,
        };
        let nano = NanoFields {
            id: wire.nc_id,
            seqnum: wire.nc_seqnum,
            blueprint_id: wire.nc_blueprint_id,
            method: wire.nc_method,
            args: wire.nc_args,
            address: wire.nc_address,
            context: wire.nc_context,
            pubkey: wire.nc_pubkey,
        };
        Self(Vertex {
            id: wire.tx_id,
            version: wire.version,
            weight: wire.weight,
            timestamp: wire.timestamp,
            voided: wire.is_voided,
            first_block: wire.first_block,
            height: wire.height,
            parents: wire.parents.0,
            inputs,
            outputs,
            creates: wire.token_name.zip(wire.token_symbol),
            nano: amounts.and_then(|amounts| nano.read(amounts)).map(Box::new),
            extra: extra.within_bounds().unwrap_or_else(too_long),
        })
    }
}

/// An input or output, and the members of it that are passed on.
type Passed<T> = (T, Cow<'static, str>);

/// Members as JSON without the braces.
fn members(others: &Map<String, Value>) -> Cow<'static, str> {
    if others.is_empty() {
        return Cow::Borrowed("");
    }
    let text = serde_json::to_string(others).expect("a map with text keys");
    Cow::Owned(text[1..text.len() - 1].to_owned())
}

/// The members of a part of a known kind, which `kind` and `value_str` are among where nodes say them.
fn members_of_part(
    kind: Option<Kind>,
    value_str: Option<String>,
    others: Map<String, Value>,
) -> Cow<'static, str> {
    if others.is_empty() && value_str.is_none() {
        return Cow::Borrowed(if kind.is_some() { ExtraMembers::TRANSPARENT } else { "" });
    }
    let mut others = others;
    if kind.is_some() {
        others.insert("type".to_owned(), "transparent".into());
    }
    if let Some(words) = value_str {
        others.insert("value_str".to_owned(), words.into());
    }
    members(&others)
}

fn too_long() -> ExtraMembers {
    static SAID: Once = Once::new();
    SAID.call_once(|| {
        tracing::warn!(
            "the full node's JSON of a transaction has more than {} bytes that this version does not know: they are not passed on",
            ExtraMembers::MAX_BYTES
        );
    });
    ExtraMembers::default()
}

/// A vertex whose parts may be of kinds that are not known.
type AnyFields = WithOthers<VertexFields<AnyInput, AnyOutput>>;

impl<I, O> Drops for VertexFields<I, O> {
    /// What answers have themselves.
    const DROPPED: &'static [&'static str] = &["processingStatus", "nc_execution", "effect"];
}

#[derive(Deserialize)]
#[serde(bound = "I: Deserialize<'de>, O: Deserialize<'de>")]
struct VertexFields<I, O> {
    tx_id: VertexId,
    version: u8,
    #[serde(default, deserialize_with = "float")]
    weight: f64,
    timestamp: u32,
    is_voided: bool,
    #[serde(default)]
    first_block: Option<VertexId>,
    #[serde(default)]
    height: Option<u32>,
    #[serde(default)]
    parents: Parts<VertexId>,
    inputs: Parts<I>,
    outputs: Parts<O>,
    #[serde(default)]
    token_name: Option<String>,
    #[serde(default)]
    token_symbol: Option<String>,
    #[serde(default)]
    nc_id: Field,
    #[serde(default)]
    nc_seqnum: Field,
    #[serde(default)]
    nc_blueprint_id: Field,
    #[serde(default)]
    nc_method: Field,
    #[serde(default)]
    nc_args: Field,
    #[serde(default)]
    nc_address: Field,
    #[serde(default)]
    nc_context: Field,
    #[serde(default)]
    nc_pubkey: Field,
}

/// At most as many as a vertex can have.
struct Parts<T>(Vec<T>);

impl<T> Default for Parts<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Parts<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PartsVisitor<T>(std::marker::PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for PartsVisitor<T> {
            type Value = Vec<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
                let mut parts = Vec::with_capacity(elements.size_hint().unwrap_or(0).min(MAX_PARTS));
                while let Some(part) = elements.next_element()? {
                    if parts.len() == MAX_PARTS {
                        return Err(Error::custom(format_args!("a list of more than {MAX_PARTS}")));
                    }
                    parts.push(part);
                }
                Ok(parts)
            }
        }
        deserializer.deserialize_seq(PartsVisitor(std::marker::PhantomData)).map(Self)
    }
}

/// An input. Nodes that know two versions of amounts say each one in words, too, which tell them apart: the
/// number is of the version of the transaction that has the output. They give parts with amounts a kind.
#[derive(Deserialize)]
struct InputFields {
    #[serde(default, rename = "type", deserialize_with = "transparent")]
    kind: Option<Kind>,
    #[serde(default)]
    value_str: Option<String>,
    #[serde(deserialize_with = "number")]
    value: u128,
    token_data: u8,
    script: Script,
    token: TokenUid,
    tx_id: VertexId,
    index: u8,
}

#[derive(Deserialize)]
struct OutputFields {
    #[serde(default, rename = "type", deserialize_with = "transparent")]
    kind: Option<Kind>,
    #[serde(default)]
    value_str: Option<String>,
    #[serde(deserialize_with = "number")]
    value: u128,
    token_data: u8,
    script: Script,
    token: TokenUid,
    #[serde(default)]
    spent_by: Option<VertexId>,
}

/// What a script says is read from its bytes.
const READ_HERE: &[&str] = &["decoded"];

impl Drops for InputFields {
    const DROPPED: &'static [&'static str] = READ_HERE;
}

impl Drops for OutputFields {
    const DROPPED: &'static [&'static str] = READ_HERE;
}

impl From<WithOthers<InputFields>> for Passed<VertexInput> {
    fn from(WithOthers { value: wire, others }: WithOthers<InputFields>) -> Self {
        let amount = wire.amount().unwrap_or_default();
        let input = VertexInput {
            spends: Outpoint { tx: wire.tx_id, index: wire.index },
            output: SpentOutput {
                value: amount,
                token: wire.token,
                token_data: TokenData(wire.token_data),
                script: wire.script.0,
                unknown: None,
            },
        };
        (input, members_of_part(wire.kind, words_to_pass(amount, wire.value_str), others))
    }
}

impl From<WithOthers<OutputFields>> for Passed<VertexOutput> {
    fn from(WithOthers { value: wire, others }: WithOthers<OutputFields>) -> Self {
        let amount = wire.amount().unwrap_or_default();
        let output = VertexOutput {
            output: SpentOutput {
                value: amount,
                token: wire.token,
                token_data: TokenData(wire.token_data),
                script: wire.script.0,
                unknown: None,
            },
            spent_by: wire.spent_by,
        };
        (output, members_of_part(wire.kind, words_to_pass(amount, wire.value_str), others))
    }
}

/// The one kind of part that is known, where nodes say it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Transparent,
}

fn transparent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Kind>, D::Error> {
    Kind::deserialize(deserializer).map(Some)
}

impl InputFields {
    fn amount(&self) -> Option<Amount> {
        amount(self.value, self.value_str.as_deref(), self.token_data)
    }
}

impl OutputFields {
    fn amount(&self) -> Option<Amount> {
        amount(self.value, self.value_str.as_deref(), self.token_data)
    }
}

/// The amount that a node has a number and perhaps words for; `None` if these are not of the same amount in
/// either version. Of an authority, the number is the bit mask in both.
fn amount(number: u128, words: Option<&str>, token_data: u8) -> Option<Amount> {
    let said = match words {
        None => return u64::try_from(number).ok().map(Amount::from),
        Some(words) => Amount::of_decimal(words)?,
    };
    let mut versions = [AmountVersion::V1, AmountVersion::V2].into_iter();
    versions.any(|version| version.number(said, false) == Some(number)).then(|| {
        match TokenData(token_data).is_authority() {
            true => Amount::new(number),
            false => said,
        }
    })
}

/// An amount in an answer that has no number and words beside it: cents, or a decimal text.
pub(super) fn amount_of(json: &Value) -> Option<Amount> {
    match json {
        Value::Number(cents) => cents.as_u128().map(Amount::new),
        Value::String(words) => Amount::of_decimal(words),
        _ => None,
    }
}

/// Answers have words of their own where there are parts of a cent.
fn words_to_pass(amount: Amount, words: Option<String>) -> Option<String> {
    words.filter(|_| amount.part() == 0)
}

/// Reads an integer of any size. Nearly all are of 64 bits.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u128, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    let number = if text.len() < 20 { text.parse::<u64>().map(u128::from) } else { text.parse() };
    number.map_err(|_| Error::custom(format_args!("expected an integer, found {text}")))
}

/// An input of a kind that may be unknown.
struct AnyInput(Passed<VertexInput>);
/// An output of a kind that may be unknown.
struct AnyOutput(Passed<VertexOutput>);

impl<'de> Deserialize<'de> for AnyInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = <&RawValue>::deserialize(deserializer)?.get();
        if let Ok(known) = serde_json::from_str::<WithOthers<InputFields>>(json)
            && known.value.amount().is_some()
        {
            return Ok(Self(known.into()));
        }
        let fields = UnknownFields::read(json);
        let spends = fields.tx_id.zip(fields.index);
        let mut output = unknown(json, &fields);
        if spends.is_none() {
            output.script = ScriptBytes::new();
        }
        let (tx, index) = spends.unwrap_or((VertexId([0; 32]), 0));
        Ok(Self((VertexInput { spends: Outpoint { tx, index }, output }, "".into())))
    }
}

impl<'de> Deserialize<'de> for AnyOutput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = <&RawValue>::deserialize(deserializer)?.get();
        if let Ok(known) = serde_json::from_str::<WithOthers<OutputFields>>(json)
            && known.value.amount().is_some()
        {
            return Ok(Self(known.into()));
        }
        let fields = UnknownFields::read(json);
        Ok(Self((VertexOutput { output: unknown(json, &fields), spent_by: fields.spent_by }, "".into())))
    }
}

impl From<AnyInput> for Passed<VertexInput> {
    fn from(any: AnyInput) -> Self {
        any.0
    }
}

impl From<AnyOutput> for Passed<VertexOutput> {
    fn from(any: AnyOutput) -> Self {
        any.0
    }
}

/// What can be said of an unknown part: its address and place, perhaps.
#[derive(Default)]
struct UnknownFields {
    script: ScriptBytes,
    tx_id: Option<VertexId>,
    index: Option<u8>,
    spent_by: Option<VertexId>,
}

impl UnknownFields {
    fn read(json: &str) -> Self {
        let Ok(fields) = json::read(json.as_bytes()) else { return Self::default() };
        let text = |name: &str| fields.get(name).and_then(Value::as_str);
        Self {
            script: text("script")
                .and_then(|text| text.parse().ok())
                .map(|Script(bytes)| bytes)
                .unwrap_or_default(),
            tx_id: text("tx_id").and_then(|id| id.parse().ok()),
            index: fields.get("index").and_then(Value::as_u64).and_then(|index| index.try_into().ok()),
            spent_by: text("spent_by").and_then(|id| id.parse().ok()),
        }
    }
}

/// A part that counts as nothing, with its JSON: an empty object where that is too long or too deep to be
/// kept.
fn unknown(json: &str, fields: &UnknownFields) -> SpentOutput {
    let kept = object::passable(json).map_or_else(|| "{}".to_owned(), |value| value.to_string());
    SpentOutput {
        value: Amount::ZERO,
        token: TokenUid::Native,
        token_data: TokenData::NATIVE,
        script: fields.script.clone(),
        unknown: Some(kept.into()),
    }
}

/// Reads a value from a JSON text without keeping the text.
fn from_text<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: fmt::Display>,
{
    struct TextVisitor<T>(std::marker::PhantomData<T>);
    impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text")
        }
        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            text.parse().map_err(E::custom)
        }
    }
    deserializer.deserialize_str(TextVisitor(std::marker::PhantomData))
}

impl<'de> Deserialize<'de> for VertexId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer)
    }
}

impl<'de> Deserialize<'de> for TokenUid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer)
    }
}

/// Reads a number with [`rt::parse_float`]: serde_json's own way of doing it exactly brings large tables
/// along.
pub(super) fn float<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    rt::parse_float(text).ok_or_else(|| Error::custom(format_args!("expected a number, found {text}")))
}

/// Script bytes, base64 in JSON.
struct Script(ScriptBytes);

impl FromStr for Script {
    type Err = base64::DecodeSliceError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut bytes = ScriptBytes::from_elem(0, base64::decoded_len_estimate(text.len()));
        let length = STANDARD.decode_slice(text, &mut bytes)?;
        bytes.truncate(length);
        Ok(Self(bytes))
    }
}

impl<'de> Deserialize<'de> for Script {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_text(deserializer)
    }
}

// What the node's JSON of a transaction says of contracts. A node that says it in another way than here is
// known of must not keep a history from being loaded: then it counts as not said.

/// A field of any type.
pub(super) type Field = Option<Box<RawValue>>;

/// Those fields, as they came.
pub(super) struct NanoFields {
    pub(super) id: Field,
    pub(super) seqnum: Field,
    pub(super) blueprint_id: Field,
    pub(super) method: Field,
    pub(super) args: Field,
    pub(super) address: Field,
    pub(super) context: Field,
    pub(super) pubkey: Field,
}

impl NanoFields {
    pub(super) fn read(&self, amounts: AmountVersion) -> Option<VertexNano> {
        if self.id.is_none() {
            let public_key = hex::decode(value(&self.pubkey)?.as_str()?).ok()?;
            return Some(VertexNano::Blueprint { public_key });
        }
        self.call(amounts).map(VertexNano::Call)
    }

    fn call(&self, amounts: AmountVersion) -> Option<NanoCall> {
        let context = value(&self.context);
        let actions = context.as_ref().and_then(|context| context.get("actions")?.as_array());
        let timestamp = context.as_ref().and_then(|context| context.get("timestamp")?.as_u64());
        Some(NanoCall {
            contract: value(&self.id)?.as_str()?.parse().ok()?,
            // Empty where the node does not know it.
            blueprint: value(&self.blueprint_id).and_then(|id| id.as_str()?.parse().ok()),
            seqnum: value(&self.seqnum)?.as_u64()?,
            method: value(&self.method)?.as_str()?.to_owned(),
            args: hex::decode(value(&self.args)?.as_str()?).ok()?,
            caller: Address::parse_any(value(&self.address)?.as_str()?).ok()?,
            actions: actions
                .into_iter()
                .flatten()
                .map(|json| action(json, amounts))
                .collect::<Option<_>>()?,
            timestamp: timestamp.and_then(|time| time.try_into().ok()),
        })
    }
}

fn value(field: &Field) -> Option<Value> {
    json::read(field.as_ref()?.get().as_bytes()).ok()
}

fn action(json: &Value, amounts: AmountVersion) -> Option<TokenAction> {
    let name = json.get("type")?.as_str()?;
    let kind = ActionKind::ALL.into_iter().find(|kind| kind.name() == name)?;
    let has = |right: &str| json.get(right).and_then(Value::as_bool);
    let amount = match kind {
        ActionKind::Deposit | ActionKind::Withdrawal => json.get("amount")?.as_number()?.as_u128()?,
        ActionKind::GrantAuthority | ActionKind::AcquireAuthority => {
            let bit = |is_there, bit| if is_there { u128::from(bit) } else { 0 };
            bit(has("mint")?, Output::MINT) | bit(has("melt")?, Output::MELT)
        }
    };
    Some(TokenAction {
        kind,
        token: json.get("token_uid")?.as_str()?.parse().ok()?,
        amount: amounts.amount(amount, kind.moves_authority()),
    })
}
