//! A decision lent to functions that cannot name its lifetime.
#![expect(unsafe_code, reason = "lends to functions that outlive the loan")]

use crate::agent::Turn;
use std::cell::Cell;
use std::ptr::NonNull;

/// A pointer to the decision of the call that runs.
#[derive(Debug, Default)]
pub(crate) struct Loan(Cell<Option<NonNull<Turn<'static>>>>);

impl Loan {
    /// Lends `turn` while `call` runs, however that ends.
    pub(crate) fn lend<R>(&self, turn: &Turn<'_>, call: impl FnOnce() -> R) -> R {
        struct Back<'a>(&'a Loan, Option<NonNull<Turn<'static>>>);
        impl Drop for Back<'_> {
            fn drop(&mut self) {
                self.0.0.set(self.1);
            }
        }
        let _back = Back(self, self.0.replace(Some(NonNull::from(turn).cast())));
        call()
    }

    /// Reads the decision; `f` gets `None` outside of calls.
    pub(crate) fn read<R>(&self, f: impl FnOnce(Option<&Turn<'_>>) -> R) -> R {
        // SAFETY: there is a pointer only while `lend`, which holds the decision borrowed, runs its
        // `call`, and so this within it: a `Cell` is of one thread. `f` has to work with any
        // lifetimes, so it keeps nothing.
        f(self.0.get().map(|turn| unsafe { turn.as_ref() }))
    }
}
