//! Types of arguments, as a node's account of a blueprint names them.

/// How deep types may be in each other.
const MAX_DEPTH: usize = 16;

/// The type of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgType {
    /// `str`
    Text,
    /// `int`
    Int,
    /// `bool`
    Bool,
    /// `Address`
    Address,
    /// `CallerId`: an address or a contract.
    Caller,
    /// `Timestamp`: Unix seconds.
    Timestamp,
    /// `Amount`
    Amount,
    /// `TokenUid`
    Token,
    /// `bytes`, `TxOutputScript`
    Bytes,
    /// `VertexId`, `ContractId`, `BlueprintId`
    Id,
    /// `T?`
    Optional(Box<Self>),
    /// `tuple[A, B]`
    Tuple(Vec<Self>),
    /// `list[T]`, `set[T]`, `deque[T]`, `frozenset[T]`: of one type, any number.
    List(Box<Self>),
    /// `dict[K, V]`
    Dict(Box<Self>, Box<Self>),
    /// `SignedData[T]`: a value of the type that is named, and an oracle's signature.
    Signed(Box<Self>, String),
}

/// The name of a type that this wallet does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("Unsupported type: {0}")]
pub struct UnknownType(pub String);

impl ArgType {
    /// Longest name of a type that is read.
    pub const MAX_NAME_BYTES: usize = 1_000;

    /// Reads a type's name.
    ///
    /// # Errors
    /// [`UnknownType`] for any other name, and for one that is very long or deep.
    pub fn parse(name: &str) -> Result<Self, UnknownType> {
        if name.len() > Self::MAX_NAME_BYTES {
            return Err(UnknownType(format!("{} bytes long", name.len())));
        }
        Self::parse_at(name.trim(), 0)
    }

    fn parse_at(name: &str, depth: usize) -> Result<Self, UnknownType> {
        let unknown = || UnknownType(name.to_owned());
        if depth > MAX_DEPTH {
            return Err(unknown());
        }
        let simple = match name {
            "str" => Self::Text,
            "int" => Self::Int,
            "bool" => Self::Bool,
            "Address" => Self::Address,
            "CallerId" | "union[Address, ContractId]" => Self::Caller,
            "Timestamp" => Self::Timestamp,
            "Amount" => Self::Amount,
            "TokenUid" => Self::Token,
            "bytes" | "TxOutputScript" => Self::Bytes,
            "VertexId" | "ContractId" | "BlueprintId" => Self::Id,
            _ => return Self::parse_compound(name, depth).ok_or_else(unknown)?,
        };
        Ok(simple)
    }

    /// `None` for what has not the form of a compound type.
    fn parse_compound(name: &str, depth: usize) -> Option<Result<Self, UnknownType>> {
        let inner = |name: &str| Self::parse_at(name.trim(), depth + 1);
        if let Some(name) = name.strip_suffix('?') {
            // One in another would be written like one alone.
            return Some(inner(name))
                .filter(|inner| !matches!(inner, Ok(Self::Optional(_))))
                .map(|inner| inner.map(|inner| Self::Optional(Box::new(inner))));
        }
        let (container, elements) = name.strip_suffix(']')?.split_once('[')?;
        match container.trim() {
            "SignedData" | "RawSignedData" => {
                Some(inner(elements).map(|inner| Self::Signed(Box::new(inner), elements.trim().to_owned())))
            }
            "tuple" | "Tuple" => {
                let elements: Result<_, _> = split(elements).into_iter().map(inner).collect();
                Some(elements.map(Self::Tuple))
            }
            "list" | "List" | "set" | "Set" | "deque" | "Deque" | "frozenset" | "FrozenSet" => {
                Some(inner(elements).map(|inner| Self::List(Box::new(inner))))
            }
            "dict" | "Dict" => {
                let [key, value] = split(elements)[..] else { return None };
                let pair = inner(key).and_then(|key| Ok((Box::new(key), Box::new(inner(value)?))));
                Some(pair.map(|(key, value)| Self::Dict(key, value)))
            }
            _ => None,
        }
    }
}

/// Splits at commas that stand in no brackets.
fn split(names: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let is_separator = |letter: char| {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    };
    names.split(is_separator).collect()
}
