//! The helper process, which the host starts and which runs no code of bots. It creates its
//! namespaces, keeps an unchanged copy of the library and starts a process for each block. It opens
//! files for the process while the library is loaded, and then checks the sandbox from outside.
//! When the process has ended, the helper reports its resource usage and exit status.

#![expect(unsafe_code, reason = "starts and waits for processes")]

use super::child::{self, BotCode, wrong};
use super::control::{self, ExitKind, HelperCommand, Inspected, ProcessExit, WorkerSpec};
use crate::agent::process::{checked, end_with_parent};
use crate::agent::sandbox::{LibraryCopies, LibrarySpec, Namespaces, Opener, ProcessStatus};
use crate::agent::{LoadError, SandboxReport, sandbox};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{self, Write};
use std::mem::{take, zeroed};
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Time that a process has to exit by itself. Then the helper kills it.
const ENDING: Duration = Duration::from_secs(2);

/// Executes the host's commands until the host closes the socket, which is standard input.
///
/// # Errors
/// Returns an error if standard input is not the socket of a host, or if a required system call
/// fails.
pub fn serve() -> io::Result<()> {
    let not_started = |error: io::Error| {
        wrong(format!(
            "a worker can only be started by `hattari`: {error}"
        ))
    };
    let control = take_control().map_err(not_started)?;
    let (HelperCommand::Prepare(order), _) = control::receive(&control).map_err(not_started)?
    else {
        return Err(not_started(wrong("the first command must be `Prepare`")));
    };
    let source = match BotCode::of(&order)? {
        Ok(source) => source,
        Err(error) => return control::send(&control, &Err::<(), _>(error), &[]),
    };
    let mut sandbox = SandboxReport::default();
    // The first sort reads the amount of memory, which the sandbox forbids; the result is inherited
    // by the bot's process.
    prepare_sorting();
    let namespaces = sandbox::enter_for_library(&mut sandbox)?;
    end_with_parent(order.parent)?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    control::send(&control, &Ok::<_, LoadError>(()), &[])?;
    let is_supervised = sandbox::can_be_supervised().is_ok();
    let filters = sandbox::filters_of_this_process();
    // Mapped libraries count as memory of the process, so it could not load libraries above this
    // limit.
    let copies = LibraryCopies::new(order.limits.memory_mb << 20);
    let (folders, files) = (Opener::folders(), sandbox::file_ranges()?);
    let helper = Helper {
        order: *order,
        source,
        namespaces,
        sandbox,
        nothing,
        is_supervised,
        filters,
        folders,
        files,
        copies,
    };
    helper.serve(&control)
}

/// Returns the host's socket, which is standard input, and replaces standard input by `/dev/null`.
fn take_control() -> io::Result<UnixStream> {
    use rustix::stdio::{dup2_stdin, stdin};
    use std::os::unix::fs::FileTypeExt;
    let control = File::from(rustix::io::fcntl_dupfd_cloexec(stdin(), 3)?);
    if !control.metadata()?.file_type().is_socket() {
        return Err(wrong("standard input is not a socket"));
    }
    dup2_stdin(File::open("/dev/null")?)?;
    Ok(OwnedFd::from(control).into())
}

/// Sorts some numbers with `qsort`, which reads the amount of memory at its first call.
fn prepare_sorting() {
    extern "C" fn order(_: *const libc::c_void, _: *const libc::c_void) -> libc::c_int {
        0
    }
    let mut some = [0_u64; 512];
    // SAFETY: the array has this many elements of this size.
    unsafe {
        libc::qsort(
            some.as_mut_ptr().cast(),
            some.len(),
            size_of::<u64>(),
            Some(order),
        )
    };
}

struct Helper {
    order: WorkerSpec,
    source: BotCode,
    namespaces: Namespaces,
    /// Restrictions of the helper itself.
    sandbox: SandboxReport,
    nothing: File,
    /// `true` if the kernel lets the helper open files for a process that cannot open any.
    is_supervised: bool,
    filters: Option<u64>,
    folders: Vec<PathBuf>,
    /// Address ranges of mapped files, which started processes inherit.
    files: Vec<Range<u64>>,
    copies: LibraryCopies,
}

/// A started process.
struct ChildProcess<'a> {
    id: Pid,
    opener: Option<Opener<'a>>,
    /// Restrictions that the process reported before it loaded the library.
    sandbox: SandboxReport,
}

impl Helper {
    fn serve(&self, control: &UnixStream) -> io::Result<()> {
        let mut started: Option<io::Result<ChildProcess<'_>>> = None;
        loop {
            if let Some(Ok(process)) = &mut started
                && let Some(opener) = &mut process.opener
                && !answer_until_command(opener, control)?
            {
                process.opener = None;
            }
            let (command, pipes) = match control::receive(control) {
                // The host has closed the socket.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                received => received?,
            };
            match command {
                HelperCommand::Prepare(_) => {
                    return Err(wrong("received a second `Prepare` command"));
                }
                HelperCommand::Start => {
                    let pipes = <[OwnedFd; 3]>::try_from(pipes)
                        .map_err(|_| wrong("pipes for a process are missing"))?;
                    if let Some(Ok(before)) = take(&mut started) {
                        end(before.id, false)?;
                    }
                    started = Some(self.start(pipes));
                    if matches!(started, Some(Err(_))) && !self.namespaces.are_alive() {
                        return Ok(());
                    }
                }
                HelperCommand::Inspect => {
                    let Some(Ok(process)) = &mut started else {
                        return Err(wrong("no process has been started"));
                    };
                    control::send(control, &self.inspect(process), &[])?;
                }
                HelperCommand::End { may_end } => {
                    let mut ended = match take(&mut started) {
                        Some(Ok(process)) => end(process.id, may_end)?,
                        failed => {
                            let error = failed.and_then(|failed| failed.err()?.raw_os_error());
                            ProcessExit {
                                fate: ExitKind::NotStarted(error.unwrap_or(libc::EIO)),
                                peak_kib: 0,
                                threads: 0,
                                is_last: false,
                            }
                        }
                    };
                    // The signal may have killed all processes of the namespace.
                    ended.is_last = matches!(ended.fate, ExitKind::Exited(status) if libc::WTERMSIG(status) == libc::SIGKILL)
                        && !self.namespaces.are_alive();
                    control::send(control, &ended, &[])?;
                    if ended.is_last {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Starts a process with pipes for requests and replies, and a file for its standard output and
    /// error.
    fn start(&self, [requests, replies, words]: [OwnedFd; 3]) -> io::Result<ChildProcess<'_>> {
        let (mut status, far) = UnixStream::pair()?;
        let (reads, writes) = (self.nothing.try_clone()?.into(), words.try_clone()?);
        // SAFETY: this process has one thread.
        let process = match checked(unsafe { libc::fork() })? {
            0 => {
                let readable = (!self.is_supervised).then(|| {
                    let own = self.source.file().map(|(_, path)| path.to_owned());
                    self.folders.iter().cloned().chain(own).collect::<Vec<_>>()
                });
                let WorkerSpec {
                    limits, threads, ..
                } = self.order;
                let spec = LibrarySpec {
                    limits,
                    threads,
                    namespaces: self.namespaces,
                    readable: readable.as_deref(),
                    files: &self.files,
                };
                let descriptors = [reads, writes, words, requests, replies, far.into()];
                let (order, source) = (&self.order, &self.source);
                let lived = catch_unwind(AssertUnwindSafe(|| {
                    child::run_child(order, source, &spec, descriptors)
                }));
                if let Ok(Err(error)) = &lived {
                    // The output may be closed.
                    _ = writeln!(io::stderr(), "hattari: {error}");
                }
                // SAFETY: `_exit` skips the exit handlers of the helper, which the child must not
                // run.
                unsafe { libc::_exit(if matches!(lived, Ok(Ok(()))) { 0 } else { 101 }) }
            }
            process => Pid::from_raw(process).expect("a process id is positive"),
        };
        drop((reads, writes, words, requests, replies, far));
        let mut started = ChildProcess {
            id: process,
            opener: None,
            sandbox: SandboxReport::default(),
        };
        // The process reports its restrictions before it loads the library. If there is no report,
        // it has ended; the host will ask for the cause.
        if let Ok((sandbox, listener)) = read_first_report(&mut status) {
            started.sandbox = sandbox;
            let library = self.source.file();
            started.opener = listener
                .map(|listener| {
                    Opener::new(listener, process, library, &self.folders, &self.copies)
                })
                .transpose()
                .inspect_err(|_| _ = end(process, false))?;
        }
        Ok(started)
    }

    /// Stops opening files for the process, which has loaded its library, and checks its sandbox.
    fn inspect(&self, started: &mut ChildProcess<'_>) -> Inspected {
        started.opener = None;
        let process = started.id.as_raw_pid();
        let wrong = || -> Option<String> {
            let filters = self.filters? + sandbox::FILTERS_OF_LIBRARY;
            match ProcessStatus::of(process) {
                Ok(status) => status.first_wrong_field(filters, self.order.threads),
                Err(error) => Some(error),
            }
        };
        let mut sandbox = self.sandbox.clone();
        sandbox
            .restrictions
            .extend(started.sandbox.restrictions.iter().cloned());
        match sandbox.restricts_system_calls().then(wrong).flatten() {
            Some(broken) => Err(broken),
            None => Ok((process, sandbox)),
        }
    }
}

/// Reads what a process sends before it loads the library: the report of its restrictions, and the
/// descriptor at which its supervised system calls arrive.
fn read_first_report(status: &mut UnixStream) -> io::Result<(SandboxReport, Option<OwnedFd>)> {
    let listener = control::receive_bytes(status, &mut [0])?.pop();
    let json = io::read_to_string(status)?;
    Ok((serde_json::from_str(&json)?, listener))
}

/// Answers the supervised system calls of a process until the host sends a command. Returns `false`
/// if the process has ended.
fn answer_until_command(opener: &mut Opener<'_>, control: &UnixStream) -> io::Result<bool> {
    loop {
        let mut ends = [
            PollFd::new(control, PollFlags::IN),
            PollFd::new(&*opener, PollFlags::IN),
        ];
        retry_on_intr(|| poll(&mut ends, None))?;
        let (told, called) = (ends[0].revents(), ends[1].revents());
        if called.contains(PollFlags::IN) {
            opener.answer()?;
        } else if called.intersects(PollFlags::HUP | PollFlags::ERR) {
            return Ok(false);
        }
        if !told.is_empty() {
            return Ok(true);
        }
    }
}

/// Ends a process. If `may_end`, first waits for it to exit by itself. Returns its resource usage
/// and the cause of its end.
fn end(process: Pid, may_end: bool) -> io::Result<ProcessExit> {
    let threads = ProcessStatus::of(process.as_raw_pid()).map_or(1, |status| status.threads());
    let start = Instant::now();
    let mut is_patient = may_end;
    loop {
        if !is_patient {
            // Fails only if the process has already ended.
            _ = kill_process(process, Signal::KILL);
        }
        let mut status = 0;
        // SAFETY: all fields are integers.
        let mut usage: libc::rusage = unsafe { zeroed() };
        let flags = if is_patient { libc::WNOHANG } else { 0 };
        // SAFETY: both variables are valid for writes.
        match unsafe { libc::wait4(process.as_raw_pid(), &raw mut status, flags, &raw mut usage) } {
            0 if start.elapsed() < ENDING => thread::sleep(Duration::from_micros(200)),
            0 => is_patient = false,
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return Err(io::Error::last_os_error()),
            _ => {
                return Ok(ProcessExit {
                    fate: if is_patient {
                        ExitKind::Exited(status)
                    } else {
                        ExitKind::Killed
                    },
                    peak_kib: u64::try_from(usage.ru_maxrss).unwrap_or(0),
                    threads,
                    is_last: false,
                });
            }
        }
    }
}
