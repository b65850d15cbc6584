//! Cancellation of work whose result is no longer needed.

#![forbid(unsafe_code)]

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

thread_local! {
    static CANCELLED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Runs `work` on this thread. Once `cancelled` is set, long steps (compiling a WebAssembly module)
/// are aborted.
pub fn cancellable<T>(cancelled: Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    struct RestoreOnDrop(Option<Arc<AtomicBool>>);
    impl Drop for RestoreOnDrop {
        fn drop(&mut self) {
            CANCELLED.set(self.0.take());
        }
    }
    let _back = RestoreOnDrop(CANCELLED.replace(Some(cancelled)));
    work()
}

/// Returns `true` if the work of this thread is cancelled.
#[cfg(feature = "wasm")]
pub(super) fn is_cancelled() -> bool {
    CANCELLED.with_borrow(|cancelled| {
        cancelled
            .as_ref()
            .is_some_and(|cancelled| cancelled.load(std::sync::atomic::Ordering::Relaxed))
    })
}
