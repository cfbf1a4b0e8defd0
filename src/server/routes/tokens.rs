//! Creating, minting and melting tokens.

use super::write::{Sending, write};
use crate::api::texts::{READ_ONLY_CREATE, READ_ONLY_MELT, READ_ONLY_MINT};
use crate::api::{CreateNft, CreateToken, MeltTokens, MintTokens};
use crate::server::App;
use crate::server::answer::Refused;
use crate::server::selection::Selected;
use crate::service::Operation;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn create_token(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { body, manner }: Sending,
) -> Result<Response, Refused> {
    let request = CreateToken::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, Operation::CreateToken(request), READ_ONLY_CREATE).await
}

pub(super) async fn create_nft(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { body, manner }: Sending,
) -> Result<Response, Refused> {
    let request = CreateNft::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, Operation::CreateToken(request), READ_ONLY_CREATE).await
}

pub(super) async fn mint(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { body, manner }: Sending,
) -> Result<Response, Refused> {
    let request = MintTokens::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, Operation::Mint(request), READ_ONLY_MINT).await
}

pub(super) async fn melt(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Sending { body, manner }: Sending,
) -> Result<Response, Refused> {
    let request = MeltTokens::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    write(&app, &selected, manner, Operation::Melt(request), READ_ONLY_MELT).await
}
