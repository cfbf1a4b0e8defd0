//! What the full node says of a token.

use crate::api::rules::TEXT;
use crate::api::{ConfigurationAnswer, MessageFailure};
use crate::operations::prelude::*;

pub static CONFIGURATION_STRING: Operation =
    get("configuration-string", "/configuration-string", Group::Reading, Right::Read)
        .does("Show a token's configuration string, from the full node.")
        .package(&[method("token")
            .takes("uid: string")
            .gives("Token | null")
            .about("Show the full node's data about a token; `null` if it does not know the token.")
            .waits()])
        .command(&[command("token")
            .places(&["token"])
            .does("Show a token's configuration string, with which it can be registered in a wallet.")])
        .takes::<ConfigurationStringQuery>(&[(
            "example",
            r#"{"token": "560ae3fa54131011c2a8d8f15e2d6bcae90182503453845e22a5ee9b1090e45f"}"#,
        )])
        .answers(answers![ConfigurationAnswer, MessageFailure]);

request! {
    /// `GET /configuration-string`.
    pub struct ConfigurationStringQuery in query {
        /// The token's uid.
        pub token: String = TEXT,
    }
}
