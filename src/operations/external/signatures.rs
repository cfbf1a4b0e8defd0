//! Signatures made elsewhere, on their way into a transaction of `/wallet/tx-proposal`.

use crate::api::check_twice::Form;
use crate::api::declare::Elements;
use crate::api::rules::{MAX_INDEX, TX_HEX, is_hex, list, once, or_noted};
use crate::api::texts::{
    INVALID_INDEX, INVALID_INPUT_SIGNATURE, INVALID_INPUT_SIGNATURES, INVALID_SIGNATURE_DATA,
    INVALID_SIGNATURE_INDEX, INVALID_SIGNATURES, INVALID_VALUE, INVALID_VALUES, MULTISIG,
    NO_ADDRESS_AT_INDEX, NOT_MULTISIG, UNKNOWN_SIGNER, no_such_input,
};
use crate::api::{InputDataAnswer, InvalidChoice, WalletInputsAnswer};
use crate::keys::{AccountPublic, KeyError, MultisigPublic, account_key_of};
use crate::ledger::{InputData, Transaction};
use crate::operations::prelude::*;
use litemap::LiteMap;
use serde_json::Value;

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

const HEX_BYTES: Kind = Kind::Pattern("^([0-9A-Fa-f]{2})+$");

const DIGITS: Form = Form { must: "must be bytes as hexadecimal digits", fits: is_hex };

/// Bytes. Digits that are half a byte too many are noted once they are known to be digits.
const BYTES: Rule<Vec<u8>> = Rule::required(HEX_BYTES, |check, field, _| {
    let bytes = check.text(field).and_then(|text| hex::decode(text).ok());
    if bytes.is_none() {
        check.invalid(field, DIGITS.must);
    }
    or_noted(bytes)
})
.formed(&DIGITS);

request! {
    /// `POST /wallet/tx-proposal/add-signatures`.
    pub struct AddSignatures in body {
        /// The transaction, in hexadecimal digits.
        pub transaction: Transaction = TX_HEX,
        /// Input data as input-data makes it, each with its input. Of several for one input, the last counts.
        pub signatures: Vec<GivenInputData> = SIGNATURES,
    }
}

object! {
    /// Data for an input.
    pub struct GivenInputData, needs = [["index", "data"]] {
        /// The input's place in the transaction.
        pub index: i128 = INPUT_PLACE.called(INVALID_SIGNATURE_INDEX),
        /// The input data, in hexadecimal digits.
        pub data: Vec<u8> = BYTES.called(INVALID_SIGNATURE_DATA),
    }
}

/// The transaction need not have so many inputs.
const INPUT_PLACE: Rule<i128> = Rule::required(Kind::Integer(Some(0), None), |check, field, _| {
    or_noted(check.count(field, "must be the place of an input"))
});

const SIGNATURES: Rule<Vec<GivenInputData>> = list::<GivenInputData, _>(0, None)
    .array(&Elements { called: INVALID_SIGNATURES, ..once("must be an array of {\"index\", \"data\"}") });

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

request! {
    /// `POST /wallet/tx-proposal/input-data`.
    pub enum MakeInputData in body, takes = last_of, none = INVALID_VALUES, also = refuse_one_beside_several {
        One {
            /// The index of the address whose output is spent.
            index: u32 = INDEX,
            /// The signature (DER) of `dataToSignHash`, in hexadecimal digits.
            signature: Vec<u8> = BYTES.called(INVALID_INPUT_SIGNATURE),
        }
        Participants {
            /// The index of the address whose output is spent.
            index: u32 = INDEX,
            /// Signatures (DER) of a multisig wallet's participants, by their account xpubs, in hexadecimal
            /// digits.
            signatures: Vec<(String, Vec<u8>)> = BY_PARTICIPANT,
        }
    }
}

fn refuse_one_beside_several(check: &mut Checker<'_>, compat: Compat) {
    let (one, several) = (check.field("signature"), check.field("signatures"));
    if several.value.is_some() && compat.refuses_unused_fields() {
        check.unused(&one, "must be left out where there are `signatures`");
    }
}

const INDEX: Rule<u32> =
    Rule::required(Kind::Integer(Some(0), Some(MAX_INDEX as i128)), |check, field, _| {
        let must = "must be an integer from 0 to 2147483647";
        let index = or_noted(check.count(field, must))?;
        let fits = u32::try_from(index).ok().filter(|index| *index <= MAX_INDEX);
        if fits.is_none() {
            check.invalid(field, must);
        }
        or_noted(fits)
    })
    .called(INVALID_INDEX);

const BY_PARTICIPANT: Rule<Vec<(String, Vec<u8>)>> = Rule::required(Kind::HexByName, |check, field, _| {
    let one = |(xpub, signature): (&String, &Value)| {
        let signature = hex::decode(signature.as_str().filter(|text| is_hex(text))?).ok()?;
        is_xpub(xpub).then(|| (xpub.clone(), signature))
    };
    let given = field.value.and_then(Value::as_object);
    let read = given.and_then(|given| given.iter().map(one).collect());
    if read.is_none() {
        check.invalid(field, "must be an object of xpubs, each with a signature in hexadecimal digits");
    }
    or_noted(read)
})
.called(INVALID_INPUT_SIGNATURES);

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
        let data = match *self {
            Self::One { index, signature } => {
                let why = || refused(call.wallet.participants().map_or(NO_ADDRESS_AT_INDEX, |_| MULTISIG));
                let public_key = call.wallet.public_key(index).ok_or_else(why)?;
                InputData::P2pkh { signature, public_key }
            }
            Self::Participants { index, signatures } => {
                let participants = call.wallet.participants().ok_or_else(|| refused(NOT_MULTISIG))?;
                of_participants(participants, index, signatures).map_err(refused)?
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
