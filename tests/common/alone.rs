//! Tests that set the clock. It is that of a whole process, so each runs in one of its own: this test binary,
//! run again for the test alone.

use std::process::Command;
use std::time::Duration;

/// Longer than any of them takes.
const LIMIT: Duration = Duration::from_secs(120);

/// Runs the body of a test, whose name has its modules before it.
pub fn alone(test: &str, body: impl Future<Output = ()>) {
    if std::env::var("ALONE").is_ok_and(|name| name == test) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        return runtime.block_on(async { tokio::time::timeout(LIMIT, body).await.unwrap() });
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", test, "--nocapture"]).env("ALONE", test);
    let output = again.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}
