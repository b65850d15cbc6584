//! Work that is given up where nobody waits for it any more.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

thread_local! {
    static CANCELLED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Does work on this thread; long steps of it (compiling a module of WebAssembly) are given up once
/// `cancelled` is set.
pub fn cancellable<T>(cancelled: Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    struct Back(Option<Arc<AtomicBool>>);
    impl Drop for Back {
        fn drop(&mut self) {
            CANCELLED.set(self.0.take());
        }
    }
    let _back = Back(CANCELLED.replace(Some(cancelled)));
    work()
}

/// Returns whether the work of this thread is no longer waited for.
#[cfg(feature = "wasm")]
pub(super) fn is_cancelled() -> bool {
    CANCELLED.with_borrow(|cancelled| {
        cancelled
            .as_ref()
            .is_some_and(|cancelled| cancelled.load(std::sync::atomic::Ordering::Relaxed))
    })
}
