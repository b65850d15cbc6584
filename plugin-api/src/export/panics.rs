//! Catches panics of a bot and keeps their message and location.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// `true` while this thread runs code of a bot.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Message and location of the current panic.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Installs a hook that records panics of guarded calls instead of printing them; the host reports
/// them as faults. Other panics go to the previous hook.
pub(super) fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !GUARDED.get() {
                return previous(info);
            }
            let place = info
                .location()
                .map(|l| format!(" ({}:{}:{})", l.file(), l.line(), l.column()));
            let text = format!(
                "{}{}",
                message_of(info.payload()),
                place.unwrap_or_default()
            );
            #[cfg(target_family = "wasm")]
            super::wasm::note(&text);
            // Keep the first message: a second panic comes from destructors of the bot.
            MESSAGE.with_borrow_mut(|message| {
                if message.is_empty() {
                    *message = text;
                }
            });
        }));
    });
}

/// Calls `f`. Returns the message and location of a panic as an error.
#[inline]
pub(super) fn guard<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    // The thread-local variable is accessed once, because an access costs a few nanoseconds in a
    // library that is loaded at run time.
    GUARDED.with(|guarded| {
        guarded.set(true);
        let result = panic::catch_unwind(AssertUnwindSafe(f));
        guarded.set(false);
        result.map_err(describe)
    })
}

#[cold]
fn describe(payload: Box<dyn Any + Send>) -> String {
    let noted = MESSAGE.take();
    let text = if noted.is_empty() {
        message_of(&*payload).to_owned()
    } else {
        noted
    };
    // Dropping the payload may panic, and so may dropping the payload of that panic, which is
    // leaked instead.
    GUARDED.set(true);
    if let Err(second) = panic::catch_unwind(AssertUnwindSafe(|| drop(payload))) {
        std::mem::forget(second);
        MESSAGE.take();
    }
    GUARDED.set(false);
    text
}

fn message_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&'static str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caught_panic_is_returned_with_its_location() {
        install_hook();
        let text = guard(|| -> () { panic!("lost {}", 3) }).unwrap_err();
        assert!(
            text.starts_with("lost 3 (") && text.contains("panics.rs:"),
            "{text}"
        );
        assert_eq!(guard(|| 5), Ok(5));
        let text = guard(|| -> () { panic::panic_any(7) }).unwrap_err();
        assert!(text.starts_with("a panic without a message"), "{text}");
    }

    #[test]
    fn a_panic_while_dropping_a_panic_payload_is_contained() {
        struct Mine;
        impl Drop for Mine {
            fn drop(&mut self) {
                panic!("second");
            }
        }
        install_hook();
        let text = guard(|| -> () { panic::panic_any(Mine) }).unwrap_err();
        assert!(text.starts_with("a panic without a message"), "{text}");
        let text = guard(|| -> () { panic!("third") }).unwrap_err();
        assert!(text.starts_with("third ("), "{text}");
    }
}
