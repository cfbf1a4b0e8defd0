//! Amounts with 18 decimals on a network that takes them.

use crate::rig::{Rig, pay};
use headless_wallet::ledger::{Amount, AmountVersion, Network, TokenUid, TokenVersion, Transaction};
use headless_wallet::wallet::{AuthorityTo, CreateTokenRequest, MeltRequest, OutputRequest, SendRequest};

const NATIVE: TokenUid = TokenUid::Native;

fn tokens(words: &str) -> Amount {
    Amount::of_decimal(words).unwrap()
}

async fn rig() -> Rig {
    let rig = Rig::new().await;
    rig.devnet.set_features(&[("TOKEN_AMOUNT_V2", "ACTIVE")]);
    rig
}

fn fund(rig: &Rig, version: AmountVersion, amount: &str) {
    let to = rig.address(0);
    rig.devnet.change(|chain, now| chain.fund_in(version, to, tokens(amount), now, now)).unwrap();
}

async fn until_available(rig: &Rig, amount: &str) {
    let amount = tokens(amount);
    rig.until(|state, now| state.balance(NATIVE, now).available == amount).await;
}

#[tokio::test]
async fn deposits_of_both_versions_are_counted_and_spent_to_the_last_unit() {
    let rig = rig().await;
    fund(&rig, AmountVersion::V1, "1.0");
    fund(&rig, AmountVersion::V2, "2.0");
    fund(&rig, AmountVersion::V2, "0.505");
    fund(&rig, AmountVersion::V2, "0.000000000000000001");
    until_available(&rig, "3.505000000000000001").await;
    // The node judges: it takes in cents what is in cents, whatever paid for it.
    let sent = rig.pay(300).await.unwrap();
    assert_eq!((sent.transaction.amounts(), sent.transaction.inputs.len()), (AmountVersion::V1, 2));
    until_available(&rig, "0.505000000000000001").await;
    let sent = rig.pay(50).await.unwrap();
    assert_eq!(sent.transaction.amounts(), AmountVersion::V2);
    until_available(&rig, "0.005000000000000001").await;
    // All that is left, to the last unit.
    let to = rig.devnet.read(|chain| chain.faucet_address());
    let value = tokens("0.005000000000000001");
    let all = SendRequest {
        outputs: vec![OutputRequest::Pay { to, value, token: NATIVE, timelock: None }],
        ..pay(1)
    };
    let sent = rig.wallet.send(all).await.unwrap();
    assert_eq!(sent.transaction.outputs.len(), 1);
    until_available(&rig, "0.0").await;
    let of_node = rig.devnet.read(|chain| chain.get(&sent.id).unwrap().transaction().cloned());
    assert_eq!(of_node.map(|tx: Transaction| tx.amounts()), Some(AmountVersion::V2));
}

#[tokio::test]
async fn a_network_without_them_refuses_them() {
    let rig = rig().await;
    fund(&rig, AmountVersion::V2, "1.005");
    until_available(&rig, "1.005").await;
    rig.devnet.set_features(&[]);
    let error = rig.pay(50).await.unwrap_err().to_string();
    assert!(error.ends_with("vertex has unknown signal bits: 0b1"), "{error}");
    until_available(&rig, "1.005").await;
}

/// A melt is checked against the bytes of the transactions that it spends from, and so is what others show.
#[tokio::test]
async fn what_a_transaction_in_units_paid_is_melted_and_shown() {
    let rig = rig().await;
    fund(&rig, AmountVersion::V2, "1.005");
    until_available(&rig, "1.005").await;
    let create = CreateTokenRequest {
        name: "Units".to_owned(),
        symbol: "UNITS".to_owned(),
        version: TokenVersion::Deposit,
        amount: Amount::new(1_000),
        address: None,
        change_address: None,
        mint_authority: None,
        melt_authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    };
    let created = rig.wallet.create_token(create).await.unwrap();
    assert_eq!(created.transaction.amounts(), AmountVersion::V2);
    until_available(&rig, "0.905").await;
    let melt = MeltRequest {
        token: created.id,
        version: TokenVersion::Deposit,
        amount: Amount::new(900),
        change_address: None,
        deposit_address: None,
        authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    };
    let melted = rig.wallet.melt(melt).await.unwrap();
    until_available(&rig, "0.995").await;
    assert_eq!(rig.balance(TokenUid::Custom(created.id)).available, Amount::new(100));
    let shown = rig.wallet.proven_spends(&melted.transaction).await.unwrap();
    assert!(shown.iter().any(|output| output.value == Amount::new(1_000)));
    // Where coins have a worth, such bytes are not read.
    let node = &rig.wallet.backend().node;
    let error = node.outputs(&created.id, Network::Testnet).await.unwrap_err().to_string();
    assert!(error.contains("not supported: signal bits 0b1"), "{error}");
}
