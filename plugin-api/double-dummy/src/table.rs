//! A table of bounds for positions that the search has visited.
//!
//! A bound is stored under the lengths of all suits in all hands. It also depends on the owners of
//! the few highest cards of each suit. It is valid for every position with these lengths and
//! owners, regardless of the distribution of low cards.

/// Owners of the remaining cards, two bits per card, highest first; 26 bits per suit, two suits per
/// word.
pub(crate) type Owners = [u64; 2];

/// Masks that select the owners of the highest cards of two suits. The index consists of both
/// numbers of highest cards, four bits each.
const MASKS: [u64; 256] = {
    let mut masks = [0; 256];
    let mut n = 0;
    while n < 256 {
        let mut card = 0;
        while card < 13 {
            if card < n & 15 {
                masks[n] |= 3 << (24 - 2 * card);
            }
            if card < n >> 4 {
                masks[n] |= 3 << (50 - 2 * card);
            }
            card += 1;
        }
        n += 1;
    }
    masks
};

/// A stored bound. Each word describes two suits: the low bits are the owners of their highest
/// cards, and the next bits are the numbers of these cards (4 bits each). The top bits are the
/// minimum (first word) or maximum (second word) number of tricks.
type Entry = [u64; 2];

#[inline]
fn mask(word: u64) -> u64 {
    MASKS[(word >> 52 & 0xff) as usize]
}

/// A block of adjacent entries that have the same suit lengths and leader.
#[derive(Clone, Copy)]
struct Shape {
    lengths: u64,
    leader: u8,
    /// Base-2 logarithm of the capacity.
    capacity_log2: u8,
    first: u32,
    count: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;
const HEADS_LOG2: u32 = 16;
/// Base-2 logarithm of the initial capacity of a shape.
const CAPACITY_LOG2_MIN: u8 = 1;
/// Base-2 logarithm of the maximum capacity of a shape. When it is full, an entry that was not used
/// recently is overwritten.
const CAPACITY_LOG2_MAX: u8 = 10;

/// A table of limited size. It is cleared when it is full.
pub(crate) struct Table {
    heads: Vec<u32>,
    used: Vec<u32>,
    shapes: Vec<Shape>,
    entries: Vec<Entry>,
    /// Free blocks of entries, left by shapes that have grown. The index is the base-2 logarithm of
    /// the capacity.
    free: [Vec<u32>; CAPACITY_LOG2_MAX as usize + 1],
    entries_max: usize,
}

/// The bounds for a position.
pub(crate) struct Bounds {
    /// Minimum number of tricks that North-South still takes.
    pub lower: i8,
    /// Maximum number of tricks that North-South still takes.
    pub upper: i8,
    /// Number of highest cards of each suit that the bounds depend on.
    pub tops: [u8; 4],
}

impl Bounds {
    #[inline]
    fn of(entry: Entry) -> Self {
        let top = |word: u64, shift: u32| (word >> shift & 15) as u8;
        let [first, second] = entry;
        Self {
            lower: top(first, 60).cast_signed(),
            upper: top(second, 60).cast_signed(),
            tops: [
                top(first, 52),
                top(first, 56),
                top(second, 52),
                top(second, 56),
            ],
        }
    }

    #[inline]
    fn entry(&self, owners: &Owners) -> Entry {
        let [a, b, c, d] = self.tops.map(u64::from);
        let bound = |n: i8| u64::from(n.unsigned_abs()) << 60;
        let (first, second) = (a << 52 | b << 56, c << 52 | d << 56);
        [
            bound(self.lower) | first | owners[0] & mask(first),
            bound(self.upper) | second | owners[1] & mask(second),
        ]
    }
}

impl Table {
    /// Creates a table that uses at most about `mib` MiB.
    pub(crate) fn new(mib: usize) -> Self {
        // Shapes and free blocks use about as much memory as the entries.
        let entries_max = (mib.max(1) << 20) / (2 * size_of::<Entry>());
        Self {
            heads: vec![NONE; 1 << HEADS_LOG2],
            used: Vec::new(),
            shapes: Vec::new(),
            entries: Vec::new(),
            free: Default::default(),
            entries_max,
        }
    }

    /// Removes all bounds.
    pub(crate) fn clear(&mut self) {
        for head in self.used.drain(..) {
            self.heads[head as usize] = NONE;
        }
        self.shapes.clear();
        self.entries.clear();
        self.free.iter_mut().for_each(Vec::clear);
    }

    #[inline]
    fn hash(lengths: u64, leader: u8) -> u32 {
        let mixed = (lengths ^ u64::from(leader) << 62).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        u32::try_from(mixed >> (64 - HEADS_LOG2)).expect("a few bits")
    }

    #[inline]
    fn shape(&self, lengths: u64, leader: u8) -> Option<usize> {
        let mut at = self.heads[Self::hash(lengths, leader) as usize];
        while at != NONE {
            let shape = &self.shapes[at as usize];
            if shape.lengths == lengths && shape.leader == leader {
                return Some(at as usize);
            }
            at = shape.next;
        }
        None
    }

    /// Returns a stored bound that decides whether `target` tricks are reached, if there is one.
    #[inline]
    pub(crate) fn find_deciding(
        &mut self,
        lengths: u64,
        leader: u8,
        owners: &Owners,
        target: i8,
    ) -> Option<Bounds> {
        let shape = self.shapes[self.shape(lengths, leader)?];
        let first = shape.first as usize;
        let entries = &mut self.entries[first..first + shape.count as usize];
        let target = u64::from(target.unsigned_abs());
        for at in 0..entries.len() {
            let [a, b] = entries[at];
            if ((a ^ owners[0]) & mask(a)) | ((b ^ owners[1]) & mask(b)) == 0
                && (a >> 60 >= target || b >> 60 < target)
            {
                // Used entries move towards the front.
                entries.swap(at, at / 2);
                return Some(Bounds::of([a, b]));
            }
        }
        None
    }

    /// Stores a bound.
    pub(crate) fn store(&mut self, lengths: u64, leader: u8, owners: &Owners, bounds: Bounds) {
        if self.entries.len() >= self.entries_max {
            self.clear();
        }
        let number = self
            .shape(lengths, leader)
            .unwrap_or_else(|| self.add_shape(lengths, leader));
        let shape = self.shapes[number];
        let (first, mut count) = (shape.first as usize, shape.count as usize);
        let mut new = bounds.entry(owners);
        let masks = [mask(new[0]), mask(new[1])];
        let mut at = 0;
        while at < count {
            let [a, b] = self.entries[first + at];
            // An old entry is redundant if the new one is at least as good and applies to all of
            // its positions.
            if ((a ^ new[0]) & masks[0]) | ((b ^ new[1]) & masks[1]) == 0
                && masks[0] & !mask(a) == 0
                && masks[1] & !mask(b) == 0
            {
                if masks == [mask(a), mask(b)] {
                    new[0] = new[0].max(a);
                    new[1] = new[1].min(b);
                }
                if a >> 60 <= new[0] >> 60 && b >> 60 >= new[1] >> 60 {
                    count -= 1;
                    self.entries[first + at] = self.entries[first + count];
                    continue;
                }
            }
            at += 1;
        }
        let first = if count == 1 << shape.capacity_log2 {
            if shape.capacity_log2 == CAPACITY_LOG2_MAX {
                count -= 1;
                first
            } else {
                let moved = self.allocate(shape.capacity_log2 + 1);
                self.entries.copy_within(first..first + count, moved);
                self.free[usize::from(shape.capacity_log2)].push(shape.first);
                self.shapes[number].capacity_log2 += 1;
                self.shapes[number].first = index(moved);
                moved
            }
        } else {
            first
        };
        self.entries[first + count] = new;
        self.entries.swap(first + count, first + count / 2);
        self.shapes[number].count = index(count + 1);
    }

    /// Allocates a block of 2^`capacity_log2` entries and returns its first index.
    fn allocate(&mut self, capacity_log2: u8) -> usize {
        if let Some(first) = self.free[usize::from(capacity_log2)].pop() {
            return first as usize;
        }
        let first = self.entries.len();
        self.entries.resize(first + (1 << capacity_log2), [0; 2]);
        first
    }

    fn add_shape(&mut self, lengths: u64, leader: u8) -> usize {
        let hash = Self::hash(lengths, leader);
        let head = self.heads[hash as usize];
        if head == NONE {
            self.used.push(hash);
        }
        let at = self.shapes.len();
        let first = index(self.allocate(CAPACITY_LOG2_MIN));
        self.shapes.push(Shape {
            lengths,
            leader,
            capacity_log2: CAPACITY_LOG2_MIN,
            first,
            count: 0,
            next: head,
        });
        self.heads[hash as usize] = index(at);
        at
    }
}

#[inline]
fn index(n: usize) -> u32 {
    u32::try_from(n).expect("the memory limit is far below 2^32 entries")
}
