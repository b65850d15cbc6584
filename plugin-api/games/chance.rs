//! Drawing from a generator in a way that is fixed for all time: records must not change with a library's release.

use rand::Rng;

/// A number below `bound`, without bias (Lemire's multiply-and-reject on 32 bits).
///
/// # Panics
/// If `bound` is 0.
pub fn below<R: Rng>(chance: &mut R, bound: u32) -> u32 {
    assert!(bound != 0, "nothing is below 0");
    loop {
        let wide = u64::from(chance.next_u32()) * u64::from(bound);
        let low = wide & 0xffff_ffff;
        // The division is only due in the rare case that decides about a rejection.
        if low >= u64::from(bound) || low >= u64::from(bound.wrapping_neg() % bound) {
            return (wide >> 32) as u32;
        }
    }
}

/// Puts `items` into a uniformly random order (Fisher-Yates from the end).
pub fn shuffle<T, R: Rng>(items: &mut [T], chance: &mut R) {
    for last in (1..items.len()).rev() {
        let bound = u32::try_from(last + 1).expect("decks are small");
        items.swap(last, below(chance, bound) as usize);
    }
}
