//! Counts the work of a workload: allocations in this process; instructions by callgrind.

#![expect(
    unsafe_code,
    reason = "the trait of allocators is unsafe; this one forwards every call"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// The system allocator; counts allocations while [`measured`] runs.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
static IS_COUNTING: AtomicBool = AtomicBool::new(false);
static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

impl Counting {
    fn count() {
        if IS_COUNTING.load(Relaxed) {
            ALLOCATIONS.fetch_add(1, Relaxed);
        }
    }
}

// SAFETY: every method passes its arguments to the system's allocator, under the same contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Counting::count();
        // SAFETY: the caller meets the contract of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Counting::count();
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Counting::count();
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// The callgrind pattern for the function whose instructions are counted.
pub(crate) const COUNTED: &str = "*gate_counts_this*";

/// Runs the work. Callgrind counts the instructions of this function and its callees.
#[inline(never)]
fn gate_counts_this(work: &mut dyn FnMut()) {
    work();
    // A tail call could become a jump, which callgrind takes for the end of this function.
    black_box(());
}

/// Runs the work once and returns the number of allocations.
pub(crate) fn measured(work: &mut dyn FnMut()) -> u64 {
    IS_COUNTING.store(true, Relaxed);
    gate_counts_this(black_box(work));
    IS_COUNTING.store(false, Relaxed);
    ALLOCATIONS.load(Relaxed)
}

/// Reads the number of instructions from a callgrind file.
pub(crate) fn instructions(file: &Path) -> Result<u64, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let total = text
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("totals: "));
    let total = total
        .and_then(|total| total.trim().parse().ok())
        .filter(|&total| total != 0);
    total.ok_or_else(|| {
        format!(
            "{}: callgrind counted nothing in functions called {COUNTED}",
            file.display()
        )
    })
}
