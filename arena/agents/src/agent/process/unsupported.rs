//! Stubs for systems without worker processes, where bots take no processor time from each other.

/// Does nothing, because no other bot can use processor time during a call.
pub(crate) fn begin_call() {}

/// Does nothing, because pauses of the system are not measured.
pub(crate) fn notice_pauses() {}

/// Returns 0, the processor time that other bots have used during the call.
pub(crate) fn nanos_in_call() -> u64 {
    0
}

/// Stubs for the binding of threads to cores.
pub(crate) mod pin {
    use std::rc::Rc;

    /// A binding without effect.
    pub(crate) struct Pin;

    /// Returns a binding without effect.
    pub(crate) fn this_thread() -> Rc<Pin> {
        Rc::new(Pin)
    }
}
