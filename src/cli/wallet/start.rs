//! `wallet start`.

use super::failure::Failure;
use super::flags::Flags;
use super::service::Service;
use super::start_body::StartBody;
use super::words;
use clap::Args;

/// How a wallet is started at a server.
#[derive(Args)]
pub struct StartArgs {
    /// Doesn't wait until the wallet is ready.
    #[arg(long)]
    no_wait: bool,
    /// Sends words to another machine unencrypted: only for networks on which nobody else can listen.
    #[arg(long)]
    allow_plain_http: bool,
}

/// Starts a wallet and waits until it is ready.
pub async fn start(service: &Service, args: &StartArgs, flags: &Flags) -> Result<String, Failure> {
    let Some(wallet_id) = flags.server.wallet_id.as_deref().filter(|id| !id.is_empty()) else {
        return Err(Failure::Usage(
            "a wallet is started under an id of your choice: give --wallet-id, or set HEADLESS_WALLET_ID"
                .to_owned(),
        ));
    };
    let takes_words = flags.words.seed_key.is_none() && flags.words.xpub.is_none();
    if takes_words && service.is_plaintext_remote() && !args.allow_plain_http {
        return Err(Failure::Failed(format!(
            "{}: the words would be sent there unencrypted. Use https, or words that the server keeps (--seed-key), or give \
             --allow-plain-http if nobody else can listen on that network.",
            service.name()
        )));
    }
    let secret = words::secret(&flags.words)?;
    let passphrase = words::passphrase(&flags.words)?;
    let call = StartBody::new(wallet_id, &secret, passphrase.as_ref(), &flags.words).call();
    let answer = service.ask(&call).await?;
    if !args.no_wait {
        service.ready(flags).await?;
    }
    if flags.json {
        return answer.text();
    }
    Ok(if args.no_wait {
        format!("Wallet {wallet_id} is loading: `headless-wallet wallet status` says when it is ready.")
    } else {
        format!("Wallet {wallet_id} is ready.")
    })
}
