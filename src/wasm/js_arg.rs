//! Values that a JavaScript caller gave: looked at with care, because they can be anything, and refused by
//! name.
//!
//! Reading one can run the caller's code (getters, proxies) and can throw; every such read is one that
//! catches. Sizes are checked before anything is copied.

use super::failure::Failure;
use crate::ledger::{Address, Network, TokenUid, VertexId};
use js_sys::{Array, Function, JsString, Promise, Reflect, Symbol};
use serde_json::{Map, Number, Value};
use std::ops::RangeInclusive;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use zeroize::Zeroizing;

/// Longest text that is read, in UTF-16 units: the longest transaction in hexadecimal fits.
const MAX_TEXT: u32 = 200_000;
/// Longest array that is read: a transaction has at most 255 inputs and outputs.
const MAX_ELEMENTS: u32 = 1_000;
/// How deep JSON may be that a caller gives.
const MAX_DEPTH: usize = 16;
/// The integers that a JavaScript number holds exactly.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// What the name of a header may have besides letters and digits.
const TOKEN_MARKS: &[u8] = b"!#$%&'*+-.^_`|~";

#[wasm_bindgen]
extern "C" {
    /// Unlike the one of `js_sys`, it catches: a revoked proxy throws.
    #[wasm_bindgen(js_namespace = Array, js_name = isArray, catch)]
    fn is_array(value: &JsValue) -> Result<bool, JsValue>;
}

/// A value and the path that errors name it by.
pub(super) struct JsArg {
    value: JsValue,
    path: String,
}

impl JsArg {
    /// An argument called `name`.
    pub(super) fn new(value: JsValue, name: &str) -> Self {
        Self { value, path: name.to_owned() }
    }

    /// `None` if it was left out.
    pub(super) fn given(self) -> Option<Self> {
        (!self.value.is_undefined()).then_some(self)
    }

    /// Whether it was left out.
    pub(super) fn is_left_out(&self) -> bool {
        self.value.is_undefined()
    }

    /// A refusal: `must` ends the sentence that begins with the path.
    pub(super) fn refuse(&self, must: impl AsRef<str>) -> Failure {
        Failure::input(&self.path, must)
    }

    /// A text.
    pub(super) fn text(&self) -> Result<String, Failure> {
        if !self.value.is_string() {
            return Err(self.refuse("must be a string"));
        }
        let text: &JsString = self.value.unchecked_ref();
        if text.length() > MAX_TEXT {
            return Err(self.refuse(format!("must have at most {MAX_TEXT} characters")));
        }
        if !text.is_valid_utf16() {
            return Err(self.refuse("must be well-formed text, and has half a surrogate pair"));
        }
        Ok(text.into())
    }

    /// A text that is wiped when dropped. JavaScript's own copy can't be.
    pub(super) fn secret(&self) -> Result<Zeroizing<String>, Failure> {
        self.text().map(Zeroizing::new)
    }

    /// An integer of any kind that is exact: a bigint, or a number that is a safe integer.
    pub(super) fn integer(&self) -> Result<i128, Failure> {
        if self.value.is_bigint() {
            return i128::try_from(self.value.clone())
                .map_err(|_| self.refuse("must be an integer of at most 128 bits"));
        }
        match self.value.as_f64() {
            Some(number) if number.fract() == 0.0 && number.abs() <= MAX_SAFE => Ok(number as i128),
            Some(_) => Err(self.refuse("must be a safe integer or a bigint: this number is not exact")),
            None => Err(self.refuse("must be a bigint or a safe integer")),
        }
    }

    /// An integer within `range`.
    pub(super) fn count(&self, range: RangeInclusive<u32>) -> Result<u32, Failure> {
        let number = self.integer().ok().and_then(|number| u32::try_from(number).ok());
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            self.refuse(format!("must be an integer from {} to {}", range.start(), range.end()))
        })
    }

    /// One of these texts.
    pub(super) fn one_of(&self, texts: &[&'static str]) -> Result<&'static str, Failure> {
        let given = self.text().ok();
        let found = texts.iter().find(|text| Some(**text) == given.as_deref());
        found.copied().ok_or_else(|| {
            let (last, others) = texts.split_last().map_or(("", texts), |(last, others)| (*last, others));
            self.refuse(format!("must be \"{}\" or \"{last}\"", others.join("\", \"")))
        })
    }

    /// A yes or no.
    pub(super) fn boolean(&self) -> Result<bool, Failure> {
        self.value.as_bool().ok_or_else(|| self.refuse("must be true or false"))
    }

    /// Something to call.
    pub(super) fn function(&self) -> Result<Function, Failure> {
        if self.value.is_function() {
            return Ok(self.value.unchecked_ref::<Function>().clone());
        }
        Err(self.refuse("must be a function"))
    }

    /// The method `name` of an object of the caller's own.
    pub(super) fn method(&self, name: &str) -> Result<Method, Failure> {
        let function = Reflect::get(&self.value, &name.into())
            .map_err(|_| self.refuse(format!("must be an object with a method `{name}`")))?;
        match function.dyn_into() {
            Ok(function) => Ok(Method { object: self.value.clone(), function }),
            Err(_) => Err(self.refuse(format!("must have a method `{name}`"))),
        }
    }

    /// The name of a network.
    pub(super) fn network(&self) -> Result<Network, Failure> {
        let name = self.text().ok().and_then(|name| name.parse().ok());
        name.ok_or_else(|| self.refuse("must be \"mainnet\", \"testnet\" or \"privatenet\""))
    }

    /// An address of `network`, or of any network.
    pub(super) fn address(&self, network: Option<Network>) -> Result<Address, Failure> {
        let text = self.text()?;
        let address = match network {
            Some(network) => Address::parse(&text, network),
            None => Address::parse_any(&text),
        };
        address.map_err(|error| {
            let of = network.map(|network| format!(" of {}", network.name())).unwrap_or_default();
            self.refuse(format!("must be an address{of}: {error}"))
        })
    }

    /// The uid of a token.
    pub(super) fn token(&self) -> Result<TokenUid, Failure> {
        let uid = self.text()?.parse();
        uid.map_err(|_| self.refuse("must be a token's uid: \"00\" or 64 hexadecimal digits"))
    }

    /// The id of a transaction.
    pub(super) fn transaction_id(&self) -> Result<VertexId, Failure> {
        let id = self.text()?.parse();
        id.map_err(|_| self.refuse("must be a transaction's id: 64 hexadecimal digits"))
    }

    /// The elements of an array.
    pub(super) fn elements(&self) -> Result<Vec<Self>, Failure> {
        let unreadable = |_| self.refuse("can't be read: reading it threw");
        if !is_array(&self.value).map_err(unreadable)? {
            return Err(self.refuse("must be an array"));
        }
        let length = Reflect::get(&self.value, &"length".into()).map_err(unreadable)?;
        let length = length.as_f64().filter(|length| (0.0..=f64::from(MAX_ELEMENTS)).contains(length));
        let length =
            length.ok_or_else(|| self.refuse(format!("must have at most {MAX_ELEMENTS} elements")))?;
        (0..length as u32)
            .map(|index| {
                let value = Reflect::get_u32(&self.value, index).map_err(unreadable)?;
                Ok(Self { value, path: format!("{}[{index}]", self.path) })
            })
            .collect()
    }

    /// Any JSON, with whole numbers of any size. `depth` is how deep it stands already.
    pub(super) fn json(&self, depth: usize) -> Result<Value, Failure> {
        if depth > MAX_DEPTH {
            return Err(self.refuse(format!("must be nested at most {MAX_DEPTH} levels deep")));
        }
        if self.value.is_null() || self.value.is_undefined() {
            return Ok(Value::Null);
        }
        if let Some(flag) = self.value.as_bool() {
            return Ok(Value::Bool(flag));
        }
        if self.value.is_string() {
            return self.text().map(Value::String);
        }
        if !self.value.is_object() {
            let number = Number::from_i128(self.integer()?);
            return Ok(Value::Number(number.expect("integers of any size are JSON numbers here")));
        }
        let unreadable = |_| self.refuse("can't be read: reading it threw");
        if is_array(&self.value).map_err(unreadable)? {
            return self.elements()?.iter().map(|element| element.json(depth + 1)).collect();
        }
        self.by_name(|member| member.json(depth + 1)).map(Value::Object)
    }

    /// Texts by names that the caller chooses.
    pub(super) fn texts_by_name(&self) -> Result<Map<String, Value>, Failure> {
        self.by_name(|member| member.text().map(Value::String))
    }

    fn by_name(&self, read: impl Fn(&Self) -> Result<Value, Failure>) -> Result<Map<String, Value>, Failure> {
        let unreadable = |_| self.refuse("can't be read: reading it threw");
        if !self.value.is_object() || is_array(&self.value).map_err(unreadable)? {
            return Err(self.refuse("must be an object"));
        }
        // `Headers` and maps have no members of their own.
        if Reflect::has(&self.value, &Symbol::iterator()).map_err(unreadable)? {
            return Err(self.refuse("must be a plain object: Object.fromEntries makes one"));
        }
        let keys = Reflect::own_keys(&self.value).map_err(unreadable)?;
        if keys.length() > MAX_ELEMENTS {
            return Err(self.refuse(format!("must have at most {MAX_ELEMENTS} members")));
        }
        let mut texts = Map::new();
        for key in keys.iter().filter(|key| key.is_string()) {
            let name = Self { value: key.clone(), path: self.path.clone() }.text()?;
            let value = Reflect::get(&self.value, &key).map_err(unreadable)?;
            let read = read(&Self { value, path: self.member_path(&name) })?;
            texts.insert(name, read);
        }
        Ok(texts)
    }

    /// Headers by their names, as pairs.
    pub(super) fn headers(&self) -> Result<Array, Failure> {
        let headers = Array::new();
        for (name, value) in self.texts_by_name()? {
            let refuse = |must| Err(Failure::input(self.member_path(&name), must));
            if name.is_empty()
                || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || TOKEN_MARKS.contains(&byte))
            {
                return refuse("must be the name of a header: letters, digits and hyphens");
            }
            let value = value.as_str().unwrap_or_default();
            if !value.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\t')) {
                return refuse("must be the value of a header: one line of ASCII characters");
            }
            // In one case, so that none comes twice.
            headers.push(&Array::of2(&name.to_ascii_lowercase().into(), &value.into()).into());
        }
        Ok(headers)
    }

    /// The members of an object, which must not have others than `known`. Those that are left out come as
    /// `undefined`.
    pub(super) fn members<const N: usize>(&self, known: [&str; N]) -> Result<[Self; N], Failure> {
        let mut members = self.known_members(&known)?.into_iter();
        Ok(known.map(|_| members.next().expect("one for each that is known")))
    }

    /// The members of an object, as [`Self::members`] gives them, for lists of names that are no arrays.
    pub(super) fn known_members(&self, known: &[&str]) -> Result<Vec<Self>, Failure> {
        let unreadable = |_| self.refuse("can't be read: reading it threw");
        if !self.value.is_object() || is_array(&self.value).map_err(unreadable)? {
            return Err(self.refuse("must be an object"));
        }
        self.refuse_unknown(&Reflect::own_keys(&self.value).map_err(unreadable)?, known)?;
        known.iter().map(|name| self.member(name)).collect()
    }

    /// One member of an object, which may have others.
    pub(super) fn member(&self, name: &str) -> Result<Self, Failure> {
        let path = self.member_path(name);
        let value = Reflect::get(&self.value, &name.into())
            .map_err(|_| Failure::input(&path, "can't be read: reading it threw"))?;
        Ok(Self { value, path })
    }

    /// A name that is not known is a spelling mistake, and money may hang on it.
    fn refuse_unknown(&self, keys: &Array, known: &[&str]) -> Result<(), Failure> {
        for key in keys.iter().filter(|key| key.is_string()) {
            let name = Self { value: key, path: self.path.clone() }.text()?;
            if !known.contains(&name.as_str()) {
                let path = self.member_path(&name.chars().take(40).collect::<String>());
                return Err(Failure::input(path, format!("is not known: expected {}", known.join(", "))));
            }
        }
        Ok(())
    }

    /// Members of an argument that holds nothing but options go by their own names.
    fn member_path(&self, name: &str) -> String {
        if self.path == "options" || self.path == "request" {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }
}

/// A method of an object of the caller's own.
#[derive(Clone)]
pub(super) struct Method {
    object: JsValue,
    function: Function,
}

impl Method {
    /// Calls it, and waits for what it promises. Gives what is thrown, or what the promise is rejected with.
    pub(super) async fn call(&self, arguments: &[JsValue]) -> Result<JsValue, JsValue> {
        let arguments: Array = arguments.iter().collect();
        let answer = self.function.apply(&self.object, &arguments)?;
        JsFuture::from(Promise::resolve(&answer)).await
    }
}
