//! Keeping secrets in memory, and out of files.

use super::tell;
use std::sync::Once;

/// Keeps the memory from core dumps, debuggers and other programs of the same user. Every command begins with
/// this: each may read a seed phrase, a password or an API key.
pub fn keep_private() {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, Resource, Rlimit, set_dumpable_behavior, setrlimit};
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        if let Err(error) = set_dumpable_behavior(DumpableBehavior::NotDumpable) {
            tell(&format!("warning: other programs of this user may read the memory: {error}"));
        }
    }
}

/// Keeps the memory off swap disks, where the system allows; says where it doesn't. Once.
pub fn keep_from_swap() {
    static ONCE: Once = Once::new();
    ONCE.call_once(keep);
}

fn keep() {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{MlockAllFlags, mlockall};
        use rustix::process::{Resource, getrlimit};
        // With a limit, memory that is asked for later would be refused beyond it, and the server end.
        let is_free = getrlimit(Resource::Memlock).current.is_none();
        let all = MlockAllFlags::CURRENT | MlockAllFlags::FUTURE | MlockAllFlags::ONFAULT;
        let locked =
            if is_free { mlockall(all).map_err(|error| error.to_string()) } else { Err(LIMITED.to_owned()) };
        if let Err(why) = locked {
            tell(&format!("warning: words in memory may get onto a swap disk: {why}"));
        }
    }
    #[cfg(not(target_os = "linux"))]
    tell("warning: words in memory may get onto a swap disk: this system is not asked to keep them from it");
}

#[cfg(target_os = "linux")]
const LIMITED: &str =
    "it can't be locked (ulimit -l unlimited, or LimitMEMLOCK=infinity or MemorySwapMax=0 of systemd)";
