//! What bots say while they play: lines that they print or log. They go to the log of the program,
//! and to whoever listens on the thread that plays.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem;

/// Lines that wait for a listener; those beyond are dropped.
const WAITING_MAX: usize = 1000;

thread_local! {
    static WAITING: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// While it lives, what bots on this thread say is kept for [`take`], whatever the level of the log
/// is; messages for debugging are left out.
#[derive(Debug)]
pub struct Listener(PhantomData<*const ()>);

impl Listener {
    /// Begins to listen. One listener a thread: a second one hears what the first would have.
    #[must_use]
    pub fn begin() -> Listener {
        WAITING.set(Some(Vec::new()));
        Listener(PhantomData)
    }
}

/// The lines that bots on this thread have said since the last time, made harmless, a text of
/// several lines as so many; none where nobody listens.
#[must_use]
pub fn take() -> Vec<String> {
    WAITING
        .with_borrow_mut(|waiting| waiting.as_mut().map(mem::take))
        .unwrap_or_default()
}

impl Drop for Listener {
    fn drop(&mut self) {
        WAITING.set(None);
    }
}

/// Whether somebody listens on this thread.
pub(super) fn is_heard() -> bool {
    WAITING.with_borrow(Option::is_some)
}

/// Lets a listener of this thread hear a text.
pub(super) fn hear(text: &str) {
    WAITING.with_borrow_mut(|waiting| {
        if let Some(waiting) = waiting {
            let room = WAITING_MAX.saturating_sub(waiting.len());
            waiting.extend(
                text.lines()
                    .take(room)
                    .map(|line| crate::text::line(line).into_owned()),
            );
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listener_hears_what_is_said_while_it_lives() {
        hear("nobody listens");
        let listener = Listener::begin();
        hear("one\ntwo \u{1b}[2J");
        assert_eq!(
            take(),
            [
                "one".to_owned(),
                crate::text::line("two \u{1b}[2J").into_owned()
            ]
        );
        assert!(take().is_empty());
        (0..2 * WAITING_MAX).for_each(|_| hear("much"));
        assert_eq!(take().len(), WAITING_MAX);
        drop(listener);
        hear("nobody listens any more");
        assert!(take().is_empty());
        let _listener = Listener::begin();
        assert!(take().is_empty());
    }
}
