//! From the interface's requests to what a wallet plans: addresses of the wallet's network, token uids,
//! inputs.

use super::words::plan_failure;
use crate::api::{
    self, BuildTx, Compat, Consolidate, CreateNft, CreateToken, MeltTokens, MintTokens, Refusal, SendInputs,
    SendOutput, SendTx, SimpleSendTx, UtxoQuery,
};
use crate::ledger::{Address, Network, TokenUid, TokenVersion, VertexId};
use crate::wallet::{
    Authority, AuthorityTo, ConsolidateRequest, CreateTokenRequest, InputQuery, InputRequest, MeltRequest,
    MintRequest, OutputRequest, PlanError, Planned, SendRequest, UtxoFilter,
};
use std::collections::HashSet;

impl CreateToken {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if an address is none of `network`. Of one that must be the wallet's (for change;
    /// for an authority, unless another's is allowed) it says that it is not.
    pub fn for_network(self, network: Network) -> Result<CreateTokenRequest, Refusal> {
        Ok(CreateTokenRequest {
            name: self.name,
            symbol: self.symbol,
            version: self.version,
            amount: self.amount,
            address: optional_address(self.address, network)?,
            change_address: change_of_token(self.change_address, network)?,
            mint_authority: authority(
                self.create_mint,
                self.mint_authority_address,
                self.allow_external_mint_authority_address,
                network,
                Authority::Mint,
            )?,
            melt_authority: authority(
                self.create_melt,
                self.melt_authority_address,
                self.allow_external_melt_authority_address,
                network,
                Authority::Melt,
            )?,
            data: self.data,
            data_first: false,
        })
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

impl MintTokens {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if `token` is no custom token's uid, which is said as of a token without mint
    /// authority, or if an address is none of `network`.
    pub fn for_network(self, network: Network) -> Result<MintRequest, Refusal> {
        Ok(MintRequest {
            token: custom_token(&self.token, Authority::Mint)?,
            version: TokenVersion::Deposit,
            amount: self.amount,
            address: optional_address(self.address, network)?,
            change_address: change_of_token(self.change_address, network)?,
            authority: authority(
                self.create_mint,
                self.mint_authority_address,
                self.allow_external_mint_authority_address,
                network,
                Authority::Mint,
            )?,
            data: self.data,
            data_first: self.unshift_data,
        })
    }
}

impl MeltTokens {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if `token` is no custom token's uid, which is said as of a token without melt
    /// authority, or if an address is none of `network`.
    pub fn for_network(self, network: Network) -> Result<MeltRequest, Refusal> {
        Ok(MeltRequest {
            token: custom_token(&self.token, Authority::Melt)?,
            version: TokenVersion::Deposit,
            amount: self.amount,
            change_address: change_of_token(self.change_address, network)?,
            deposit_address: optional_address(self.deposit_address, network)?,
            authority: authority(
                self.create_melt,
                self.melt_authority_address,
                self.allow_external_melt_authority_address,
                network,
                Authority::Melt,
            )?,
            data: self.data,
            data_first: self.unshift_data,
        })
    }
}

impl Consolidate {
    /// The request for a wallet of `network`. A token that is none, or an address that nobody can have, names
    /// no outputs.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if the destination is no address of `network`, or if token or filter address name
    /// no outputs: then that there is nothing to consolidate.
    pub fn for_network(self, network: Network) -> Result<ConsolidateRequest, Refusal> {
        let to = Address::parse(&self.destination_address, network)
            .map_err(|_| refuse(&PlanError::DestinationNotMine))?;
        let nothing = || refuse(&PlanError::NothingToConsolidate);
        let address = match self.filter_address.or(self.address) {
            Some(text) => Some(Address::parse(&text, network).map_err(|_| nothing())?),
            None => None,
        };
        let outputs = UtxoFilter {
            token: self.token.parse().map_err(|_| nothing())?,
            address,
            smaller_than: self.amount_smaller_than,
            bigger_than: self.amount_bigger_than,
            maximum_amount: self.maximum_amount,
            max_utxos: self.max_utxos,
            ..UtxoFilter::default()
        };
        Ok(ConsolidateRequest { to, outputs, version: TokenVersion::Deposit })
    }
}

impl SendTx {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] if an address is none of `network`, if a token or a chosen input can't be one, or
    /// if the system gives no random number to shuffle the outputs by.
    pub fn for_network(self, network: Network) -> Result<SendRequest, Refusal> {
        let outputs = self.outputs.into_iter().map(|output| output_request(output, &self.token, network));
        Ok(SendRequest {
            outputs: outputs.collect::<Result<_, _>>()?,
            inputs: input_request(self.inputs, network)?,
            change_address: own_address(
                self.change_address,
                network,
                &PlanError::ChangeNotMine(Planned::Send),
            )?,
            fee_tokens: HashSet::new(),
            shuffle_seed: getrandom::u64().map_err(|error| Refusal::failure(error.to_string()))?,
        })
    }
}

impl BuildTx {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] for what [`SendTx::for_network`] refuses.
    pub fn for_network(self, network: Network) -> Result<SendRequest, Refusal> {
        SendTx::from(self).for_network(network)
    }
}

impl SimpleSendTx {
    /// The request for a wallet of `network`.
    ///
    /// # Errors
    /// [`Refusal::Failure`] for what [`SendTx::for_network`] refuses; of a change address that is none of
    /// `network` it says, in the words of token operations, that it is not the wallet's.
    pub fn for_network(mut self, network: Network) -> Result<SendRequest, Refusal> {
        let change = self.change_address.take();
        let change_address = change_of_token(change, network)?;
        Ok(SendRequest { change_address, ..self.into_send().for_network(network)? })
    }
}

impl api::UtxoFilter {
    /// The filter for a wallet of `network`; `None` where a token or address is meant that the wallet can't
    /// have.
    pub fn for_network(self, network: Network, compat: Compat) -> Option<UtxoFilter> {
        let address = match self.of_address() {
            Some(text) => Some(Address::parse(text, network).ok()?),
            None => None,
        };
        Some(UtxoFilter {
            token: self.token.parse().ok()?,
            address,
            smaller_than: self.amount_smaller_than,
            bigger_than: self.amount_bigger_than,
            maximum_amount: self.maximum_amount,
            maximum_counts_locked: compat.maximum_counts_locked(),
            max_utxos: self.max_utxos,
            only_available: self.only_available_utxos,
        })
    }
}

/// `default` stands for a token that is not given.
fn output_request(output: SendOutput, default: &str, network: Network) -> Result<OutputRequest, Refusal> {
    Ok(match output {
        SendOutput::Data(text) => OutputRequest::Data(text),
        SendOutput::Pay { address: to, value, token, timelock } => {
            let token = if token.is_empty() { default } else { &token };
            OutputRequest::Pay {
                to: address(&to, network)?,
                value,
                token: token.parse().map_err(|_| {
                    // A text that is no uid names a token of which the wallet has nothing.
                    Refusal::failure(format!(
                        "Token: {token}. Insufficient amount of tokens to fill the amount."
                    ))
                })?,
                timelock,
            }
        }
    })
}

fn input_request(inputs: SendInputs, network: Network) -> Result<InputRequest, Refusal> {
    Ok(match inputs {
        SendInputs::Automatic => InputRequest::Automatic,
        SendInputs::Explicit(inputs) => {
            let outpoints: Option<Vec<_>> = inputs.iter().map(|input| input.outpoint()).collect();
            InputRequest::Chosen(outpoints.ok_or_else(|| refuse(&PlanError::InvalidInput))?)
        }
        SendInputs::Query(query) => InputRequest::Query(input_query(query, network)),
    })
}

fn input_query(query: UtxoQuery, network: Network) -> InputQuery {
    let address = query.filter_address.map(|text| Address::parse(&text, network));
    // An address that nobody can have matches nothing.
    let max_utxos = if matches!(address, Some(Err(_))) { Some(0) } else { query.max_utxos };
    InputQuery {
        address: address.and_then(Result::ok),
        smaller_than: query.amount_smaller_than,
        bigger_than: query.amount_bigger_than,
        maximum_amount: query.maximum_amount,
        max_utxos,
    }
}

fn refuse(error: &PlanError) -> Refusal {
    Refusal::Failure(plan_failure(error))
}

fn address(text: &str, network: Network) -> Result<Address, Refusal> {
    Address::parse(text, network).map_err(|error| Refusal::failure(error.to_string()))
}

fn optional_address(text: Option<String>, network: Network) -> Result<Option<Address>, Refusal> {
    text.map(|text| address(&text, network)).transpose()
}

/// An address that must be the wallet's: a text that is no address isn't either.
fn own_address(
    text: Option<String>,
    network: Network,
    not_mine: &PlanError,
) -> Result<Option<Address>, Refusal> {
    text.map(|text| Address::parse(&text, network).map_err(|_| refuse(not_mine))).transpose()
}

fn change_of_token(text: Option<String>, network: Network) -> Result<Option<Address>, Refusal> {
    own_address(text, network, &PlanError::ChangeNotMine(Planned::OfToken))
}

/// Where an authority goes, if one is created.
fn authority(
    create: bool,
    to: Option<String>,
    allow_external: bool,
    network: Network,
    authority: Authority,
) -> Result<Option<AuthorityTo>, Refusal> {
    if !create {
        return Ok(None);
    }
    let address = if allow_external {
        optional_address(to, network)?
    } else {
        own_address(to, network, &PlanError::AuthorityNotMine(authority))?
    };
    Ok(Some(AuthorityTo { address, allow_external }))
}

/// The token that is minted or melted. Nobody has authorities over HTR, nor over what is no uid.
fn custom_token(text: &str, authority: Authority) -> Result<VertexId, Refusal> {
    match text.parse() {
        Ok(TokenUid::Custom(id)) => Ok(id),
        _ => Err(refuse(&PlanError::NoAuthority(authority))),
    }
}
