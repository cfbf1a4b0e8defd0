//! Signatures made elsewhere, on their way into a transaction of `/wallet/tx-proposal`.

use crate::api::check_twice::Form;
use crate::api::rules::{MAX_INDEX, TX_HEX, is_hex};
use crate::api::texts::{
    INVALID_INDEX, INVALID_INPUT_SIGNATURE, INVALID_INPUT_SIGNATURES, INVALID_SIGNATURE_DATA,
    INVALID_SIGNATURE_INDEX, INVALID_SIGNATURES, INVALID_VALUE, INVALID_VALUES, MULTISIG,
    NO_ADDRESS_AT_INDEX, NOT_MULTISIG, UNKNOWN_SIGNER, no_such_input,
};
use crate::api::{InputDataAnswer, InvalidChoice, Location, Member, Need, WalletInputsAnswer};
use crate::keys::{AccountPublic, KeyError, MultisigPublic, account_key_of};
use crate::ledger::{InputData, Transaction};
use crate::operations::prelude::*;
use crate::operations::sending::each;
use litemap::LiteMap;
use serde_json::{Map, Value};

pub static WALLET_INPUTS: Operation =
    get("get-wallet-inputs", "/wallet/tx-proposal/get-wallet-inputs", Group::SigningElsewhere, Right::Read)
        .does(
            "Show which inputs of a transaction belong to the wallet, and which of its keys must sign them.",
        )
        .package(&[method("walletInputs").takes("txHex: string")])
        .command(&[command("wallet-inputs").places(&["txHex"])])
        .reads::<WalletInputsQuery>(&[("example", r#"{"txHex": "0001000000"}"#)])
        .answers(answers![WalletInputsAnswer, Failure]);

pub static INPUT_DATA: Operation = post("input-data", "/wallet/tx-proposal/input-data", Group::SigningElsewhere, Right::Build)
    .does("Turn signatures into the data of an input: one signature, or those of the participants of a multisig wallet.")
    .package(&[method("inputData")])
    .command(&[command("input-data").places(&["index", "signature"]).one_of(&["signature", "signatures"]).by(&[Argument::flag("signatures", "of")
                .help("For a multisig wallet, one participant's signature: the xpub of their account, and the signature in hexadecimal")])])
    .reads::<MakeInputData>(&[("example", r#"{"index": 0, "signature": "3006020101020101"}"#)])
    .answers(answers![InputDataAnswer, Failure])
    .refuses(answers![InvalidFields, InvalidChoice]);

pub static ADD_SIGNATURES: Operation =
    post("add-signatures", "/wallet/tx-proposal/add-signatures", Group::SigningElsewhere, Right::Build)
        .does("Put input data into a transaction. Each one is checked.")
        .package(&[method("addSignatures").waits()])
        .command(&[command("add-signatures").places(&["txHex"]).by(&[Argument::objects(
            "signatures",
            "input",
            &["index", "data"],
        )
        .help("An input's place in the transaction, and its data as `input-data` makes it")])])
        .asks::<AddSignatures>(&[(
            "example",
            r#"{"txHex": "0001000000", "signatures": [{"index": 0, "data": "c0ffee"}]}"#,
        )])
        .answers(answers![ProposalAnswer, Failure])
        .body_of(bodies::IN_PARTS);

const INDEX: &str = "must be an integer from 0 to 2147483647";

const HEX_BYTES: Kind = Kind::Pattern("^([0-9A-Fa-f]{2})+$");

const BYTES: Form = Form { must: "must be bytes as hexadecimal digits", fits: is_hex };

fn is_bytes(text: &str) -> bool {
    text.len().is_multiple_of(2) && is_hex(text)
}

fn bytes(text: &str) -> Vec<u8> {
    hex::decode(text).unwrap_or_default()
}

/// Bytes that must be there. Digits that are half a byte too many are noted once they are known to be digits.
fn check_bytes<'a>(check: &mut Checker<'a>, fields: &[Field<'a>]) -> Vec<Option<&'a str>> {
    let texts = check.formed_texts(fields, BYTES);
    for (field, text) in fields.iter().zip(&texts) {
        if text.is_some_and(|text| !is_bytes(text)) {
            check.invalid(field, BYTES.must);
        }
    }
    texts
}

request! {
    /// `POST /wallet/tx-proposal/add-signatures`.
    pub struct AddSignatures in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// Input data as input-data makes it, each with its input. Of several for one input, the last counts.
        pub signatures: Vec<GivenInputData> = SIGNATURES,
    }
}

/// Data for an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenInputData {
    /// The input's place in the transaction, which need not have so many.
    pub index: i128,
    pub data: Vec<u8>,
}

const SIGNATURES: Rule<Vec<GivenInputData>> = Rule::required(
    Kind::Array {
        of: &Kind::Object {
            members: &[
                Member::new(
                    "index",
                    "The input's place in the transaction.",
                    Kind::Integer(Some(0), None),
                    Need::Required,
                ),
                Member::new("data", "The input data, in hexadecimal digits.", HEX_BYTES, Need::Required),
            ],
            any_of: &[&["index", "data"]],
        },
        least: 0,
        most: None,
    },
    check_signatures,
);

fn check_signatures<'a>(
    check: &mut Checker<'a>,
    field: &Field<'a>,
    _: Context,
) -> Result<Vec<GivenInputData>, Refusal> {
    if !field.value.is_some_and(Value::is_array) {
        check.problem(field, INVALID_SIGNATURES, "must be an array of {\"index\", \"data\"}");
    }
    let signatures: Vec<_> = field.elements().collect();
    let indexes = check.called(INVALID_SIGNATURE_INDEX, |check| {
        each(check, &signatures, "index", |check, field| check.count(field, "must be the place of an input"))
    });
    let data: Vec<_> = signatures.iter().map(|signature| signature.member("data")).collect();
    let data = check.called(INVALID_SIGNATURE_DATA, |check| check_bytes(check, &data));
    let read = indexes.into_iter().flatten().zip(data.into_iter().flatten());
    Ok(read.map(|(index, data)| GivenInputData { index, data: bytes(data) }).collect())
}

impl AddSignatures {
    /// The transaction with the data in its inputs.
    ///
    /// # Errors
    /// That it has no input at one of the places.
    pub fn signed(self) -> Result<Transaction, Refusal> {
        let Self { mut transaction, signatures } = self;
        let inputs = transaction.inputs.len();
        for GivenInputData { index, data } in signatures {
            let place = usize::try_from(index).ok();
            let input = place.and_then(|place| transaction.inputs.get_mut(place));
            input.ok_or_else(|| Refusal::failure(no_such_input(index, inputs)))?.data = data;
        }
        Ok(transaction)
    }
}

request! {
    /// `GET /wallet/tx-proposal/get-wallet-inputs`.
    pub struct WalletInputsQuery in query {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX.called(INVALID_VALUE),
    }
}

/// `POST /wallet/tx-proposal/input-data`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MakeInputData {
    /// The index of the address that the spent output pays.
    pub index: u32,
    pub signatures: GivenSignatures,
}

/// Who signed an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GivenSignatures {
    /// The address's one key.
    One(Vec<u8>),
    /// Participants of a multisig wallet, by their xpubs.
    Participants(Vec<(String, Vec<u8>)>),
}

impl Request for MakeInputData {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[
        Member::new(
            "index",
            "The index of the address whose output is spent.",
            Kind::Integer(Some(0), Some(MAX_INDEX as i128)),
            Need::Required,
        ),
        Member::new(
            "signature",
            "The signature (DER) of `dataToSignHash`, in hexadecimal digits.",
            HEX_BYTES,
            Need::Optional,
        ),
        Member::new(
            "signatures",
            "Signatures (DER) of a multisig wallet's participants, by their account xpubs, in hexadecimal digits.",
            Kind::HexByName,
            Need::Optional,
        ),
    ];
    fn read(body: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let mut check = Checker::body(body);
        let (one, several) = (check.field("signature"), check.field("signatures"));
        if one.value.is_some() && several.value.is_some() && compat.refuses_unused_fields() {
            check.unused(&one, "must be left out where there are `signatures`");
        }
        let one = check.form(|check| {
            let index = check_index(check);
            let field = check.field("signature");
            let signature = check.called(INVALID_INPUT_SIGNATURE, |check| check_bytes(check, &[field])[0]);
            (index, GivenSignatures::One(bytes(signature.unwrap_or_default())))
        });
        let several = check.form(|check| {
            let index = check_index(check);
            (index, GivenSignatures::Participants(check_participants(check)))
        });
        check.finish()?;
        match (one, several) {
            (_, Ok((index, signatures))) | (Ok((index, signatures)), Err(_)) => {
                Ok(Self { index, signatures })
            }
            (Err(wrong), Err(others)) => {
                Err(Refusal::none_of(INVALID_VALUES, wrong.into_iter().chain(others).collect()))
            }
        }
    }
}

fn check_index(check: &mut Checker<'_>) -> u32 {
    let field = check.field("index");
    let index = check.called(INVALID_INDEX, |check| {
        let index = check.count(&field, INDEX)?;
        let fits = u32::try_from(index).ok().filter(|index| *index <= MAX_INDEX);
        if fits.is_none() {
            check.invalid(&field, INDEX);
        }
        fits
    });
    index.unwrap_or_default()
}

fn check_participants(check: &mut Checker<'_>) -> Vec<(String, Vec<u8>)> {
    let field = check.field("signatures");
    let given = field.value.and_then(Value::as_object);
    let read = given.and_then(|given| {
        let one = |(xpub, signature): (&String, &Value)| {
            let signature = signature.as_str().filter(|text| is_bytes(text))?;
            is_xpub(xpub).then(|| (xpub.clone(), bytes(signature)))
        };
        given.iter().map(one).collect::<Option<Vec<_>>>()
    });
    read.unwrap_or_else(|| {
        check.problem(
            &field,
            INVALID_INPUT_SIGNATURES,
            "must be an object of xpubs, each with a signature in hexadecimal digits",
        );
        Vec::new()
    })
}

fn is_xpub(text: &str) -> bool {
    !matches!(AccountPublic::from_xpub(text), Err(KeyError::InvalidXpub))
}

impl Ask for AddSignatures {
    fn answer<'a>(self: Box<Self>, call: &'a Call<'a>) -> Waits<'a, Answer> {
        Box::pin(async move {
            let transaction = self.signed()?;
            if call.compat.checks_signatures() {
                call.wallet.check_signatures(&transaction).await?;
            }
            call.proposal(&transaction)
        })
    }
}

impl Read for WalletInputsQuery {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let inputs = call.wallet.read(|state, _| state.own_inputs(&self.transaction))?;
        call.give(&WalletInputsAnswer { inputs: &inputs, account: call.wallet.account_path() })
    }
}

impl Read for MakeInputData {
    fn answer(self: Box<Self>, call: &Call<'_>) -> Result<Answer, CallError> {
        let index = self.index;
        let data = match self.signatures {
            GivenSignatures::One(signature) => {
                let why = || refused(call.wallet.participants().map_or(NO_ADDRESS_AT_INDEX, |_| MULTISIG));
                let public_key = call.wallet.public_key(index).ok_or_else(why)?;
                InputData::P2pkh { signature, public_key }
            }
            GivenSignatures::Participants(given) => {
                let participants = call.wallet.participants().ok_or_else(|| refused(NOT_MULTISIG))?;
                of_participants(participants, index, given).map_err(refused)?
            }
        };
        let data = data.to_bytes().map_err(|error| refused(error.to_string()))?;
        call.give(&InputDataAnswer(data))
    }
}

/// The signatures of participants, in the order of their keys.
fn of_participants(
    participants: &MultisigPublic,
    index: u32,
    given: Vec<(String, Vec<u8>)>,
) -> Result<InputData, String> {
    let mut signatures = LiteMap::<_, Vec<u8>>::new();
    for (xpub, signature) in given {
        let position = account_key_of(&xpub).and_then(|key| participants.position(&key));
        signatures.insert(position.ok_or(UNKNOWN_SIGNER)?, signature);
    }
    let redeem_script = participants.redeem_script(index).to_bytes().map_err(|error| error.to_string())?;
    Ok(InputData::P2sh {
        signatures: signatures.into_iter().map(|(_, signature)| signature).collect(),
        redeem_script,
    })
}
