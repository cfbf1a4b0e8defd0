//! create-nft.

use super::supply::{authority, new_token, refuse_authorities_not_requested, supply_request};
use crate::api::rules::{AMOUNT, DATA, OPTIONAL_ADDRESS, flag, token_text};
use crate::api::texts::READ_ONLY_CREATE;
use crate::ledger::{Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, TokenVersion};
use crate::operations::addresses::{change_of_token, optional_address};
use crate::operations::prelude::*;
use crate::wallet::Authority;

pub static CREATE_NFT: Operation = post(
    "create-nft",
    "/wallet/create-nft",
    Group::Sending,
    Right::CreateTokens,
)
.does("Create an NFT.")
.package(&[method("createNft").example(
    "await wallet.createNft({ name: \"Cup\", symbol: \"CUP\", amount: 1, data: \"ipfs://cup.json\" });",
)])
.command(&[command("create-nft")
    .places(&["name", "symbol", "amount", "data"])
    .by(&[Argument::flag("amount", "amount").counted()])
    .after("Example:\n  headless-wallet wallet create-nft 'A picture' PIC 1 ipfs://picture.json")])
.sends::<CreateNft>(
    READ_ONLY_CREATE,
    &[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1, "data": "ipfs://Qmf"}"#)],
)
.answers(answers![CreatedToken, DryRunAnswer, Failure]);

supply_request! {
    /// `POST /wallet/create-nft`.
    pub struct CreateNft in body, also = refuse_authorities_not_requested {
        name = token_text(MAX_TOKEN_NAME_CHARS),
        symbol = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How many to mint: pieces, not cents.
        pub amount: Amount = AMOUNT,
        /// What identifies the NFT: a link to its metadata, a URI of an asset, or any text.
        pub data: String = DATA,
        address = OPTIONAL_ADDRESS,
        change_address = OPTIONAL_ADDRESS,
        create_mint = flag(false),
        mint_authority_address = OPTIONAL_ADDRESS,
        allow_external_mint_authority_address = flag(false),
        create_melt = flag(false),
        melt_authority_address = OPTIONAL_ADDRESS,
        allow_external_melt_authority_address = flag(false),
    }
}

/// The data output comes first: that is what makes it an NFT.
impl Plans for CreateNft {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        let network = call.network();
        let token = new_token!(self, network, address, vec![self.data], TokenVersion::Deposit, true);
        Ok(service::Operation::CreateToken(token))
    }
}
