//! Arguments of contracts' methods: from JSON to the bytes that full nodes make of them, and back.

use headless_wallet::ledger::Network;
use headless_wallet::ledger::nano::{ArgType, ArgValue, read_args, write_args};
use headless_wallet::nano_args::{arg_from_json, arg_to_json};
use serde_json::{Value, json};

fn vectors() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/nano_args.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn read(name: &str, json: &Value) -> Result<ArgValue, String> {
    arg_from_json(&ArgType::parse(name).unwrap(), json, Network::Privatenet)
}

#[test]
fn every_type_has_the_bytes_that_a_node_gives_it() {
    let vectors = vectors();
    let all = vectors["one"].as_array().unwrap();
    assert!(all.len() > 200);
    for vector in all {
        let of = ArgType::parse(vector["type"].as_str().unwrap()).unwrap();
        let value = arg_from_json(&of, &vector["json"], Network::Privatenet)
            .unwrap_or_else(|e| panic!("{e}: {vector}"));
        let types = [of.clone()];
        let bytes = write_args(&types, std::slice::from_ref(&value)).unwrap();
        assert_eq!(hex::encode(&bytes), vector["args"], "{vector}");
        assert_eq!(read_args(&types, &bytes).unwrap(), std::slice::from_ref(&value), "{vector}");
        // What is shown can be given again.
        let shown = arg_to_json(&of, &value);
        assert_eq!(arg_from_json(&of, &shown, Network::Privatenet), Ok(value), "{vector}");
    }
}

#[test]
fn several_arguments_follow_their_number() {
    for vector in vectors()["several"].as_array().unwrap() {
        let names = vector["types"].as_array().unwrap().iter();
        let types: Vec<_> = names.map(|name| ArgType::parse(name.as_str().unwrap()).unwrap()).collect();
        let values = types.iter().zip(vector["json"].as_array().unwrap());
        let values: Vec<_> =
            values.map(|(of, json)| arg_from_json(of, json, Network::Privatenet).unwrap()).collect();
        assert_eq!(hex::encode(write_args(&types, &values).unwrap()), vector["args"]);
    }
}

/// The bytes are those that hathorlib's `encode_mapping` and wallet-lib make of `{"b": 1, "a": -2}`, in this
/// order.
#[test]
fn entries_of_a_dictionary_keep_the_order_of_a_list() {
    let of = ArgType::parse("dict[str, int]").unwrap();
    let bytes = |json: Value| {
        let value = read("dict[str, int]", &json).unwrap();
        hex::encode(write_args(std::slice::from_ref(&of), &[value]).unwrap())
    };
    assert_eq!(bytes(json!([["b", 1], ["a", -2]])), "010201620101617e");
    assert_eq!(bytes(json!({"b": 1, "a": -2})), "010201617e016201");
    assert_eq!(bytes(json!([])), bytes(json!({})));
}

#[test]
fn what_is_no_such_argument_is_refused_with_its_place() {
    const ADDRESS: &str = "WNg45xLfAWsS2cEsrK2gzaWr3WYNkwSx6o";
    let amount = " must be an integer of at most 224 bits, not below 0";
    let int = " must be an integer of at most 223 bits and a sign";
    let too_large = "1".repeat(69);
    let too_many = " is one value too many: the arguments of a call have at most 1000 bytes";
    for (name, json, expected) in [
        ("str", json!(1), " must be a text"),
        ("bytes", json!("abc"), " must be hexadecimal digits"),
        ("int", json!("1.5"), int),
        ("int", json!(1.5), int),
        ("int", json!(too_large), int),
        ("Amount", json!(-1), amount),
        ("Amount", json!(too_large), amount),
        ("bool", json!(1), " must be true or false"),
        ("Timestamp", json!(1_u64 << 32), " must be a time in Unix seconds"),
        (
            "Address",
            json!("H"),
            " must be an address of privatenet: Invalid address: H. Address has 1 bytes and should have 25",
        ),
        ("CallerId", json!(1), " must be an address or a contract's id"),
        ("ContractId", json!("00"), " must be 64 hexadecimal digits"),
        ("TokenUid", json!("01"), " must be a token's uid: 00 for HTR, or 64 hexadecimal digits"),
        ("tuple[int, str]", json!([1]), " must be an array of 2 values"),
        ("tuple[int, list[str]]", json!([1, ["a", 2]]), "[1][1] must be a text"),
        ("dict[str, Amount]", json!({"a": -1}), &format!(".a{amount}")),
        ("dict[str, int]", json!(["a", 1]), "[0] must be an array of a key and its value"),
        ("dict[str, int]", json!([["a", 1], ["a", 2]]), "[1] must be of another key than those before it"),
        ("dict[str, int]", json!([["a", 1], ["b", "x"]]), &format!("[1]{int}")),
        ("list[int]", json!(vec![1; 1_000]), &format!("[999]{too_many}")),
        ("list[tuple[int, int]]", json!(vec![[1, 1]; 500]), &format!("[499][1]{too_many}")),
        ("list[int?]", json!(vec![Value::Null; 1_000]), &format!("[999]{too_many}")),
        ("dict[Address, int]", json!({ADDRESS: "x"}), &format!(".{ADDRESS}{int}")),
        (
            "SignedData[str]",
            json!({"type": "int", "signature": "", "value": "a"}),
            " must be {\"type\": \"str\", \"signature\": hexadecimal digits, \"value\": the value}",
        ),
        ("SignedData[str]", json!({"type": "str", "signature": "", "value": 1}), ".value must be a text"),
    ] {
        assert_eq!(read(name, &json), Err(expected.to_owned()), "{name}");
    }
}

#[test]
fn types_that_this_wallet_does_not_know_are_named() {
    let deep = format!("{}int{}", "list[".repeat(17), "]".repeat(17));
    for name in [
        "",
        "float",
        "Thing[int]",
        "list[float]",
        "tuple[]",
        "list[int",
        "int??",
        "dict[int]",
        "union[int, str]",
        &deep,
    ] {
        let error = ArgType::parse(name).unwrap_err().to_string();
        assert!(error.starts_with("Unsupported type: "), "{name}: {error}");
    }
    assert_eq!(ArgType::parse("list[float]").unwrap_err().to_string(), "Unsupported type: float");
    assert_eq!(
        ArgType::parse(&"x".repeat(1_001)).unwrap_err().to_string(),
        "Unsupported type: 1001 bytes long"
    );
}
