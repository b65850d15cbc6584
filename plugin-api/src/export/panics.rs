//! Keeps a panic of a bot on its side of the border, with its message and place.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is inside a bot's code right now.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Message and place of the panic that is under way.
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Lets the panics of guarded calls be noted in place of being printed: they become faults, which
/// the host reports. All other panics are left to the hook that was there before.
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
            // A panic inside of the bot's own destructors comes second; the first tells more.
            MESSAGE.with_borrow_mut(|message| {
                if message.is_empty() {
                    *message = text;
                }
            });
        }));
    });
}

/// Calls `f`; a panic comes back as its message and place.
#[inline]
pub(super) fn guard<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    // One look-up of the thread's own memory, which costs a few nanoseconds in a library that is
    // loaded late.
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
    // What a bot has thrown may panic as it is dropped, and what that throws may too: the second is
    // kept for good.
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
    fn a_panic_comes_back_with_its_place() {
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
    fn what_panics_while_it_is_cleared_away_stays_inside() {
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
