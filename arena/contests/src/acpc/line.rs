//! Lines of the protocol.

/// What a client says first.
pub(super) const VERSION: &str = "VERSION:2.0.0";
/// Bytes of a line at most.
pub(super) const LINE_MAX: usize = 4096;
/// Whether a line is for people, and passed over.
#[must_use]
pub(super) fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), None | Some(b'#' | b';'))
}
