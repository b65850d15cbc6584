//! The calls of a block, kept to be told to another process.

/// Bytes of a block's calls that are kept.
const MOST: usize = 32 << 20;

/// The calls of a block so far, as they were sent.
#[derive(Default)]
pub(super) struct Tape {
    bytes: Vec<u8>,
    /// Where each begins.
    starts: Vec<usize>,
    /// There were too many.
    is_cut: bool,
}

impl Tape {
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.starts.clear();
        self.is_cut = false;
    }

    pub(super) fn add(&mut self, call: &[u8]) {
        if self.bytes.len() + call.len() > MOST {
            *self = Tape {
                is_cut: true,
                ..Tape::default()
            };
        }
        if !self.is_cut {
            self.starts.push(self.bytes.len());
            self.bytes.extend_from_slice(call);
        }
    }

    /// The calls in their order.
    pub(super) fn calls(&self) -> impl Iterator<Item = &[u8]> {
        let ends = self
            .starts
            .iter()
            .skip(1)
            .copied()
            .chain([self.bytes.len()]);
        self.starts
            .iter()
            .zip(ends)
            .map(|(&start, end)| &self.bytes[start..end])
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there were too many to be kept.
    pub(super) fn is_cut(&self) -> bool {
        self.is_cut
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_told_as_they_were_or_not_at_all() {
        let mut tape = Tape::default();
        assert_eq!(tape.calls().count(), 0);
        let calls: [&[u8]; 4] = [b"one", b"", b"three", b"4"];
        calls.iter().for_each(|call| tape.add(call));
        assert!(tape.calls().eq(calls) && tape.len() == 4 && !tape.is_cut());
        tape.clear();
        tape.add(b"another block");
        assert!(tape.calls().eq([b"another block"]));
        let much = vec![0; MOST / 2];
        tape.add(&much);
        tape.add(&much);
        tape.add(b"after");
        assert!(tape.is_cut() && tape.len() == 0);
        tape.clear();
        assert!(!tape.is_cut());
    }
}
