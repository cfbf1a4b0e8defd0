//! The samples of docs/deploy: they do what they say.

use super::command_line::{failed, new_file, program, run};
use super::process::{PROGRAM, Process};
use super::support::Server;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Command;

const NGINX: &str = include_str!("../../docs/deploy/nginx.conf");
const UNIT: &str = include_str!("../../docs/deploy/headless-wallet.service");
const COMPOSE: &str = include_str!("../../docs/deploy/compose.yaml");
const CLUSTER: &str = include_str!("../../docs/deploy/cluster.compose.yaml");
const KUBERNETES: &str = include_str!("../../docs/deploy/kubernetes.yaml");
const DOCKERFILE: &str = include_str!("../../docs/deploy/Dockerfile");
const EXAMPLE: &str = include_str!("../../docs/deploy/wallet.example.toml");

const ALERTS: &str = include_str!("../../docs/deploy/alerts.yaml");
const DASHBOARD: &str = include_str!("../../docs/deploy/grafana.json");

/// Metrics of the alert rules and the dashboard that a server does not export, among those that are meant.
pub fn not_exported(metrics: &str, is_meant: impl Fn(&str) -> bool) -> BTreeSet<String> {
    let named = Regex::new("headless_wallet_[a-z_]+").unwrap();
    let families: BTreeSet<&str> =
        metrics.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()).collect();
    let is_exported = |name: &str| {
        let bare = ["_bucket", "_sum", "_count"].iter().find_map(|suffix| name.strip_suffix(suffix));
        families.contains(name) || bare.is_some_and(|name| families.contains(name))
    };
    let all = [ALERTS, DASHBOARD].map(|text| named.find_iter(text));
    let all: Vec<_> = all.into_iter().flatten().map(|found| found.as_str()).collect();
    assert!(all.len() > 30, "{all:?}");
    all.into_iter().filter(|name| is_meant(name) && !is_exported(name)).map(str::to_owned).collect()
}

/// Those of a database are exported where there is one: tests/server/cluster.rs.
#[tokio::test]
async fn alerts_and_dashboard_name_metrics_that_are_exported() {
    let server = Server::with_wallet().await;
    // The node tells the height each second.
    let metrics = async {
        loop {
            let text = server.ask("GET", "/metrics", &[], b"").await.text;
            if text.contains("headless_wallet_node_best_block_height") {
                return text;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let metrics = tokio::time::timeout(Duration::from_secs(30), metrics).await.unwrap();
    let of_store = |name: &str| ["store_", "forwarded_"].iter().any(|part| name.contains(part));
    assert_eq!(not_exported(&metrics, |name| !of_store(name)), BTreeSet::new());
    let dashboard: serde_json::Value = serde_json::from_str(DASHBOARD).unwrap();
    for panel in dashboard["panels"].as_array().unwrap() {
        assert!(!panel["targets"].as_array().unwrap().is_empty(), "{panel}");
    }
    server.shutdown().await;
}

/// The headers that a part of the proxy's configuration adds.
fn added(part: &str) -> BTreeMap<String, String> {
    let lines = part.lines().filter_map(|line| line.trim().strip_prefix("add_header "));
    let headers = lines.map(|line| {
        let (name, value) = line.split_once(' ').unwrap();
        let value = value.trim_end_matches(';').trim_end_matches(" always").trim_matches('"');
        (name.to_ascii_lowercase(), value.replace("$wallet_pages", "http://localhost:3000"))
    });
    headers.collect()
}

/// The server's own answer to the pages that it lets in: those headers that have to do with that.
async fn sent(server: &Server, method: &str) -> BTreeMap<String, String> {
    let answer = server.ask(method, "/", &[("origin", "http://localhost:3000")], b"").await;
    let headers = answer.head.lines().filter_map(|line| line.split_once(": "));
    let is_of_pages = |name: &str| name.starts_with("access-control-");
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
    headers.filter(|(name, _)| is_of_pages(name)).collect()
}

#[tokio::test]
async fn the_proxy_sends_the_headers_that_the_server_has_for_pages() {
    let server = Server::start_with("cors_origins = 'http://localhost:3000'").await;
    let (_, location) = NGINX.split_once("OPTIONS) {").unwrap();
    let (preflight, others) = location.split_once("return 204;").unwrap();
    let mut expected = sent(&server, "OPTIONS").await;
    expected.insert("content-type".to_owned(), "text/plain; charset=utf-8".to_owned());
    expected.insert("content-length".to_owned(), "0".to_owned());
    assert_eq!(added(preflight), expected);
    assert_eq!(added(others), sent(&server, "GET").await);
    server.shutdown().await;
}

#[test]
fn the_proxy_refuses_other_hosts_and_other_pages() {
    let (others, own) = NGINX.split_once("return 444;").unwrap();
    assert!(
        others.ends_with("server {\n    listen 80 default_server;\n    server_name _;\n    "),
        "{others}"
    );
    assert!(own.contains("\n    server_name localhost 127.0.0.1 [::1];\n"), "{own}");
    let pages = "    default 0;\n    \"~^ \" 1;\n    \"~^http://localhost:3000 \" 1;\n    \"~^(?<page>[^ ]+) \\k<page>$\" 1;\n";
    assert!(
        others.contains(&format!("map \"$http_origin $scheme://$http_host\" $may_use_wallet {{\n{pages}}}"))
    );
    assert!(own.contains("if ($may_use_wallet = 0) {\n        return 403;\n    }\n"));
    // What it has looked at, and what it was called.
    for header in ["Origin \"\"", "Sec-Fetch-Site \"\"", "Host $http_host"] {
        assert!(own.contains(&format!("proxy_set_header {header};")), "{header}");
    }
}

#[tokio::test]
async fn a_container_on_the_example_wants_a_key() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("container-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join("wallet.toml");
    let (_, variables) = DOCKERFILE.split_once("\nENV ").unwrap();
    let variables: Vec<_> = variables.lines().next().unwrap().split(' ').collect();
    let bind = variables.iter().find_map(|variable| variable.strip_prefix("HEADLESS_HTTP_BIND=")).unwrap();
    new_file(file.to_str().unwrap(), EXAMPLE);
    let mut command = Command::new(PROGRAM);
    command.args(["serve", "--http-port=0", "--config"]).arg(&file).env("HEADLESS_HTTP_BIND", bind);
    let output = command.output().await.unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(
        told.starts_with("error: other machines can reach 0.0.0.0, and whoever reaches the server"),
        "{told}"
    );
    std::fs::write(&file, EXAMPLE.replace("api_key = \"\"", "api_key = \"k\"")).unwrap();
    let file = file.to_str().unwrap();
    let process = Process::start(&["serve", "--http-bind", bind, "--config", file]).await;
    let port = process.address.rsplit_once(':').unwrap().1;
    let address = format!("127.0.0.1:{port}");
    let answer = super::support::ask(&address, "GET", "/", &[("x-api-key", "k")], b"").await;
    assert_eq!(answer.status, 200);
    process.end().await;
    std::fs::remove_dir_all(&dir).unwrap();
}

#[test]
fn nothing_is_left_open_that_can_be_closed() {
    let (_, services) = COMPOSE.split_once("\nservices:\n").unwrap();
    let services: Vec<_> = services.split("\n\n").take(2).collect();
    for service in services {
        for line in ["cap_drop: [\"ALL\"]", "security_opt: [\"no-new-privileges:true\"]", "read_only: true"] {
            assert!(service.contains(line), "{line} in {service}");
        }
        assert!(service.contains("mem_limit: "), "{service}");
    }
    for image in COMPOSE.lines().chain(DOCKERFILE.lines()) {
        let image = ["image: ", "FROM ", "ARG BASE="].iter().find_map(|word| image.trim().strip_prefix(word));
        let image = image.filter(|image| !["headless-wallet", "${BASE}"].contains(image));
        let version = image.map(|image| image.split_once(':').unwrap().1);
        assert!(
            version.is_none_or(
                |version| version.starts_with(|c: char| c.is_ascii_digit()) && version.contains('.')
            ),
            "{image:?}"
        );
    }
    assert!(UNIT.contains("\nMemorySwapMax=0\nMemoryMax="));
}

/// What the samples of several servers give each of them.
#[tokio::test]
async fn a_container_of_several_has_its_secrets_and_says_where_it_is() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("cluster-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    for (name, text) in [("postgres-password", "pass"), ("cluster-secret", "secret")] {
        std::fs::write(dir.join(name), format!("{text}\n")).unwrap();
    }
    let (_, script) = CLUSTER.split_once("    - 'HEADLESS_STORE").unwrap();
    let (script, _) = script.split_once("'\n").unwrap();
    let script = format!("HEADLESS_STORE{script}").replace("$$", "$");
    let script =
        script.replace("/run/secrets", dir.to_str().unwrap()).replace("exec headless-wallet", "exec env");
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script.replace('\n', " "), "headless-wallet"]).output().await.unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let host = String::from_utf8(Command::new("hostname").output().await.unwrap().stdout).unwrap();
    for line in [
        "HEADLESS_STORE=postgres://wallet:pass@postgres/wallet?sslmode=disable",
        "HEADLESS_CLUSTER_SECRET=secret",
        &format!("HEADLESS_ADVERTISE_URL=http://{}:8000", host.trim()),
    ] {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
    for number in 1..=3 {
        assert!(
            CLUSTER.contains(&format!("\n  wallet{number}: {{ <<: *wallet, hostname: wallet{number} }}\n"))
        );
    }
    for line in [
        "key: cluster-secret }",
        "value: \"http://$(POD_IP):8000\" }",
        "upstream-hash-by: \"$http_x_wallet_id\"",
    ] {
        assert!(KUBERNETES.contains(line), "{line}");
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[tokio::test]
async fn the_unit_starts_a_server_on_the_example() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unit-{}", std::process::id()));
    let state = dir.join("state");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join("wallet.toml"), EXAMPLE).unwrap();
    let (_, rest) = UNIT.split_once("\nExecStart=/usr/local/bin/headless-wallet ").unwrap();
    let line = rest.lines().next().unwrap();
    let line = line.replace("${CREDENTIALS_DIRECTORY}", dir.to_str().unwrap());
    let line = line.replace("${STATE_DIRECTORY}", state.to_str().unwrap());
    let process = Process::start(&line.split(' ').collect::<Vec<_>>()).await;
    assert_eq!(process.get("/").await.status, 200);
    assert!(state.is_dir(), "wallets are kept there");
    process.end().await;
    std::fs::remove_dir_all(&dir).unwrap();
}

#[tokio::test]
async fn systemd_finds_nothing_wrong_with_the_unit_and_little_left_open() {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("systemd-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let unit = dir.join("headless-wallet.service");
    std::fs::write(&unit, UNIT.replace("/usr/local/bin/headless-wallet", PROGRAM)).unwrap();
    for arguments in [&["verify", "--man=no"][..], &["security", "--offline=true", "--threshold=20"]] {
        let mut command = Command::new("systemd-analyze");
        command.args(arguments).arg("--no-pager").arg(&unit).stdin(Stdio::null());
        match command.output().await {
            Ok(output) => {
                let told = String::from_utf8_lossy(&output.stderr).into_owned();
                assert_eq!((output.status.code(), told.as_str()), (Some(0), ""), "{arguments:?}");
            }
            // No systemd on this machine.
            Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
        }
    }
    std::fs::remove_dir_all(&dir).unwrap();
}

#[tokio::test]
async fn health_is_told_by_the_exit_code() {
    let process = Process::start(&["serve", "--api-key=k"]).await;
    let port = process.address.rsplit_once(':').unwrap().1;
    let health = async |key: &str, port: &str| {
        let mut command = Command::new(PROGRAM);
        let port = format!("--http-port={port}");
        command.args(["health", &port, "--http-bind=0.0.0.0"]).env("HEADLESS_API_KEY", key);
        let output = command.output().await.unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let url = format!("http://127.0.0.1:{port}/");
    assert_eq!(health("k", port).await, (Some(0), format!("{url} takes requests\n"), String::new()));
    let refused =
        format!("error: {url} answers with status 401: {{\"auth\":false,\"message\":\"Wrong api key.\"}}\n");
    assert_eq!(health("other", port).await, (Some(1), String::new(), refused));
    let port = port.to_owned();
    process.end().await;
    let (code, said, error) = health("k", &port).await;
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(error.starts_with(&format!("error: {url}: ")), "{error}");
}

#[tokio::test]
async fn a_server_that_can_not_keep_its_wallets_never_says_that_it_serves() {
    let mut program = program();
    program.args(["serve", "--network=testnet", "--http-port=0", "--data-dir=/dev/null/x"]);
    let error = "can't use `data_dir` /dev/null/x: Not a directory (os error 20)";
    assert_eq!(run(program, "").await, failed(error));
}

#[tokio::test]
async fn health_shows_the_flags_that_say_where_the_server_is_and_takes_all() {
    let health = async |flags: &[&str]| {
        let mut program = program();
        program.arg("health").args(flags);
        run(program, "").await
    };
    let (code, help, _) = health(&["--help"]).await;
    let shown = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("--"))
        .map(|line| line.split(' ').next().unwrap().to_owned());
    assert_eq!(
        (code, shown.collect::<Vec<_>>()),
        (0, ["config", "http-bind", "http-port", "api-key"].map(str::to_owned).to_vec())
    );
    // Those of the server that it is asked about can be given as they are.
    let (code, _, error) = health(&["--http-port=1", "--network=testnet", "--gap-limit=5"]).await;
    assert_eq!((code, error.starts_with("error: http://127.0.0.1:1/: ")), (1, true), "{error}");
}
