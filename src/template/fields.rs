//! The fields of each instruction.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionKind {
    RawInput,
    SelectUtxos,
    SelectAuthorities,
    RawOutput,
    DataOutput,
    TokenOutput,
    AuthorityOutput,
    Shuffle,
    Complete,
    Config,
    SetVar,
    Nano,
    Fee,
}

/// The `type` and other fields of each instruction, in the order in which errors list them.
const INSTRUCTIONS: [(InstructionKind, &str, &[Field]); 13] = [
    (
        InstructionKind::RawInput,
        "input/raw",
        &[POSITION, variable("index", K::Index), variable("txId", K::Id)],
    ),
    (
        InstructionKind::SelectUtxos,
        "input/utxo",
        &[POSITION, variable("fill", K::Amount), TOKEN, ADDRESS, AUTO_CHANGE, CHANGE_ADDRESS],
    ),
    (
        InstructionKind::SelectAuthorities,
        "input/authority",
        &[POSITION, AUTHORITY, variable("token", K::Id), COUNT, ADDRESS],
    ),
    (
        InstructionKind::RawOutput,
        "output/raw",
        &[
            POSITION,
            variable("amount", K::Amount).optional(),
            variable("script", K::Script),
            TOKEN,
            TIMELOCK,
            variable("authority", K::Authority).optional(),
            USE_CREATED,
        ],
    ),
    (InstructionKind::DataOutput, "output/data", &[POSITION, variable("data", K::Text), TOKEN, USE_CREATED]),
    (
        InstructionKind::TokenOutput,
        "output/token",
        &[
            POSITION,
            variable("amount", K::Amount),
            TOKEN,
            variable("address", K::Address),
            TIMELOCK,
            CHECK_ADDRESS,
            USE_CREATED,
        ],
    ),
    (
        InstructionKind::AuthorityOutput,
        "output/authority",
        &[
            POSITION,
            COUNT,
            variable("token", K::Id).optional(),
            AUTHORITY,
            variable("address", K::Address),
            TIMELOCK,
            CHECK_ADDRESS,
            USE_CREATED,
        ],
    ),
    (InstructionKind::Shuffle, "action/shuffle", &[fixed("target", K::Target)]),
    (
        InstructionKind::Complete,
        "action/complete",
        &[
            TOKEN,
            variable("address", K::Text).optional(),
            CHANGE_ADDRESS,
            TIMELOCK,
            SKIP_SELECTION,
            flag("skipChange"),
            flag("skipAuthorities"),
            flag("calculateFee"),
        ],
    ),
    (
        InstructionKind::Config,
        "action/config",
        &[
            variable("version", K::Byte).optional(),
            variable("signalBits", K::Byte).optional(),
            variable("createToken", K::Flag).optional(),
            variable("tokenName", K::ShortText(30)).optional(),
            variable("tokenSymbol", K::ShortText(5)).optional(),
            variable("tokenVersion", K::TokenVersion).optional(),
        ],
    ),
    (
        InstructionKind::SetVar,
        "action/setvar",
        &[fixed("name", K::Name), fixed("value", K::Any).optional(), fixed("call", K::Call).optional()],
    ),
    (
        InstructionKind::Nano,
        "nano/execute",
        &[
            variable("id", K::Id),
            fixed("method", K::Text),
            fixed("args", K::Args).optional(),
            variable("caller", K::Address),
            fixed("actions", K::Actions).optional(),
        ],
    ),
    (InstructionKind::Fee, "action/fee", &[TOKEN, variable("amount", K::Amount)]),
];

impl InstructionKind {
    /// In the order in which errors list them.
    pub fn all() -> impl Iterator<Item = Self> {
        INSTRUCTIONS.iter().map(|(kind, ..)| *kind)
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|kind| kind.name() == name)
    }

    pub const fn name(self) -> &'static str {
        INSTRUCTIONS[self as usize].1
    }

    /// Without `type`.
    pub const fn fields(self) -> &'static [Field] {
        INSTRUCTIONS[self as usize].2
    }
}

pub const CALLS: &[(&str, &[Field])] = &[
    ("get_wallet_address", &[fixed("index", K::Number).optional()]),
    ("get_wallet_balance", &[TOKEN, fixed("authority", K::Authority).optional()]),
    ("get_oracle_script", &[fixed("index", K::Number)]),
    (
        "get_oracle_signed_data",
        &[
            fixed("index", K::Number),
            fixed("type", K::Text),
            variable("data", K::Any).optional(),
            variable("ncId", K::Id),
        ],
    ),
];

/// The actions of a contract call, and their fields.
pub const ACTIONS: &[(&str, &[Field])] = &[
    (
        "deposit",
        &[
            TOKEN,
            USE_CREATED,
            variable("amount", K::Amount),
            ADDRESS,
            AUTO_CHANGE,
            CHANGE_ADDRESS,
            SKIP_SELECTION,
        ],
    ),
    ("withdrawal", &[TOKEN, variable("amount", K::Amount), ADDRESS, SKIP_OUTPUTS]),
    (
        "grant_authority",
        &[
            variable("token", K::Id),
            USE_CREATED,
            AUTHORITY,
            ADDRESS,
            variable("createAnotherTo", K::Address).optional(),
            SKIP_SELECTION,
        ],
    ),
    ("acquire_authority", &[variable("token", K::Id), AUTHORITY, ADDRESS, SKIP_OUTPUTS]),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    Number,
    /// Where an input or output is inserted: -1 for the end.
    Position,
    Index,
    /// 1 to 255.
    Count,
    /// At least 1, in cents.
    Amount,
    /// 64 hexadecimal digits.
    Id,
    /// `00`, or 64 hexadecimal digits.
    Token,
    /// 34 or 35 base58 digits. Whether it is an address is checked when it is paid.
    Address,
    /// Bytes in hexadecimal digits.
    Script,
    Time,
    /// `mint` or `melt`.
    Authority,
    Text,
    /// With the largest number of characters; at least 1.
    ShortText(usize),
    /// 0 to 255.
    Byte,
    /// How a token is paid for: 0 for HTR, 1 by a deposit, 2 by fees.
    TokenVersion,
    Flag,
    Target,
    Name,
    Any,
    Call,
    Args,
    Actions,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Required,
    Optional,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: &'static str,
    pub kind: FieldKind,
    pub need: Need,
    pub takes_variable: bool,
}

use FieldKind as K;

const fn fixed(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, need: Need::Required, takes_variable: false }
}

const fn variable(name: &'static str, kind: FieldKind) -> Field {
    Field { name, kind, need: Need::Required, takes_variable: true }
}

const fn flag(name: &'static str) -> Field {
    fixed(name, K::Flag).optional()
}

impl Field {
    const fn optional(self) -> Self {
        Self { need: Need::Optional, ..self }
    }
}

const POSITION: Field = fixed("position", K::Position).optional();
const TOKEN: Field = variable("token", K::Token).optional();
const ADDRESS: Field = variable("address", K::Address).optional();
const CHANGE_ADDRESS: Field = variable("changeAddress", K::Address).optional();
const COUNT: Field = variable("count", K::Count).optional();
const TIMELOCK: Field = variable("timelock", K::Time).optional();
const AUTHORITY: Field = fixed("authority", K::Authority);
const AUTO_CHANGE: Field = flag("autoChange");
const CHECK_ADDRESS: Field = flag("checkAddress");
const USE_CREATED: Field = flag("useCreatedToken");
const SKIP_SELECTION: Field = flag("skipSelection");
const SKIP_OUTPUTS: Field = flag("skipOutputs");
