//! Transaction templates: a list of instructions, in JSON, by which a wallet builds a transaction. Their
//! fields are declared once (`fields`): templates are read by the declarations, and so are the values of
//! variables when they are used.
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

/// A transaction has at most 255 inputs and as many outputs.
pub const MAX_INSTRUCTIONS: usize = 1_000;

#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    /// In the order of execution.
    pub instructions: Vec<Instruction>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    pub kind: InstructionKind,
    /// Valid declared fields: a value of the declared kind, or the name of a variable.
    pub fields: Fields,
}

impl Instruction {
    pub fn scope<'a>(&'a self, variables: &'a Variables<'a>) -> Scope<'a> {
        Scope { fields: &self.fields, variables, declared: self.kind.fields() }
    }
}
