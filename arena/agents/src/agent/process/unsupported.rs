//! Stubs for systems without worker processes, where bots take no processor time from each other.

/// Does nothing: no other process can take the processor time of the call that begins.
pub(crate) fn begin_call() {}

/// Returns 0.
pub(crate) fn nanos_in_call() -> u64 {
    0
}

/// Stubs for the binding of threads to cores.
pub(crate) mod pin {
    use std::rc::Rc;

    /// A binding without effect.
    #[derive(Debug)]
    pub(crate) struct Pin;

    /// Returns a binding without effect.
    pub(crate) fn this_thread() -> Rc<Pin> {
        Rc::new(Pin)
    }
}
