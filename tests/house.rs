//! The house that `src/lib.rs` draws: a room knows only rooms on floors below its own.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

const LIB: &str = include_str!("../src/lib.rs");

/// The floor of each room, as `src/lib.rs` draws them.
fn floors() -> BTreeMap<String, u32> {
    let drawing = LIB.split("//! ```").nth(1).unwrap();
    floors_of(&drawing.replace("//! ", ""))
}

fn floors_of(drawing: &str) -> BTreeMap<String, u32> {
    let mut floors = BTreeMap::new();
    let mut floor = 0;
    for line in drawing.lines() {
        if let Some(rest) = line.strip_prefix("floor ") {
            floor = rest.split_whitespace().next().unwrap().parse().unwrap();
        }
        let rooms = line.split_whitespace().take_while(|word| {
            *word == "floor" || word.parse::<u32>().is_ok() || word.ends_with('/') || word.ends_with(".rs")
        });
        for room in rooms.filter(|word| word.ends_with(['/', 's'])) {
            floors.insert(room.trim_end_matches('/').trim_end_matches(".rs").to_owned(), floor);
        }
    }
    floors
}

/// The rooms that a file names, without its comments.
fn rooms_named(source: &str) -> Vec<String> {
    let code =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
    let mut named = Vec::new();
    for root in ["crate::", "headless_wallet::"] {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            let rest = &code[at + root.len()..];
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if before.is_none_or(|c| !is_name(c) && c != '$') {
                let name: String = rest.chars().take_while(|c| is_name(*c)).collect();
                assert_ne!(
                    name,
                    "",
                    "rooms are named one by one, not in `use crate::{{…}}`: {}",
                    &rest[..40.min(rest.len())]
                );
                named.push(name);
            }
        }
    }
    named
}

fn visit(dir: &Path, see: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, see);
        } else if path.extension().is_some_and(|suffix| suffix == "rs") {
            see(&path, &fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn a_room_knows_only_rooms_below_it() {
    let (floors, root) = (floors(), Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let mut broken = Vec::new();
    let mut seen = 0;
    visit(&root, &mut |path, source| {
        let inside = path.strip_prefix(&root).unwrap();
        let room = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        if room == "lib" {
            return;
        }
        let own = floors.get(room).unwrap_or_else(|| panic!("src/lib.rs does not draw {room}"));
        for other in rooms_named(source).iter().filter(|other| *other != room) {
            seen += 1;
            if floors.get(other.as_str()).is_none_or(|floor| floor >= own) {
                broken.push(format!("{} names {other}", inside.display()));
            }
        }
    });
    assert!(seen > 300, "{seen}");
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn the_documents_draw_the_same_house_and_name_files_that_are_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"] {
        let text = fs::read_to_string(root.join(name)).unwrap();
        if let Some(drawing) = text.split("```text").find(|part| part.contains("floor 9")) {
            assert_eq!(floors_of(drawing.split("```").next().unwrap()), floors(), "{name}");
        }
        // Code within a line; the texts between the fences have an odd number of marks before them.
        let prose: String = text.split("```").step_by(2).collect();
        let paths = prose.split('`').skip(1).step_by(2).filter(|code| !code.contains([' ', '*']));
        let links = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap());
        let mut seen = 0;
        for path in paths.filter(|code| code.contains('/')).chain(links) {
            let is_ours =
                ["src", "tests", "docs", "scripts", "README"].iter().any(|dir| path.starts_with(dir));
            if is_ours || path.ends_with(".md") {
                assert!(root.join(path).exists(), "{name} names {path}");
                seen += 1;
            }
        }
        assert!(seen > 0, "{name}");
    }
}

/// Which of a room's modules a file names, as `super::module` or `crate::room::module`, when its path to the
/// room is `up`.
fn siblings_named(source: &str, room: &str, up: &str, modules: &BTreeSet<String>) -> BTreeSet<String> {
    let own = source.split("#[cfg(test)]\nmod tests").next().unwrap();
    let lines = own.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = lines.collect::<Vec<_>>().join("\n");
    let mut named = BTreeSet::new();
    for root in [format!("crate::{}::", room.replace('/', "::")), up.to_owned()] {
        for (at, _) in code.match_indices(&root).filter(|(at, _)| !code[..*at].ends_with("super::")) {
            let rest = &code[at + root.len()..];
            let paths = match rest.strip_prefix('{') {
                None => {
                    rest.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '_').take(1).collect()
                }
                Some(list) => list.split('}').next().unwrap().split(',').collect::<Vec<_>>(),
            };
            let first = |path: &str| {
                path.trim().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>()
            };
            named.extend(paths.into_iter().map(first).filter(|name| modules.contains(name)));
        }
    }
    named
}

/// The modules of a room that name others which, by themselves or by others still, name them.
fn circles(room: &Path, name: &str) -> Vec<String> {
    let mut names: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let modules: BTreeSet<String> = fs::read_dir(room)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .filter(|module| module != "mod")
        .collect();
    visit(room, &mut |path, source| {
        let inside = path.strip_prefix(room).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let depth = inside.components().count() - usize::from(path.ends_with("mod.rs"));
        if depth > 0 {
            let named = siblings_named(source, name, &"super::".repeat(depth), &modules);
            names.entry(module.to_owned()).or_default().extend(named.into_iter().filter(|n| n != module));
        }
    });
    let reached = |module: &String| {
        let (mut reached, mut next) = (BTreeSet::new(), vec![module]);
        while let Some(named) = next.pop().and_then(|module| names.get(module)) {
            next.extend(named.iter().filter(|name| reached.insert((*name).clone())));
        }
        reached
    };
    names.keys().filter(|module| reached(module).contains(*module)).cloned().collect()
}

#[test]
fn the_modules_of_a_room_make_no_circles() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut rooms = BTreeSet::new();
    visit(&root, &mut |path, _| {
        if path.ends_with("mod.rs") {
            rooms.insert(path.parent().unwrap().to_owned());
        }
    });
    assert!(rooms.len() > 20, "{rooms:?}");
    let found = rooms.iter().map(|room| {
        let name = room.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
        let circles = circles(room, &name);
        (name, circles)
    });
    let found: Vec<_> = found.filter(|(_, circles)| !circles.is_empty()).collect();
    assert_eq!(found, []);
}

/// Whatever is signed goes through the seam, `keys::Signer`: by the one place of wallets, by a process of its
/// own, and for files. (Fireblocks' requests are signed by a key of theirs.)
#[test]
fn nothing_is_signed_but_through_the_seam() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut signing = BTreeSet::new();
    visit(&root, &mut |path, source| {
        let inside = path.strip_prefix(&root).unwrap();
        let source = source.split("#[cfg(test)]").next().unwrap();
        if !inside.starts_with("keys") && source.contains(".sign(") {
            signing.insert(inside.to_str().unwrap().to_owned());
        }
        if !inside.starts_with("keys") {
            for key in ["signature_by(", ".sign_recoverable", "sign_digest("] {
                assert!(!source.contains(key), "{} has {key}", inside.display());
            }
        }
    });
    let allowed = [
        "cli/wallet/signing_file.rs",
        "service/guard.rs",
        "signer/fireblocks.rs",
        "signer/serve.rs",
        "signer/token_keys.rs",
    ];
    assert_eq!(signing, allowed.map(str::to_owned).into());
}

/// So that it can catch the wallet out.
#[test]
fn the_local_network_shares_no_rule_with_the_wallet_but_the_ledger() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/devnet");
    visit(&root, &mut |path, source| {
        for other in rooms_named(source) {
            let shared = ["devnet", "ledger", "net", "json", "calendar"];
            assert!(shared.contains(&other.as_str()), "{} names {other}", path.display());
        }
    });
}

/// rustfmt leaves comments as they are. Drawings, code and tables in them have their own width.
#[test]
fn comments_fit_into_the_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut wide = Vec::new();
    for folder in ["src", "tests", "benches", "examples", "fuzz/fuzz_targets"] {
        visit(&root.join(folder), &mut |path, source| {
            let mut in_block = false;
            for (number, line) in source.lines().enumerate() {
                let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
                let text = comment.trim_start_matches(['/', '!']).trim_start();
                in_block ^= text.starts_with("```");
                if !in_block && !text.starts_with('|') && line.chars().count() > 110 {
                    wide.push(format!("{}:{}", path.display(), number + 1));
                }
            }
        });
    }
    assert_eq!(wide, Vec::<String>::new());
}

/// How many files know an operation, by its name or by that of its request: its own, the list, and those that
/// have to do with it and no other.
#[test]
fn an_operation_is_known_to_few_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    visit(&root, &mut |_, source| sources.push(source.to_owned()));
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = |source: &str| source.split(|c| !is_name(c)).map(str::to_owned).collect::<BTreeSet<_>>();
    let known: Vec<_> = sources.iter().map(|source| words(source)).collect();
    let mut counts = Vec::new();
    for source in &sources {
        for declaration in source.split("pub static ").skip(1) {
            let Some((name, rest)) = declaration.split_once(": Operation =") else { continue };
            let rest = rest.split(";\n").next().unwrap();
            let request = rest.split("::<").nth(1).and_then(|request| request.split('>').next());
            let names = [Some(name), request];
            let knows = |words: &BTreeSet<String>| names.iter().flatten().any(|name| words.contains(*name));
            counts.push(known.iter().filter(|words| knows(words)).count());
        }
    }
    counts.sort_unstable();
    assert!(counts.len() > 80, "{counts:?}");
    assert!(counts[counts.len() / 2] <= 4, "{counts:?}");
}
