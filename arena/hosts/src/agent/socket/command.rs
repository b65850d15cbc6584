//! A client as a child: started by a command, watched, ended.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::agent::worker::LastWords;

/// Bytes of output of which only the end is kept.
#[cfg(unix)]
const WORDS_MAX: u64 = 1 << 20;
/// How long a client may take to go when its match is over, before it is ended.
const LEAVING: Duration = Duration::from_secs(2);

/// A command that starts a client.
#[derive(Clone, Debug)]
pub struct Launch {
    /// Program and arguments. `{host}`, `{port}` and `{name}` stand for where to connect and for the entrant's name.
    words: Vec<String>,
    /// The folder that it runs in; a program that is a path starts from it too.
    folder: PathBuf,
    /// What the first client that wrote something to its own output wrote.
    heard: Arc<OnceLock<String>>,
}

impl Launch {
    /// A command: program and arguments, in which `{host}`, `{port}` and `{name}` stand for where to connect and for the entrant's
    /// name, and the folder that it runs in; a program that is a path starts from it too.
    #[must_use]
    pub fn new(words: Vec<String>, folder: PathBuf) -> Launch {
        Launch { words, folder, heard: Arc::default() }
    }

    /// What the first client that wrote something to its own output wrote, of those that have ended.
    #[must_use]
    pub fn heard(&self) -> Option<&str> {
        self.heard.get().map(String::as_str)
    }

    /// The file of the program where it is a path, from its folder.
    #[must_use]
    pub fn program(&self) -> PathBuf {
        let program = self.words.first().map_or("", String::as_str);
        if program.contains(std::path::is_separator) { self.folder.join(program) } else { PathBuf::from(program) }
    }

    /// Starts a client that is to connect to `address`.
    ///
    /// # Errors
    /// The command cannot be started: why, and what would help.
    pub fn start(&self, address: SocketAddr, name: &str) -> Result<Running, String> {
        let (host, port) = (address.ip().to_string(), address.port().to_string());
        let filled = |word: &String| word.replace("{host}", &host).replace("{port}", &port).replace("{name}", name);
        let program = std::path::absolute(self.program()).ok().filter(|path| path.is_file());
        let program = program.unwrap_or_else(|| self.program());
        let mut command = Command::new(&program);
        command.args(self.words.iter().skip(1).map(filled)).current_dir(existing(&self.folder)).stdin(Stdio::null());
        self.spawn(&mut command).map_err(|error| {
            let cure = match error.kind() {
                io::ErrorKind::NotFound => {
                    "give its path from the league's folder, or a program of the search path, as the first word of `command`"
                }
                io::ErrorKind::PermissionDenied => "make the file executable",
                _ => "look whether the machine has processes and memory to spare (`ulimit -a`)",
            };
            let word = self.words.first().map_or("", String::as_str);
            format!("the command `{word}` cannot be started: {error}; {cure}")
        })
    }

    #[cfg(unix)]
    fn spawn(&self, command: &mut Command) -> io::Result<Running> {
        use std::os::unix::process::CommandExt;
        let words = LastWords::new()?;
        // A group of its own: Ctrl-C is for the host, and what the client has started is ended with it.
        let child = command.process_group(0).stdout(words.writer()?).stderr(words.writer()?).spawn()?;
        Ok(Running { child, words, first: None, heard: Arc::clone(&self.heard), ended: None })
    }

    #[cfg(not(unix))]
    fn spawn(&self, command: &mut Command) -> io::Result<Running> {
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        Ok(Running { child, heard: Arc::clone(&self.heard), ended: None })
    }
}

fn existing(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// A client that has been started. Dropping it ends it and all that it has started.
#[derive(Debug)]
pub struct Running {
    child: Child,
    #[cfg(unix)]
    words: LastWords,
    /// The first that it wrote, where that is no more among its words.
    #[cfg(unix)]
    first: Option<String>,
    heard: Arc<OnceLock<String>>,
    /// How it has ended, once that is known.
    ended: Option<String>,
}

impl Running {
    /// How it has ended, in words; `None` while it runs.
    pub fn ended(&mut self) -> Option<String> {
        if self.ended.is_none()
            && let Ok(Some(status)) = self.child.try_wait()
        {
            self.ended = Some(format!("its process ended with {status}"));
        }
        self.ended.clone()
    }

    /// As [`Running::ended`], after giving it a moment: a connection is closed before its process has gone.
    pub fn ending(&mut self, patience: Duration) -> Option<String> {
        let until = Instant::now() + patience;
        while self.ended().is_none() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.ended()
    }

    /// The first and the last that it wrote, in one line and short, `None` where it wrote nothing.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        #[cfg(unix)]
        return match &self.first {
            Some(first) => Some(format!("{first} … {}", self.words.tell().unwrap_or_default())),
            None => self.words.tell_both(),
        };
        #[cfg(not(unix))]
        None
    }

    /// Throws away what it has written but the first, if that is much.
    pub fn shorten_words(&mut self) {
        #[cfg(unix)]
        if WORDS_MAX < self.words.bytes() {
            self.first = self.first.take().or_else(|| self.words.tell_first());
            self.words.forget();
        }
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        #[cfg(unix)]
        {
            use rustix::process::{Pid, Signal, kill_process_group};
            // Until it has been waited for, the number is nobody else's. What is left of the group may outlive it.
            _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        }
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
pub(super) struct Leaving(Vec<(Running, Instant)>);

impl Leaving {
    /// Adds one, and ends those whose time is over.
    pub(super) fn add(&mut self, running: Running) {
        self.tidy();
        self.0.push((running, Instant::now() + LEAVING));
    }

    /// Lets go of those that have gone, and ends those whose time is over.
    pub(super) fn tidy(&mut self) {
        let now = Instant::now();
        self.0.retain_mut(|(running, until)| running.ended().is_none() && now < *until);
    }
}

impl Drop for Leaving {
    fn drop(&mut self) {
        for (running, until) in &mut self.0 {
            running.ending(until.saturating_duration_since(Instant::now()));
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn launch(words: &[&str]) -> Launch {
        Launch::new(words.iter().map(|&word| word.to_owned()).collect(), PathBuf::new())
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
        assert!(words.starts_with("no parameters | 1 | 2") && words.ends_with("| 99999 | 100000"), "{words}");
        assert!(words.contains(" …") && words.len() < 410, "{words}");
        assert_eq!(launch.heard(), None);
        drop(running);
        assert_eq!(launch.heard(), Some(&*words));
    }

    #[test]
    fn what_cannot_be_started_is_explained() {
        let error = start(&["no-such-client"]).unwrap_err();
        assert!(error.contains("`no-such-client`") && error.contains("as the first word of `command`"), "{error}");
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
            let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            rustix::process::test_kill_process(pid).is_ok() && !stat.contains(") Z ")
        };
        while is_alive() {
            assert!(Instant::now() < until, "it still runs");
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
