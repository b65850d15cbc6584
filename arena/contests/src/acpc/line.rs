//! Constants and comment lines of the ACPC protocol.

/// First line that a client sends.
pub(super) const VERSION: &str = "VERSION:2.0.0";
/// Maximum length of a line in bytes.
pub(super) const LINE_MAX: usize = 4096;
/// Returns `true` for comments and empty lines, which are ignored.
pub(super) fn is_comment(line: &[u8]) -> bool {
    matches!(line.first(), None | Some(b'#' | b';'))
}
