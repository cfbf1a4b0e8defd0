//! The tables of docs/reliability.md: every test that they name is there.

use std::fs;
use std::path::{Path, PathBuf};

const TABLES: &str = include_str!("../../docs/reliability.md");

/// All source files below `dir`, with what is in them.
fn sources(dir: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|suffix| suffix == "rs") {
            found.push((path.clone(), fs::read_to_string(path).unwrap()));
        }
    }
    found
}

/// Whether a file has a test of this name: a function or a row of a macro's table. An ellipsis stands for the
/// rest of some names.
fn has(source: &str, name: &str) -> bool {
    match name.strip_suffix('…') {
        Some(prefix) => source.contains(&format!("fn {prefix}")),
        None => source.contains(&format!("fn {name}(")) || source.contains(&format!("    {name}: ")),
    }
}

#[test]
fn every_test_of_the_tables_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [sources(&root.join("tests/service")), sources(&root.join("tests/store"))];
    let others = ["tests/node_clients", "tests/wallet", "tests/server", "src/store", "src/net"];
    let mut files = files.concat();
    files.extend(others.into_iter().flat_map(|dir| sources(&root.join(dir))));
    let (mut named, mut scripts) = (0, String::new());
    let is_row =
        |line: &&str| line.starts_with("| ") && !["| Fault |", "| Who |"].iter().any(|h| line.starts_with(h));
    for row in TABLES.lines().filter(is_row) {
        let cell = row.split('|').nth(2).unwrap();
        let tests: Vec<_> = cell.split('`').skip(1).step_by(2).collect();
        let is_room = |name: &&str| root.join("tests").join(name).is_dir();
        let tests: Vec<_> = tests.into_iter().filter(|name| !is_room(name)).collect();
        assert_ne!(tests, Vec::<&str>::new(), "no test is named in {row}");
        // Those in JavaScript go by their titles, after the file in this row or one before.
        let (titles, tests): (Vec<_>, Vec<_>) = tests.into_iter().partition(|test| test.contains([' ', '.']));
        for title in titles {
            if title.ends_with(".mjs") {
                scripts += &fs::read_to_string(root.join(title)).unwrap();
            } else {
                assert!(scripts.contains(title.trim_end_matches('…')), "there is no {title}");
                named += 1;
            }
        }
        for test in tests {
            let (place, name) = test.rsplit_once("::").unwrap_or(("", test));
            let stands_in = |path: &Path| {
                let file = path.file_stem().unwrap().to_str().unwrap();
                place.is_empty() || place.split("::").any(|part| part == file)
            };
            let there = files.iter().any(|(path, source)| stands_in(path) && has(source, name));
            assert!(there, "there is no {test}");
            named += 1;
        }
    }
    assert!(named > 80, "{named}");
}
