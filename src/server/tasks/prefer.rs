//! What a request says of how it is to be carried out: `Prefer` (RFC 7240) and `Priority` (RFC 9218).

use axum::http::HeaderMap;
use std::time::Duration;

/// Longest time that an answer is waited for.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// The urgency of a request that doesn't say, of 0 (first) to 7 (RFC 9218).
const USUAL_URGENCY: u8 = 3;

/// That a request is to be answered at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::server) struct Prefer {
    /// How long its end may be waited for before that.
    pub wait: Duration,
    /// 0 first, 7 last.
    pub urgency: u8,
}

impl Prefer {
    /// Reads it; `None` where `respond-async` is not preferred. What makes no sense is passed over, as both
    /// standards ask for.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let mut is_async = false;
        let mut wait = None;
        for preference in items(headers, "prefer") {
            // After a semicolon come parameters, of which none is known.
            let (preference, _) = preference.split_once(';').unwrap_or((preference, ""));
            match preference.split_once('=') {
                None if preference.trim().eq_ignore_ascii_case("respond-async") => is_async = true,
                Some((name, seconds)) if name.trim().eq_ignore_ascii_case("wait") => {
                    // The first one counts.
                    wait = wait.or_else(|| seconds.trim().trim_matches('"').parse().ok());
                }
                _ => {}
            }
        }
        let urgency = items(headers, "priority").find_map(|item| {
            let digit = item.strip_prefix("u=")?.parse().ok()?;
            (digit <= 7).then_some(digit)
        });
        is_async.then(|| Self {
            wait: Duration::from_secs(wait.unwrap_or(0)).min(MAX_WAIT),
            urgency: urgency.unwrap_or(USUAL_URGENCY),
        })
    }
}

fn items<'a>(headers: &'a HeaderMap, name: &'static str) -> impl Iterator<Item = &'a str> {
    let texts = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::Prefer;
    use axum::http::{HeaderMap, HeaderValue};
    use std::time::Duration;

    fn read(prefer: &[&'static str], priority: &'static str) -> Option<(u64, u8)> {
        let mut headers = HeaderMap::new();
        for value in prefer {
            headers.append("prefer", HeaderValue::from_static(value));
        }
        headers.append("priority", HeaderValue::from_static(priority));
        let Prefer { wait, urgency } = Prefer::of(&headers)?;
        assert_eq!(wait, Duration::from_secs(wait.as_secs()));
        Some((wait.as_secs(), urgency))
    }

    #[test]
    fn preferences_are_read_as_their_standards_say() {
        for (prefer, priority, expected) in [
            (&["respond-async"][..], "", Some((0, 3))),
            (&["Respond-Async, wait=10"], "u=0", Some((10, 0))),
            (&["wait=10", "respond-async"], "i, u=7", Some((10, 7))),
            (&["respond-async; x=1, wait=\"5\", wait=6"], "u=8", Some((5, 3))),
            (&["respond-async, wait=99999"], "u=-1", Some((60, 3))),
            (&["respond-async, wait=soon"], "urgent", Some((0, 3))),
            (&["wait=10"], "u=0", None),
            (&["return=minimal"], "", None),
            (&["respond-async=1"], "", None),
            (&[], "u=1", None),
        ] {
            assert_eq!(read(prefer, priority), expected, "{prefer:?} {priority}");
        }
    }
}
