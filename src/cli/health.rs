//! `headless-wallet health`: for containers, which have no other client in them.

use super::say;
use super::serve::ServeArgs;
use clap::{Arg, Args};
use headless_wallet::net::{HttpClient, Request, brief};
use secrecy::ExposeSecret;
use std::error::Error;

/// The flags of `serve`, of which those are shown that say where it is.
#[derive(Args)]
#[command(mut_args = |arg| match arg.get_id().as_str() {
    "config" => arg,
    "http_bind" => told(arg, "Address where the server listens"),
    "http_port" => told(arg, "Port where the server listens"),
    "api_key" => told(arg, "The server's API key. Better given as HEADLESS_API_KEY: other users of this machine can see flags"),
    _ => arg.hide(true),
}, after_help = "The settings are those that `serve` is given: in the file, in the environment, or as flags.")]
pub struct HealthArgs {
    #[command(flatten)]
    serve: ServeArgs,
}

fn told(flag: Arg, help: &'static str) -> Arg {
    flag.help(help).long_help(help)
}

/// Asks the server with these settings, on this machine, whether it takes requests.
pub async fn health(args: HealthArgs) -> Result<(), Box<dyn Error>> {
    let config = args.serve.settings()?;
    let host = match &*config.http_bind {
        // These stand for all addresses.
        "0.0.0.0" => "127.0.0.1".to_owned(),
        "::" => "[::1]".to_owned(),
        host if host.contains(':') => format!("[{host}]"),
        host => host.to_owned(),
    };
    let url = format!("http://{host}:{}/", config.http_port);
    let mut request = Request::get(url.parse()?);
    if let Some(key) = &config.api_key {
        request.headers.push(("X-API-KEY", key.expose_secret().to_owned()));
    }
    let response = HttpClient::shared().request(request).await.map_err(|error| format!("{url}: {error}"))?;
    if response.status != 200 {
        let text = brief(&String::from_utf8_lossy(&response.body));
        return Err(format!("{url} answers with status {}: {text}", response.status).into());
    }
    say(&format!("{url} takes requests"));
    Ok(())
}
