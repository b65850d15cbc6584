//! Resource limits of a sandboxed process.

#![expect(unsafe_code, reason = "a signal is ignored")]

use super::SandboxReport;
use super::policy::{MemoryLimit, SandboxPolicy};
use crate::agent::process::{address_space, set_limit};
use rustix::process::Resource;

/// Seconds of processor time between SIGXCPU, which a process can catch, and SIGKILL.
const LAST_SECONDS: u64 = 2;

/// Applies a policy to this process and all processes that it starts.
pub(super) fn apply(policy: &SandboxPolicy, report: &mut SandboxReport) {
    let (memory_mb, data) = (policy.limits.memory_mb, policy.limits.memory_mb << 20);
    let memory = match policy.memory {
        MemoryLimit::AddressSpace => address_space()
            .map_err(|error| format!("the current memory cannot be measured ({error})"))
            .and_then(|now| set(Resource::As, now.saturating_add(data)))
            .map(|()| format!("{memory_mb} MiB")),
        MemoryLimit::Data { is_counted: true } => set(Resource::Data, data).map(|()| {
            format!(
                "{memory_mb} MiB for each process, and {memory_mb} MiB for all in total (measured \
                 every 25 ms)"
            )
        }),
        MemoryLimit::Data { is_counted: false } => set(Resource::Data, data).and_then(|()| {
            Err("the total of all processes cannot be measured without /proc".to_owned())
        }),
    };
    report.note("memory", memory);
    // The signal for writing too much is ignored: the write fails, and the bot only loses output.
    // SAFETY: no code of this process depends on the signal.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    let output = set(Resource::Fsize, policy.file_bytes);
    report.note(
        "output",
        output.map(|()| format!("{} KiB per file", policy.file_bytes >> 10)),
    );
    let seconds = policy.limits.processor.as_secs().max(1);
    // The first signal, SIGXCPU, identifies the cause.
    let time = set_limit(Resource::Cpu, seconds, seconds + LAST_SECONDS);
    report.note(
        "processor time",
        time.map(|()| format!("{seconds} s per process in a block"))
            .map_err(|error| error.to_string()),
    );
    let descriptors = policy.descriptors;
    // Core dumps, locked memory, message queues and higher priorities are forbidden.
    let none = [
        Resource::Core,
        Resource::Memlock,
        Resource::Msgqueue,
        Resource::Nice,
        Resource::Rtprio,
    ];
    let rest = none
        .into_iter()
        .try_for_each(|resource| set(resource, 0))
        .and_then(|()| set(Resource::Nofile, descriptors));
    report.note(
        "descriptors, core dumps",
        rest.map(|()| format!("{descriptors} descriptors, no core dumps")),
    );
    let tasks = policy
        .tasks
        .clone()
        .and_then(|(most, words)| set(Resource::Nproc, most).map(|()| words));
    report.note("processes and threads", tasks);
}

fn set(resource: Resource, most: u64) -> Result<(), String> {
    set_limit(resource, most, most).map_err(|error| error.to_string())
}
