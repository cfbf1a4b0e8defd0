//! create-nft.

use super::create_token::CreateToken;
use super::supply::refuse_authorities_not_requested;
use crate::api::declare::request;
use crate::api::rules::{AMOUNT, DATA, OPTIONAL_ADDRESS, flag, token_text};
use crate::api::texts::READ_ONLY_CREATE;
use crate::api::{CreatedToken, DryRunAnswer, Failure, Group, Refusal, Right, method};
use crate::ledger::{Amount, MAX_TOKEN_NAME_CHARS, MAX_TOKEN_SYMBOL_CHARS, Network, TokenVersion};
use crate::operations::call::{Call, Plans};
use crate::operations::error::CallError;
use crate::operations::operation::{Operation, answers, post};
use crate::service;
use crate::wallet::CreateTokenRequest;

pub static CREATE_NFT: Operation =
    post("create-nft", "/wallet/create-nft", Group::Sending, Right::CreateTokens, "Create an NFT.")
        .package(&[method("createNft")])
        .command("create-nft")
        .sends::<CreateNft>(
            READ_ONLY_CREATE,
            &[("example", r#"{"name": "Coffee", "symbol": "CFE", "amount": 1, "data": "ipfs://Qmf"}"#)],
        )
        .answers(answers![CreatedToken, DryRunAnswer, Failure]);

request! {
    /// `POST /wallet/create-nft`.
    pub struct CreateNft in body, also = refuse_authorities_not_requested {
        /// The token's name.
        pub name: String = token_text(MAX_TOKEN_NAME_CHARS),
        /// The token's symbol.
        pub symbol: String = token_text(MAX_TOKEN_SYMBOL_CHARS),
        /// How many to mint: pieces, not cents.
        pub amount: Amount = AMOUNT,
        /// What identifies the NFT: a link to its metadata, a URI of an asset, or any text.
        pub data: String = DATA,
        /// Who gets the minted tokens; the wallet's current address if not given.
        pub address: Option<String> = OPTIONAL_ADDRESS,
        /// Where the change goes: an address of the wallet.
        pub change_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to mint more is created.
        pub create_mint: bool = flag(false),
        /// Who gets the authority to mint: an address of the wallet, unless others are allowed.
        pub mint_authority_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to mint may go to somebody else.
        pub allow_external_mint_authority_address: bool = flag(false),
        /// Whether the authority to melt is created.
        pub create_melt: bool = flag(false),
        /// Who gets the authority to melt: an address of the wallet, unless others are allowed.
        pub melt_authority_address: Option<String> = OPTIONAL_ADDRESS,
        /// Whether the authority to melt may go to somebody else.
        pub allow_external_melt_authority_address: bool = flag(false),
    }
}

impl CreateNft {
    /// The request for a wallet of `network`. The data output comes first: that is what makes it an NFT.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if an address is none of `network`. Of one that must be the wallet's (for change;
    /// for an authority, unless another's is allowed) it says that it is not.
    pub fn for_network(self, network: Network) -> Result<CreateTokenRequest, Refusal> {
        let token = CreateToken {
            name: self.name,
            symbol: self.symbol,
            version: TokenVersion::Deposit,
            amount: self.amount,
            address: self.address,
            change_address: self.change_address,
            create_mint: self.create_mint,
            mint_authority_address: self.mint_authority_address,
            allow_external_mint_authority_address: self.allow_external_mint_authority_address,
            create_melt: self.create_melt,
            melt_authority_address: self.melt_authority_address,
            allow_external_melt_authority_address: self.allow_external_melt_authority_address,
            data: vec![self.data],
        };
        Ok(CreateTokenRequest { data_first: true, ..token.for_network(network)? })
    }
}

impl Plans for CreateNft {
    fn operation(self: Box<Self>, call: &Call<'_>) -> Result<service::Operation, CallError> {
        Ok(service::Operation::CreateToken(self.for_network(call.network())?))
    }
}
