//! `decode_tx` of what the ledger does not have.

use crate::support::{Net, htr, output, token};
use headless_wallet::ledger::{TokenData, Transaction};

async fn decoded(net: &Net, tx: &Transaction) -> crate::support::Answer {
    let hex_tx = hex::encode(tx.to_bytes().unwrap());
    net.send("GET", &net.node(&format!("decode_tx?hex_tx={hex_tx}")), None).await
}

#[tokio::test]
async fn nobody_has_checked_what_is_only_decoded() {
    let net = Net::start().await;
    let coin = net.funded(0, 100).await;
    let tx = net.spend(&[(coin, 0)], vec![htr(100, net.address(9))]);
    assert_eq!(decoded(&net, &tx).await.json()["meta"]["validation"], "initial");
    assert_eq!(net.push(&tx).await["success"], true);
    assert_eq!(decoded(&net, &tx).await.json()["meta"]["validation"], "full");
    net.devnet.shutdown().await;
}

#[tokio::test]
async fn a_token_that_the_ledger_does_not_know_is_stumbled_over() {
    let net = Net::start().await;
    let coin = net.funded(0, 100).await;
    let tx = net.solved(&[(coin, 0)], |tx| {
        tx.creates = Some(token("Token", "TKN"));
        tx.outputs =
            vec![htr(99, net.address(9)), output(100, TokenData::FIRST, crate::support::pay(net.address(9)))];
    });
    assert_eq!(decoded(&net, &tx).await.status, 500);
    assert_eq!(net.push(&tx).await["success"], true);
    assert_eq!(decoded(&net, &tx).await.json()["tx"]["tokens"][0]["symbol"], "TKN");
    net.devnet.shutdown().await;
}
