//! The sandbox launcher. The host starts it instead of the program and connects the program's pipes
//! to it. It creates the namespaces, forks the init process of the sandbox, waits for it and exits
//! with the program's status.
//!
//! The init process (pid 1) builds the file system, restricts itself and its children, starts the
//! program, measures memory, and exits when the program ends. It runs no code of the program.
#![expect(unsafe_code, reason = "system calls without a safe API")]

use crate::agent::launch::UNBUFFERED;
use crate::agent::process::exit::OVER_MEMORY;
use crate::agent::process::{
    checked, close_from, end_with_parent, redirect_to_null, set_limit, worker_command,
};
use crate::agent::sandbox::{
    ALTERNATIVES, SandboxSpec, build, enter_for_program, restrict_program, spec_of,
};
use crate::agent::{CommandLine, Launch, ProcessLimits, SandboxReport};
use crate::text::error_text;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, PidfdFlags, Resource, Signal, WaitOptions, pidfd_open, set_parent_process_death_signal,
    wait,
};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, PipeWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Environment variable with the launcher's parameters. The program does not inherit it.
const SPEC_VARIABLE: &str = "HATTARI_JAIL";
/// Time limit of a probe, which sets up the sandbox but does not start the program.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs the launcher with the parameters in `SPEC_VARIABLE`, and exits the process when the program
/// ends. If this system cannot create the sandbox, informs the host and returns `Ok`.
///
/// # Errors
/// Returns an error if the variable is missing or invalid, if the host has ended, or if a required
/// system call fails.
pub fn run_launcher() -> io::Result<()> {
    let spec = std::env::var(SPEC_VARIABLE)
        .ok()
        .and_then(|json| serde_json::from_str::<SandboxSpec>(&json).ok())
        .ok_or_else(|| io::Error::other("the launcher can only be started by `hattari`"))?;
    // SAFETY: no object of this process owns a descriptor above 2; only inherited ones are closed.
    unsafe { close_from(3, 0) }?;
    let mut report = SandboxReport::default();
    let is_root = rustix::process::geteuid().is_root();
    if let Err(error) = enter_for_program(is_root) {
        let remedy = "allow unprivileged user namespaces on this system";
        return send_outcome(&Err(format!(
            "the namespaces of its sandbox cannot be created ({error}); {remedy}; {ALTERNATIVES}"
        )));
    }
    // Entering a user namespace clears the parent-death signal, so it is set after that.
    end_with_parent(spec.parent)?;
    let life = "all processes of the program end when the block ends or the host ends";
    report.note("lifetime", Ok(life));
    report.note(
        "network",
        Ok("separate network namespace without connections"),
    );
    let (mut told, tells) = io::pipe()?;
    // SAFETY: this process has one thread.
    if checked(unsafe { libc::fork() })? == 0 {
        drop(told);
        let code = run(&spec, is_root, report, tells);
        // SAFETY: `_exit` skips the exit handlers of the launcher, which the child must not run.
        unsafe { libc::_exit(code) }
    }
    drop(tells);
    // Closes the launcher's copies of the pipes, so that the host sees end-of-file when the program
    // closes its own.
    redirect_to_null()?;
    let mut status = [0; 4];
    let is_told = told.read_exact(&mut status).is_ok();
    let of_first = retry_on_intr(|| wait(WaitOptions::empty()))?;
    end_as(match of_first {
        Some((_, of_first)) if !is_told => of_first.as_raw(),
        _ => i32::from_ne_bytes(status),
    })
}

/// Ends this process with the wait status of another process.
fn end_as(status: i32) -> ! {
    let code = if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        // If this fails, the process may leave a core dump.
        _ = set_limit(Resource::Core, 0, 0);
        // SAFETY: all arguments are valid; the signal ends this process only.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
        128 + signal
    } else {
        libc::WEXITSTATUS(status)
    };
    // SAFETY: exits without running handlers.
    unsafe { libc::_exit(code) }
}

/// Returns the command that starts this program as a launcher.
///
/// # Errors
/// Returns an error if this program's file cannot be found.
pub(super) fn command(spec: &SandboxSpec) -> Result<Command, String> {
    let mut command = worker_command().map_err(error_text)?;
    command.arg("--program").arg(&spec.program);
    let json = serde_json::to_string(spec).map_err(error_text)?;
    command.env(SPEC_VARIABLE, json);
    Ok(command)
}

/// Returns the sandbox for a command, and the restrictions that it imposes on this machine. The
/// restrictions are determined by creating the sandbox without starting the program.
///
/// # Errors
/// Returns the reason if the sandbox cannot be created on this machine.
pub(super) fn sandboxed(
    program: &CommandLine,
    base: &Path,
    limits: ProcessLimits,
) -> Result<(SandboxSpec, SandboxReport), String> {
    let spec = spec_of(program, base, limits)?;
    let probe = SandboxSpec {
        is_probe: true,
        ..spec.clone()
    };
    let (mut running, input, output) = Launch::new(vec!["hattari".to_owned()], PathBuf::from("/"))
        .start_with_pipes(command(&probe)?)?;
    drop(input);
    if running.wait_for_exit(PROBE_TIMEOUT).is_none() {
        return Err(format!(
            "its sandbox was not ready within {PROBE_TIMEOUT:?}"
        ));
    }
    let line = io::read_to_string(output).map_err(error_text)?;
    let report = serde_json::from_str(&line).unwrap_or_else(|_| {
        Err(format!(
            "its sandbox could not be created: {}",
            running.shortened_output().unwrap_or(line)
        ))
    });
    Ok((spec, report?))
}

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
fn send_outcome(outcome: &Result<SandboxReport, String>) -> io::Result<()> {
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
fn run(spec: &SandboxSpec, is_root: bool, mut report: SandboxReport, mut ends: PipeWriter) -> i32 {
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
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(error_text)?;
        if is_launcher_gone(ends) {
            return Err("the host has ended".to_owned());
        }
        Ok(())
    };
    bind()?;
    // This process stays in the host's session: the scheduler may divide processor time by session,
    // and host and program take turns on one core. The sandbox contains no terminal that the
    // session could access.
    let has_processes = build(spec, report)
        .map_err(|error| format!("its file system cannot be built ({error})"))?;
    let counts_memory = restrict_program(spec, is_root, has_processes, report)?;
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
    let program = Pid::from_child(
        &spawned.map_err(|why| io::Error::other(format!("{}: {why}", spec.program.display())))?,
    );
    redirect_to_null()?;
    Ok(program)
}

/// Waits for the program to end and reaps all other processes. Returns the program's exit status.
/// If all processes together exceed `most` bytes (`None` for no limit), kills them and returns
/// [`OVER_MEMORY`].
///
/// # Errors
/// Returns an error if the program cannot be observed or its memory cannot be measured.
fn wait_for_program(program: Pid, most: Option<u64>) -> io::Result<i32> {
    let handle = pidfd_open(program, PidfdFlags::empty())?;
    let measure = |is_exact| {
        used_memory(is_exact).map_err(|error| {
            io::Error::other(format!(
                "the memory of its processes cannot be measured ({error})"
            ))
        })
    };
    let mut is_over = false;
    loop {
        while let Ok(Some((ended, status))) = wait(WaitOptions::NOHANG) {
            if ended == program {
                return Ok(match status.as_raw() {
                    _ if is_over => OVER_MEMORY,
                    OVER_MEMORY => OVER_MEMORY - 1,
                    status => status,
                });
            }
        }
        // A signal only starts the next measurement early.
        _ = poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&TICK));
        if let Some(most) = most
            && most < measure(false)?
        {
            let used = measure(true)?;
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

/// Returns the total capacity in bytes of the buffers of all local sockets. The kernel does not
/// report how full they are.
///
/// # Errors
/// Returns an error if the list of sockets cannot be read.
fn socket_buffers() -> io::Result<u64> {
    /// Largest send buffer that a socket can have with the kernel's default limits.
    const BYTES: u64 = 2 * 212_992;
    let sockets = fs::read_to_string("/proc/self/net/unix")?;
    Ok(BYTES * (sockets.lines().count() as u64).saturating_sub(1))
}

/// Returns the memory of all other processes in this namespace in bytes: pages, page tables and
/// buffers of sockets. A page that several processes share counts once for each of them, or once in
/// total if `is_exact`, which takes longer. If a process cannot be inspected, its shared pages count.
///
/// # Errors
/// Returns an error if the memory of a process that has not ended cannot be measured.
fn used_memory(is_exact: bool) -> io::Result<u64> {
    let mut sum = socket_buffers()?;
    for entry in fs::read_dir("/proc")? {
        let process = entry?.path();
        let name = process.file_name().and_then(OsStr::to_str);
        if !name.is_some_and(|name| name != "1" && name.parse::<u32>().is_ok()) {
            continue;
        }
        match fs::read_to_string(process.join("status")) {
            Ok(status) => {
                let exact = is_exact.then(|| fs::read_to_string(process.join("smaps_rollup")));
                let pages = match exact {
                    Some(Ok(pages)) => size(&pages, "Pss:"),
                    _ => size(&status, "VmRSS:"),
                };
                sum += pages + size(&status, "VmPTE:");
            }
            Err(error) if process.exists() => return Err(error),
            Err(_) => {}
        }
    }
    Ok(sum)
}

/// Returns a size in bytes from a file in `/proc` with sizes in KiB. A process that has ended, but
/// not been reaped, has no sizes: 0.
fn size(file: &str, name: &str) -> u64 {
    let number = file.lines().find_map(|line| line.strip_prefix(name));
    number
        .and_then(|number| number.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0_u64)
        << 10
}
