//! Wallets whose keys are elsewhere: all that is signed goes through their signer, and what it gives is
//! looked at.

use crate::rig::{Rig, backend, pay};
use headless_wallet::keys::{
    AccountKeys, Mnemonic, Purpose, Signature, Signer, SignerAccount, SignerError, SigningRequest, ToSign,
    verify_message,
};
use headless_wallet::ledger::{
    Address, Amount, AmountVersion, Holding, Network, PartialInput, PartialOutput, PartialTx, Script,
    TokenUid, TokenVersion, VertexId, vertex_outputs,
};
use headless_wallet::rt::BoxFuture;
use headless_wallet::service::{Account, MessageError, Operation, Options, SendError, Wallet};
use headless_wallet::template::Template;
use headless_wallet::wallet::{CreateTokenRequest, TemplateFacts, TemplateRequest, UtxoFilter};
use serde_json::json;
use std::sync::{Arc, Mutex};

/// What a signer does with what it is asked.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    Honest,
    OfSomethingElse,
    ByAnotherKey,
    TooFew,
    Refusing,
}

/// Keys that the wallet doesn't have.
#[derive(Debug)]
struct Outside {
    keys: AccountKeys,
    mood: Mutex<Mood>,
    /// What it was asked for: the purpose, how many signatures, and what it was told of the transaction.
    asked: Mutex<Vec<(Purpose, usize, String)>>,
}

impl Outside {
    async fn answer(&self, request: SigningRequest<'_>) -> Result<Vec<Signature>, SignerError> {
        let told = match request.what {
            ToSign::Transaction(asked) => {
                assert_eq!(asked.transaction.sighash().unwrap(), request.digest);
                let previous = asked.facts.previous().await?;
                // Whoever signs can see by itself what is spent.
                let of = |id: VertexId| &previous.iter().find(|(given, _)| *given == id).unwrap().1;
                let spent = asked.transaction.spends().into_iter().map(|spends| {
                    let outputs = vertex_outputs(of(spends.tx), spends.tx, AmountVersion::V1).unwrap();
                    outputs[usize::from(spends.index)].value.cents().to_string()
                });
                let spent: Vec<_> = spent.collect();
                format!("{} to {:?}", spent.join("+"), asked.facts.own_outputs())
            }
            ToSign::Message { text, .. } => text.to_owned(),
            ToSign::OracleData { data, .. } => hex::encode(data),
        };
        let count = request.what.indexes().count();
        self.asked.lock().unwrap().push((request.purpose, count, told));
        let mood = *self.mood.lock().unwrap();
        let request = match mood {
            Mood::OfSomethingElse => SigningRequest { digest: [7; 32], ..request },
            _ => request,
        };
        match mood {
            Mood::Refusing => {
                Err(SignerError::Refused { rule: "day".to_owned(), why: "enough for today".to_owned() })
            }
            Mood::ByAnotherKey => {
                Signer::sign(&AccountKeys::from_mnemonic(&Mnemonic::generate().unwrap(), ""), request).await
            }
            _ => {
                let mut signatures = Signer::sign(&self.keys, request).await?;
                signatures.truncate(if mood == Mood::TooFew { count - 1 } else { count });
                Ok(signatures)
            }
        }
    }

    fn asked(&self) -> Vec<(Purpose, usize, String)> {
        std::mem::take(&mut self.asked.lock().unwrap())
    }
}

impl Signer for Outside {
    fn account(&self) -> SignerAccount {
        SignerAccount::Account(self.keys.public())
    }
    fn sign<'a>(&'a self, request: SigningRequest<'a>) -> BoxFuture<'a, Result<Vec<Signature>, SignerError>> {
        Box::pin(self.answer(request))
    }
}

/// A wallet with these amounts, once with its words in memory, and once with a signer that has them.
async fn rig(amounts: &[u64]) -> (Rig, Wallet, Arc<Outside>) {
    let rig = Rig::with(amounts).await;
    let keys = AccountKeys::from_mnemonic(&rig.words, "");
    let signer = Arc::new(Outside { keys, mood: Mutex::new(Mood::Honest), asked: Mutex::default() });
    let account = Account::signed_by(signer.clone()).unwrap();
    let wallet = Wallet::start(account, backend(&rig.devnet), Options::default()).await.unwrap();
    wallet.ready().await;
    (rig, wallet, signer)
}

fn template(steps: serde_json::Value) -> TemplateRequest {
    let template = Template::read(&steps).unwrap();
    TemplateRequest { template, facts: TemplateFacts::default(), with_foreign_inputs: true, shuffle_seed: 1 }
}

#[tokio::test]
async fn all_that_a_wallet_signs_goes_through_its_signer_with_what_it_is_for() {
    let (rig, wallet, signer) = rig(&[500]).await;
    // The devnet takes them: what the signer gave is there, and the change is named.
    let sent = wallet.send(pay(200)).await.unwrap();
    let change = sent.transaction.outputs.iter().position(|output| output.value == Amount::new(300)).unwrap();
    let [(purpose, count, told)] = &signer.asked()[..] else { panic!("asked once") };
    assert_eq!((*purpose, *count, told.as_str()), (Purpose::Send, 1, &*format!("500 to [({change}, 1)]")));

    let create = CreateTokenRequest {
        name: "Made elsewhere".to_owned(),
        symbol: "ELSE".to_owned(),
        version: TokenVersion::Deposit,
        amount: Amount::new(100),
        address: None,
        change_address: None,
        mint_authority: None,
        melt_authority: None,
        data: vec![],
        data_first: false,
    };
    wallet.carry_out(Operation::CreateToken(create)).await.unwrap();
    assert_eq!(signer.asked().into_iter().map(|(purpose, ..)| purpose).collect::<Vec<_>>(), [Purpose::Send]);

    let own = rig.address(0);
    let call = json!({
        "type": "nano/execute", "id": "3cb032600bdf7db784800e4ea911b10676fa2f67591f82bb62628c234e771595",
        "method": "initialize", "caller": own.to_string(), "args": ["00", "00", 4_000_000_000_u32], "actions": [],
    });
    wallet.build_by_template(template(json!([call])), true).await.unwrap();
    let [(Purpose::Build, 1, told)] = &signer.asked()[..] else { panic!("the caller alone") };
    assert_eq!(told, " to []");

    let signed = wallet.sign_message(&own, "hello").await.unwrap();
    assert!(verify_message(&own.hash(), "hello", &signed.signature));
    // The very signature that words in memory give.
    assert_eq!(signed, rig.wallet.sign_message(&own, "hello").await.unwrap());
    assert_eq!(
        wallet.sign_as_oracle(&own, b"12").await.unwrap(),
        rig.wallet.sign_as_oracle(&own, b"12").await.unwrap()
    );
    let asked = signer.asked();
    assert_eq!(
        asked,
        [(Purpose::Message, 1, "hello".to_owned()), (Purpose::OracleData, 1, "3132".to_owned())]
    );

    let (spends, value, address) = wallet
        .read(|state, now| {
            let utxo = &state.utxos(&UtxoFilter::default(), now).utxos[0];
            let script = state.output(utxo.outpoint).unwrap().script;
            (utxo.outpoint, utxo.value, state.address(state.paid_index(&script).unwrap()).unwrap())
        })
        .unwrap();
    let holds = Holding::amount(TokenUid::Native, value);
    let to = Address::p2pkh(Network::Privatenet, [7; 20]);
    let script = Script::Pay { to, timelock: None }.to_bytes().unwrap();
    let swap = PartialTx {
        inputs: vec![PartialInput { spends, holds, address }],
        outputs: vec![PartialOutput { holds, script, is_change: false }],
    };
    wallet.sign_swap(&swap, true).await.unwrap();
    assert_eq!(
        signer.asked().into_iter().map(|(purpose, count, _)| (purpose, count)).collect::<Vec<_>>(),
        [(Purpose::Swap, 1)]
    );
}

#[tokio::test]
async fn what_a_signer_gives_is_looked_at_and_what_it_refuses_is_free_again() {
    let (_rig, wallet, signer) = rig(&[500]).await;
    let own = wallet.read(|state, _| state.address(0)).unwrap().unwrap();
    let wrong = "what the wallet's signer gave is not used: ";
    for (mood, text) in [
        (Mood::OfSomethingElse, format!("{wrong}a signature for address 0 of something else")),
        (Mood::ByAnotherKey, format!("{wrong}a signature by another key than that of address 0")),
        (Mood::TooFew, format!("{wrong}0 signatures of 1 that it was asked for")),
        (Mood::Refusing, "the wallet's signer refuses this by its rule \"day\": enough for today".to_owned()),
    ] {
        *signer.mood.lock().unwrap() = mood;
        let refused = wallet.send(pay(200)).await.unwrap_err();
        assert!(matches!(refused, SendError::Signer(_)), "{refused:?}");
        assert_eq!(refused.to_string(), text, "{mood:?}");
        let refused = wallet.sign_message(&own, "hello").await.unwrap_err();
        assert!(matches!(refused, MessageError::Signer(_)), "{refused:?}");
        assert_eq!(refused.to_string(), text, "{mood:?}");
        assert_eq!(wallet.sign_as_oracle(&own, b"12").await.unwrap_err().to_string(), text, "{mood:?}");
    }
    *signer.mood.lock().unwrap() = Mood::Honest;
    // The one output is free, else this would wait.
    wallet.send(pay(200)).await.unwrap();
}
