//! Transaction templates: `/wallet/tx-template`.

use crate::api::check::Checker;
use crate::api::declare::{Kind, Literal, Member, Need};
use crate::api::{Compat, Location, Problem, Refusal, Request};
use crate::template::{MAX_INSTRUCTIONS, Template, unused_fields};
use serde_json::{Map, Value};

/// `POST /wallet/tx-template/run`.
#[derive(Clone, Debug, PartialEq)]
pub struct RunTemplate {
    pub template: Template,
}

/// `POST /wallet/tx-template/build`.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildTemplate {
    pub template: Template,
    /// Whether the wallet's inputs are signed.
    pub sign: bool,
}

/// The member that is the whole body over HTTP.
const TEMPLATE: &str = "template";

const INSTRUCTIONS: Member = Member::new(
    TEMPLATE,
    "The instructions, in the order in which they are carried out: docs/templates.md has them.",
    Kind::Array { of: &Kind::Any, least: 0, most: Some(MAX_INSTRUCTIONS) },
    Need::Required,
);

const DEBUG: Member = Member {
    default: Some(Literal::Flag(false)),
    deprecated: true,
    ..Member::new("debug", "Has no effect.", Kind::Flag, Need::Optional)
};

const SIGN: Member = Member {
    default: Some(Literal::Flag(false)),
    ..Member::new("sign", "Whether the wallet's inputs are signed.", Kind::Flag, Need::Optional)
};

impl Request for RunTemplate {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[INSTRUCTIONS, DEBUG];
    const BARE: Option<&'static str> = Some(TEMPLATE);
    fn read(given: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let template = template(given, compat)?;
        let mut check = Checker::query(given);
        let _ = flag(&mut check, "debug");
        check.finish()?;
        Ok(Self { template })
    }
}

impl Request for BuildTemplate {
    const IN: Location = Location::Body;
    const MEMBERS: &'static [Member] = &[INSTRUCTIONS, SIGN, DEBUG];
    const BARE: Option<&'static str> = Some(TEMPLATE);
    fn read(given: &Map<String, Value>, compat: Compat) -> Result<Self, Refusal> {
        let template = template(given, compat)?;
        let mut check = Checker::query(given);
        let _ = flag(&mut check, "debug");
        let sign = flag(&mut check, "sign");
        check.finish()?;
        Ok(Self { template, sign })
    }
}

fn flag(check: &mut Checker<'_>, name: &str) -> bool {
    let field = check.field(name);
    check.flag(&field, false)
}

fn template(given: &Map<String, Value>, compat: Compat) -> Result<Template, Refusal> {
    let given = given.get(TEMPLATE).unwrap_or(&Value::Null);
    let template = Template::read(given).map_err(refusal)?;
    let unused = if compat.refuses_unused_fields() { unused_fields(given) } else { Vec::new() };
    if unused.is_empty() { Ok(template) } else { Err(refusal(unused)) }
}

fn refusal(problems: Vec<crate::template::Problem>) -> Refusal {
    let problem = |problem: crate::template::Problem| Problem {
        value: None,
        msg: problem.message.into(),
        param: problem.path,
        location: Some(Location::Body),
        nested: Vec::new(),
        must: problem.must.into(),
    };
    Refusal::Details(problems.into_iter().map(problem).collect())
}
