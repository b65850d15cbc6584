//! Numbers for distinct records. Equal actions have the same number, so a script sees them as the
//! same table.

/// A set of records of one size, numbered from 1 in the order of insertion.
pub(super) struct Interner {
    size: usize,
    records: Vec<u8>,
    /// Hash table of record numbers, with open addressing and linear probing. It is at most half
    /// full; 0 is a free slot.
    slots: Vec<u32>,
}

impl Interner {
    /// Creates an empty set of records of `size` bytes.
    pub(super) fn new(size: usize) -> Interner {
        Interner {
            size,
            records: Vec::new(),
            slots: vec![0; 256],
        }
    }

    /// Returns the number of records.
    pub(super) fn len(&self) -> usize {
        self.records.len() / self.size
    }

    /// Removes all records.
    pub(super) fn clear(&mut self) {
        self.records.clear();
        self.slots.fill(0);
    }

    /// Returns the contiguous records from number `first` on.
    pub(super) fn records_from(&self, first: usize) -> &[u8] {
        &self.records[(first - 1) * self.size..]
    }

    /// Returns the number of `record` and inserts it if it is new. A record of zeros stands for no
    /// record and has number 0.
    ///
    /// # Panics
    /// Panics if the record has another size.
    pub(super) fn number_or_insert(&mut self, record: &[u8]) -> u32 {
        if record.iter().all(|&byte| byte == 0) {
            assert_eq!(record.len(), self.size, "all records have the same size");
            return 0;
        }
        self.number_or_insert_any(record)
    }

    /// Returns the number of `record` and inserts it if it is new, even if it is all zeros. Such a
    /// record can be a valid action, for example folding in poker.
    ///
    /// # Panics
    /// Panics if the record has another size.
    pub(super) fn number_or_insert_any(&mut self, record: &[u8]) -> u32 {
        assert_eq!(record.len(), self.size, "all records have the same size");
        let hash = hash(record);
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 20) as usize & mask;
        loop {
            let number = self.slots[slot];
            if number == 0 {
                return self.insert(record, slot);
            }
            let start = (number as usize - 1) * self.size;
            if is_same(&self.records[start..start + self.size], record) {
                return number;
            }
            slot = (slot + 1) & mask;
        }
    }

    #[cold]
    fn insert(&mut self, record: &[u8], slot: usize) -> u32 {
        self.records.extend_from_slice(record);
        let number = u32::try_from(self.len()).expect("there are a few thousand records at most");
        self.slots[slot] = number;
        if self.len() * 2 > self.slots.len() {
            self.grow();
        }
        number
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![0; mask + 1];
        for (record, number) in self.records.chunks_exact(self.size).zip(1..) {
            let mut slot = (hash(record) >> 20) as usize & mask;
            while slots[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot] = number;
        }
        self.slots = slots;
    }
}

/// Compares two records of the same size. Records are so short that a call of `memcmp` would take
/// longer.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let ((words, rest), (other_words, other_rest)) = (one.as_chunks::<4>(), other.as_chunks::<4>());
    words
        .iter()
        .zip(other_words)
        .all(|(a, b)| u32::from_ne_bytes(*a) == u32::from_ne_bytes(*b))
        && rest.iter().zip(other_rest).all(|(a, b)| a == b)
}

/// Hashes a record by multiplying and folding, eight bytes at a time; zeros hash to 0. Collision
/// attacks are impossible, because the records come from the rules.
fn hash(record: &[u8]) -> u64 {
    let (words, rest) = record.as_chunks::<8>();
    let mut hash = 0u64;
    let mut mix =
        |word: u64| hash = (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for word in words {
        mix(u64::from_le_bytes(*word));
    }
    if !rest.is_empty() {
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        mix(u64::from_le_bytes(last));
    }
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_records_are_interned_with_the_same_number() {
        let mut interner = Interner::new(12);
        let record = |n: u32| {
            let mut record = [0; 12];
            record[..4].copy_from_slice(&n.to_le_bytes());
            record[8..].copy_from_slice(&(n / 7).to_le_bytes());
            record
        };
        for n in 1..5000 {
            assert_eq!(interner.number_or_insert(&record(n)), n);
        }
        for n in (1..5000).rev() {
            assert_eq!(interner.number_or_insert(&record(n)), n);
        }
        assert_eq!(
            (interner.number_or_insert(&[0; 12]), interner.len()),
            (0, 4999)
        );
        assert_eq!(interner.records_from(4999), record(4999));
        interner.clear();
        assert_eq!(interner.number_or_insert(&record(77)), 1);
        assert_eq!(
            (
                interner.number_or_insert_any(&[0; 12]),
                interner.number_or_insert_any(&[0; 12]),
                interner.number_or_insert(&[0; 12])
            ),
            (2, 2, 0)
        );
    }
}
