//! Unknown names that are probably typos of known ones.

/// The known name that is probably meant: one with the same letters, as `timeLock`, `time-lock` and
/// `locktime` for `timelock`, or one that differs by one typo, or by two in a long name.
pub fn typo_of<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Bounds the work: no known name is half as long.
    if name.len() > 100 {
        return None;
    }
    let given = letters(name);
    let typos = |meant: &str| {
        let meant = letters(meant);
        let most = match meant.len() {
            0..=3 => 0,
            4..=7 => 1,
            _ => 2,
        };
        let typos = strsim::osa_distance(&given, &meant);
        let is_turned = most == 2 && counts(&given) == counts(&meant);
        (typos <= most || is_turned).then_some(typos)
    };
    let meant = known.into_iter().filter(|known| *known != name);
    meant.filter_map(|known| Some((typos(known)?, known))).min().map(|(_, known)| known)
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
}

/// How often each letter occurs: sorting would add another sort to the WebAssembly file.
fn counts(letters: &str) -> [usize; 128] {
    let mut counts = [0; 128];
    letters.bytes().for_each(|letter| counts[usize::from(letter)] += 1);
    counts
}

#[cfg(test)]
mod tests {
    use super::typo_of;

    #[test]
    fn a_slip_is_told_from_another_name() {
        let known = ["token", "timelock", "data", "to", "change_address"];
        for (name, meant) in [
            ("tokn", Some("token")),
            ("tokne", Some("token")),
            ("TOKEN", Some("token")),
            ("timeLock", Some("timelock")),
            ("time-lock", Some("timelock")),
            ("tmelok", Some("timelock")),
            ("locktime", Some("timelock")),
            ("lock_time", Some("timelock")),
            ("changeAddress", Some("change_address")),
            ("change_adress", Some("change_address")),
            ("dat", Some("data")),
            ("tk", None),
            ("ot", None),
            ("address", None),
            ("memo", None),
            ("", None),
        ] {
            assert_eq!(typo_of(name, known), meant, "{name}");
        }
    }
}
