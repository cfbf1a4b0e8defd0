//! Deposits and withdrawals of the greatest amounts there are, to the cent that nodes of either release
//! demand.

use crate::rig::Rig;
use headless_wallet::devnet::{Devnet, DevnetConfig, NodeRelease};
use headless_wallet::ledger::{Amount, SignedAmount, TokenUid, TokenVersion};
use headless_wallet::service::Operation;
use headless_wallet::wallet::{AuthorityTo, CreateTokenRequest, MeltRequest, MintRequest};

const MOST: u64 = (1 << 63) - 1;
const SUPPLY: u64 = 1 << 60;
const FUNDS: u64 = 300_000_000_000_000_000;

async fn htr(rig: &Rig, left: u64) {
    let left = Amount::from(left);
    rig.until(|state, now| state.balance(TokenUid::Native, now).available == left).await;
}

/// Creates, mints and melts `MOST` units. Each gives or takes so much.
async fn life_of_a_token(node_release: NodeRelease, deposit: u64, withdrawal: u64) {
    let config =
        DevnetConfig { block_interval: None, node_release, supply: SUPPLY, ..DevnetConfig::default() };
    let rig = Rig::on(Devnet::start(config).await.unwrap()).await;
    rig.fund(&[FUNDS]).await;
    let create = CreateTokenRequest {
        name: "Many".to_owned(),
        symbol: "MANY".to_owned(),
        version: TokenVersion::Deposit,
        amount: Amount::from(MOST),
        address: None,
        change_address: None,
        mint_authority: Some(AuthorityTo::default()),
        melt_authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    };
    let preview = rig.wallet.preview(Operation::CreateToken(create.clone())).await.unwrap();
    assert_eq!(preview.cost.deposit, SignedAmount::new(deposit.into()));
    let token = rig.wallet.create_token(create).await.unwrap().id;
    let mut left = FUNDS - deposit;
    htr(&rig, left).await;

    let mint = MintRequest {
        token,
        version: TokenVersion::Deposit,
        amount: Amount::from(MOST),
        address: None,
        change_address: None,
        authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    };
    rig.wallet.mint(mint).await.unwrap();
    left -= deposit;
    htr(&rig, left).await;
    assert_eq!(rig.balance(TokenUid::Custom(token)).available, Amount::new(2 * u128::from(MOST)));

    let melt = MeltRequest {
        token,
        version: TokenVersion::Deposit,
        amount: Amount::from(MOST),
        change_address: None,
        deposit_address: None,
        authority: Some(AuthorityTo::default()),
        data: vec![],
        data_first: false,
    };
    let preview = rig.wallet.preview(Operation::Melt(melt.clone())).await.unwrap();
    assert_eq!(preview.cost.deposit, SignedAmount::new(-i128::from(withdrawal)));
    rig.wallet.melt(melt).await.unwrap();
    left += withdrawal;
    htr(&rig, left).await;
    assert_eq!(rig.balance(TokenUid::Custom(token)).available, Amount::from(MOST));
}

#[tokio::test]
async fn of_a_node_that_computes_in_double_precision() {
    life_of_a_token(NodeRelease::V70, 92_233_720_368_547_760, 92_233_720_368_547_760).await;
}

#[tokio::test]
async fn of_a_node_that_computes_in_integers() {
    life_of_a_token(NodeRelease::V71, 92_233_720_368_547_759, 92_233_720_368_547_758).await;
}
