//! A lock-free transposition table, shared by all threads, that never returns a wrong value.
//!
//! A key is scrambled by a bijection. Its low bits select a bucket and the others are stored with
//! the value. An entry is therefore a single word, which is read and written atomically and
//! identifies its key exactly. A full bucket overwrites an old entry, which costs time but not
//! correctness.

use super::sensitivity::Size;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Number of bits of a value: the finishing order of six players.
const VALUE_BITS: u32 = 18;
/// Number of entries in a bucket: one cache line.
const BUCKET: usize = 8;
/// Minimum number of bits of a bucket's index. With fewer, key and value would not fit into a word.
const BUCKET_BITS_MIN: u32 = 19;

/// Bytes of memory per deal: enough for searches of a few seconds to overwrite no entry.
const BYTES_PER_DEAL: f64 = 2048.0;
/// Maximum amount of memory that [`Memory::for_size`] returns, in MiB.
const MEMORY_MAX_MIB: u64 = 1024;

/// The amount of memory that a solver uses.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    bucket_bits: u32,
}

impl Memory {
    /// Returns `mib` MiB, rounded down to a power of two, but at least 32 MiB.
    pub fn mib(mib: u64) -> Memory {
        let buckets = (mib << 20) / (BUCKET as u64 * 8);
        Memory {
            bucket_bits: buckets.max(1).ilog2().max(BUCKET_BITS_MIN),
        }
    }

    /// Returns as much memory as the search of a game of this size can use, at most 1 GiB. A larger
    /// table would only take longer to create.
    pub fn for_size(size: Size) -> Memory {
        let wanted =
            (size.all_deals() * BYTES_PER_DEAL / f64::from(1 << 20)).min(MEMORY_MAX_MIB as f64);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and the maximum"
        )]
        Memory::mib(wanted as u64)
    }
}

/// The transposition table.
pub(super) struct Table {
    entries: Vec<AtomicU64>,
    bucket_bits: u32,
}

impl Table {
    /// Creates an empty table.
    pub(super) fn new(memory: Memory) -> Table {
        let size = BUCKET << memory.bucket_bits;
        Table {
            entries: (0..size).map(|_| AtomicU64::new(0)).collect(),
            bucket_bits: memory.bucket_bits,
        }
    }

    /// Returns a key's bucket, and the word that identifies the
    /// key. The word contains the remaining scrambled bits and a bit that marks the entry as used.
    #[inline]
    fn find(&self, key: u64) -> (&[AtomicU64], u64) {
        // Multiplications by odd numbers and xor with a right shift are bijections of 64-bit
        // numbers.
        let mixed = (key ^ key >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = mixed ^ mixed >> 32;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "masked to the number of buckets"
        )]
        let start = (mixed & ((1 << self.bucket_bits) - 1)) as usize * BUCKET;
        (
            &self.entries[start..start + BUCKET],
            mixed >> self.bucket_bits << (VALUE_BITS + 1) | 1 << VALUE_BITS,
        )
    }

    /// Returns the value of `key`, if it is in the table.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<u64> {
        let (bucket, mark) = self.find(key);
        bucket
            .iter()
            .map(|entry| entry.load(Relaxed))
            .map(|word| word ^ mark)
            .find(|&rest| rest >> VALUE_BITS == 0)
    }

    /// Stores `value` for `key`.
    #[inline]
    pub(super) fn put(&self, key: u64, value: u64) {
        debug_assert!(value >> VALUE_BITS == 0);
        let (bucket, mark) = self.find(key);
        let slot = bucket
            .iter()
            .position(|entry| entry.load(Relaxed) == 0)
            .unwrap_or((mark >> 40) as usize % BUCKET);
        bucket[slot].store(mark | value, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_memory_grows_with_the_size_up_to_a_maximum() {
        // A table of 32 MiB has 2^19 buckets.
        let fitting = |cards, players| Memory::for_size(Size { cards, players }).bucket_bits;
        assert_eq!(
            [fitting(1, 2), fitting(4, 3), fitting(3, 4), fitting(3, 5)],
            [19, 20, 23, 24]
        );
        assert_eq!(
            [0, 100, 128].map(|mib| Memory::mib(mib).bucket_bits),
            [19, 20, 21]
        );
    }

    #[test]
    fn the_table_returns_stored_values() {
        let table = Table::new(Memory::mib(0));
        for key in 0..100_000_u64 {
            table.put(key * 0x1234_5677, key & 0x3_ffff);
        }
        let found = (0..100_000_u64).filter(|key| match table.get(key * 0x1234_5677) {
            None => false,
            Some(value) => {
                assert_eq!(value, key & 0x3_ffff);
                true
            }
        });
        assert!(found.count() > 99_000);
        assert_eq!(table.get(99), None);
    }
}
