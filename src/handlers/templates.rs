//! Transactions by templates.

use super::{Call, CallError, Done, Reply, Sends};
use crate::api::{BuildTemplate, Refusal, RunTemplate};
use crate::service::{Operation, Recorded, SendKey};
use crate::template::Template;
use crate::wallet::{TemplateFacts, TemplateRequest};

impl Sends for RunTemplate {
    const READ_ONLY: &'static str = "Private key is not present on this wallet.";
    fn operation<R: Reply>(self, _: &Call<'_, R>) -> Result<Operation, CallError> {
        Ok(Operation::Template(Box::new(request(self.template)?)))
    }
}

fn request(template: Template) -> Result<TemplateRequest, Refusal> {
    Ok(TemplateRequest {
        template,
        facts: TemplateFacts::default(),
        with_foreign_inputs: false,
        shuffle_seed: getrandom::u64().map_err(|error| Refusal::failure(error.to_string()))?,
    })
}

impl<R: Reply> Call<'_, R> {
    /// Builds a transaction by a template, without sending it. A repetition with the same key gets the same
    /// transaction.
    ///
    /// # Errors
    /// [`CallError`] says why it can't be built.
    pub async fn build_template(
        &self,
        BuildTemplate { template, sign }: BuildTemplate,
        once: Option<SendKey>,
    ) -> Result<Done<R::Answer>, CallError> {
        let (request, wallet) = (request(template)?, self.wallet.clone());
        let transaction = async move { wallet.build_by_template(request, sign).await };
        let made = self.make(once, Box::pin(transaction)).await.map_err(|error| match error {
            CallError::Send { error, .. } => CallError::Send { error, read_only: RunTemplate::READ_ONLY },
            error => error,
        });
        let Recorded { transaction, replayed } = made?;
        Ok(Done { answer: self.proposal(&transaction)?, replayed })
    }
}
