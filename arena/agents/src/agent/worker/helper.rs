//! The helper: the process that the host starts for a bot. It runs no code of bots. For each block
//! it starts a process, tells what holds it, and reports what it used and how it ended.
//!
//! For a compiled bot the helper enters namespaces of its own, keeps the library as it was when it
//! was looked at, opens files for the process while that loads, and looks at its sandbox from
//! outside. A program begins each block in fresh namespaces, which its first process makes ready.

#![expect(unsafe_code, reason = "starts and waits for processes")]

use super::source::Source;
use super::{child, init};
use crate::agent::process::control::{
    self, Command, Ended, Fate, Hosted, LibraryOrder, Measures, Order, Report,
};
use crate::agent::sandbox::{
    self, ALTERNATIVES, Copies, LibraryTerms, Namespaces, Opener, SandboxPolicy, SandboxSpec,
    Status,
};
use crate::agent::{Limits, Sandboxed};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{Pid, Signal, kill_process, set_parent_process_death_signal};
use std::fs::File;
use std::io::{self, Read, Write};
use std::mem::{take, zeroed};
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Serves the host at the other end of the standard input until it closes it.
///
/// # Errors
/// What comes is no host, or the system refuses what no bot can be kept without.
pub fn serve() -> io::Result<()> {
    let not_started =
        |error: io::Error| wrong(format!("a worker is started by `hattari` itself: {error}"));
    let control = take_control().map_err(not_started)?;
    let (Command::Prepare { order, parent }, _) =
        control::receive(&control).map_err(not_started)?
    else {
        return Err(not_started(wrong("what comes is no order")));
    };
    let Order {
        hosted,
        limits,
        threads,
    } = *order;
    let guest = match hosted {
        Hosted::Library(order) => match Source::of(&order)? {
            Ok(source) => Guest::Library(Box::new(LibraryGuest::new(order, source, &limits)?)),
            Err(report) => return control::send(&control, &report, &[]),
        },
        Hosted::Program(spec) => {
            // Where that fails, no process can be started in namespaces, which is told then.
            _ = sandbox::enter_users_unless_root();
            Guest::Program(spec)
        }
    };
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid().map(Pid::as_raw_pid) != i32::try_from(parent).ok() {
        return Err(wrong("the host has ended"));
    }
    control::send(&control, &Report::Ready, &[])?;
    let helper = Helper {
        guest,
        nothing: File::options().read(true).write(true).open("/dev/null")?,
        limits,
        threads,
    };
    helper.serve(&control)
}

fn wrong(what: impl Into<String>) -> io::Error {
    io::Error::other(what.into())
}

/// The socket to the host. In its place nothing is found.
fn take_control() -> io::Result<UnixStream> {
    use rustix::stdio::{dup2_stdin, stdin};
    use std::os::unix::fs::FileTypeExt;
    let control = File::from(rustix::io::fcntl_dupfd_cloexec(stdin(), 3)?);
    if !control.metadata()?.file_type().is_socket() {
        return Err(wrong("the standard input is no socket"));
    }
    dup2_stdin(File::open("/dev/null")?)?;
    Ok(OwnedFd::from(control).into())
}

fn settle_sorting() {
    extern "C" fn order(_: *const libc::c_void, _: *const libc::c_void) -> libc::c_int {
        0
    }
    let mut some = [0_u64; 512];
    // SAFETY: so many elements of that size lie there.
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
    guest: Guest,
    nothing: File,
    limits: Limits,
    /// Threads that the bot may start.
    threads: u32,
}

/// What the helper starts processes of.
enum Guest {
    /// A compiled bot.
    Library(Box<LibraryGuest>),
    /// A program.
    Program(SandboxSpec),
}

/// What the processes of a compiled bot have in common.
struct LibraryGuest {
    order: LibraryOrder,
    source: Source,
    namespaces: Namespaces,
    /// The helper's own measures.
    sandbox: Sandboxed,
    /// Whether files can be opened for a process that can open none.
    is_supervised: bool,
    filters: Option<u64>,
    folders: Vec<PathBuf>,
    /// Addresses that show pages of files, which every process that is started has, too.
    files: Vec<Range<u64>>,
    copies: Copies,
}

/// A process that has been started.
struct Process<'a> {
    id: Pid,
    /// Where it reports, before code of the bot runs in it; the first process of a program also
    /// how that ended.
    reports: UnixStream,
    opener: Option<Opener<'a>>,
    measures: Measures,
}

impl Helper {
    fn serve(&self, control: &UnixStream) -> io::Result<()> {
        let mut started: Option<io::Result<Process<'_>>> = None;
        loop {
            if let Some(Ok(process)) = &mut started
                && let Some(opener) = &mut process.opener
                && !answer_until_told(opener, control)?
            {
                process.opener = None;
            }
            let (command, pipes) = match control::receive(control) {
                // The host needs this worker no longer.
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                received => received?,
            };
            match command {
                Command::Prepare { .. } => return Err(wrong("a second order")),
                Command::Start => {
                    let pipes = <[OwnedFd; 3]>::try_from(pipes)
                        .map_err(|_| wrong("pipes for a process are missing"))?;
                    if let Some(Ok(before)) = take(&mut started) {
                        before.end(Duration::ZERO)?;
                    }
                    started = Some(self.start(pipes));
                    if matches!(started, Some(Err(_))) && !self.guest.is_alive() {
                        return Ok(());
                    }
                }
                Command::Inspect => {
                    control::send(control, &self.inspect(started.as_mut())?, &[])?;
                }
                Command::End { patience } => {
                    let mut ended = match take(&mut started) {
                        Some(Ok(process)) => process.end(patience)?,
                        failed => {
                            let error = failed.and_then(|failed| failed.err()?.raw_os_error());
                            Ended {
                                fate: Fate::NotStarted(error.unwrap_or(libc::EIO)),
                                peak_kib: 0,
                                threads: 0,
                                is_last: false,
                            }
                        }
                    };
                    // Who is killed may be so with all others in the namespace.
                    ended.is_last = matches!(ended.fate, Fate::Exited(status) if libc::WTERMSIG(status) == libc::SIGKILL)
                        && !self.guest.is_alive();
                    control::send(control, &Report::Ended(ended), &[])?;
                    if ended.is_last {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// Starts a process with these pipes: requests, replies, and where its outputs go.
    fn start(&self, [requests, replies, words]: [OwnedFd; 3]) -> io::Result<Process<'_>> {
        let (reports, far) = UnixStream::pair()?;
        // Before the fork, so that a lack of descriptors is nobody's fault but the system's.
        let (nothing, words_too) = (self.nothing.try_clone()?, words.try_clone()?);
        let id = match &self.guest {
            // SAFETY: there is one thread.
            Guest::Library(_) => unsafe { libc::fork() },
            Guest::Program(_) => sandbox::fork_into_namespaces(),
        };
        match id {
            -1 => return Err(io::Error::last_os_error()),
            0 => {
                let far = far.into();
                let live = || match &self.guest {
                    Guest::Library(library) => {
                        let input = nothing.into();
                        let descriptors = [input, words_too, words, requests, replies, far];
                        library.live(self.limits, self.threads, descriptors)
                    }
                    Guest::Program(spec) => {
                        drop((nothing, words_too));
                        init::live(spec, self.limits, [requests, replies, words, far])
                    }
                };
                let lived = catch_unwind(AssertUnwindSafe(live));
                if let Ok(Err(error)) = &lived {
                    // Where nobody reads it, nobody misses it.
                    _ = writeln!(io::stderr(), "hattari: {error}");
                }
                // SAFETY: nothing that the helper would do at its end is this process's business.
                unsafe { libc::_exit(if matches!(lived, Ok(Ok(()))) { 0 } else { 101 }) }
            }
            _ => {}
        }
        drop((requests, replies, words, far));
        let mut started = Process {
            id: Pid::from_raw(id).expect("a number of a process"),
            reports,
            opener: None,
            measures: Err("its sandbox could not be made".to_owned()),
        };
        // What it reports before code of the bot runs. Without that it has ended, and how is going
        // to be asked.
        if let Ok((measures, listener)) = started.first_report() {
            started.measures = measures;
            if let (Guest::Library(library), Some(listener)) = (&self.guest, listener) {
                match library.opener(listener, started.id) {
                    Ok(opener) => started.opener = Some(opener),
                    Err(error) => {
                        started.end(Duration::ZERO)?;
                        return Err(error);
                    }
                }
            }
        }
        Ok(started)
    }

    /// Tells what holds a process. Of a library no more files are opened: it has been loaded.
    fn inspect(&self, started: Option<&mut io::Result<Process<'_>>>) -> io::Result<Report> {
        let (process, measures) = match started {
            None => return Err(wrong("nothing has been started")),
            Some(Ok(process)) => {
                process.opener = None;
                (process.id.as_raw_pid(), process.measures.clone())
            }
            Some(Err(error)) => {
                let why =
                    "Linux gives name spaces to everybody where unprivileged ones are allowed";
                let what = format!("this system has no name spaces for it ({error})");
                (0, Err(format!("{what}; {why}; {ALTERNATIVES}")))
            }
        };
        let measures = measures.and_then(|own| match &self.guest {
            Guest::Library(library) => library.inspect(process, own, self.threads),
            Guest::Program(_) => Ok(own),
        });
        Ok(Report::Inspected(process, measures))
    }
}

impl Guest {
    /// Returns whether more processes can be started.
    fn is_alive(&self) -> bool {
        match self {
            Guest::Library(library) => library.namespaces.are_alive(),
            Guest::Program(_) => true,
        }
    }
}

impl LibraryGuest {
    /// Enters the namespaces of the bot's processes.
    fn new(order: LibraryOrder, source: Source, limits: &Limits) -> io::Result<LibraryGuest> {
        let mut sandbox = Sandboxed::default();
        // Whoever sorts asks how much memory there is, once; the bot's process is not told, but
        // remembers.
        settle_sorting();
        Ok(LibraryGuest {
            order,
            source,
            namespaces: sandbox::enter_of_library(&mut sandbox)?,
            sandbox,
            is_supervised: sandbox::can_be_supervised().is_ok(),
            filters: sandbox::filters_of_this_process(),
            folders: Opener::folders(),
            files: sandbox::file_ranges()?,
            // What a process maps counts as its memory, so no more of the system's libraries could
            // be of use.
            copies: Copies::new(limits.memory_mb << 20),
        })
    }

    /// Is the process of the bot, with the descriptors of [`child::live`].
    fn live(&self, limits: Limits, threads: u32, descriptors: [OwnedFd; 6]) -> io::Result<()> {
        let readable = (!self.is_supervised).then(|| {
            let own = self.source.file().map(|(_, path)| path.to_owned());
            self.folders.iter().cloned().chain(own).collect::<Vec<_>>()
        });
        let terms = LibraryTerms {
            policy: SandboxPolicy::of_library(limits, threads, self.namespaces.has_users),
            has_threads: threads > 0,
            namespaces: self.namespaces,
            readable: readable.as_deref(),
            files: &self.files,
        };
        child::live(&self.order, &self.source, &terms, descriptors)
    }

    /// Opens files for a process, whose supervised calls come in at `listener`.
    fn opener(&self, listener: OwnedFd, process: Pid) -> io::Result<Opener<'_>> {
        let library = self.source.file();
        Opener::new(listener, process, library, &self.folders, &self.copies)
    }

    /// Adds to the measures of a process that has loaded its library those of the helper, and looks
    /// from outside whether it is still held.
    fn inspect(&self, process: i32, own: Sandboxed, threads: u32) -> Measures {
        let mut sandbox = self.sandbox.clone();
        sandbox.measures.extend(own.measures);
        if sandbox.holds_system_calls()
            && let Some(filters) = self.filters
        {
            let wrong = Status::of(process)?.wrong(filters + sandbox::FILTERS_OF_LIBRARY, threads);
            wrong.map_or(Ok(()), Err)?;
        }
        Ok(sandbox)
    }
}

impl Process<'_> {
    /// Returns the measures that the process reports, and the end at which its supervised calls
    /// come in.
    fn first_report(&self) -> io::Result<(Measures, Option<OwnedFd>)> {
        let listener = control::receive_bytes(&self.reports, &mut [0])?.pop();
        Ok((control::receive(&self.reports)?.0, listener))
    }

    /// Ends the process, after giving it this time to end by itself; what it used, and how it ended.
    fn end(mut self, patience: Duration) -> io::Result<Ended> {
        let threads = Status::of(self.id.as_raw_pid()).map_or(1, |status| status.threads());
        let start = Instant::now();
        let mut is_patient = !patience.is_zero();
        loop {
            if !is_patient {
                // It fails only where it is gone.
                _ = kill_process(self.id, Signal::KILL);
            }
            let mut status = 0;
            // SAFETY: plain numbers.
            let mut usage: libc::rusage = unsafe { zeroed() };
            let flags = if is_patient { libc::WNOHANG } else { 0 };
            // SAFETY: the kernel fills both, which live.
            match unsafe {
                libc::wait4(self.id.as_raw_pid(), &raw mut status, flags, &raw mut usage)
            } {
                0 if start.elapsed() < patience => thread::sleep(Duration::from_micros(200)),
                0 => is_patient = false,
                -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
                -1 => return Err(io::Error::last_os_error()),
                _ => {
                    let mut of_program = [0; size_of::<i32>()];
                    if self.reports.read_exact(&mut of_program).is_ok() {
                        status = i32::from_ne_bytes(of_program);
                    }
                    return Ok(Ended {
                        fate: if is_patient {
                            Fate::Exited(status)
                        } else {
                            Fate::Killed
                        },
                        peak_kib: u64::try_from(usage.ru_maxrss).unwrap_or(0),
                        threads,
                        is_last: false,
                    });
                }
            }
        }
    }
}

/// Answers the calls of a process until the host says something, or the process is gone: `false`.
fn answer_until_told(opener: &mut Opener<'_>, control: &UnixStream) -> io::Result<bool> {
    loop {
        let mut ends = [
            PollFd::new(control, PollFlags::IN),
            PollFd::new(&*opener, PollFlags::IN),
        ];
        match poll(&mut ends, None) {
            Err(rustix::io::Errno::INTR) => continue,
            polled => polled?,
        };
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
