//! The language of transaction templates: a list of instructions, in JSON, by which a wallet builds a
//! transaction. What they may hold is declared once (`fields`): templates are read by it, and so are the
//! values of variables when they are used.
//!
//! ```
//! use headless_wallet::template::Template;
//!
//! let json = serde_json::json!([
//!     {"type": "action/setvar", "name": "me", "call": {"method": "get_wallet_address"}},
//!     {"type": "output/token", "amount": 100, "address": "{me}"},
//!     {"type": "action/complete"},
//! ]);
//! assert_eq!(Template::read(&json).map(|template| template.instructions.len()), Ok(3));
//! let wrong = Template::read(&serde_json::json!([{"type": "output/token", "amount": 0}])).unwrap_err();
//! assert_eq!((wrong[0].path.as_str(), wrong[1].path.as_str()), ("0.amount", "0.address"));
//! ```

mod fields;
mod read;
mod unused_fields;
mod values;

pub use fields::{ACTIONS, CALLS, Field, FieldKind, InstructionKind, Need};
pub use read::{Fields, Named, Problem, Scope, ValueError, Variables};
pub use unused_fields::unused_fields;

/// Most instructions of a template. A transaction has at most 255 inputs and as many outputs.
pub const MAX_INSTRUCTIONS: usize = 1_000;

/// Instructions that are as they must be.
#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// In the order in which they are carried out.
    pub instructions: Vec<Instruction>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    pub kind: InstructionKind,
    /// Those that are declared, as they must be: of the kind declared, or the name of a variable.
    pub fields: Fields,
}

impl Instruction {
    /// Its fields, with the variables that are set so far.
    pub fn scope<'a>(&'a self, variables: &'a Variables<'a>) -> Scope<'a> {
        Scope { fields: &self.fields, variables, declared: self.kind.fields() }
    }
}
