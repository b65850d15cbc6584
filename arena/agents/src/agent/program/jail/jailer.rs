//! The jailer: the process that the host starts in a program's place, with the program's pipes. It
//! enters spaces of its own, starts the first process there, and ends as the program did.

#![expect(
    unsafe_code,
    reason = "calls of the system that libraries do not offer"
)]

use super::cell::{Cell, ELSE, ORDER};
use super::first::{self, Ends};
use super::said::{Said, say};
use crate::agent::Jailed;
use crate::agent::launch::Launch;
use crate::agent::worker::jail::map_user;
use rustix::process::{Pid, Signal, set_parent_process_death_signal};
use rustix::stdio::{dup2_stdin, dup2_stdout};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long a jailer that starts nothing may take.
const TRIAL: Duration = Duration::from_secs(20);

/// Serves as the jailer of the program that the environment names, until it ends.
///
/// # Errors
/// Nobody has said what to start, or the system refuses what nothing goes without.
pub fn serve() -> io::Result<()> {
    let order = std::env::var(ORDER)
        .ok()
        .and_then(|order| serde_json::from_str::<Cell>(&order).ok());
    let cell = order.ok_or_else(|| io::Error::other("a jailer is started by `hattari` itself"))?;
    // SAFETY: nothing of this process is open beyond the standard descriptors, but for what it was
    // started with.
    if unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, 0) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let mut jailed = Jailed::default();
    let is_root = rustix::process::geteuid().is_root();
    if let Err(error) = enter(is_root) {
        let why = "Linux gives name spaces to everybody where unprivileged ones are allowed";
        say(&Said::Refused(format!(
            "this system has no name spaces for it ({error}); {why}; {ELSE}"
        )))?;
        return Ok(());
    }
    // Spaces of users take the word back that is given before.
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid().map(Pid::as_raw_pid) != i32::try_from(cell.parent).ok() {
        return Err(io::Error::other("the host has ended"));
    }
    let life = "ends with its host, and with it all that it has started; a block's processes end with the block";
    jailed.note("life beyond the host's", Ok(life.to_owned()));
    jailed.note("network", Ok("its own, which leads nowhere".to_owned()));
    let (mut told, tells) = io::pipe()?;
    // SAFETY: there is one thread.
    let first = match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error()),
        0 => {
            drop(told);
            let code = first::live(&cell, is_root, jailed, Ends::new(tells));
            // SAFETY: nothing that the jailer would do at its end is this process's business.
            unsafe { libc::_exit(code) }
        }
        first => first,
    };
    drop(tells);
    // The program's ends of the pipes are the program's alone, so that the host sees when it closes
    // them.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    let mut status = [0; 4];
    let is_told = told.read_exact(&mut status).is_ok();
    let mut of_first = 0;
    // SAFETY: the kernel fills it.
    while unsafe { libc::waitpid(first, &raw mut of_first, 0) } < 0
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
    end_as(if is_told {
        i32::from_ne_bytes(status)
    } else {
        of_first
    })
}

/// Enters spaces of its own. Root does so without one of users, which its first process enters once
/// it has given root up.
fn enter(is_root: bool) -> Result<(), String> {
    let (user, group) = (
        rustix::process::geteuid().as_raw(),
        rustix::process::getegid().as_raw(),
    );
    let enter = |name: &str, flag: UnshareFlags| {
        // SAFETY: there is one thread, and it shares no descriptors.
        unsafe { unshare_unsafe(flag) }.map_err(|error| format!("{name}: {error}"))
    };
    if !is_root {
        enter("users", UnshareFlags::NEWUSER)?;
        map_user(user, group).map_err(|error| format!("users: {error}"))?;
    }
    enter("files", UnshareFlags::NEWNS)?;
    enter("processes", UnshareFlags::NEWPID)?;
    enter("network", UnshareFlags::NEWNET)?;
    enter("messages", UnshareFlags::NEWIPC)?;
    // Else /proc/self/cgroup tells where the host is.
    enter("control groups", UnshareFlags::NEWCGROUP)?;
    enter("names", UnshareFlags::NEWUTS)
}

/// Ends this process as another one has ended.
fn end_as(status: i32) -> ! {
    let code = if libc::WIFSIGNALED(status) {
        let signal = libc::WTERMSIG(status);
        let none = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: sets plain values; the signal is this process's own end.
        unsafe {
            libc::setrlimit(libc::RLIMIT_CORE, &raw const none);
            libc::signal(signal, libc::SIG_DFL);
            libc::kill(libc::getpid(), signal);
        }
        128 + signal
    } else {
        libc::WEXITSTATUS(status)
    };
    // SAFETY: ends this process.
    unsafe { libc::_exit(code) }
}

impl Cell {
    /// What starts it: this same program as its jailer.
    ///
    /// # Errors
    /// This program cannot be found.
    pub(in super::super) fn launch(&self) -> Result<Command, String> {
        use crate::agent::process::{MARK, program};
        let mut command = Command::new(program().map_err(|error| error.to_string())?);
        command
            .arg("worker")
            .arg("--program")
            .arg(&self.program)
            .env_clear()
            .env(MARK, "1");
        let order = serde_json::to_string(self).map_err(|error| error.to_string())?;
        command.env(ORDER, order).current_dir("/");
        Ok(command)
    }
}

/// What would hold the program of a cell here.
///
/// # Errors
/// There are no cells here, and why.
pub(in super::super) fn prove(cell: &Cell) -> Result<Jailed, String> {
    let trial = Cell {
        is_trial: true,
        ..cell.clone()
    };
    let jailer = Launch::new(vec!["hattari".to_owned()], PathBuf::from("/"));
    let (mut running, input, mut output) = jailer.converse_by(trial.launch()?)?;
    drop(input);
    let until = Instant::now() + TRIAL;
    while running.ended().is_none() {
        if until < Instant::now() {
            return Err(format!("its room was not ready within {TRIAL:?}"));
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut line = String::new();
    output
        .read_to_string(&mut line)
        .map_err(|error| error.to_string())?;
    match serde_json::from_str(&line) {
        Ok(Said::Jailed(jailed)) => Ok(jailed),
        Ok(Said::Refused(why)) => Err(why),
        Err(_) => Err(format!(
            "its room could not be made: {}",
            running.words().unwrap_or(line)
        )),
    }
}
