//! Bounds of positions met before, found again by what mattered in them.
//!
//! A bound is kept under the lengths of all suits in all hands. What it rests on besides is who owned the few highest
//! cards of each suit; every position with those owners, whatever its small cards, has the bound as well.

use std::mem::size_of;

/// Owners of the cards still held, two bits a card, highest first, one lane of 26 bits a suit.
pub(crate) type Owners = [u32; 4];

/// Ranks that a bound rests on: how many of the highest cards of each suit.
pub(crate) type Tops = [u8; 4];

/// The mask of the `n` highest cards of a lane.
const MASKS: [u32; 14] = {
    let mut masks = [0; 14];
    let mut n = 1;
    while n < 14 {
        masks[n] = masks[n - 1] | 3 << (26 - 2 * n);
        n += 1;
    }
    masks
};

#[derive(Clone, Copy)]
struct Entry {
    owners: Owners,
    masks: Owners,
    tops: Tops,
    lower: i8,
    upper: i8,
    next: u32,
}

#[derive(Clone, Copy)]
struct Shape {
    lengths: u64,
    leader: u8,
    first: u32,
    next: u32,
}

const NONE: u32 = u32::MAX;
const HEADS_LOG2: u32 = 16;
/// Bounds kept under one shape; beyond, the one longest unused makes way.
const CHAIN_MAX: u32 = 400;

/// A table of bounded size; full, it starts afresh.
pub(crate) struct Table {
    heads: Vec<u32>,
    used: Vec<u32>,
    shapes: Vec<Shape>,
    entries: Vec<Entry>,
    entries_max: usize,
}

/// What the table knows of a position.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    /// Fewest tricks of the maximising side from here.
    pub lower: i8,
    /// Most tricks.
    pub upper: i8,
    /// Ranks that the bounds rest on.
    pub tops: Tops,
}

impl Table {
    /// A table that takes about that many MiB at most.
    pub(crate) fn new(mib: usize) -> Self {
        let entries_max = (mib.max(1) << 20) / (size_of::<Entry>() + size_of::<Shape>() / 2);
        Self {
            heads: vec![NONE; 1 << HEADS_LOG2],
            used: Vec::new(),
            shapes: Vec::new(),
            entries: Vec::new(),
            entries_max,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for head in self.used.drain(..) {
            self.heads[head as usize] = NONE;
        }
        self.shapes.clear();
        self.entries.clear();
    }

    #[inline]
    fn hash(lengths: u64, leader: u8) -> u32 {
        let mixed = (lengths ^ u64::from(leader) << 62).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        u32::try_from(mixed >> (64 - HEADS_LOG2)).expect("a few bits")
    }

    #[inline]
    fn shape(&self, lengths: u64, leader: u8) -> Option<u32> {
        let mut at = self.heads[Self::hash(lengths, leader) as usize];
        while at != NONE {
            let shape = &self.shapes[at as usize];
            if shape.lengths == lengths && shape.leader == leader {
                return Some(at);
            }
            at = shape.next;
        }
        None
    }

    /// A bound that decides whether `target` tricks are reached, where the table has one.
    #[inline]
    pub(crate) fn decides(&mut self, lengths: u64, leader: u8, owners: &Owners, target: i8) -> Option<Bounds> {
        let shape = self.shape(lengths, leader)?;
        let mut before = NONE;
        let mut at = self.shapes[shape as usize].first;
        while at != NONE {
            let entry = self.entries[at as usize];
            if (entry.lower >= target || entry.upper < target)
                && (0..4).all(|s| (entry.owners[s] ^ owners[s]) & entry.masks[s] == 0)
            {
                if before != NONE {
                    self.entries[before as usize].next = entry.next;
                    self.entries[at as usize].next = self.shapes[shape as usize].first;
                    self.shapes[shape as usize].first = at;
                }
                return Some(Bounds { lower: entry.lower, upper: entry.upper, tops: entry.tops });
            }
            before = at;
            at = entry.next;
        }
        None
    }

    /// Keeps a bound.
    pub(crate) fn keep(&mut self, lengths: u64, leader: u8, owners: &Owners, bounds: Bounds) {
        if self.entries.len() >= self.entries_max {
            self.clear();
        }
        let shape = self.shape(lengths, leader).unwrap_or_else(|| self.add_shape(lengths, leader)) as usize;
        let masks: Owners = std::array::from_fn(|s| MASKS[usize::from(bounds.tops[s])]);
        let owners: Owners = std::array::from_fn(|s| owners[s] & masks[s]);
        let mut at = self.shapes[shape].first;
        let (mut last, mut before_last, mut chain) = (NONE, NONE, 0);
        while at != NONE {
            let entry = &mut self.entries[at as usize];
            if entry.tops == bounds.tops && entry.owners == owners {
                entry.lower = entry.lower.max(bounds.lower);
                entry.upper = entry.upper.min(bounds.upper);
                return;
            }
            chain += 1;
            before_last = last;
            last = at;
            at = entry.next;
        }
        let next = self.shapes[shape].first;
        let mut entry = Entry { owners, masks, tops: bounds.tops, lower: bounds.lower, upper: bounds.upper, next };
        let at = if chain >= CHAIN_MAX {
            self.entries[before_last as usize].next = NONE;
            if next == last {
                entry.next = NONE;
            }
            self.entries[last as usize] = entry;
            last
        } else {
            self.entries.push(entry);
            u32::try_from(self.entries.len() - 1).expect("the memory limit is far below 2^32 entries")
        };
        self.shapes[shape].first = at;
    }

    fn add_shape(&mut self, lengths: u64, leader: u8) -> u32 {
        let hash = Self::hash(lengths, leader);
        let head = self.heads[hash as usize];
        if head == NONE {
            self.used.push(hash);
        }
        let at = u32::try_from(self.shapes.len()).expect("fewer shapes than entries");
        self.shapes.push(Shape { lengths, leader, first: NONE, next: head });
        self.heads[hash as usize] = at;
        at
    }
}
