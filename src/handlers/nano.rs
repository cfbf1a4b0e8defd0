//! Contracts: what the node says of them, oracles, and calls.

use super::{Ask, Call, CallError, Read, Reply, Sends, refused};
use crate::api::texts::{READ_ONLY_BLUEPRINT, READ_ONLY_CONTRACT, caller_not_mine};
use crate::api::{
    ContractAction, ContractData, ContractHistory, ContractHistoryQuery, ContractState, ContractStateQuery,
    ContractToken, CreateBlueprint, CreateContract, ExecuteContract, OracleData, OracleDataQuery,
    OracleResult, OracleResultQuery,
};
use crate::ledger::nano::{ArgType, ArgValue, INITIALIZE, write_value};
use crate::ledger::{Address, Amount, Network, Script, TokenUid, VertexId};
use crate::nano_args::{arg_from_json, arg_to_json};
use crate::node::{CallError as NodeError, Fault, StateQuery};
use crate::service::{ContractCall, Operation, Target};
use crate::wallet::{ActionRequest, Authority, BlueprintRequest, CallRequest};

impl Ask for ContractStateQuery {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let query = StateQuery {
            id: &self.id,
            fields: &self.fields,
            balances: &self.balances,
            calls: &self.calls,
            block_hash: self.block_hash.as_deref(),
            block_height: self.block_height,
        };
        let state = call.wallet.node().contract_state(query).await;
        let state = state.map_err(|error| call.node_failure(&error, "Error getting nano contract state."))?;
        Ok(call.reply.give(&ContractState(state)))
    }
}

impl Ask for ContractHistoryQuery {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let (after, before) = (self.after.as_deref(), self.before.as_deref());
        let history = call.wallet.node().contract_history(&self.id, self.count, after, before).await;
        let history =
            history.map_err(|error| call.node_failure(&error, "Error getting nano contract history."))?;
        Ok(call.reply.give(&ContractHistory(history)))
    }
}

impl<R: Reply> Call<'_, R> {
    /// What callers are told of a node that does not answer, or has no such contract. Release 0.39 has one
    /// text for everything else.
    fn node_failure(&self, error: &NodeError, other: &str) -> CallError {
        match &error.fault {
            Fault::Refused(message) if message.starts_with("Nano contract does not exist") => {
                refused("Nano contract not found.")
            }
            _ if !self.compat.explains_node_failures() => refused(other),
            _ => refused(error.to_string()),
        }
    }
}

impl Read for OracleDataQuery {
    fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        let script = match Address::parse(&self.oracle, call.network()) {
            Ok(to) => Script::Pay { to, timelock: None }.to_bytes().expect("payments have scripts"),
            Err(_) => {
                hex::decode(&self.oracle).map_err(|_| refused("Invalid hex value for oracle script."))?
            }
        };
        Ok(call.reply.give(&OracleData(script)))
    }
}

impl Ask for OracleResultQuery {
    async fn answer<R: Reply>(self, call: &Call<'_, R>) -> Result<R::Answer, CallError> {
        const NOT_HEX: &str = "hexToBuffer: argument must be a strict hex string.";
        let oracle = hex::decode(&self.oracle_data).map_err(|_| refused(NOT_HEX))?;
        let contract: VertexId =
            self.contract_id.parse().map_err(|_| refused("contract_id must be 64 hexadecimal digits"))?;
        let of = ArgType::parse(&self.result_type).map_err(|error| refused(error.to_string()))?;
        let value = arg_from_json(&of, &self.result, call.network());
        let value = value.map_err(|must| refused(format!("result{must}")))?;
        // What is signed is the contract's id, too: a signature for one contract is none for another.
        let signed = [&contract.0[..], &write_value(&of, &value)?].concat();
        let signature = match Script::parse(&oracle, call.network()) {
            Some(Script::Pay { to, .. }) => call.wallet.sign_as_oracle(&to, &signed).await?,
            _ => oracle,
        };
        let of = ArgType::Signed(Box::new(of), self.result_type);
        let result = ArgValue::Signed(Box::new(value), signature);
        Ok(call.reply.give(&OracleResult(arg_to_json(&of, &result))))
    }
}

impl Sends for CreateContract {
    const READ_ONLY: &'static str = READ_ONLY_CONTRACT;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        let blueprint = id(&self.blueprint_id, "Blueprint not found.")?;
        let target = Target::Create(blueprint);
        let method = INITIALIZE.to_owned();
        let given = Given { address: self.address, data: self.data, token: self.create_token_options };
        given.operation(target, blueprint, method, self.max_fee, self.contract_pays_fees, call.network())
    }
}

impl Sends for ExecuteContract {
    const READ_ONLY: &'static str = READ_ONLY_CONTRACT;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        let contract = id(&self.nc_id, "Nano contract not found.")?;
        let given = Given { address: self.address, data: self.data, token: self.create_token_options };
        let (most, by_contract) = (self.max_fee, self.contract_pays_fees);
        given.operation(Target::Execute, contract, self.method, most, by_contract, call.network())
    }
}

impl Sends for CreateBlueprint {
    const READ_ONLY: &'static str = READ_ONLY_BLUEPRINT;
    fn operation<R: Reply>(self, call: &Call<'_, R>) -> Result<Operation, CallError> {
        let address = caller(&self.address, call.network())?;
        let code = miniz_oxide::deflate::compress_to_vec_zlib(self.code.as_bytes(), COMPRESSION);
        Ok(Operation::Blueprint(BlueprintRequest { code, address }))
    }
    fn is_long(&self) -> bool {
        self.code.len() > FAST_TO_COMPRESS
    }
}

/// It takes some milliseconds to compress more bytes of code than this.
const FAST_TO_COMPRESS: usize = 32 * 1024;

/// The most that there is: a blueprint may have 24,000 bytes so.
const COMPRESSION: u8 = 9;

/// What the calls of contracts have in common.
struct Given {
    address: String,
    data: ContractData,
    token: Option<ContractToken>,
}

impl Given {
    fn operation(
        self,
        target: Target,
        contract: VertexId,
        method: String,
        max_fee: Option<Amount>,
        contract_pays_fees: bool,
        network: Network,
    ) -> Result<Operation, CallError> {
        let caller = caller(&self.address, network)?;
        let actions = self.data.actions.into_iter().map(|action| requested(action, network));
        let actions = actions.collect::<Result<_, _>>()?;
        let contract_pays_deposit = self.token.as_ref().is_some_and(|token| token.contract_pays_deposit);
        let creates = self.token.map(|token| {
            let data_first = token.is_create_nft;
            let request = token.token().for_network(network)?;
            Ok::<_, CallError>(crate::wallet::CreateTokenRequest { data_first, ..request })
        });
        let request = CallRequest {
            contract,
            method,
            args: Vec::new(),
            caller,
            actions,
            creates: creates.transpose()?,
            contract_pays_deposit,
            fee_tokens: Default::default(),
            max_fee,
            contract_pays_fees,
        };
        Ok(Operation::Call(Box::new(ContractCall {
            target,
            args: self.data.args,
            expected: self.data.arg_types,
            request,
        })))
    }
}

fn caller(text: &str, network: Network) -> Result<Address, CallError> {
    Address::parse(text, network).map_err(|_| refused(caller_not_mine(text)))
}

fn id(text: &str, otherwise: &str) -> Result<VertexId, CallError> {
    text.parse().map_err(|_| refused(otherwise))
}

/// An action, of which the reader has made sure that it has what its kind needs.
fn requested(action: ContractAction, network: Network) -> Result<ActionRequest, CallError> {
    let address = |text: Option<String>| {
        let address = text.map(|text| Address::parse(&text, network));
        address.transpose().map_err(|error| refused(error.to_string()))
    };
    let unknown = || refused(format!("Token {} is no token's uid.", action.token));
    let token: TokenUid = action.token.parse().map_err(|_| unknown())?;
    let authority = || match action.authority.as_deref() {
        Some("mint") => Authority::Mint,
        _ => Authority::Melt,
    };
    let custom = || match token {
        TokenUid::Custom(id) => Ok(id),
        TokenUid::Native => Err(refused("HTR has no authorities.")),
    };
    let amount = action.amount.unwrap_or_default();
    let to = address(action.address)?;
    let needed = || to.ok_or_else(|| refused("Address is required for this action."));
    Ok(match action.kind.as_str() {
        "deposit" => {
            ActionRequest::Deposit { token, amount, from: to, change: address(action.change_address)? }
        }
        "withdrawal" => ActionRequest::Withdrawal { token, amount, to: needed()? },
        "grant_authority" => ActionRequest::Grant {
            token: custom()?,
            authority: authority(),
            from: to,
            keep: address(action.authority_address)?,
        },
        _ => ActionRequest::Acquire { token: custom()?, authority: authority(), to: needed()? },
    })
}
