//! Access to the current decision for host functions, whose types cannot contain the lifetime of
//! the decision.
#![expect(
    unsafe_code,
    reason = "keeps a reference without its lifetime during a call"
)]

use crate::agent::Turn;
use std::cell::Cell;
use std::ptr::NonNull;

/// A pointer to the decision of the current call.
#[derive(Debug, Default)]
pub(crate) struct ScopedPtr(Cell<Option<NonNull<Turn<'static>>>>);

impl ScopedPtr {
    /// Makes `turn` available until `call` returns or panics.
    pub(crate) fn lend<R>(&self, turn: &Turn<'_>, call: impl FnOnce() -> R) -> R {
        struct Back<'a>(&'a ScopedPtr, Option<NonNull<Turn<'static>>>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.0.set(self.1);
            }
        }
        let _back = Back(self, self.0.replace(Some(NonNull::from(turn).cast())));
        call()
    }

    /// Calls `f` with the decision that a running [`ScopedPtr::lend`] makes available, or with
    /// `None` if there is none.
    pub(crate) fn read<R>(&self, f: impl FnOnce(Option<&Turn<'_>>) -> R) -> R {
        // SAFETY: the pointer is set only while `lend` borrows the decision and runs its `call`,
        // which includes this function, because a `Cell` belongs to one thread. `f` must accept any
        // lifetime, so it cannot keep the reference.
        f(self.0.get().map(|turn| unsafe { turn.as_ref() }))
    }
}
