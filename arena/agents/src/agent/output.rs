//! Lines that bots print or log while they play. They go to the program's log. An [`OutputCapture`]
//! also collects the lines of one thread.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::mem;

/// Maximum number of collected lines that wait for [`take`]; later ones are dropped.
const WAITING_MAX: usize = 1000;

thread_local! {
    static WAITING: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// A guard that collects the output of bots on this thread for [`take`], whatever the log level is.
/// Debug messages are not collected.
#[derive(Debug)]
pub struct OutputCapture(PhantomData<*const ()>);

impl OutputCapture {
    /// Starts to collect output. If this thread already collects output, the lines collected so far
    /// are discarded.
    pub fn begin() -> OutputCapture {
        WAITING.set(Some(Vec::new()));
        OutputCapture(PhantomData)
    }
}

/// Returns the lines, escaped, that bots on this thread have written since the last call. Empty if
/// there is no [`OutputCapture`].
pub fn take() -> Vec<String> {
    WAITING
        .with_borrow_mut(|waiting| waiting.as_mut().map(mem::take))
        .unwrap_or_default()
}

impl Drop for OutputCapture {
    fn drop(&mut self) {
        WAITING.set(None);
    }
}

/// Returns `true` if the output of bots on this thread is collected.
pub(super) fn is_collecting() -> bool {
    WAITING.with_borrow(Option::is_some)
}

/// Adds the lines of a text to the collected output of this thread, if it is collected.
pub(super) fn collect_output(text: &str) {
    WAITING.with_borrow_mut(|waiting| {
        if let Some(waiting) = waiting {
            let room = WAITING_MAX.saturating_sub(waiting.len());
            waiting.extend(
                text.lines()
                    .take(room)
                    .map(|line| crate::text::escape_line(line).into_owned()),
            );
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_collects_output_until_it_is_dropped() {
        collect_output("nobody listens");
        let listener = OutputCapture::begin();
        collect_output("one\ntwo \u{1b}[2J");
        assert_eq!(
            take(),
            [
                "one".to_owned(),
                crate::text::escape_line("two \u{1b}[2J").into_owned()
            ]
        );
        assert!(take().is_empty());
        (0..2 * WAITING_MAX).for_each(|_| collect_output("much"));
        assert_eq!(take().len(), WAITING_MAX);
        drop(listener);
        collect_output("nobody listens any more");
        assert!(take().is_empty());
        let _listener = OutputCapture::begin();
        assert!(take().is_empty());
    }
}
