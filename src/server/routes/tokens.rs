//! Creating and melting tokens.

use super::send::transaction;
use crate::api::{CreateNft, CreateToken, CreatedToken, MeltTokens};
use crate::server::App;
use crate::server::answer::{Refused, json};
use crate::server::body::Body;
use crate::server::selection::Selected;
use crate::wallet::CreateTokenRequest;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;

pub(super) async fn create_token(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Body(body): Body,
) -> Result<Response, Refused> {
    let request = CreateToken::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    create(&app, &selected, request).await
}

pub(super) async fn create_nft(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Body(body): Body,
) -> Result<Response, Refused> {
    let request = CreateNft::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    create(&app, &selected, request).await
}

async fn create(app: &App, selected: &Selected, request: CreateTokenRequest) -> Result<Response, Refused> {
    let sent = selected.wallet.create_token(request).await.map_err(|error| app.refuse_send(error))?;
    Ok(json(&CreatedToken { transaction: &sent.transaction, id: sent.id, compat: app.config().compat }))
}

pub(super) async fn melt(
    State(app): State<App>,
    Extension(selected): Extension<Selected>,
    Body(body): Body,
) -> Result<Response, Refused> {
    let request = MeltTokens::from_json(&body, app.config().compat)
        .and_then(|request| request.for_network(app.config().network))
        .map_err(|refusal| app.refuse(refusal))?;
    let sent = selected.wallet.melt(request).await.map_err(|error| app.refuse_send(error))?;
    Ok(transaction(&app, &sent))
}
