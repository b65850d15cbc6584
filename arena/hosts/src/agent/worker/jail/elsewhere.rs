//! Systems without Landlock and seccomp: limits and an empty error output, no more. What is missing is said.

use super::super::Order;
use super::Jailed;
use rustix::process::{Resource, Rlimit, setrlimit};

/// Gives up what must be given up before the library is loaded.
pub fn prepare(order: &Order) -> Jailed {
    let mut jailed = Jailed::default();
    let seconds = order.limits.processor.as_secs().max(1);
    let limit = |resource, amount| {
        setrlimit(resource, Rlimit { current: Some(amount), maximum: Some(amount) }).map_err(|error| error.to_string())
    };
    jailed.note("processor time", limit(Resource::Cpu, seconds).map(|()| format!("{seconds} s")));
    jailed.note("core dumps", limit(Resource::Core, 0).map(|()| "none".to_owned()));
    for missing in ["memory", "files (Landlock)", super::SYSTEM_CALLS] {
        jailed.note(missing, Err(format!("{} has no such limit for a single process", std::env::consts::OS)));
    }
    jailed
}

/// Gives up what is not needed any more once the library is loaded.
pub fn close(_order: &Order, _jailed: &mut Jailed) {}
