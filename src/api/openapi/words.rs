//! What the fields of requests mean.

/// What a field of an operation means: in its own words, or in those that many operations share.
pub(super) fn meaning(operation: &str, path: &str) -> &'static str {
    own(operation, path).or_else(|| shared(path)).unwrap_or_default()
}

fn own(operation: &str, path: &str) -> Option<&'static str> {
    Some(match (operation, path) {
        ("simple-send-tx", "address") => "Whom to pay.",
        ("utxo-filter", "address") => "Another name of `filter_address`.",
        ("address", "index") => "The address at this index rather than the current one.",
        ("address", "mark_as_used") => "Whether the next call gets the next address.",
        ("address-index" | "address-info", "address") => "An address of the wallet.",
        ("send-tx", "token") => {
            "What stands for outputs without `token`. Give `token` in the outputs instead."
        }
        ("mint-tokens" | "propose-mint-tokens", "token") => "The uid of the token to mint.",
        ("melt-tokens" | "propose-melt-tokens", "token") => "The uid of the token to melt.",
        (
            "mint-tokens" | "create-token" | "create-nft" | "propose-create-token" | "propose-mint-tokens",
            "amount",
        ) => "How much to mint, in cents.",
        ("melt-tokens" | "propose-melt-tokens", "amount") => "How much to melt, in cents.",
        ("build-tx", "outputs[].data") => "Hexadecimal digits, which are kept as the text that they are.",
        ("input-data", "index") => "The index of the address whose output is spent.",
        ("input-data", "signatures") => {
            "Signatures (DER) of a multisig wallet's participants, by their account xpubs, in hexadecimal digits."
        }
        ("create-nft", "data") => {
            "What identifies the NFT: a link to its metadata, a URI of an asset, or any text."
        }
        ("create-nft" | "create-token" | "propose-create-token", "create_mint" | "create_melt") => {
            "Whether the authority is created."
        }
        ("propose-mint-tokens", "create_mint") | ("propose-melt-tokens", "create_melt") => {
            "Whether another authority takes the place of the spent one."
        }
        ("sign" | "sign-and-push", "signatures") => {
            "What as many participants as must sign got from get-my-signatures, in any order."
        }
        ("load-more-addresses", "count") => "How many more.",
        ("last-index", "index") => "The index of the last address to watch.",
        ("health", "wallet_ids") => "Wallets to look at, separated by commas.",
        ("start", "seedKey") | ("multisig-pubkey", "seedKey") => "The name of one of the configured seeds.",
        _ => return None,
    })
}

fn shared(path: &str) -> Option<&'static str> {
    Some(match path {
        "address" => "Who gets the minted tokens; the wallet's current address if not given.",
        "value" | "outputs[].value" => "In cents.",
        "token" | "outputs[].token" => "The token's uid; `00` is HTR.",
        "change_address" => "Where the change goes: an address of the wallet.",
        "deposit_address" => "Who gets the returned deposit; the wallet's current address if not given.",
        "name" => "The token's name.",
        "symbol" => "The token's symbol.",
        "mint_authority_address" | "melt_authority_address" => {
            "Who gets the authority: an address of the wallet, unless others are allowed."
        }
        "allow_external_mint_authority_address" | "allow_external_melt_authority_address" => {
            "Whether the authority may go to somebody else."
        }
        "data" => "Texts kept on the ledger, one output each.",
        "unshift_data" => "Whether the outputs of `data` come first, in reverse order, rather than last.",
        "version" => "1: the token is paid for by a deposit, 2: by fees.",
        "outputs" => "What to pay and to keep, in this order.",
        "outputs[].address" => "Whom to pay.",
        "outputs[].type" => "`data` for an output that keeps a text.",
        "outputs[].data" => "The text.",
        "outputs[].timelock" => "Unix seconds before which it can't be spent.",
        "inputs" => {
            "What to spend; the wallet chooses if not given. A `query` stands alone: the wallet chooses among what matches."
        }
        "inputs[].hash" | "inputs[].txId" => "The transaction whose output is spent.",
        "inputs[].index" => "The output's place in it.",
        "inputs[].type" => "`query` for outputs that match.",
        "debug" => "Has no effect.",
        "destination_address" => "Where the sum goes: an address of the wallet.",
        "max_utxos" | "inputs[].max_utxos" => "At most so many.",
        "filter_address" | "inputs[].filter_address" => "Only outputs of this address.",
        "amount_smaller_than" | "inputs[].amount_smaller_than" => "Only outputs of less, in cents.",
        "amount_bigger_than" | "inputs[].amount_bigger_than" => "Only outputs of more, in cents.",
        "maximum_amount" | "inputs[].maximum_amount" => {
            "Outputs are taken while their total stays within this, in cents."
        }
        "only_available_utxos" => "Whether locked outputs are left out.",
        "limit" => "At most so many, newest first.",
        "id" => "The transaction's id.",
        "dry_run" => "Whether nothing is sent: the answer says what would be, and at what cost.",
        "txHex" => "The transaction, in hexadecimal digits.",
        "signature" => "The signature (DER) of `dataToSignHash`, in hexadecimal digits.",
        "signatures" => "Input data as input-data makes it, each with its input.",
        "signatures[].index" => "The input's place in the transaction.",
        "signatures[].data" => "The input data, in hexadecimal digits.",
        "partial_tx" => "A proposal of an atomic swap, instead of `txHex`.",
        "mark_inputs_as_used" => {
            "Whether its inputs are set aside for a week, so that nothing else of this wallet spends them; \
             `/wallet/utxos-selected-as-input` gives them back."
        }
        "mark_as_used" => "Whether the outputs are set aside, or given back.",
        "ttl" => "For how many milliseconds; until they are given back or spent if not given.",
        "include_fullnode" => "Whether the full node is asked.",
        "include_tx_mining" => "Whether the mining service is asked.",
        "wallet-id" => "What `X-Wallet-Id` will name the wallet by.",
        "seed" => "The wallet's 24 words. One of `seed`, `seedKey` and `xpubkey` is needed.",
        "xpubkey" => "An account's public key, for a wallet that only watches.",
        "passphrase" => "Part of the seed besides the words.",
        "multisig" => "Whether it is a wallet of several participants.",
        "multisigKey" => "The name of the configured participants, where there is no `seedKey`.",
        "scanPolicy" => "Which addresses are watched.",
        "policyStartIndex" => {
            "With an index limit: the index of the first address that is watched; 0 if not given."
        }
        "policyEndIndex" => {
            "With an index limit: the index of the last address that is watched; the first if not given."
        }
        "gapLimit" => "How many unused addresses are watched past the last used one.",
        "history_sync_mode" => {
            "How the history is loaded: `xpub_stream_ws`, `manual_stream_ws` or `polling_http_api`."
        }
        _ => return None,
    })
}
