//! Detects changes of a file by polling. Polling works on every file system, and for every way of
//! saving (overwriting the file, or renaming another file).

use hattari_agents::agent::backend_of;
use hattari_agents::files;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant, SystemTime};
use std::{fs, thread};

/// Polling interval.
const POLL_INTERVAL: Duration = Duration::from_millis(40);
/// Time without further changes after which a change is reported. Some editors write in several
/// steps.
const SETTLE_TIME: Duration = Duration::from_millis(120);
/// Time after which a missing or empty file is reported. Until then, an editor may still be
/// replacing the file.
const MISSING_TIME: Duration = Duration::from_secs(1);
/// Maximum size, in bytes, of files that are compared by their contents.
const READ_MAX: u64 = 1 << 20;

/// The state of a file at one time, for detecting changes.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct WatchedStamp {
    length: u64,
    /// Hash of the contents, or for large files, as `Err`, the modification time.
    contents: Result<u64, Option<SystemTime>>,
}

impl WatchedStamp {
    /// Returns the state of a file and of the files that belong to it, or `None` if one of them is
    /// missing or unreadable.
    pub(crate) fn of(path: &Path) -> Option<WatchedStamp> {
        let mut stamp = WatchedStamp::of_one(path)?;
        for helper in backend_of(path).map_or_else(Vec::new, |kind| kind.related_files(path)) {
            let other = WatchedStamp::of_one(&helper)?;
            if let (Ok(one), Ok(other)) = (&mut stamp.contents, other.contents) {
                *one = one.rotate_left(1) ^ other;
            }
        }
        Some(stamp)
    }

    fn of_one(path: &Path) -> Option<WatchedStamp> {
        let facts = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        let length = facts.len();
        let contents = if length <= READ_MAX {
            Ok(xxhash_rust::xxh3::xxh3_64(
                &files::read(path, READ_MAX).ok()?,
            ))
        } else {
            Err(facts.modified().ok())
        };
        Some(WatchedStamp { length, contents })
    }
}

/// A change of the watched file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum FileEvent {
    /// The contents of the file have changed.
    Saved,
    /// The file is missing.
    Gone,
    /// The flag `interrupted` was set, and the watcher has ended.
    Interrupted,
}

/// Polls the file until `interrupted` is set or the receiver is dropped. `seen` is the initial
/// state. Before sending an event that makes the running games useless, sets `stop`. The receiver
/// resets `stop` after it has received the event, so that the same event cannot stop it twice.
pub(crate) fn watch(
    path: &Path,
    mut seen: Option<WatchedStamp>,
    interrupted: &AtomicBool,
    stop: &AtomicBool,
    events: &Sender<FileEvent>,
) {
    let mut pending: Option<(Option<WatchedStamp>, Instant)> = None;
    loop {
        thread::sleep(POLL_INTERVAL);
        let event = if interrupted.load(Ordering::Relaxed) {
            FileEvent::Interrupted
        } else {
            let stamp = WatchedStamp::of(path);
            if stamp == seen {
                pending = None;
                continue;
            }
            let Some((_, since)) = pending.filter(|(before, _)| *before == stamp) else {
                pending = Some((stamp, Instant::now()));
                continue;
            };
            if since.elapsed()
                < if stamp.is_some_and(|stamp| stamp.length > 0) {
                    SETTLE_TIME
                } else {
                    MISSING_TIME
                }
            {
                continue;
            }
            (seen, pending) = (stamp, None);
            if stamp.is_some() {
                FileEvent::Saved
            } else {
                FileEvent::Gone
            }
        };
        if event != FileEvent::Gone {
            stop.store(true, Ordering::SeqCst);
        }
        let is_heard = events.send(event).is_ok();
        if event == FileEvent::Interrupted || !is_heard {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn file_changes_are_detected_and_saves_without_changes_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.lua");
        fs::write(&path, "one").unwrap();
        let (interrupted, stop) = (AtomicBool::new(false), AtomicBool::new(false));
        let (sender, events) = channel();
        let long = Duration::from_secs(30);
        let seen = WatchedStamp::of(&path);
        thread::scope(|scope| {
            scope.spawn(|| watch(&path, seen, &interrupted, &stop, &sender));
            // Overwriting with the same contents is not reported; the next event is the rename.
            fs::write(&path, "one").unwrap();
            thread::sleep(3 * SETTLE_TIME);
            assert!(events.try_recv().is_err());
            fs::write(folder.path().join("new"), "two").unwrap();
            fs::rename(folder.path().join("new"), &path).unwrap();
            assert_eq!(events.recv_timeout(long), Ok(FileEvent::Saved));
            fs::write(&path, "six").unwrap();
            assert_eq!(
                events.recv_timeout(long),
                Ok(FileEvent::Saved),
                "of the same length"
            );
            fs::remove_file(&path).unwrap();
            assert_eq!(events.recv_timeout(long), Ok(FileEvent::Gone));
            fs::write(&path, "six").unwrap();
            assert_eq!(events.recv_timeout(long), Ok(FileEvent::Saved));
            assert!(stop.load(Ordering::SeqCst));
            interrupted.store(true, Ordering::Relaxed);
            assert_eq!(events.recv_timeout(long), Ok(FileEvent::Interrupted));
        });
    }
}
