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

/// The rows of a document's tables from a heading on, without the heads of the tables.
fn rows<'a>(document: &'a str, heading: &str) -> impl Iterator<Item = &'a str> {
    let (_, table) = document.split_once(heading).unwrap();
    let lines = table[1..].lines().take_while(|line| !line.starts_with("## "));
    lines.filter(|line| line.starts_with("| ")).skip(1)
}

/// The threat model of custody, and what is promised of events: each line has its tests.
#[test]
fn every_test_of_custody_and_of_events_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = sources(&root.join("tests"));
    for (document, heading, least) in [
        (include_str!("../../docs/custody.md"), "## Who has what", 35),
        (include_str!("../../docs/events.md"), "## What is promised", 25),
    ] {
        let mut named = 0;
        for row in rows(document, heading) {
            let last = row.trim_end().trim_end_matches('|').rsplit('|').next().unwrap();
            let tests: Vec<_> =
                last.split('`').skip(1).step_by(2).filter(|name| name.contains("::")).collect();
            assert_ne!(tests, Vec::<&str>::new(), "no test is named in {row}");
            for test in tests {
                let (file, name) = test.split_once("::").unwrap();
                let there = files.iter().any(|(path, source)| {
                    path.file_stem().is_some_and(|stem| stem == file) && has(source, name)
                });
                assert!(there, "there is no {test}");
                named += 1;
            }
        }
        assert!(named > least, "{heading}: {named}");
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
