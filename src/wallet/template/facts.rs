//! What must be known before a template can be carried out: found in one walk through it, which selects
//! nothing.

use super::draft::Failure;
use super::{TemplateFact, TemplateFacts, TemplateProblem};
use crate::ledger::{TokenUid, VertexId};
use crate::template::{Instruction, InstructionKind, Scope, Template, Variables};
use crate::wallet::State;
use std::collections::HashSet;

/// How far a template has been looked through. What an instruction lacks has to be found out before the
/// next one is looked at: so each variable is worked out once for each time that it lacks something, and
/// once more.
#[derive(Debug)]
pub struct TemplateWalk<'t> {
    template: &'t Template,
    /// Of the next instruction.
    place: usize,
    variables: Variables<'t>,
    looks: usize,
}

impl<'t> TemplateWalk<'t> {
    /// A walk that begins.
    pub fn of(template: &'t Template) -> Self {
        Self { template, place: 0, variables: Variables::new(), looks: 0 }
    }

    /// How often an instruction was looked at.
    pub const fn looks(&self) -> usize {
        self.looks
    }
}

impl State {
    /// What the next instruction that lacks something lacks, each once; nothing at the end, which is also
    /// where an instruction can't be carried out: planning says why.
    pub fn template_lacks(
        &self,
        walk: &mut TemplateWalk<'_>,
        facts: &TemplateFacts,
        now: u32,
    ) -> Vec<TemplateFact> {
        while let Some(instruction) = walk.template.instructions.get(walk.place) {
            walk.looks += 1;
            let mut lacking = Lacking { facts, lacks: Vec::new(), tokens: HashSet::new() };
            let looked = self.look_at(instruction, &mut walk.variables, &mut lacking, now);
            match looked {
                Some(()) if lacking.lacks.is_empty() => walk.place += 1,
                _ => return lacking.lacks,
            }
        }
        Vec::new()
    }

    /// Notes what an instruction lacks, and sets its variable. `None` if it lacks something or is wrong.
    fn look_at<'t>(
        &self,
        instruction: &'t Instruction,
        variables: &mut Variables<'t>,
        lacking: &mut Lacking<'_>,
        now: u32,
    ) -> Option<()> {
        let (scope, facts) = (instruction.scope(variables), lacking.facts);
        match instruction.kind {
            InstructionKind::SetVar => {
                let set = self.variable(facts, instruction, variables, now);
                let (name, value) = lacking.unless_unknown(set)?;
                variables.insert(name, value);
            }
            InstructionKind::RawInput => {
                let tx = scope.id("txId").ok()??;
                let index = scope.number("index").ok()??;
                let output = lacking.unless_unknown(self.known_output(facts, tx, index))?;
                lacking.note_token(output.token);
            }
            InstructionKind::Nano => {
                for action in scope.actions().into_iter().flatten() {
                    lacking.note_token_of(action.scope);
                }
                let method = (scope.id("id").ok()??, scope.text("method").ok()??.to_owned());
                if !facts.methods.contains_key(&method) {
                    lacking.lacks.push(TemplateFact::Method(method.0, method.1));
                }
            }
            _ => lacking.note_token_of(scope),
        }
        Some(())
    }
}

struct Lacking<'a> {
    facts: &'a TemplateFacts,
    lacks: Vec<TemplateFact>,
    tokens: HashSet<VertexId>,
}

impl Lacking<'_> {
    fn note_token(&mut self, token: TokenUid) {
        if let TokenUid::Custom(id) = token
            && !self.facts.tokens.contains_key(&id)
            && self.tokens.insert(id)
        {
            self.lacks.push(TemplateFact::Token(id));
        }
    }

    fn note_token_of(&mut self, scope: Scope<'_>) {
        if scope.declared.iter().any(|field| field.name == "token")
            && let Ok(token) = scope.token("token")
        {
            self.note_token(token);
        }
    }

    /// Notes what a failure is for the lack of.
    fn unless_unknown<T>(&mut self, result: Result<T, Failure>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(Failure::Here(TemplateProblem::Unknown(fact))) => {
                self.lacks.push(fact);
                None
            }
            Err(_) => None,
        }
    }
}
