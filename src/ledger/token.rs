//! Tokens: names, the configuration string, deposits and withdrawals.

use super::{Amount, TokenUid, sha256d};
use std::fmt;
use std::num::NonZeroU64;

/// Full node: `MAX_LENGTH_TOKEN_NAME`, in Unicode code points.
pub const MAX_TOKEN_NAME_CHARS: usize = 30;
/// Full node: `MAX_LENGTH_TOKEN_SYMBOL`, in Unicode code points.
pub const MAX_TOKEN_SYMBOL_CHARS: usize = 5;

/// HTR's name, which no other token may have.
pub const HTR_NAME: &str = "Hathor";
/// HTR's symbol, which no other token may have.
pub const HTR_SYMBOL: &str = "HTR";

/// How a token is paid for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TokenVersion {
    /** By a deposit of HTR that melting returns. */
    Deposit = 1,
    /** By a fee for each output. */
    Fee = 2,
}

impl TokenVersion {
    /// The HTR that a transaction pays for moving one token of this kind, given how many of its inputs and
    /// outputs hold amounts of it: nothing where there is a deposit, else one cent for each output, or
    /// one if there are inputs alone. Authorities don't count.
    pub fn fee(self, inputs: usize, outputs: usize) -> Amount {
        match (self, inputs, outputs) {
            (Self::Deposit, ..) | (Self::Fee, 0, 0) => Amount::ZERO,
            (Self::Fee, _, outputs) => Amount::new(outputs.max(1) as u128),
        }
    }
}

/// What a creation transaction says of its token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenInfo {
    /** 1 to 30 characters. */
    pub name: String,
    /** 1 to 5 characters. */
    pub symbol: String,
    pub version: TokenVersion,
}

/// The share of HTR deposited for a minted amount, 1 % on every network so far, and the arithmetic of the
/// node that publishes it: it demands the deposit to the cent. Up to 2^53 the two agree at 1 %; above, they
/// seldom do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DepositRate {
    /// Integers, as nodes compute from version 0.71 on.
    Fraction { numerator: u64, denominator: NonZeroU64 },
    /// Double precision, as nodes compute up to version 0.70: the amount becomes a double, and so does the
    /// product, which is then rounded to a whole number.
    Double(f64),
}

impl Default for DepositRate {
    /// 1 %, in integers.
    fn default() -> Self {
        let denominator = NonZeroU64::new(1_000_000_000).expect("not zero");
        Self::Fraction { numerator: 10_000_000, denominator }
    }
}

impl DepositRate {
    /// Whether it is the 1 % of all public networks.
    pub fn is_usual(self) -> bool {
        match self {
            Self::Fraction { numerator, denominator } => {
                u128::from(numerator) * 100 == u128::from(denominator.get())
            }
            Self::Double(rate) => rate == 0.01,
        }
    }
    /// HTR needed to mint `amount`: rounded up to a cent. Stops at the greatest amount for rates that no
    /// network has.
    pub fn deposit(self, amount: Amount) -> Amount {
        match self {
            Self::Fraction { numerator, denominator } => {
                let (cents, has_rest) = amount.share(numerator, denominator.get());
                Amount::new(cents.saturating_add(has_rest.into()))
            }
            Self::Double(rate) => Amount::new(product(rate, amount).ceil() as u128),
        }
    }
    /// HTR returned for melting `amount`: rounded down to a cent.
    pub fn withdraw(self, amount: Amount) -> Amount {
        match self {
            Self::Fraction { numerator, denominator } => {
                Amount::new(amount.share(numerator, denominator.get()).0)
            }
            Self::Double(rate) => Amount::new(product(rate, amount).floor() as u128),
        }
    }
}

/// Of the whole cents: nodes that compute so have no parts of a cent. As Python multiplies a float and an
/// integer: both conversions round to the nearest double, ties to even, on every target.
fn product(rate: f64, amount: Amount) -> f64 {
    (rate * amount.cents() as f64).abs()
}

/// `[name:symbol:uid:checksum]`, by which wallets tell each other of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigurationString {
    pub uid: TokenUid,
    pub name: String,
    pub symbol: String,
}

impl ConfigurationString {
    /// Reads one and checks its checksum. A colon in the symbol is taken for one in the name: nothing tells
    /// them apart.
    ///
    /// # Errors
    /// [`TokenError::ConfigurationString`] says what is missing or wrong; a uid in capital letters has a
    /// wrong checksum.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inner = inner.ok_or(TokenError::ConfigurationString("it stands in square brackets"))?;
        let mut fields = inner.rsplitn(4, ':');
        let (Some(_), Some(uid), Some(symbol), Some(name)) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(TokenError::ConfigurationString("it has a name, symbol, uid and checksum"));
        };
        let uid =
            uid.parse().map_err(|_| TokenError::ConfigurationString("its uid has 64 hexadecimal digits"))?;
        let found = Self { uid, name: name.to_owned(), symbol: symbol.to_owned() };
        // Compared as a whole, so that a uid in capital letters, whose checksum is another, is refused too.
        if found.to_string() == text {
            Ok(found)
        } else {
            Err(TokenError::ConfigurationString("its checksum does not fit"))
        }
    }
}

impl fmt::Display for ConfigurationString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let inner = format!("{}:{}:{}", self.name, self.symbol, self.uid);
        let [a, b, c, d, ..] = sha256d(inner.as_bytes());
        write!(f, "[{inner}:{a:02x}{b:02x}{c:02x}{d:02x}]")
    }
}

/// Runs of two or more white space characters to one space, trimmed, lower case: how wallets compare names.
pub fn clean_token_text(text: &str) -> String {
    collapse_spaces(text).to_lowercase()
}

fn collapse_spaces(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.trim_matches(is_space);
    while let Some(start) = rest.find(is_space) {
        let (word, tail) = rest.split_at(start);
        let next = tail.trim_start_matches(is_space);
        let gap = &tail[..tail.len() - next.len()];
        clean.push_str(word);
        clean.push_str(if gap.chars().nth(1).is_some() { " " } else { gap });
        rest = next;
    }
    clean.push_str(rest);
    clean
}

/// What any of the implementations takes for white space: Unicode's, and what Python's and JavaScript's add.
fn is_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}' | '\u{feff}')
}

/// Checks a name: 1 to 30 characters, not `Hathor`.
///
/// # Errors
/// [`TokenError::Missing`], [`TokenError::TooLong`], or [`TokenError::Reserved`] for HTR's name in any case,
/// with spaces around it or without.
pub fn validate_token_name(name: &str) -> Result<(), TokenError> {
    validate("name", name, MAX_TOKEN_NAME_CHARS, HTR_NAME)
}
/// Checks a symbol: 1 to 5 characters, not `HTR`.
///
/// # Errors
/// [`TokenError::Missing`], [`TokenError::TooLong`], or [`TokenError::Reserved`] for HTR's symbol in any
/// case, with spaces around it or without.
pub fn validate_token_symbol(symbol: &str) -> Result<(), TokenError> {
    validate("symbol", symbol, MAX_TOKEN_SYMBOL_CHARS, HTR_SYMBOL)
}

fn validate(what: &'static str, text: &str, max: usize, reserved: &str) -> Result<(), TokenError> {
    let len = text.chars().count();
    if len == 0 {
        return Err(TokenError::Missing);
    }
    if len > max {
        return Err(TokenError::TooLong { what, len, max });
    }
    // No letter outside of ASCII becomes one of these when it is made lower case, and Unicode's tables of
    // cases are large.
    if collapse_spaces(text).eq_ignore_ascii_case(reserved) {
        return Err(TokenError::Reserved { what, text: text.to_owned() });
    }
    Ok(())
}

/// What is wrong with a token's name, symbol or configuration string.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    #[error("Token name and symbol are required when creating a new token")]
    Missing,
    #[error("Token {what} size is {len} but maximum size is {max}")]
    TooLong { what: &'static str, len: usize, max: usize },
    #[error("Invalid token {what} ({text}): the native token has it")]
    Reserved { what: &'static str, text: String },
    #[error("Invalid configuration string: {0}")]
    ConfigurationString(&'static str),
}
