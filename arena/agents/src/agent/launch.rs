//! Child processes that run programs of other authors: start, output and end.

use crate::{files, text};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::net::SocketAddr;
use std::path::{Path, PathBuf, is_separator};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

use super::process::OutputFile;

/// Environment variables that disable output buffering. Otherwise messages could stay in a buffer
/// and not reach the host.
pub(crate) const UNBUFFERED: [(&str, &str); 1] = [("PYTHONUNBUFFERED", "1")];
/// Maximum size of captured output in bytes. If there is more, only the beginning and the end are
/// kept.
const OUTPUT_BYTES_MAX: u64 = 1 << 20;
/// Time that a client has to exit after its match. A client that still runs then is killed.
const EXIT_TIME: Duration = Duration::from_secs(2);

/// A command in a league file. Paths are relative to the league's folder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CommandLine {
    /// Program and arguments.
    pub words: Vec<String>,
    /// Working directory; `None` for the folder of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

impl Display for CommandLine {
    /// Writes the command quoted for a shell.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&text::joined(
            self.words.iter().map(|word| text::shell(word)),
            " ",
        ))
    }
}

/// Maximum size of a program's file in bytes. For each file in a command, only this many bytes are
/// hashed.
pub(super) const FILE_BYTES_MAX: u64 = 256 << 20;

impl CommandLine {
    /// Returns the path, relative to `base`, of the regular file that each word names. Words are
    /// relative to `base`. If no relative word names a file there, the first that names one in
    /// `folder` is the program's file.
    pub fn paths(&self, base: &Path) -> Vec<Option<PathBuf>> {
        let folder = Path::new(self.folder.as_deref().unwrap_or_default());
        let named = |path: PathBuf| Some(path).filter(|path| base.join(path).is_file());
        let mut paths: Vec<Option<PathBuf>> =
            self.words.iter().map(|word| named(word.into())).collect();
        if paths.iter().flatten().all(|path| path.is_absolute()) {
            let in_folder = self.words.iter().map(|word| {
                let path = Some(folder.join(word)).filter(|_| Path::new(word).is_relative());
                path.and_then(named)
            });
            if let Some((number, path)) = in_folder.enumerate().find(|(_, path)| path.is_some()) {
                paths[number] = path;
            }
        }
        paths
    }

    /// Returns the files that are named by words of the command ([`CommandLine::paths`]), in order.
    /// A first word without a path separator is skipped.
    pub(crate) fn files(&self, base: &Path) -> impl Iterator<Item = PathBuf> {
        let paths = self.paths(base).into_iter().enumerate();
        let is_name = self
            .words
            .first()
            .is_some_and(|word| !word.contains(is_separator));
        paths
            .filter(move |(number, _)| *number > 0 || !is_name)
            .filter_map(|(_, path)| Some(base.join(path?)))
    }

    /// Returns a hash of the `CommandLine::files`; only the first 256 MiB of each file are read.
    /// A different hash means that the program has changed.
    pub fn hash(&self, base: &Path) -> u64 {
        let (mut hash, mut part) = (Xxh3::new(), vec![0; 1 << 16]);
        for (file, size) in self.files(base).flat_map(|file| files::open(&file)) {
            let mut file = file.take(size.min(FILE_BYTES_MAX));
            while let Ok(bytes @ 1..) = file.read(&mut part) {
                hash.update(&part[..bytes]);
            }
        }
        hash.digest()
    }

    /// Resolves the command against `base`. Without `folder`, the working directory is the folder
    /// of the program, because its data files are usually there. Words that name files relative to
    /// `base` become paths that are valid in the working directory.
    ///
    /// # Errors
    /// Returns an error if the working directory does not exist.
    pub fn launch(&self, base: &Path) -> Result<Launch, String> {
        // The folder of a league file without a path is the current folder.
        let base =
            std::path::absolute(Path::new(".").join(base)).unwrap_or_else(|_| base.to_owned());
        let is_path = |number: usize, word: &str| number > 0 || word.contains(is_separator);
        let named = self.words.iter().enumerate().map(|(number, word)| {
            Some(base.join(word)).filter(|path| is_path(number, word) && path.is_file())
        });
        let named: Vec<Option<PathBuf>> = named.collect();
        // An absolute first word is usually an interpreter, so its folder is not the program's.
        let is_elsewhere = |word: &String| Path::new(word).is_absolute();
        let runs_another = self.words.first().is_some_and(is_elsewhere)
            && named
                .iter()
                .zip(&self.words)
                .skip(1)
                .any(|(file, word)| file.is_some() && !is_elsewhere(word));
        let program = named
            .first()
            .and_then(Option::as_deref)
            .filter(|_| !runs_another);
        let folder = match &self.folder {
            Some(folder) => base.join(folder),
            None => program.and_then(Path::parent).unwrap_or(&base).to_owned(),
        };
        if !folder.is_dir() {
            let remedy = "give the path of an existing folder, relative to the league file";
            return Err(format!(
                "its `folder`, {}, is not a folder; {remedy}",
                folder.display()
            ));
        }
        let words = self.words.iter().zip(named).map(|(word, file)| {
            file.and_then(|path| Some(path.to_str()?.to_owned()))
                .unwrap_or(word.clone())
        });
        Ok(Launch::new(words.collect(), folder))
    }
}

/// A command and the folder to which its paths are relative.
#[derive(Clone, Debug)]
pub struct LaunchCommand {
    /// Program and arguments.
    pub command: CommandLine,
    /// Base folder of the command's paths.
    pub base: PathBuf,
}

/// A command that starts a program.
#[derive(Debug)]
pub struct Launch {
    /// Program and arguments. `{host}` and `{port}` stand for the address to connect to, `{name}`
    /// for the entrant's name.
    words: Vec<String>,
    /// Working directory; the path of the program is relative to it.
    folder: PathBuf,
    /// Output of the first process of this command that has written output and has ended.
    heard: Arc<OnceLock<String>>,
}

impl Launch {
    /// Creates a command from a program with arguments and a working directory, to which the path
    /// of the program is relative. `{host}` and `{port}` stand for the address to connect to,
    /// `{name}` for the entrant's name.
    pub(crate) fn new(words: Vec<String>, folder: PathBuf) -> Launch {
        Launch {
            words,
            folder,
            heard: Arc::default(),
        }
    }

    /// Returns the output of the first process of this command that has written output and has
    /// ended.
    pub(crate) fn first_output(&self) -> Option<&str> {
        self.heard.get().map(String::as_str)
    }

    /// Returns the working directory.
    pub(crate) fn folder(&self) -> &Path {
        files::or_current(&self.folder)
    }

    /// Returns the path of the program. The name `hattari` stands for the running executable.
    pub(crate) fn program(&self) -> PathBuf {
        let program = self.words.first().map_or("", String::as_str);
        if program == "hattari" {
            return std::env::current_exe().unwrap_or_else(|_| PathBuf::from(program));
        }
        if program.contains(is_separator) {
            self.folder.join(program)
        } else {
            PathBuf::from(program)
        }
    }

    /// Starts a client that connects to `address`.
    ///
    /// # Errors
    /// Returns an error with a remedy if the command cannot be started.
    pub(crate) fn start(&self, address: SocketAddr, name: &str) -> Result<RunningProgram, String> {
        let (host, port) = (address.ip().to_string(), address.port().to_string());
        let filled = |word: &String| {
            word.replace("{host}", &host)
                .replace("{port}", &port)
                .replace("{name}", name)
        };
        let mut command = self.command(filled);
        command.stdin(Stdio::null());
        self.spawn(command, false)
    }

    /// Starts `command`, which is the program or starts it, with pipes to its standard input and
    /// output.
    ///
    /// # Errors
    /// Returns an error with a remedy if the command cannot be started.
    pub(crate) fn start_with_pipes(
        &self,
        mut command: Command,
    ) -> Result<(RunningProgram, ChildStdin, ChildStdout), String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut running = self.spawn(command, true)?;
        let (input, output) = running
            .child
            .stdin
            .take()
            .zip(running.child.stdout.take())
            .expect("both are pipes");
        Ok((running, input, output))
    }

    /// Returns the command that starts the program. `filled` returns the text of each argument.
    pub(crate) fn command(&self, filled: impl Fn(&String) -> String) -> Command {
        let program = std::path::absolute(self.program())
            .ok()
            .filter(|path| path.is_file());
        let mut command = Command::new(program.unwrap_or_else(|| self.program()));
        command
            .args(self.words.iter().skip(1).map(filled))
            .current_dir(self.folder())
            .envs(UNBUFFERED);
        command
    }

    fn start_error(&self, error: &io::Error) -> String {
        let is_path = |word: &&String| word.contains('/');
        let file = self.words.first().filter(is_path);
        let file = file.map(|word| self.folder.join(word));
        let file = file.filter(|file| file.exists());
        let remedy = match error.kind() {
            _ if file.as_deref().is_some_and(Path::is_dir) => "name a program, not a folder",
            io::ErrorKind::NotFound if file.is_some() => {
                "the program after `#!` in its first line does not exist (the line must not end \
                 with a carriage return)"
            }
            _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => {
                "it is no program for this system; a script begins with a line such as \
                 `#!/usr/bin/env python3`"
            }
            io::ErrorKind::NotFound => {
                "the first word of `command` must be a path relative to the league file, or a \
                 program in PATH"
            }
            io::ErrorKind::PermissionDenied => "make the file executable",
            _ => "check that enough processes and memory are available (`ulimit -a`)",
        };
        let word = self.words.first().map_or("", String::as_str);
        format!("the command `{word}` cannot be started: {error}; {remedy}")
    }

    /// Starts the process and captures its output. If `speaks`, standard output is a pipe for
    /// messages and is not captured.
    fn spawn(&self, mut command: Command, speaks: bool) -> Result<RunningProgram, String> {
        use std::os::unix::process::CommandExt;
        let spawned = OutputFile::new().and_then(|words| {
            if !speaks {
                command.stdout(words.writer()?);
            }
            // A separate process group, so that Ctrl-C reaches only the host, and the program's own
            // child processes can be killed with it.
            let child = command.process_group(0).stderr(words.writer()?).spawn()?;
            Ok((child, words))
        });
        let (child, words) = spawned.map_err(|error| self.start_error(&error))?;
        Ok(RunningProgram {
            child,
            words,
            first: None,
            heard: Arc::clone(&self.heard),
        })
    }
}

/// A program that has been started. Dropping it kills the program and all processes that the
/// program has started.
#[derive(Debug)]
pub(crate) struct RunningProgram {
    child: Child,
    /// File with the captured output.
    pub words: OutputFile,
    /// Beginning of the output, if `words` no longer contains it.
    first: Option<String>,
    heard: Arc<OnceLock<String>>,
}

impl RunningProgram {
    fn status(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten()
    }

    /// Waits up to `patience` for the process to end, and describes how it ended. Waiting is
    /// necessary because a connection closes before its process has exited.
    pub(crate) fn describe_exit(&mut self, patience: Duration) -> Option<String> {
        self.wait_for_exit(patience)
            .map(|status| format!("its process ended with {status}"))
    }

    /// Waits up to `patience` for the process to end. Returns its exit status; `None` if it still
    /// runs.
    pub(crate) fn wait_for_exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        while self.status().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.status()
    }

    /// Returns the beginning and the end of the output, shortened to one line; `None` if there is
    /// no output.
    pub(crate) fn shortened_output(&self) -> Option<String> {
        match &self.first {
            Some(first) => Some(format!(
                "{first} … {}",
                self.words.end_of_output().unwrap_or_default()
            )),
            None => self.words.start_and_end_of_output(),
        }
    }

    /// Discards the captured output except its beginning, if it is larger than `OUTPUT_BYTES_MAX`.
    pub(crate) fn shorten_output(&mut self) {
        if OUTPUT_BYTES_MAX < self.words.bytes() {
            self.first = self.first.take().or_else(|| self.words.start_of_output());
            self.words.forget();
        }
    }

    /// Limits the data memory of the process, and of each process that it starts, to `bytes`.
    ///
    /// # Errors
    /// Returns an error if the system call fails.
    #[cfg(target_os = "linux")]
    pub(crate) fn limit_memory(&self, bytes: u64) -> Result<(), String> {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let most = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        match prlimit(Some(Pid::from_child(&self.child)), Resource::Data, most) {
            // `SRCH`: the process has exited, which the caller detects otherwise.
            Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(format!(
                "its memory cannot be limited ({error}); remove `memory_mb`"
            )),
        }
    }

    /// Returns `Ok` without setting a limit, because this system cannot limit data memory.
    #[cfg(not(target_os = "linux"))]
    pub(crate) fn limit_memory(&self, _bytes: u64) -> Result<(), String> {
        Ok(())
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // The process id is not reused until the process has been waited for. Other processes of
        // its group may still run.
        _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        _ = self.child.kill();
        _ = self.child.wait();
        if let Some(words) = self.shortened_output() {
            // Fails if an earlier process has set it.
            _ = self.heard.set(words);
        }
    }
}

/// Clients whose match is over, with the times at which they are killed if they have not exited.
#[derive(Debug, Default)]
pub(crate) struct ExitingClients(Vec<(RunningProgram, Instant)>);

impl ExitingClients {
    /// Adds a client. Kills clients whose time is over.
    pub(crate) fn add(&mut self, running: RunningProgram) {
        self.tidy();
        self.0.push((running, Instant::now() + EXIT_TIME));
    }

    /// Drops clients that have exited. Kills clients whose time is over.
    pub(crate) fn tidy(&mut self) {
        let now = Instant::now();
        self.0
            .retain_mut(|(running, until)| running.status().is_none() && now < *until);
    }
}

impl Drop for ExitingClients {
    fn drop(&mut self) {
        for (running, until) in &mut self.0 {
            running.wait_for_exit(until.saturating_duration_since(Instant::now()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn launch(words: &[&str]) -> Launch {
        Launch::new(
            words.iter().map(|&word| word.to_owned()).collect(),
            PathBuf::new(),
        )
    }

    fn start(words: &[&str]) -> Result<RunningProgram, String> {
        launch(words).start("127.0.0.1:77".parse().unwrap(), "me")
    }

    #[test]
    fn a_client_gets_its_address_and_unbuffered_output_and_its_exit_is_reported() {
        let script = "echo {name} at {host}:{port}, $PYTHONUNBUFFERED; exit 3";
        let mut running = start(&["sh", "-c", script]).unwrap();
        let ended = running.describe_exit(Duration::from_secs(20)).unwrap();
        assert!(ended.contains("exit status: 3"), "{ended}");
        let output = running.shortened_output().unwrap();
        assert_eq!(output, "me at 127.0.0.1:77, 1");
        let launch = launch(&["sh", "-c", "echo no parameters >&2; seq 1 100000"]);
        let mut running = launch.start("127.0.0.1:77".parse().unwrap(), "me").unwrap();
        running.describe_exit(Duration::from_secs(20)).unwrap();
        let words = running.shortened_output().unwrap();
        assert!(
            words.starts_with("no parameters | 1 | 2") && words.ends_with("| 99999 | 100000"),
            "{words}"
        );
        assert!(words.contains(" …") && words.len() < 410, "{words}");
        assert_eq!(launch.first_output(), None);
        drop(running);
        assert_eq!(launch.first_output(), Some(&*words));
    }

    #[test]
    fn a_failed_command_start_is_reported_with_its_reason() {
        let error = start(&["no-such-client"]).unwrap_err();
        assert!(
            error.contains("`no-such-client`")
                && error.contains("the first word of `command` must be"),
            "{error}"
        );
        let error = start(&["/etc/passwd"]).unwrap_err();
        assert!(error.contains("make the file executable"), "{error}");
    }

    #[test]
    fn dropping_a_client_kills_its_child_processes() {
        let mut running = start(&["sh", "-c", "sleep 1000 & echo $!; wait"]).unwrap();
        while running.shortened_output().is_none() {
            assert!(running.describe_exit(Duration::ZERO).is_none());
            std::thread::sleep(Duration::from_millis(2));
        }
        let child: i32 = running.shortened_output().unwrap().parse().unwrap();
        drop(running);
        let pid = rustix::process::Pid::from_raw(child).unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        // The process that inherits the child reaps it at some time; a zombie has ended.
        let is_alive = || {
            let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            rustix::process::test_kill_process(pid).is_ok() && !stat.contains(") Z ")
        };
        while is_alive() {
            assert!(Instant::now() < until, "it still runs");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
