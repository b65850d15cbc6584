//! The sandbox launcher. The host starts it instead of the program and connects the program's pipes
//! to it. It creates the namespaces, forks the init process of the sandbox, waits for it and exits
//! with the program's status.

#![expect(unsafe_code, reason = "system calls without a safe API")]

use super::init::{self, ExitPipe};
use super::launcher_message::LauncherMessage;
use crate::agent::SandboxReport;
use crate::agent::launch::Launch;
use crate::agent::process::{MARK, program};
use crate::agent::sandbox::{ALTERNATIVES, SandboxSpec, enter_of_program};
use rustix::process::{Pid, Signal, set_parent_process_death_signal};
use rustix::stdio::{dup2_stdin, dup2_stdout};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// Environment variable with the launcher's parameters. The program does not inherit it.
const SPEC_VARIABLE: &str = "HATTARI_JAIL";
/// Time limit of a probe, which sets up the sandbox but does not start the program.
const PROBE_TIMEOUT: Duration = Duration::from_secs(20);

/// Runs the launcher with the parameters in `SPEC_VARIABLE`, and exits the process when the program
/// ends. If this system has no sandbox, informs the host and returns `Ok`.
///
/// # Errors
/// Returns an error if the variable is missing or invalid, if the host has ended, or if a required
/// system call fails.
pub fn run_launcher() -> io::Result<()> {
    let spec = std::env::var(SPEC_VARIABLE)
        .ok()
        .and_then(|json| serde_json::from_str::<SandboxSpec>(&json).ok());
    let spec =
        spec.ok_or_else(|| io::Error::other("the launcher can only be started by `hattari`"))?;
    // SAFETY: no object of this process owns a descriptor above 2; only inherited ones are closed.
    if unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut report = SandboxReport::default();
    let is_root = rustix::process::geteuid().is_root();
    if let Err(error) = enter_of_program(is_root) {
        let cure = "allow unprivileged user namespaces on this system";
        LauncherMessage::Refused(format!(
            "the namespaces of its sandbox cannot be created ({error}); {cure}; {ALTERNATIVES}"
        ))
        .send()?;
        return Ok(());
    }
    // Entering a user namespace clears the parent-death signal, so it is set after that.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid().map(Pid::as_raw_pid) != i32::try_from(spec.parent).ok() {
        return Err(io::Error::other("the host has ended"));
    }
    let life = "all processes of the program end when the block ends or the host ends";
    report.note("lifetime", Ok(life.to_owned()));
    report.note(
        "network",
        Ok("separate network namespace without connections".to_owned()),
    );
    let (mut told, tells) = io::pipe()?;
    // SAFETY: this process has one thread.
    let first = match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            drop(told);
            let code = init::run(&spec, is_root, report, ExitPipe::new(tells));
            // SAFETY: `_exit` skips the exit handlers of the launcher, which the child must not
            // run.
            unsafe { libc::_exit(code) }
        }
        first => first,
    };
    drop(tells);
    // Closes the launcher's copies of the pipes, so that the host sees end-of-file when the program
    // closes its own.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    let mut status = [0; 4];
    let is_told = told.read_exact(&mut status).is_ok();
    let mut of_first = 0;
    // SAFETY: `of_first` is valid for writes.
    while unsafe { libc::waitpid(first, &raw mut of_first, 0) } < 0
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
    end_as(if is_told {
        i32::from_ne_bytes(status)
    } else {
        of_first
    })
}

/// Ends this process with the wait status of another process.
fn end_as(status: i32) -> ! {
    let code = if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        let none = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: all arguments are valid; the signal ends this process only.
        unsafe {
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
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
    let mut command = Command::new(program().map_err(|error| error.to_string())?);
    command
        .arg("worker")
        .arg("--program")
        .arg(&spec.program)
        .env_clear()
        .env(MARK, "1");
    let json = serde_json::to_string(spec).map_err(|error| error.to_string())?;
    command.env(SPEC_VARIABLE, json).current_dir("/");
    Ok(command)
}

/// Creates the sandbox of a program without starting the program. Returns the restrictions in
/// effect on this machine.
///
/// # Errors
/// Returns the reason if the sandbox cannot be created on this machine.
pub(super) fn probe(spec: &SandboxSpec) -> Result<SandboxReport, String> {
    let spec = SandboxSpec {
        is_probe: true,
        ..spec.clone()
    };
    let launcher = Launch::new(vec!["hattari".to_owned()], PathBuf::from("/"));
    let (mut running, input, mut output) = launcher.start_with_pipes_by(command(&spec)?)?;
    drop(input);
    let until = Instant::now() + PROBE_TIMEOUT;
    while running.describe_exit().is_none() {
        if until < Instant::now() {
            return Err(format!(
                "its sandbox was not ready within {PROBE_TIMEOUT:?}"
            ));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut line = String::new();
    output
        .read_to_string(&mut line)
        .map_err(|error| error.to_string())?;
    match serde_json::from_str(&line) {
        Ok(LauncherMessage::Sandboxed(report)) => Ok(report),
        Ok(LauncherMessage::Refused(why)) => Err(why),
        Err(_) => Err(format!(
            "its sandbox could not be created: {}",
            running.shortened_output().unwrap_or(line)
        )),
    }
}
