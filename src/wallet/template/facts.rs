//! What must be known before a template can be carried out: found in one look through it, which selects
//! nothing.

use super::draft::Failure;
use super::{TemplateFact, TemplateProblem, TemplateRequest};
use crate::ledger::TokenUid;
use crate::template::{Fields, Instruction, InstructionKind, Scope};
use crate::wallet::State;
use serde_json::Value;

impl State {
    /// What a template needs and its [`TemplateRequest::facts`] lack, each once. Some of it shows only once
    /// something else is known, such as what an oracle signs of what was signed.
    pub fn template_lacks(&self, request: &TemplateRequest, now: u32) -> Vec<TemplateFact> {
        let mut lacking = Lacking { request, facts: Vec::new() };
        let mut variables = Fields::new();
        for instruction in &request.template.instructions {
            if let Some((name, value)) = self.note_needs(instruction, &variables, &mut lacking, now) {
                variables.insert(name, value);
            }
        }
        lacking.facts
    }

    /// Notes what an instruction needs, and gives the variable that it sets. What is wrong with it is said by
    /// planning.
    fn note_needs(
        &self,
        instruction: &Instruction,
        variables: &Fields,
        lacking: &mut Lacking<'_>,
        now: u32,
    ) -> Option<(String, Value)> {
        let (scope, request) = (instruction.scope(variables), lacking.request);
        match instruction.kind {
            InstructionKind::SetVar => {
                return lacking.unless_unknown(self.variable(request, scope, now));
            }
            InstructionKind::RawInput => {
                let tx = scope.id("txId").ok()??;
                let index = scope.number("index").ok()??;
                let output = lacking.unless_unknown(self.known_output(request, tx, index))?;
                lacking.note_token(output.token);
            }
            InstructionKind::Nano => {
                for action in scope.actions().into_iter().flatten() {
                    lacking.note_token_of(action.scope);
                }
                let method = (scope.id("id").ok()??, scope.text("method").ok()??.to_owned());
                if !request.facts.methods.contains_key(&method) {
                    lacking.note(TemplateFact::Method(method.0, method.1));
                }
            }
            _ => lacking.note_token_of(scope),
        }
        None
    }
}

struct Lacking<'a> {
    request: &'a TemplateRequest,
    facts: Vec<TemplateFact>,
}

impl Lacking<'_> {
    fn note(&mut self, fact: TemplateFact) {
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    fn note_token(&mut self, token: TokenUid) {
        if let TokenUid::Custom(id) = token
            && !self.request.facts.tokens.contains_key(&id)
        {
            self.note(TemplateFact::Token(id));
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
                self.note(fact);
                None
            }
            Err(_) => None,
        }
    }
}
