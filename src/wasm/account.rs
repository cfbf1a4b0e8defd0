//! `Account`: keys without a network.

use super::failure::Failure;
use super::js_arg::JsArg;
use super::secrets;
use crate::keys::{ADDRESS_INDEXES, AccountKeys, AccountPublic, MultisigKeys, message_fits};
use crate::ledger::Address;
use js_sys::Array;
use wasm_bindgen::prelude::*;

/// Deriving more at once would hold up the page for seconds.
const MAX_COUNT: u32 = 10_000;

/// The keys of one wallet, without a network. Its secrets are wiped when it is freed.
#[wasm_bindgen]
pub struct Account {
    keys: Option<AccountKeys>,
    public: AccountPublic,
}

#[wasm_bindgen]
impl Account {
    /// Derives the account of a seed phrase.
    ///
    /// @param seed The seed phrase: 24 words of the English list.
    /// @param passphrase A passphrase in addition; another one makes another account.
    /// @throws {WalletError} `INVALID_INPUT`
    #[wasm_bindgen(js_name = fromSeed)]
    pub fn from_seed(
        #[wasm_bindgen(unchecked_param_type = "string")] seed: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] passphrase: JsValue,
    ) -> Result<Account, JsValue> {
        let passphrase = JsArg::new(passphrase, "passphrase").given();
        let keys = secrets::keys(&JsArg::new(seed, "seed"), passphrase)?;
        Ok(Self { public: keys.public(), keys: Some(keys) })
    }

    /// Makes an account from an xpub: it can derive addresses, but not sign.
    ///
    /// @param xpub The xpub of the account or of its change level.
    /// @throws {WalletError} `INVALID_INPUT`
    #[wasm_bindgen(js_name = fromXpub)]
    pub fn from_xpub(
        #[wasm_bindgen(unchecked_param_type = "string")] xpub: JsValue,
    ) -> Result<Account, JsValue> {
        Ok(Self { public: secrets::public(&JsArg::new(xpub, "xpub"))?, keys: None })
    }

    /// Derives the xpub (`m/45'/280'/0'`) that a participant of multisig wallets gives the others.
    ///
    /// @param seed The participant's seed phrase.
    /// @param passphrase Its passphrase, if it has one.
    /// @throws {WalletError} `INVALID_INPUT`
    #[wasm_bindgen(js_name = multisigXpub)]
    pub fn multisig_xpub(
        #[wasm_bindgen(unchecked_param_type = "string")] seed: JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "string")] passphrase: JsValue,
    ) -> Result<String, JsValue> {
        let words = secrets::words(&JsArg::new(seed, "seed"))?;
        let passphrase = JsArg::new(passphrase, "passphrase").given();
        let passphrase = passphrase.map(|passphrase| passphrase.secret()).transpose()?;
        let passphrase = passphrase.as_deref().map_or("", String::as_str);
        Ok(MultisigKeys::from_mnemonic(&words, passphrase).account_xpub())
    }

    /// Returns the xpub of the change level. It reveals every address: keep it secret.
    pub fn xpub(&self) -> String {
        self.public.to_xpub()
    }

    /// Derives addresses, in the order of their indexes.
    ///
    /// @param range `network`; optional: `start`, `count`
    /// @throws {WalletError} `INVALID_INPUT`
    #[wasm_bindgen(unchecked_return_type = "string[]")]
    pub fn addresses(
        &self,
        #[wasm_bindgen(unchecked_param_type = "AddressRange")] range: JsValue,
    ) -> Result<JsValue, JsValue> {
        let [network, start, count] = JsArg::new(range, "request").members(["network", "start", "count"])?;
        Ok(addresses(&self.public, network, start, count)?.into())
    }

    /// Signs a text as Hathor wallets do.
    ///
    /// @param index The index of the address whose key signs.
    /// @param message The text.
    /// @returns the signature, 65 bytes in base64
    /// @throws {WalletError} `INVALID_INPUT`, `READ_ONLY`
    #[wasm_bindgen(js_name = signMessage)]
    pub fn sign_message(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number")] index: JsValue,
        #[wasm_bindgen(unchecked_param_type = "string")] message: JsValue,
    ) -> Result<String, JsValue> {
        let index = JsArg::new(index, "index").count(0..=ADDRESS_INDEXES - 1)?;
        let message = JsArg::new(message, "message");
        let text = message.text()?;
        message_fits(&text).map_err(|must| message.refuse(must))?;
        match &self.keys {
            Some(keys) => Ok(keys.sign_message(index, &text)),
            None => Err(Failure::read_only().into()),
        }
    }
}

/// Derives the addresses of a seed phrase or an xpub, in the order of their indexes, without a wallet.
///
/// @param request `network` and `seed` or `xpub`; optional: `passphrase`, `start`, `count`
/// @throws {WalletError} `INVALID_INPUT`
/// @example
/// const [first] = deriveAddresses({ network: "mainnet", seed: generateMnemonic(), count: 1 });
#[wasm_bindgen(js_name = deriveAddresses, unchecked_return_type = "string[]")]
pub fn derive_addresses(
    #[wasm_bindgen(unchecked_param_type = "DeriveAddressesRequest")] request: JsValue,
) -> Result<JsValue, JsValue> {
    let [network, start, count, seed, xpub, passphrase] = JsArg::new(request, "request").members([
        "network",
        "start",
        "count",
        "seed",
        "xpub",
        "passphrase",
    ])?;
    let public = secrets::keys_of(seed, xpub, passphrase)?.public();
    Ok(addresses(&public, network, start, count)?.into())
}

fn addresses(public: &AccountPublic, network: JsArg, start: JsArg, count: JsArg) -> Result<Array, Failure> {
    let network = network.network()?;
    let start = start.given().map_or(Ok(0), |start| start.count(0..=ADDRESS_INDEXES - 1))?;
    let count = count.given().map_or(Ok(20), |count| count.count(0..=MAX_COUNT))?;
    let end = start.saturating_add(count).min(ADDRESS_INDEXES);
    let hashes = public.key_hashes(start..end);
    Ok(hashes.into_iter().map(|hash| JsValue::from(Address::p2pkh(network, hash).to_string())).collect())
}
