//! Bytes from a worker. The first one determines how the pipe splits them.

use hattari_agents::agent::worker::decode_output;
use std::io::{self, ErrorKind, Read};

/// A reader that returns bytes in pieces.
struct Pieces<'a>(&'a [u8], usize);

impl Read for Pieces<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len()).min(self.0.len());
        let (now, later) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.0 = later;
        Ok(count)
    }
}

/// Asserts that the result does not depend on the pieces, that reading ends, and that the result
/// contains only received data.
pub(crate) fn run(bytes: &[u8]) {
    let Some((&cut, bytes)) = bytes.split_first() else {
        return;
    };
    let whole = decode_output(&mut Pieces(bytes, usize::MAX), 1);
    let pieces = decode_output(&mut Pieces(bytes, usize::from(cut) + 1), 1);
    assert_eq!(whole.answers, pieces.answers);
    assert_eq!(
        (whole.message_bytes, whole.end.kind()),
        (pieces.message_bytes, pieces.end.kind())
    );
    assert!(matches!(
        whole.end.kind(),
        ErrorKind::UnexpectedEof | ErrorKind::InvalidData
    ));
    // A header has sixteen bytes. An invalid character becomes one of three bytes.
    assert!(whole.answers.len() * 16 <= bytes.len() && whole.message_bytes <= bytes.len() * 3);
    for agent_error in whole
        .answers
        .iter()
        .filter_map(|answer| answer.as_ref().err())
    {
        assert!(agent_error.message.len() <= bytes.len() * 3);
    }
}
