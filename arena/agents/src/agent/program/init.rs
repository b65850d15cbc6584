//! The init process (pid 1) of a program's sandbox. It builds the file system, restricts itself and
//! its children, starts the program, measures memory, and exits when the program ends. It runs no
//! code of the program.

#![expect(unsafe_code, reason = "system calls without a safe API")]

use crate::agent::SandboxReport;
use crate::agent::launch::UNBUFFERED;
use crate::agent::process::exit::OVER_MEMORY;
use crate::agent::process::{close_from, redirect_to_null};
use crate::agent::sandbox::{SandboxSpec, build, restrict_program};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, pidfd_open, set_parent_process_death_signal, wait,
};
use std::fs::{self, File};
use std::io::{self, PipeWriter, Write};
use std::process::Command;

/// Interval of the memory measurements.
const TICK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 25_000_000,
};
/// The environment of the program.
const ENVIRONMENT: [(&str, &str); 4] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("HOME", "/tmp"),
    ("TMPDIR", "/tmp"),
    ("LANG", "C.UTF-8"),
];

/// Sends the first line to the host: the restrictions in effect, or the reason why there is no
/// sandbox. Must be called before the program starts.
///
/// # Errors
/// Returns an error if the host has closed the pipe.
pub(super) fn send_outcome(outcome: &Result<SandboxReport, String>) -> io::Result<()> {
    let line = serde_json::to_string(outcome).expect("plain data");
    // Unbuffered, because forked children would inherit the buffer.
    let mut out = File::from(rustix::io::dup(rustix::stdio::stdout())?);
    out.write_all(format!("{line}\n").as_bytes())
}

/// Returns `true` if the launcher has closed its end of the pipe.
fn is_launcher_gone(ends: &PipeWriter) -> bool {
    let mut end = [PollFd::new(ends, PollFlags::empty())];
    poll(&mut end, Some(&Timespec::default())).is_err() || end[0].revents().contains(PollFlags::ERR)
}

/// Sandboxes and starts the program, waits for its end, and writes the program's exit status to
/// `ends`. Returns the exit code of this process.
pub(super) fn run(
    spec: &SandboxSpec,
    is_root: bool,
    mut report: SandboxReport,
    mut ends: PipeWriter,
) -> i32 {
    let prepared = prepare(spec, is_root, &mut report, &ends);
    let said = send_outcome(&prepared.clone().map(|_| report));
    let Ok(counts_memory) = prepared else {
        return 1;
    };
    if said.is_err() || spec.is_probe {
        return 0;
    }
    let most = counts_memory.then_some(spec.limits.memory_mb << 20);
    match start(spec).and_then(|program| wait_for_program(program, most)) {
        Ok(status) => {
            // Fails if the launcher has ended.
            _ = ends.write_all(&status.to_ne_bytes());
            0
        }
        Err(error) => {
            _ = writeln!(io::stderr(), "hattari: {error}");
            127
        }
    }
}

/// Builds the sandbox around this process. Returns `true` if memory can be measured.
fn prepare(
    spec: &SandboxSpec,
    is_root: bool,
    report: &mut SandboxReport,
    ends: &PipeWriter,
) -> Result<bool, String> {
    let bind = || {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(|error| error.to_string())?;
        if is_launcher_gone(ends) {
            return Err("the host has ended".to_owned());
        }
        Ok(())
    };
    bind()?;
    // This process stays in the host's session: the scheduler may divide processor time by session,
    // and host and program take turns on one core. The sandbox contains no terminal that the
    // session could access.
    build(spec, report)?;
    let counts_memory = restrict_program(spec, is_root, report)?;
    // A change of user clears the parent-death signal.
    bind()?;
    Ok(counts_memory)
}

/// Starts the program, in which only the standard descriptors are open.
fn start(spec: &SandboxSpec) -> io::Result<Pid> {
    // SAFETY: only marks descriptors to be closed in started programs.
    unsafe { close_from(3, libc::CLOSE_RANGE_CLOEXEC) }?;
    let spawned = Command::new(&spec.program)
        .args(&spec.arguments)
        .current_dir(&spec.folder)
        // The host's environment may contain secrets.
        .env_clear()
        .envs(ENVIRONMENT.into_iter().chain(UNBUFFERED))
        .spawn();
    let named = |why| io::Error::other(format!("{}: {why}", spec.program.display()));
    let program = Pid::from_child(&spawned.map_err(named)?);
    redirect_to_null()?;
    Ok(program)
}

/// Waits for the program to end and reaps all other processes. Returns the program's exit status.
/// If all processes together exceed `most` bytes (`None` for no limit), kills them and returns
/// [`OVER_MEMORY`].
fn wait_for_program(program: Pid, most: Option<u64>) -> io::Result<i32> {
    let handle = pidfd_open(program, PidfdFlags::empty())?;
    let mut is_over = false;
    loop {
        while let Ok(Some((ended, status))) = wait(WaitOptions::NOHANG) {
            if ended == program {
                let status = status.as_raw();
                return Ok(if is_over { OVER_MEMORY } else { status });
            }
        }
        // A signal only starts the next measurement early.
        _ = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&TICK));
        if let Some(most) = most
            && most < resident_memory() + socket_buffers()
        {
            let used = proportional_memory() + socket_buffers();
            if most < used {
                let (used, most) = (used >> 20, most >> 20);
                _ = writeln!(
                    io::stderr(),
                    "hattari: its processes use {used} MiB of memory; {most} MiB are allowed"
                );
                is_over = true;
                // SAFETY: -1 means all processes of this namespace except this one.
                unsafe { libc::kill(-1, libc::SIGKILL) };
            }
        }
    }
}

/// Returns the `/proc` folders of all other processes in this namespace.
fn processes() -> impl Iterator<Item = std::path::PathBuf> {
    let is_other = |name: &str| name != "1" && name.parse::<u32>().is_ok();
    fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter(move |entry| entry.file_name().to_str().is_some_and(is_other))
        .map(|entry| entry.path())
}

/// Returns the total capacity in bytes of the buffers of all local sockets. The kernel does not
/// report how full they are.
fn socket_buffers() -> u64 {
    /// Largest send buffer that a socket can have with the kernel's default limits.
    const BYTES: u64 = 2 * 212_992;
    let sockets = fs::read_to_string("/proc/self/net/unix").unwrap_or_default();
    BYTES * (sockets.lines().count() as u64).saturating_sub(1)
}

/// Returns the resident memory of all processes in bytes. A shared page counts once for each
/// process.
fn resident_memory() -> u64 {
    processes()
        .filter_map(|process| {
            fs::read_to_string(process.join("statm"))
                .ok()?
                .split(' ')
                .nth(1)?
                .parse::<u64>()
                .ok()
        })
        .sum::<u64>()
        * rustix::param::page_size() as u64
}

/// Returns the memory of all processes in bytes. A page that several processes share counts once.
/// For a process that cannot be inspected, the resident memory counts.
fn proportional_memory() -> u64 {
    let kib = |process: std::path::PathBuf| -> Option<u64> {
        let number = |text: &str, name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name))?
                .trim()
                .trim_end_matches(" kB")
                .parse()
                .ok()
        };
        let told = fs::read_to_string(process.join("smaps_rollup")).ok();
        told.and_then(|told| number(&told, "Pss:"))
            .or_else(|| number(&fs::read_to_string(process.join("status")).ok()?, "VmRSS:"))
    };
    processes().filter_map(kib).sum::<u64>() << 10
}
