//! Systems on which no bot has a process that could disturb others.

/// Notes nothing: this system has no processes of bots.
pub(crate) fn call_begins() {}

/// Returns 0: this system has no processes of bots.
pub(crate) fn nanos_in_call() -> u64 {
    0
}
