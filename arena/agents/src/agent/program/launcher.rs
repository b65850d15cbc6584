//! The sandbox launcher. The host starts it instead of the program and connects the program's pipes
//! to it. It creates the namespaces, forks the init process of the sandbox, waits for it and exits
//! with the program's status.

#![expect(unsafe_code, reason = "system calls without a safe API")]

use super::init;
use crate::agent::process::{close_from, end_with_parent, redirect_to_null, worker_command};
use crate::agent::sandbox::{ALTERNATIVES, SandboxSpec, enter_for_program, spec_of};
use crate::agent::{CommandLine, Launch, ProcessLimits, SandboxReport};
use rustix::io::retry_on_intr;
use rustix::process::{WaitOptions, wait};
use std::io::{self, Read};
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
        .and_then(|json| serde_json::from_str::<SandboxSpec>(&json).ok());
    let spec =
        spec.ok_or_else(|| io::Error::other("the launcher can only be started by `hattari`"))?;
    // SAFETY: no object of this process owns a descriptor above 2; only inherited ones are closed.
    unsafe { close_from(3, 0) }?;
    let mut report = SandboxReport::default();
    let is_root = rustix::process::geteuid().is_root();
    if let Err(error) = enter_for_program(is_root) {
        let remedy = "allow unprivileged user namespaces on this system";
        return init::send_outcome(&Err(format!(
            "the namespaces of its sandbox cannot be created ({error}); {remedy}; {ALTERNATIVES}"
        )));
    }
    // Entering a user namespace clears the parent-death signal, so it is set after that.
    end_with_parent(spec.parent)?;
    let life = "all processes of the program end when the block ends or the host ends";
    report.note("lifetime", Ok(life.to_owned()));
    report.note(
        "network",
        Ok("separate network namespace without connections".to_owned()),
    );
    let (mut told, tells) = io::pipe()?;
    // SAFETY: this process has one thread.
    match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            drop(told);
            let code = init::run(&spec, is_root, report, tells);
            // SAFETY: `_exit` skips the exit handlers of the launcher, which the child must not
            // run.
            unsafe { libc::_exit(code) }
        }
        _ => {}
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
    let mut command = worker_command().map_err(|error| error.to_string())?;
    command.arg("--program").arg(&spec.program);
    let json = serde_json::to_string(spec).map_err(|error| error.to_string())?;
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
    let (mut running, input, mut output) =
        Launch::new(vec!["hattari".to_owned()], PathBuf::from("/"))
            .start_with_pipes(command(&probe)?)?;
    drop(input);
    if running.wait_for_exit(PROBE_TIMEOUT).is_none() {
        return Err(format!(
            "its sandbox was not ready within {PROBE_TIMEOUT:?}"
        ));
    }
    let mut line = String::new();
    output
        .read_to_string(&mut line)
        .map_err(|error| error.to_string())?;
    let report = serde_json::from_str(&line).unwrap_or_else(|_| {
        Err(format!(
            "its sandbox could not be created: {}",
            running.shortened_output().unwrap_or(line)
        ))
    });
    Ok((spec, report?))
}
