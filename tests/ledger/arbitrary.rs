//! Whatever comes in: every decoder survives it, and what it accepts it writes back as it was.

use crate::vectors::{Field, load};
use headless_wallet::ledger::nano::{
    ActionKind, ArgType, ArgValue, Blueprint, Integer, MAX_SEQNUM, NanoAction, NanoHeader, read_args,
    write_args,
};
use headless_wallet::ledger::{
    Address, Amount, Block, ConfigurationString, EncodeError, FeeEntry, Header, Input, Network, Outpoint,
    Output, ParseIdError, RedeemScript, Script, TokenData, TokenInfo, TokenUid, TokenVersion, Transaction,
    VertexId,
};
use hex::FromHex;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::LazyLock;

/// Bytes of every vector, from which to start.
static VERTICES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let vectors = load("transactions");
    let lists = ["transactions", "genesis", "chain"].into_iter().flat_map(|key| vectors.list(key));
    let invalid = load("invalid");
    let invalid = invalid.list("parse").iter().filter_map(|vector| hex::decode(vector.text("hex")).ok());
    lists.map(|vector| vector.bytes("hex")).filter(|bytes| bytes.len() < 1_000).chain(invalid).collect()
});
static SCRIPTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let vectors = load("scripts");
    let redeem = vectors.list("redeem_scripts").iter().map(|vector| vector.bytes("redeem_script"));
    vectors.list("scripts").iter().map(|vector| vector.bytes("script")).chain(redeem).collect()
});
static TEXTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let (addresses, strings) = (load("addresses"), load("config_strings"));
    let addresses =
        addresses.list("address_validation").iter().map(|vector| vector.text("address").to_owned());
    let strings = strings.list("strings").iter().map(|vector| vector.text("configuration_string").to_owned());
    addresses.chain(strings).chain(["9223372036854775808".to_owned()]).map(String::into_bytes).collect()
});

/// Something in between: a good sample with some bytes changed, cut or added, or no sample at all.
fn bytes_near(samples: &'static [Vec<u8>]) -> impl Strategy<Value = Vec<u8>> {
    let changed = (
        select(samples),
        vec((any::<Index>(), any::<u8>()), 0..4),
        any::<Index>(),
        0u8..8,
        vec(any::<u8>(), 0..4),
    )
        .prop_map(|(mut bytes, changes, cut, whether_cut, tail)| {
            for (place, byte) in changes {
                if !bytes.is_empty() {
                    let place = place.index(bytes.len());
                    bytes[place] = byte;
                }
            }
            match whether_cut {
                0 => bytes.truncate(cut.index(bytes.len() + 1)),
                1 => bytes.extend(tail),
                _ => {}
            }
            bytes
        });
    prop_oneof![4 => changed, 1 => vec(any::<u8>(), 0..300)]
}

fn id() -> impl Strategy<Value = VertexId> {
    any::<[u8; 32]>().prop_map(VertexId)
}

fn value() -> impl Strategy<Value = Amount> {
    let around = |middle: u64| middle.saturating_sub(2).max(1)..middle + 2;
    prop_oneof![1..=1u64 << 63, around(1), around(1 << 31), around(1 << 32), Just(1 << 63)]
        .prop_map(Amount::from)
}

fn output() -> impl Strategy<Value = Output> {
    (value(), any::<u8>(), vec(any::<u8>(), 0..300)).prop_map(|(value, token_data, script)| Output {
        value,
        token_data: TokenData(token_data),
        script,
    })
}

fn address() -> impl Strategy<Value = Address> {
    (any::<bool>(), any::<bool>(), any::<[u8; 20]>()).prop_map(|(is_main, is_multisig, hash)| {
        let network = if is_main { Network::Mainnet } else { Network::Testnet };
        if is_multisig { Address::p2sh(network, hash) } else { Address::p2pkh(network, hash) }
    })
}

fn nano_header() -> impl Strategy<Value = Header> {
    let action = (select(&ActionKind::ALL), any::<u8>(), value())
        .prop_map(|(kind, token_index, amount)| NanoAction { kind, token_index, amount });
    let bytes = |most| vec(any::<u8>(), 0..most);
    let call = (id(), prop_oneof![0..300_u64, 0..=MAX_SEQNUM], "[ -~]{0,255}", bytes(300));
    (call, vec(action, 0..20), address(), bytes(300)).prop_map(
        |((id, seqnum, method, args), actions, caller, script)| {
            Header::Nano(Box::new(NanoHeader { id, seqnum, method, args, actions, caller, script }))
        },
    )
}

fn arg_type() -> impl Strategy<Value = ArgType> {
    use ArgType as T;
    let simple =
        [T::Text, T::Int, T::Bool, T::Address, T::Caller, T::Timestamp, T::Amount, T::Token, T::Bytes, T::Id];
    select(simple.to_vec()).prop_recursive(4, 20, 4, |inner| {
        let boxed = inner.clone().prop_map(Box::new);
        prop_oneof![
            boxed.clone().prop_map(|of| if matches!(*of, T::Optional(_)) { *of } else { T::Optional(of) }),
            boxed.clone().prop_map(T::List),
            boxed.clone().prop_map(|of| T::Signed(of, "int".to_owned())),
            (boxed.clone(), boxed).prop_map(|(key, value)| T::Dict(key, value)),
            vec(inner, 1..4).prop_map(T::Tuple),
        ]
    })
}

fn integer() -> impl Strategy<Value = Integer> {
    let sign = prop_oneof![Just(""), Just("-")];
    (sign, "[0-9]{1,67}").prop_map(|(sign, digits)| format!("{sign}{digits}").parse().unwrap())
}

fn arg_value(of: &ArgType) -> BoxedStrategy<ArgValue> {
    let bytes = vec(any::<u8>(), 0..200);
    match of {
        ArgType::Text => any::<String>().prop_map(ArgValue::Text).boxed(),
        ArgType::Int => integer().prop_map(ArgValue::Int).boxed(),
        ArgType::Amount => {
            integer().prop_filter("an amount", |n| !n.is_negative()).prop_map(ArgValue::Int).boxed()
        }
        ArgType::Bool => any::<bool>().prop_map(ArgValue::Bool).boxed(),
        ArgType::Address => address().prop_map(ArgValue::Address).boxed(),
        ArgType::Caller => {
            prop_oneof![address().prop_map(ArgValue::Address), id().prop_map(ArgValue::Contract)].boxed()
        }
        ArgType::Timestamp => any::<u32>().prop_map(ArgValue::Timestamp).boxed(),
        ArgType::Token => prop_oneof![Just(TokenUid::Native), id().prop_map(TokenUid::Custom)]
            .prop_map(ArgValue::Token)
            .boxed(),
        ArgType::Bytes => bytes.prop_map(ArgValue::Bytes).boxed(),
        ArgType::Id => id().prop_map(ArgValue::Id).boxed(),
        ArgType::Optional(of) => prop_oneof![Just(ArgValue::Nothing), arg_value(of)].boxed(),
        ArgType::Tuple(types) => {
            types.iter().map(arg_value).collect::<Vec<_>>().prop_map(ArgValue::Many).boxed()
        }
        ArgType::List(of) => vec(arg_value(of), 0..4).prop_map(ArgValue::Many).boxed(),
        ArgType::Dict(key, value) => {
            vec((arg_value(key), arg_value(value)), 0..4).prop_map(ArgValue::Dict).boxed()
        }
        ArgType::Signed(of, _) => (arg_value(of), bytes)
            .prop_map(|(value, signature)| ArgValue::Signed(Box::new(value), signature))
            .boxed(),
    }
}

fn transaction() -> impl Strategy<Value = Transaction> {
    let input = (id(), any::<u8>(), vec(any::<u8>(), 0..300))
        .prop_map(|(tx, index, data)| Input { spends: Outpoint { tx, index }, data });
    let entry = (any::<u8>(), value()).prop_map(|(token_index, amount)| FeeEntry { token_index, amount });
    let header = prop_oneof![vec(entry, 0..17).prop_map(Header::Fee), nano_header()];
    let text = || vec(any::<char>(), 0..31).prop_map(String::from_iter);
    let creation = (text(), text(), any::<bool>()).prop_map(|(name, symbol, fee)| TokenInfo {
        name,
        symbol,
        version: if fee { TokenVersion::Fee } else { TokenVersion::Deposit },
    });
    let bytes = |most| vec(any::<u8>(), 0..most);
    let blueprint = (bytes(3_000), bytes(256), bytes(256))
        .prop_map(|(code, public_key, signature)| Box::new(Blueprint { code, public_key, signature }));
    let what = prop_oneof![
        creation.prop_map(|creation| (vec![], Some(creation), None)),
        vec(id(), 0..20).prop_map(|tokens| (tokens, None, None)),
        (vec(id(), 0..20), blueprint).prop_map(|(tokens, blueprint)| (tokens, None, Some(blueprint))),
    ];
    let graph = (any::<f64>(), any::<u32>(), vec(id(), 0..4), any::<u32>());
    (any::<u8>(), what, vec(input, 0..10), vec(output(), 0..10), graph, vec(header, 0..4)).prop_map(
        |(
            signal_bits,
            (tokens, creates, blueprint),
            inputs,
            mut outputs,
            (weight, timestamp, parents, nonce),
            headers,
        )| {
            if signal_bits & Transaction::AMOUNTS_V2 != 0 {
                let part = u64::from(nonce) * 2_000_000;
                let is_amount =
                    |o: &&mut Output| !o.token_data.is_authority() && o.value < Amount::MAX_OUTPUT;
                outputs.iter_mut().filter(is_amount).for_each(|o| o.value = o.value.with_part(part));
            }
            Transaction {
                signal_bits,
                tokens,
                inputs,
                outputs,
                creates,
                blueprint,
                weight,
                timestamp,
                parents,
                nonce,
                headers,
            }
        },
    )
}

fn text_near() -> impl Strategy<Value = String> {
    let near = bytes_near(&TEXTS).prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    prop_oneof![near, any::<String>()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bytes_near_a_transaction(bytes in bytes_near(&VERTICES)) {
        if let Ok(tx) = Transaction::from_bytes_with_v2(&bytes) {
            prop_assert_eq!(tx.size(), bytes.len());
            prop_assert_eq!(tx.to_bytes().unwrap(), bytes);
            tx.id().unwrap();
            tx.sighash().unwrap();
            tx.outputs_sum();
        }
    }

    #[test]
    fn arguments_of_every_type(
        (types, values) in vec(arg_type(), 0..4).prop_flat_map(|types| {
            let values = types.iter().map(arg_value).collect::<Vec<_>>();
            (Just(types), values)
        }),
        change in any::<(Index, u8)>(),
    ) {
        let written = match write_args(&types, &values) {
            Err(EncodeError::TooLong { what, len, max }) => {
                prop_assert_eq!((what, len > max, max), ("list of nano arguments", true, 1_000));
                return Ok(());
            }
            bytes => bytes.unwrap(),
        };
        prop_assert_eq!(read_args(&types, &written).unwrap(), values);
        let mut bytes = written.clone();
        let place = change.0.index(bytes.len());
        bytes[place] = change.1;
        if let Ok(values) = read_args(&types, &bytes) {
            prop_assert_eq!(write_args(&types, &values).unwrap(), bytes);
        }
        let cut = &written[..written.len() - 1];
        prop_assert!(read_args(&types, cut).is_err());
    }

    #[test]
    fn bytes_near_a_block(mut bytes in bytes_near(&VERTICES), as_block in any::<bool>()) {
        if as_block && bytes.len() > 1 {
            bytes[1] = 0;
        }
        if let Ok(block) = Block::from_bytes(&bytes) {
            prop_assert_eq!(block.to_bytes().unwrap(), bytes);
            block.id().unwrap();
        }
    }

    #[test]
    fn bytes_near_a_script(bytes in bytes_near(&SCRIPTS)) {
        for network in [Network::Mainnet, Network::Testnet] {
            let Some(script) = Script::parse(&bytes, network) else { continue };
            let written = script.to_bytes().unwrap();
            // Short data may also be pushed with OP_PUSHDATA1, which nobody does.
            let is_long_form = bytes[0] == 0x4c && bytes.len() - 3 <= 75;
            prop_assert_eq!(&written, if is_long_form { &bytes[1..] } else { &bytes[..] });
            prop_assert_eq!(Script::parse(&written, network), Some(script));
        }
        if let Some(script) = RedeemScript::parse(&bytes) {
            prop_assert_eq!(script.to_bytes().unwrap(), bytes);
        }
    }

    #[test]
    fn texts_near_an_address(text in text_near()) {
        if let Ok(address) = Address::parse_any(&text) {
            prop_assert_eq!(address.to_string(), text.clone());
        }
        for network in [Network::Mainnet, Network::Testnet] {
            match Address::parse(&text, network) {
                Ok(address) => prop_assert_eq!(Address::parse_any(&text), Ok(address)),
                Err(error) => prop_assert_ne!(error.to_string(), ""),
            }
        }
    }

    #[test]
    fn texts_near_a_configuration_string(text in text_near()) {
        if let Ok(string) = ConfigurationString::parse(&text) {
            prop_assert_eq!(string.to_string(), text);
        }
    }

    #[test]
    fn texts_near_an_amount(text in prop_oneof![text_near(), vec(select(&b"0123456789+- "[..]), 0..42)
        .prop_map(|digits| String::from_utf8(digits).unwrap())])
    {
        if let Ok(amount) = text.parse::<Amount>() {
            let digits = match text.trim_start_matches('0') {
                "" => "0",
                digits => digits,
            };
            prop_assert_eq!(amount.to_string(), digits);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_transaction_is_read_as_written(tx in transaction()) {
        let bytes = tx.to_bytes().unwrap();
        prop_assert_eq!(bytes.len(), tx.size());
        prop_assert_eq!(bytes.capacity(), bytes.len());
        let read = Transaction::from_bytes_with_v2(&bytes);
        if tx.headers.len() > 3 {
            prop_assert_eq!(read.unwrap_err().to_string(), "malformed headers: more than 3");
        } else {
            prop_assert_eq!(read, Ok(tx));
        }
    }

    #[test]
    fn what_signing_and_mining_change_is_not_signed(tx in transaction(), data in vec(any::<u8>(), 1..100), nonce: u32) {
        let mut later = tx.clone();
        later.inputs.iter_mut().for_each(|input| input.data.clone_from(&data));
        (later.nonce, later.timestamp, later.weight, later.parents) = (nonce, 7, 1.5, vec![VertexId([9; 32]); 2]);
        prop_assert_eq!(later.sighash().unwrap(), tx.sighash().unwrap());
    }

    #[test]
    fn a_block_is_read_as_written(
        (signal_bits, weight, timestamp, nonce) in any::<(u8, f64, u32, u128)>(),
        outputs in vec(output(), 0..5),
        parents in vec(id(), 0..4),
        data in vec(any::<u8>(), 0..256),
    ) {
        let block = Block { signal_bits, outputs, weight, timestamp, parents, data, nonce };
        let bytes = block.to_bytes().unwrap();
        prop_assert_eq!(bytes.capacity(), bytes.len());
        prop_assert_eq!(Block::from_bytes(&bytes), Ok(block));
    }

    #[test]
    fn an_id_is_read_as_written(id in id(), place in 0..64usize, other in any::<char>()) {
        let text = id.to_string();
        prop_assert_eq!(&text, &hex::encode(id.0));
        prop_assert_eq!(text.parse(), Ok(id));
        prop_assert_eq!(text.to_uppercase().parse(), Ok(id));
        for other in [other, char::from(other as u8 & 0x7f)] {
            let changed = format!("{}{other}{}", &text[..place], &text[place + 1..]);
            let bytes = <[u8; 32]>::from_hex(&changed);
            prop_assert_eq!(changed.parse(), bytes.map(VertexId).map_err(|_| ParseIdError));
        }
        prop_assert_eq!(text[1..].parse::<VertexId>(), Err(ParseIdError));
        prop_assert_eq!(format!("{text}0").parse::<VertexId>(), Err(ParseIdError));
    }

    #[test]
    fn an_address_is_read_as_written(hash: [u8; 20], is_script: bool, is_main: bool) {
        let (network, other) =
            if is_main { (Network::Mainnet, Network::Testnet) } else { (Network::Testnet, Network::Mainnet) };
        let address = if is_script { Address::p2sh(network, hash) } else { Address::p2pkh(network, hash) };
        prop_assert_eq!(address.to_string().len(), 34);
        prop_assert_eq!(Address::parse(&address.to_string(), network), Ok(address));
        prop_assert!(Address::parse(&address.to_string(), other).is_err());
    }

    #[test]
    fn a_payment_is_read_as_written(hash: [u8; 20], is_script: bool, timelock: Option<u32>) {
        let network = Network::Mainnet;
        let to = if is_script { Address::p2sh(network, hash) } else { Address::p2pkh(network, hash) };
        let script = Script::Pay { to, timelock };
        prop_assert_eq!(Script::parse(&script.to_bytes().unwrap(), network), Some(script));
    }

    #[test]
    fn a_configuration_string_is_read_as_written(uid in id(), name: String, symbol: String) {
        let string = ConfigurationString { uid: TokenUid::Custom(uid), name, symbol: symbol.replace(':', "") };
        prop_assert_eq!(ConfigurationString::parse(&string.to_string()), Ok(string));
    }
}
