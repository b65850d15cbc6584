//! A program of others as a child: started by a command, watched, ended.

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

use super::process::LastWords;

/// Variables of the environment that make languages write their standard output at once: a message
/// that waits in a buffer is not received by the host.
pub(in crate::agent) const UNBUFFERED: [(&str, &str); 1] = [("PYTHONUNBUFFERED", "1")];
/// Bytes of output of which only the end is kept.
const WORDS_MAX: u64 = 1 << 20;
/// How long a client may take to go when its match is over, before it is ended.
const LEAVING: Duration = Duration::from_secs(2);

/// A command as a league says it: paths start from the league's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandLine {
    /// Program and arguments.
    pub words: Vec<String>,
    /// The folder that it runs in; `None` for the one that its program lies in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

impl Display for CommandLine {
    /// As a shell takes it.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(
            &self
                .words
                .iter()
                .map(|word| text::shell(word))
                .collect::<Vec<_>>()
                .join(" "),
        )
    }
}

/// Most bytes of a program's file. Of the files that a command names, so many are hashed.
pub(super) const FILE_BYTES_MAX: u64 = 256 << 20;

impl CommandLine {
    /// The files that its words name from the folder `base`, in their order. A word that names a
    /// folder, a device or nothing at all is a word, and a program that is no path is looked
    /// for on the search path.
    pub fn files<'c>(&'c self, base: &'c Path) -> impl Iterator<Item = PathBuf> + 'c {
        self.named(base).flatten()
    }

    /// For each word the file that it names, if it does.
    fn named<'c>(&'c self, base: &'c Path) -> impl Iterator<Item = Option<PathBuf>> + 'c {
        let is_path = |number: usize, word: &str| number > 0 || word.contains(is_separator);
        self.words.iter().enumerate().map(move |(number, word)| {
            Some(base.join(word)).filter(|path| is_path(number, word) && path.is_file())
        })
    }

    /// Hash of all these files, of each the first 256 MiB: whether it is still the program that
    /// played.
    #[must_use]
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

    /// The command with its paths from `base`: where nothing else is said it runs in the folder of
    /// its program, for there lie the files that it reads. Words that name files from `base`
    /// name the same files there.
    ///
    /// # Errors
    /// The folder is none.
    pub fn launch(&self, base: &Path) -> Result<Launch, String> {
        // The folder of a league that is named without one is the current folder.
        let base =
            std::path::absolute(Path::new(".").join(base)).unwrap_or_else(|_| base.to_owned());
        let named: Vec<Option<PathBuf>> = self.named(&base).collect();
        // An interpreter that is named by its whole path is not where the program lies.
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
            let cure = "give a folder that is there, from the league's own";
            return Err(format!(
                "its `folder`, {}, is no folder; {cure}",
                folder.display()
            ));
        }
        let words = self.words.iter().zip(named);
        let words = words.map(|(word, file)| {
            file.and_then(|path| Some(path.to_str()?.to_owned()))
                .unwrap_or(word.clone())
        });
        Ok(Launch::new(words.collect(), folder))
    }
}

/// A command with the folder that its paths start from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The command.
    pub command: CommandLine,
    /// Where its paths start.
    pub base: PathBuf,
}

/// A command that starts a program.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Program and arguments. `{host}`, `{port}` and `{name}` stand for where to connect and for
    /// the entrant's name.
    words: Vec<String>,
    /// The folder that it runs in; a program that is a path starts from it too.
    folder: PathBuf,
    /// What the first program of it that wrote something to its own output wrote.
    heard: Arc<OnceLock<String>>,
}

impl Launch {
    /// A command: program and arguments, in which `{host}`, `{port}` and `{name}` stand for where
    /// to connect and for the entrant's name, and the folder that it runs in; a program that is
    /// a path starts from it too.
    #[must_use]
    pub(crate) fn new(words: Vec<String>, folder: PathBuf) -> Launch {
        Launch {
            words,
            folder,
            heard: Arc::default(),
        }
    }

    /// What the first program of it that wrote something to its own output wrote, of those that
    /// have ended.
    #[must_use]
    pub(crate) fn heard(&self) -> Option<&str> {
        self.heard.get().map(String::as_str)
    }

    /// The folder that it runs in.
    #[must_use]
    pub(crate) fn folder(&self) -> &Path {
        existing(&self.folder)
    }

    /// The file of the program where it is a path, from its folder. `hattari` is this program
    /// itself, wherever it lies.
    #[must_use]
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

    /// Starts a client that is to connect to `address`.
    ///
    /// # Errors
    /// The command cannot be started: why, and what would help.
    pub(crate) fn start(&self, address: SocketAddr, name: &str) -> Result<Running, String> {
        let (host, port) = (address.ip().to_string(), address.port().to_string());
        let filled = |word: &String| {
            word.replace("{host}", &host)
                .replace("{port}", &port)
                .replace("{name}", name)
        };
        let mut command = self.command(filled);
        command.stdin(Stdio::null());
        self.spawn(&mut command, false)
            .map_err(|error| self.explain(&error))
    }

    /// Starts a program that is spoken with through its standard input and output.
    ///
    /// # Errors
    /// As [`Launch::start`].
    pub(crate) fn converse(&self) -> Result<(Running, ChildStdin, ChildStdout), String> {
        self.converse_by(self.command(Clone::clone))
    }

    /// The same with another program in its place, which starts it.
    ///
    /// # Errors
    /// As [`Launch::start`].
    pub(in crate::agent) fn converse_by(
        &self,
        mut command: Command,
    ) -> Result<(Running, ChildStdin, ChildStdout), String> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut running = self
            .spawn(&mut command, true)
            .map_err(|error| self.explain(&error))?;
        let (input, output) = running
            .child
            .stdin
            .take()
            .zip(running.child.stdout.take())
            .expect("both are pipes");
        Ok((running, input, output))
    }

    fn command(&self, filled: impl Fn(&String) -> String) -> Command {
        let program = std::path::absolute(self.program())
            .ok()
            .filter(|path| path.is_file());
        let mut command = Command::new(program.unwrap_or_else(|| self.program()));
        command
            .args(self.words.iter().skip(1).map(filled))
            .current_dir(existing(&self.folder))
            .envs(UNBUFFERED);
        command
    }

    fn explain(&self, error: &io::Error) -> String {
        let cure = match error.kind() {
            io::ErrorKind::NotFound => {
                "give its path from the league's folder, or a program of the search path, as the first word of `command`"
            }
            io::ErrorKind::PermissionDenied => "make the file executable",
            _ => "look whether the machine has processes and memory to spare (`ulimit -a`)",
        };
        let word = self.words.first().map_or("", String::as_str);
        format!("the command `{word}` cannot be started: {error}; {cure}")
    }

    /// Starts it; what it writes is kept, but for its standard output where that is spoken for.
    fn spawn(&self, command: &mut Command, speaks: bool) -> io::Result<Running> {
        use std::os::unix::process::CommandExt;
        let words = LastWords::new()?;
        if !speaks {
            command.stdout(words.writer()?);
        }
        // A group of its own: Ctrl-C is for the host, and what the program has started is ended
        // with it.
        let child = command.process_group(0).stderr(words.writer()?).spawn()?;
        Ok(Running {
            child,
            words,
            first: None,
            heard: Arc::clone(&self.heard),
            ended: None,
        })
    }
}

fn existing(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    }
}

/// A program that has been started. Dropping it ends it and all that it has started.
#[derive(Debug)]
pub(crate) struct Running {
    child: Child,
    words: LastWords,
    /// The first that it wrote, where that is no more among its words.
    first: Option<String>,
    heard: Arc<OnceLock<String>>,
    /// How it has ended, once that is known.
    ended: Option<ExitStatus>,
}

impl Running {
    /// How it has ended, in words; `None` while it runs.
    pub(crate) fn ended(&mut self) -> Option<String> {
        self.status()
            .map(|status| format!("its process ended with {status}"))
    }

    fn status(&mut self) -> Option<ExitStatus> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait().ok().flatten();
        }
        self.ended
    }

    /// As [`Running::ended`], after giving it a moment: a connection is closed before its process
    /// has gone.
    pub(crate) fn ending(&mut self, patience: Duration) -> Option<String> {
        self.ending_within(patience);
        self.ended()
    }

    /// Waits for its end for so long at most; how it has ended.
    pub(crate) fn ending_within(&mut self, patience: Duration) -> Option<ExitStatus> {
        let until = Instant::now() + patience;
        while self.status().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.status()
    }

    /// The first and the last that it wrote, in one line and short, `None` where it wrote nothing.
    #[must_use]
    pub(crate) fn words(&self) -> Option<String> {
        match &self.first {
            Some(first) => Some(format!(
                "{first} … {}",
                self.words.tell().unwrap_or_default()
            )),
            None => self.words.tell_both(),
        }
    }

    /// Returns device and number of the file that its output goes to.
    #[cfg(target_os = "linux")]
    pub(in crate::agent) fn file_of_words(&self) -> Option<(u64, u64)> {
        self.words.id()
    }

    /// Throws away what it has written but the first, if that is much.
    pub(crate) fn shorten_words(&mut self) {
        if WORDS_MAX < self.words.bytes() {
            self.first = self.first.take().or_else(|| self.words.tell_first());
            self.words.forget();
        }
    }

    /// Lets its process have so many bytes of memory of its own, and each that it starts.
    ///
    /// # Errors
    /// The system refuses.
    #[cfg(target_os = "linux")]
    pub(in crate::agent) fn limit_memory(&self, bytes: u64) -> Result<(), String> {
        use rustix::process::{Pid, Resource, Rlimit, prlimit};
        let most = Rlimit {
            current: Some(bytes),
            maximum: Some(bytes),
        };
        match prlimit(Some(Pid::from_child(&self.child)), Resource::Data, most) {
            // It has gone, which is told by other means.
            Ok(_) | Err(rustix::io::Errno::SRCH) => Ok(()),
            Err(error) => Err(format!(
                "its memory cannot be limited ({error}); leave `memory_mb` out"
            )),
        }
    }

    /// Lets its process have so many bytes of memory of its own; not on this system.
    ///
    /// # Errors
    /// None.
    #[cfg(not(target_os = "linux"))]
    pub(in crate::agent) fn limit_memory(&self, _bytes: u64) -> Result<(), String> {
        Ok(())
    }

    /// The number of its process.
    #[must_use]
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Until it has been waited for, the number is nobody else's. What is left of the group
        // may outlive it.
        _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        _ = self.child.kill();
        _ = self.child.wait();
        if let Some(words) = self.words() {
            // Another may have written before.
            _ = self.heard.set(words);
        }
    }
}

/// Clients whose match is over and that are given time to go by themselves.
#[derive(Debug, Default)]
pub(in crate::agent) struct Leaving(Vec<(Running, Instant)>);

impl Leaving {
    /// Adds one, and ends those whose time is over.
    pub(in crate::agent) fn add(&mut self, running: Running) {
        self.tidy();
        self.0.push((running, Instant::now() + LEAVING));
    }

    /// Lets go of those that have gone, and ends those whose time is over.
    pub(in crate::agent) fn tidy(&mut self) {
        let now = Instant::now();
        self.0
            .retain_mut(|(running, until)| running.ended().is_none() && now < *until);
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        for (running, until) in &mut self.0 {
            running.ending(until.saturating_duration_since(Instant::now()));
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

    fn start(words: &[&str]) -> Result<Running, String> {
        launch(words).start("127.0.0.1:77".parse().unwrap(), "me")
    }

    #[test]
    fn a_client_is_told_where_to_go_and_its_end_is_told() {
        let mut running = start(&["sh", "-c", "echo {name} at {host}:{port}; exit 3"]).unwrap();
        let ended = running.ending(Duration::from_secs(20)).unwrap();
        assert!(ended.contains("exit status: 3"), "{ended}");
        assert_eq!(running.words().unwrap(), "me at 127.0.0.1:77");
        let launch = launch(&["sh", "-c", "echo no parameters >&2; seq 1 100000"]);
        let mut running = launch.start("127.0.0.1:77".parse().unwrap(), "me").unwrap();
        running.ending(Duration::from_secs(20)).unwrap();
        let words = running.words().unwrap();
        assert!(
            words.starts_with("no parameters | 1 | 2") && words.ends_with("| 99999 | 100000"),
            "{words}"
        );
        assert!(words.contains(" …") && words.len() < 410, "{words}");
        assert_eq!(launch.heard(), None);
        drop(running);
        assert_eq!(launch.heard(), Some(&*words));
    }

    #[test]
    fn a_program_is_started_with_unbuffered_output() {
        let mut running = start(&["sh", "-c", "echo $PYTHONUNBUFFERED"]).unwrap();
        running.ending(Duration::from_secs(20)).unwrap();
        assert_eq!(running.words().as_deref(), Some("1"));
    }

    #[test]
    fn what_cannot_be_started_is_explained() {
        let error = start(&["no-such-client"]).unwrap_err();
        assert!(
            error.contains("`no-such-client`") && error.contains("as the first word of `command`"),
            "{error}"
        );
        let error = start(&["/etc/passwd"]).unwrap_err();
        assert!(error.contains("make the file executable"), "{error}");
    }

    #[test]
    fn ending_a_client_ends_what_it_has_started() {
        let mut running = start(&["sh", "-c", "sleep 1000 & echo $!; wait"]).unwrap();
        while running.words().is_none() {
            assert!(running.ended().is_none());
            std::thread::sleep(Duration::from_millis(2));
        }
        let child: i32 = running.words().unwrap().parse().unwrap();
        drop(running);
        let pid = rustix::process::Pid::from_raw(child).unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        // Whoever inherits it takes its leave when it likes; a zombie is as good as gone.
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
