//! Why an operation was not carried out.

use crate::api::{Failure, Refusal, texts};
use crate::ledger::EncodeError;
use crate::node::CallError as NodeError;
use crate::service::{
    InputsError, MessageError, NotReady, Refused, SendError, ShareError, SignatureError, SigningFileError,
    SwapError, WatchError,
};

/// Why an operation was not carried out.
#[derive(Debug)]
pub enum CallError {
    /// What was asked for is not as it must be, or is not there.
    Refused(Refusal),
    /// The wallet is not ready, or stopped being so.
    NotReady(NotReady),
    /// Nothing was sent, or that is not known.
    Send {
        error: Box<SendError>,
        /// What release 0.39 says to a wallet that can't sign.
        read_only: &'static str,
    },
    /// The full node failed. Release 0.39 has texts of its own for some questions.
    Node { error: Box<NodeError>, text: Option<&'static str> },
    /// A transaction is not signed as it must be.
    Signature(SignatureError),
    /// A message is not signed.
    Message(MessageError),
    /// A participant's share can't be signed or put in.
    Share(ShareError),
    /// A swap can't be signed or put together.
    Swap(SwapError),
    /// The answer can't be written as a JavaScript value.
    #[cfg(target_arch = "wasm32")]
    Unwritten(String),
}

pub(super) fn refused(text: impl Into<String>) -> CallError {
    CallError::Refused(Refusal::failure(text))
}

/// With another code than `INVALID_INPUT`.
pub(super) fn refused_as(code: &'static str, text: impl Into<String>) -> CallError {
    CallError::Refused(Refusal::Failure(Failure { code, ..Failure::new(text) }))
}

impl From<Refusal> for CallError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<NotReady> for CallError {
    fn from(not_ready: NotReady) -> Self {
        Self::NotReady(not_ready)
    }
}

impl From<Refused> for CallError {
    fn from(refused_by_guard: Refused) -> Self {
        match refused_by_guard {
            Refused::Forbidden(why) => Self::Refused(Refusal::Forbidden(why)),
            Refused::Outright(why) | Refused::Unapproved(why) => refused(why),
        }
    }
}

impl From<EncodeError> for CallError {
    fn from(error: EncodeError) -> Self {
        refused(texts::not_encodable(&error))
    }
}

impl From<InputsError> for CallError {
    fn from(error: InputsError) -> Self {
        match error {
            InputsError::NotReady(not_ready) => Self::NotReady(not_ready),
            error => refused(error.to_string()),
        }
    }
}

impl From<SignatureError> for CallError {
    fn from(error: SignatureError) -> Self {
        match error {
            SignatureError::Inputs(InputsError::NotReady(not_ready)) => Self::NotReady(not_ready),
            error => Self::Signature(error),
        }
    }
}

impl From<MessageError> for CallError {
    fn from(error: MessageError) -> Self {
        match error {
            MessageError::NotReady(not_ready) => Self::NotReady(not_ready),
            MessageError::Guard(refused) => refused.into(),
            error => Self::Message(error),
        }
    }
}

impl From<ShareError> for CallError {
    fn from(error: ShareError) -> Self {
        match error {
            ShareError::NotReady(not_ready) => Self::NotReady(not_ready),
            ShareError::Guard(refused) => refused.into(),
            error => Self::Share(error),
        }
    }
}

impl From<SendError> for CallError {
    /// Of what no wallet need sign.
    fn from(error: SendError) -> Self {
        match error {
            SendError::NotReady(not_ready) => Self::NotReady(not_ready),
            error => Self::Send { error: Box::new(error), read_only: "" },
        }
    }
}

impl From<SwapError> for CallError {
    fn from(error: SwapError) -> Self {
        match error {
            SwapError::NotReady(not_ready) => Self::NotReady(not_ready),
            SwapError::Guard(refused) => refused.into(),
            SwapError::Signature(error) => error.into(),
            error => Self::Swap(error),
        }
    }
}

impl From<WatchError> for CallError {
    fn from(error: WatchError) -> Self {
        match error {
            WatchError::NotReady(not_ready) => Self::NotReady(not_ready),
            error @ WatchError::NoIndexLimit => refused(error.to_string()),
        }
    }
}

impl From<SigningFileError> for CallError {
    fn from(error: SigningFileError) -> Self {
        match error {
            SigningFileError::NotReady(not_ready) => not_ready.into(),
            SigningFileError::Inputs(error) => error.into(),
            SigningFileError::Signature(error) => error.into(),
            error => refused(error.to_string()),
        }
    }
}
