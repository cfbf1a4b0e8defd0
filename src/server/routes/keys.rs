//! API keys with names: listed, made and ended by whoever may administer all wallets.

use super::valid::Valid;
use crate::api::texts::KEYS_NOT_KEPT;
use crate::api::{KeyListAnswer, NewKeyAnswer, Refusal, Success};
use crate::operations::{AddKey, KeyName, RotateKey};
use crate::rt;
use crate::server::App;
use crate::server::access::{self, Grant, KeyError, Own, Texts};
use crate::server::answer::{Refused, failed, json};
use crate::server::auth::Caller;
use crate::server::idempotency::{RETRY_SECONDS, no_room};
use crate::server::limit_targets;
use crate::store::{Documents, Stores};
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use secrecy::SecretString;
use std::sync::Arc;

type Answered = Result<Response, Refused>;
type By = Extension<Caller>;

/// `GET /keys`.
pub(super) async fn list(State(app): State<App>, Extension(caller): By) -> Answered {
    if app.stores().is_some_and(|stores| stores.documents().is_some()) {
        app.access().refresh().await.map_err(|error| app.refuse_key(error))?;
    }
    let known = app.access().known();
    // Nobody is told of more than they have themselves.
    let own = own(&caller);
    let shown = known
        .all
        .iter()
        .filter(|(key, _)| own.is_none_or(|(own, grant)| own == key.name || grant.covers(&key.grant)));
    let keys: Vec<_> = shown.map(|(key, is_setting)| key.description(*is_setting)).collect();
    Ok(json(&KeyListAnswer(&keys)))
}

/// `POST /keys`.
pub(super) async fn add(
    State(app): State<App>,
    Extension(caller): By,
    Valid(request): Valid<AddKey>,
) -> Answered {
    let AddKey { name, wallets, rights, networks, until, per_second, limits } = request;
    let rights = rights.iter().map(|right| right.name().to_owned()).collect();
    let grant = Grant::try_from(Texts { rights, wallets, networks, until, per_second, limits });
    let grant = grant.map_err(|error| app.refuse(Refusal::failure(format!("Nothing was made: {error}."))))?;
    if own(&caller).is_some_and(|(_, own)| !own.covers(&grant)) {
        return Err(app.refuse_key(KeyError::Beyond(name)));
    }
    if app.config().keys.iter().any(|key| key.name == name) {
        return Err(app.refuse_key(KeyError::Taken(name)));
    }
    let kept = app.kept_keys()?;
    app.check_limits(&name, &grant).await?;
    let key = app.changed(access::add(kept.documents(), &name, &grant, now()).await).await?;
    tracing::info!("the API key {name:?} was made by {}", by(&caller));
    Ok(new(name, key))
}

/// `POST /keys/rotate/{name}`.
pub(super) async fn rotate(
    State(app): State<App>,
    Extension(caller): By,
    Valid(RotateKey { name, overlap }): Valid<RotateKey>,
) -> Answered {
    let kept = app.kept_keys()?;
    let made = access::rotate(kept.documents(), &name, overlap, own(&caller), now()).await;
    let key = app.changed(made).await?;
    tracing::info!("the API key {name:?} was made anew by {}", by(&caller));
    Ok(new(name, key))
}

/// `DELETE /keys/{name}`.
pub(super) async fn revoke(
    State(app): State<App>,
    Extension(caller): By,
    Valid(KeyName { name }): Valid<KeyName>,
) -> Answered {
    let kept = app.kept_keys()?;
    app.changed(access::revoke(kept.documents(), &name, own(&caller), now()).await).await?;
    tracing::info!("the API key {name:?} was revoked by {}", by(&caller));
    Ok(json(&Success))
}

/// What somebody may do, where that is not everything.
fn own(caller: &Caller) -> Own<'_> {
    match caller {
        Caller::Named(key) => Some((&key.named.name, &key.named.grant)),
        Caller::Owner | Caller::Nobody | Caller::Gone(_) => None,
    }
}

fn by(caller: &Caller) -> &str {
    caller.name().unwrap_or("the owner")
}

fn now() -> u64 {
    rt::unix_seconds().into()
}

fn new(name: String, key: SecretString) -> Response {
    json(&NewKeyAnswer { name, key })
}

/// A store that keeps keys.
struct Kept(Arc<dyn Stores>);

impl Kept {
    fn documents(&self) -> &dyn Documents {
        self.0.documents().expect("looked at before")
    }
}

impl App {
    /// The store that keeps keys.
    fn kept_keys(&self) -> Result<Kept, Refused> {
        let stores = self.stores().filter(|stores| stores.documents().is_some());
        stores.map(Kept).ok_or_else(|| self.refuse(Refusal::failure(KEYS_NOT_KEPT)))
    }

    /// Refuses limits that can't mean what they say: they name addresses of another network, tokens and
    /// contracts that the node does not know, or keys that can't approve.
    async fn check_limits(&self, name: &str, grant: &Grant) -> Result<(), Refused> {
        let refuse = |why: String| self.refuse(Refusal::failure(format!("Nothing was made: {why}.")));
        let network = self.config().network;
        let of_network = grant.limits.iter().try_for_each(|rule| rule.check_network(network));
        of_network.map_err(|error| refuse(error.to_string()))?;
        if grant.limits.iter().any(|rule| rule.quorum().is_some()) {
            self.access().refresh().await.map_err(|error| self.refuse_key(error))?;
            let known = self.access().known();
            let keys: Vec<_> = known.all.iter().map(|(key, _)| key.clone()).collect();
            access::check_approvers(name, grant, &keys).map_err(refuse)?;
        }
        match limit_targets::unknown(&self.backend().node, &grant.limits).await {
            Ok(unknown) => match unknown.into_iter().next() {
                Some(why) => Err(refuse(why)),
                None => Ok(()),
            },
            Err(error) => {
                tracing::warn!(
                    "whether the limits of the key {name:?} name what is there is not known: {error}"
                );
                Ok(())
            }
        }
    }

    /// Goes at once by keys that were changed.
    async fn changed<T>(&self, change: Result<T, KeyError>) -> Result<T, Refused> {
        let changed = change.map_err(|error| self.refuse_key(error))?;
        if let Err(error) = self.access().refresh().await {
            tracing::warn!("{error}: the keys are looked at again in a second");
        }
        Ok(changed)
    }

    fn refuse_key(&self, error: KeyError) -> Refused {
        match error {
            KeyError::Unknown(_) => self.refuse(Refusal::NotFound(sentence(&error))),
            KeyError::Beyond(_) => failed(StatusCode::FORBIDDEN, sentence(&error)).into(),
            KeyError::Taken(_)
            | KeyError::Revoked(_)
            | KeyError::Over(_)
            | KeyError::Ended
            | KeyError::Full => self.refuse(Refusal::failure(sentence(&error))),
            KeyError::Unreadable(_) | KeyError::Randomness | KeyError::Busy | KeyError::Store(_) => {
                tracing::error!("the API keys can't be read or changed: {error}");
                no_room(sentence(&error), RETRY_SECONDS).into()
            }
        }
    }
}

/// With a capital and a full stop.
fn sentence(error: &KeyError) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    format!("{}{}.", first.map(String::from).unwrap_or_default(), letters.as_str())
}
