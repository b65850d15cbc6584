//! Processes that run beside a test.

use super::{Arguments, Ended, command};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A time limit far longer than anything that a test waits for.
pub(super) const LONG: Duration = Duration::from_secs(120);

/// Asks again until there is an answer.
///
/// # Panics
/// Panics with `what`, the name of the awaited event, if there is no answer within [`LONG`].
#[track_caller]
pub(crate) fn until<T>(what: &str, mut answer: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(answer) = answer() {
            return answer;
        }
        assert!(start.elapsed() < LONG, "{what}: not within {LONG:?}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Calls `of` for each number below `count`, on all cores. Returns the results in order.
pub(crate) fn at_once<T: Send>(count: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    on_threads(threads, count, of)
}

/// Calls `of` in the same way on a number of threads.
pub(crate) fn on_threads<T: Send>(
    threads: usize,
    count: usize,
    of: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if count <= number {
                break;
            }
            let one = of(number);
            found.lock().unwrap().push((number, one));
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let mut found = found.into_inner().unwrap();
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, one)| one).collect()
}

/// Starts a command whose outputs are read by the test.
pub(crate) fn spawned(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

/// Runs a command to its end with this standard input.
pub(crate) fn with_input(command: &mut Command, input: &[u8]) -> Ended {
    let mut child = spawned(command.stdin(Stdio::piped()));
    // A run that rejects its arguments does not read its input.
    _ = child.stdin.take().unwrap().write_all(input);
    wait(child)
}

/// Waits for the end of a process.
pub(crate) fn wait(child: Child) -> Ended {
    Ended::of(&child.wait_with_output().expect("a child"))
}

/// Sends a signal by name, such as `INT`.
pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .arg(format!("-{name}"))
        .arg(child.id().to_string())
        .status()
        .expect("kill");
    assert!(status.success(), "kill -{name}");
}

/// The output of a process, read while it runs.
struct Heard {
    text: Arc<Mutex<String>>,
    /// Length of the text that earlier waits have returned.
    read: usize,
}

impl Heard {
    fn of(source: impl Read + Send + 'static) -> Heard {
        let text = Arc::new(Mutex::new(String::new()));
        let sink = Arc::clone(&text);
        thread::spawn(move || {
            for line in BufReader::new(source).lines().map_while(Result::ok) {
                *sink.lock().unwrap() += &(line + "\n");
            }
        });
        Heard { text, read: 0 }
    }

    /// Waits until the text after the last wait contains `text`. Returns that text up to the end of
    /// the line.
    #[track_caller]
    fn until(&mut self, text: &str) -> String {
        let start = Instant::now();
        loop {
            let all = self.text.lock().unwrap().clone();
            let fresh = &all[self.read..];
            if let Some(at) = fresh.find(text) {
                let end = fresh[at..]
                    .find('\n')
                    .map_or(fresh.len(), |end| at + end + 1);
                self.read += end;
                return fresh[..end].to_owned();
            }
            assert!(
                start.elapsed() < LONG,
                "no `{text}` in\n{fresh}\n-- all\n{all}"
            );
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A run of the program with captured output; killed when it goes out of scope.
pub(crate) struct Running {
    child: Child,
    out: Heard,
    err: Heard,
}

impl Running {
    /// Starts the program in a folder.
    pub(crate) fn start(folder: &Path, arguments: impl Arguments) -> Running {
        Running::of(&mut command(folder, arguments))
    }

    /// Starts a command.
    pub(crate) fn of(command: &mut Command) -> Running {
        let mut child = spawned(command);
        let out = Heard::of(child.stdout.take().expect("it is piped"));
        let err = Heard::of(child.stderr.take().expect("it is piped"));
        Running { child, out, err }
    }

    /// Waits until the output after the last wait contains `text`. Returns that output up to the
    /// end of the line.
    #[track_caller]
    pub(crate) fn until_says(&mut self, text: &str) -> String {
        self.out.until(text)
    }

    /// Waits in the same way for `text` in the error output.
    #[track_caller]
    pub(crate) fn until_complains(&mut self, text: &str) -> String {
        self.err.until(text)
    }

    /// Returns the output within a time, after the last wait.
    pub(crate) fn says_within(&mut self, time: Duration) -> String {
        thread::sleep(time);
        let text = self.out.text.lock().unwrap();
        let fresh = text[self.out.read..].to_owned();
        self.out.read = text.len();
        fresh
    }

    /// Returns true if the process is running.
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_none()
    }

    /// Sends a signal by name, such as `INT`.
    pub(crate) fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    /// Waits for the end of the process. Returns the exit code, or -1 if a signal ended it.
    #[track_caller]
    pub(crate) fn code(&mut self) -> i32 {
        until("it ends", || self.child.try_wait().expect("a child"))
            .code()
            .unwrap_or(-1)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Runs the program repeatedly and kills it with SIGKILL until a run ends by itself. Each kill
/// comes later than the last, so that a slow machine also makes progress. Returns the number of
/// kills.
///
/// # Panics
/// Panics if the program fails or does not end.
pub(crate) fn killed_again_and_again(
    folder: &Path,
    arguments: impl Arguments,
    first_ms: u64,
) -> u64 {
    let start = Instant::now();
    let mut kills = 0;
    loop {
        let mut host = command(folder, arguments.list())
            .stdout(Stdio::null())
            .spawn()
            .expect("the program starts");
        thread::sleep(Duration::from_millis(first_ms + 200 * kills));
        match host.try_wait().expect("a child") {
            Some(status) => {
                assert!(status.success());
                return kills;
            }
            None => host.kill().expect("a child"),
        }
        host.wait().expect("a child");
        kills += 1;
        assert!(
            start.elapsed() < Duration::from_secs(400),
            "it does not come to its end"
        );
    }
}

/// Returns all descendants of a process, as the system lists them.
pub(crate) fn descendants(of: u32) -> Vec<u32> {
    let all = children(of);
    let of_them: Vec<u32> = all.iter().flat_map(|&child| descendants(child)).collect();
    [all, of_them].concat()
}

/// Waits until none of these worker processes is left.
#[track_caller]
pub(crate) fn until_gone(workers: &[u32]) {
    // The numbers may be those of new processes.
    let is_worker = |process: &u32| {
        fs::read_to_string(format!("/proc/{process}/cmdline"))
            .is_ok_and(|line| line.contains("worker"))
    };
    until("no worker outlives its host", || {
        (!workers.iter().any(is_worker)).then_some(())
    });
}

/// Returns the children of a process.
pub(crate) fn children(of: u32) -> Vec<u32> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    processes
        .filter(|&process| stat(process, 1) == Some(u64::from(of)))
        .collect()
}

/// Returns a number that the system reports on a process, by its place after the name: 1 is the
/// parent, 11 the processor time in ticks.
pub(crate) fn stat(process: u32, place: usize) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    text.rsplit_once(") ")?
        .1
        .split(' ')
        .nth(place)?
        .parse()
        .ok()
}
