//! Signing files as they are read; `answers::signing_file` writes them.

use super::answers::signing::{FORMAT, VERSION, level};
use crate::json;
use crate::keys::{
    AccountPublic, AddressKeys, BadFile, FileInput, FileSignature, MultisigPublic, Purpose, SigningFile,
};
use crate::ledger::{Network, RedeemScript, Transaction};
use crate::net::clean;
use serde_json::{Map, Value};

/// Most bytes of a file: 255 inputs and previous transactions of the usual sizes are half of it.
pub const MAX_FILE_BYTES: usize = 720_000;

/// Reads a file's text.
///
/// # Errors
/// [`BadFile`] says why it is none.
pub fn read_signing_file(text: &[u8]) -> Result<SigningFile, BadFile> {
    if text.len() > MAX_FILE_BYTES {
        return bad(format!(
            "a signing file has at most {MAX_FILE_BYTES} bytes, and this has {}",
            text.len()
        ));
    }
    match json::read_unique(text) {
        Ok(value) => signing_file(&value),
        Err(_) if text.is_empty() => bad("it is empty"),
        Err(error) if error.is_eof() => bad(format!(
            "it is cut off: it ends in the middle, after byte {}: get it again from whoever made it",
            text.len()
        )),
        Err(error) => bad(format!("it is no JSON: {error}")),
    }
}

/// Reads a file that is a part of something else.
pub(crate) fn signing_file(value: &Value) -> Result<SigningFile, BadFile> {
    let file = Object::of(value, "")?;
    // First, since nothing is known of the fields of other versions.
    if file.0.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return bad(format!("it is no signing file: `format` must be {FORMAT:?}"));
    }
    match file.0.get("version") {
        Some(Value::Number(version)) if version.as_u64() == Some(VERSION.into()) => {}
        Some(Value::Number(version)) => {
            return bad(format!(
                "it is a signing file of version {version}, and this program reads version {VERSION}: take one that reads both, or \
                 have the file made in version {VERSION}"
            ));
        }
        _ => return bad("`version` must be a number"),
    }
    file.only(&[
        "format",
        "version",
        "network",
        "purpose",
        "label",
        "transaction",
        "hash",
        "previous",
        "account",
        "inputs",
        "outputs",
        "signatures",
    ])?;
    let network = file.text("network")?;
    let Ok(network) = network.parse::<Network>() else {
        return bad(format!("`network` {network:?} is not known"));
    };
    let purpose = file.text("purpose")?;
    let Some(purpose) = Purpose::ALL.into_iter().find(|known| known.name() == purpose) else {
        return bad(format!("`purpose` {purpose:?} is not known"));
    };
    let transaction = Transaction::from_bytes(&file.bytes("transaction")?);
    let transaction = transaction.map_err(|error| BadFile(format!("`transaction`: {error}")))?;
    let previous =
        file.list("previous")?.iter().map(|bytes| bytes_of(bytes, "previous")).collect::<Result<_, _>>()?;
    let account = account(&file)?;
    let inputs =
        file.objects("inputs")?.map(|input| read_input(&input?, &account)).collect::<Result<_, _>>()?;
    let outputs =
        file.objects("outputs")?.map(|output| read_output(&output?, &account)).collect::<Result<_, _>>()?;
    let signatures =
        file.objects("signatures")?.map(|signature| read_signature(&signature?)).collect::<Result<_, _>>()?;
    let label = if file.has("label") { Some(file.text("label")?.to_owned()) } else { None };
    let read =
        SigningFile { network, purpose, label, transaction, previous, account, inputs, outputs, signatures };
    if file.text("hash")? != hex::encode(read.digest()?) {
        return bad("`hash` is not that of `transaction`: one of them was changed");
    }
    read.checked()
}

fn account(file: &Object<'_>) -> Result<AddressKeys, BadFile> {
    let account = Object::of(file.member("account")?, "account.")?;
    account.only(&["xpub", "participants", "numSignatures"])?;
    let wrong = |error: &dyn std::fmt::Display| BadFile(format!("`account`: {error}"));
    if account.has("xpub") == account.has("participants") {
        return bad("`account` must have either an `xpub` or `participants`");
    }
    if account.has("xpub") {
        account.only(&["xpub"])?;
        return match AccountPublic::from_xpub(account.text("xpub")?) {
            Ok(public) => Ok(public.into()),
            Err(error) => Err(wrong(&error)),
        };
    }
    let xpub = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        _ => bad("`account.participants` must be texts"),
    };
    let xpubs: Vec<_> = account.list("participants")?.iter().map(xpub).collect::<Result<_, _>>()?;
    let needs = account.small("numSignatures")?;
    match MultisigPublic::new(&xpubs, needs) {
        Ok(participants) => Ok(participants.into()),
        Err(error) => Err(wrong(&error)),
    }
}

fn read_input(input: &Object<'_>, account: &AddressKeys) -> Result<FileInput, BadFile> {
    input.only(&["index", "path", "redeemScript"])?;
    let address = if input.has("path") { Some(input.path(account)?) } else { None };
    let redeem_script = match input.has("redeemScript") {
        true => Some(
            RedeemScript::parse(&input.bytes("redeemScript")?)
                .ok_or_else(|| BadFile(format!("`{}redeemScript` is none", input.1)))?,
        ),
        false => None,
    };
    Ok(FileInput { place: input.small("index")?, address, redeem_script })
}

fn read_output(output: &Object<'_>, account: &AddressKeys) -> Result<(u8, u32), BadFile> {
    output.only(&["index", "path"])?;
    Ok((output.small("index")?, output.path(account)?))
}

fn read_signature(signature: &Object<'_>) -> Result<FileSignature, BadFile> {
    signature.only(&["input", "publicKey", "signature"])?;
    let public_key = signature.bytes("publicKey")?.try_into();
    let public_key =
        public_key.map_err(|_| BadFile(format!("`{}publicKey` must have 33 bytes", signature.1)))?;
    Ok(FileSignature {
        input: signature.small("input")?,
        public_key,
        signature: signature.bytes("signature")?,
    })
}

fn bad<T>(why: impl Into<String>) -> Result<T, BadFile> {
    Err(BadFile(why.into()))
}

fn bytes_of(value: &Value, name: &str) -> Result<Vec<u8>, BadFile> {
    let bytes = value.as_str().and_then(|text| hex::decode(text).ok()).filter(|bytes| !bytes.is_empty());
    bytes.ok_or_else(|| BadFile(format!("`{name}` must be bytes as hexadecimal digits")))
}

/// An object in a file, and what its members' names follow in texts.
struct Object<'a>(&'a Map<String, Value>, String);

impl<'a> Object<'a> {
    fn of(value: &'a Value, within: &str) -> Result<Self, BadFile> {
        match value {
            Value::Object(members) => Ok(Self(members, within.to_owned())),
            _ if within.is_empty() => bad("it must be an object"),
            _ => bad(format!("`{}` must be an object", within.trim_end_matches('.'))),
        }
    }
    /// Refuses members that are not known: they may say what this program does not.
    fn only(&self, known: &[&str]) -> Result<(), BadFile> {
        match self.0.keys().find(|name| !known.contains(&name.as_str())) {
            Some(name) => {
                let name = clean(&name.chars().take(40).collect::<String>());
                bad(format!("`{}{name}` is no field of a signing file of version {VERSION}", self.1))
            }
            None => Ok(()),
        }
    }
    fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
    fn member(&self, name: &str) -> Result<&'a Value, BadFile> {
        self.0.get(name).ok_or_else(|| BadFile(format!("`{}{name}` is missing", self.1)))
    }
    fn text(&self, name: &str) -> Result<&'a str, BadFile> {
        let text = self.member(name)?.as_str();
        text.ok_or_else(|| BadFile(format!("`{}{name}` must be a text", self.1)))
    }
    fn bytes(&self, name: &str) -> Result<Vec<u8>, BadFile> {
        bytes_of(self.member(name)?, &format!("{}{name}", self.1))
    }
    fn small(&self, name: &str) -> Result<u8, BadFile> {
        let number = self.member(name)?.as_u64().and_then(|number| u8::try_from(number).ok());
        number.ok_or_else(|| BadFile(format!("`{}{name}` must be a whole number from 0 to 255", self.1)))
    }
    fn list(&self, name: &str) -> Result<&'a [Value], BadFile> {
        let list = self.member(name)?.as_array();
        list.map(Vec::as_slice).ok_or_else(|| BadFile(format!("`{}{name}` must be a list", self.1)))
    }
    fn objects<'n>(
        &self,
        name: &'n str,
    ) -> Result<impl Iterator<Item = Result<Self, BadFile>> + use<'a, 'n>, BadFile> {
        let list = self.list(name)?.iter().enumerate();
        Ok(list.map(move |(at, value)| Self::of(value, &format!("{name}[{at}]."))))
    }
    /// The index of the address whose key a path leads to.
    fn path(&self, account: &AddressKeys) -> Result<u32, BadFile> {
        let (path, level) = (self.text("path")?, level(account));
        let index = path.strip_prefix(&level).and_then(|rest| rest.strip_prefix('/'));
        let index = index.and_then(|text| text.parse::<u32>().ok().filter(|index| index.to_string() == text));
        index.ok_or_else(|| BadFile(format!("`{}path` must be {level}/ and the index of an address", self.1)))
    }
}
