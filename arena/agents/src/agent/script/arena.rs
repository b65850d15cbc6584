//! The memory of one virtual machine: a region that starts at a multiple of 4 GiB. For the same
//! sequence of requests, its allocator returns the same offsets in every process and thread.
//!
//! Luau hashes tables, functions, coroutines and buffers by the low 32 bits of their addresses.
//! Here these bits are the offset in the region, so scripts iterate in the same order on every
//! computer. Everything that the virtual machine allocates is in the region, including the
//! allocator's lists. A copy of the used part is therefore a snapshot, and copying it back is a
//! complete reset.
#![expect(
    unsafe_code,
    reason = "an allocator in pages from the system, which Luau reads and writes through C pointers"
)]

use super::state::RawState;
use mlua::ffi;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ffi::c_void;
use std::ptr::{self, NonNull};

/// Size of a region's header and extra data in bytes.
const HEADER: usize = 4096;
/// Offset of the extra data in a region.
const EXTRA: usize = 2048;
/// Number of bytes by which the usable part grows at a time.
const GROWTH: usize = 1 << 20;
/// Maximum size of a small block in bytes. Small blocks have a size class for every multiple of 16
/// bytes.
const SMALL_MAX: usize = 1024;
const SMALL_STEP: usize = 16;
const SMALL_CLASSES: usize = SMALL_MAX / SMALL_STEP;
/// Number of size classes. Blocks that are not small have four size classes for every doubling of
/// the size, up to 4 GiB.
const CLASSES: usize = SMALL_CLASSES + 4 * 22;
/// Number of usable bytes that a reset keeps after the end of the snapshot. The rest is returned to
/// the system.
const SLACK: usize = 8 << 20;

/// Value of the bytes to which nothing has been written before the snapshot. Most bytes of the used
/// part have this value, because Luau allocates pages for objects of each size.
const UNTOUCHED: u8 = 0xa5;
/// Granularity of snapshots in bytes: each unit of this size is saved as a whole or not at all.
const GRANULE: usize = 64;

/// The allocator's state, at the start of the region.
#[repr(C)]
struct Header {
    /// Size of the region in bytes.
    size: usize,
    /// Number of accessible bytes from the start of the region.
    usable: usize,
    /// `true` until the first snapshot. Until then, new usable bytes are filled with [`UNTOUCHED`].
    is_new: bool,
    /// Offset of the first unused byte. Snapshots start with this field.
    top: usize,
    /// Offset of the first free block of each size class; 0 if there is none. A free block starts
    /// with the offset of the next one.
    free: [usize; CLASSES],
}

/// Offset of the first byte that snapshots contain.
const SNAPSHOT_START: usize = std::mem::offset_of!(Header, top);
const _: () = assert!(size_of::<Header>() <= EXTRA);

/// The memory of a virtual machine, and its snapshot.
pub(super) struct Arena {
    base: NonNull<u8>,
    /// Size of the region in bytes.
    size: usize,
    /// Contents of the snapshot by their offsets, in order; empty if there is none.
    snapshot: Vec<(usize, Vec<u8>)>,
}

impl Arena {
    /// Reserves a region of `size` bytes (at most 4 GiB). Memory is allocated when it is used.
    ///
    /// # Errors
    /// Returns a message if there is not enough address space or memory.
    pub(super) fn new(size: usize) -> Result<Arena, String> {
        let size = size.clamp(GROWTH, ALIGNMENT);
        let base = reserve(size).map_err(|error| {
            format!("cannot reserve 4 GiB of address space for a script ({error}): raise the limit of the address space (`ulimit -v`)")
        })?;
        let arena = Arena {
            base,
            size,
            snapshot: Vec::new(),
        };
        make_usable(base, 0, GROWTH)
            .map_err(|error| format!("cannot allocate memory for a script: {error}"))?;
        // SAFETY: the first `GROWTH` bytes of the region are usable, aligned and not referenced.
        unsafe {
            base.write_bytes(UNTOUCHED, GROWTH);
            base.cast::<Header>().write(Header {
                size,
                usable: GROWTH,
                is_new: true,
                top: HEADER,
                free: [0; CLASSES],
            });
        }
        Ok(arena)
    }

    /// Creates a Luau state that allocates all its memory in the region. It must be closed before
    /// the arena is dropped.
    pub(super) fn new_state(&self) -> RawState {
        // SAFETY: `allocate` fulfils the contract of Luau's allocators, and its header lives as
        // long as the arena.
        unsafe { ffi::lua_newstate(allocate, self.base.as_ptr().cast()) }
    }

    /// Returns the address of the region.
    pub(super) fn base(&self) -> usize {
        self.base.addr().get()
    }

    /// Saves the written bytes of the used part, which [`Arena::reset`] restores.
    pub(super) fn take_snapshot(&mut self) {
        // SAFETY: bytes up to `top` are usable and initialized, and nothing writes to them during
        // this call.
        let used = unsafe {
            let header = self.base.cast::<Header>().as_ptr();
            (*header).is_new = false;
            std::slice::from_raw_parts(self.base.as_ptr(), (*header).top)
        };
        let starts = (SNAPSHOT_START..).step_by(GRANULE);
        for (start, granule) in starts.zip(used[SNAPSHOT_START..].chunks(GRANULE)) {
            // Unwritten bytes are not read before they are written. If Luau wrote equal bytes, they
            // are constants that never change.
            if granule.iter().any(|&byte| byte != UNTOUCHED) {
                match self.snapshot.last_mut() {
                    Some((first, bytes)) if *first + bytes.len() == start => {
                        bytes.extend_from_slice(granule);
                    }
                    _ => self.snapshot.push((start, granule.to_vec())),
                }
            }
        }
    }

    /// Restores the snapshot and thus the state of all objects. Does nothing if there is no
    /// snapshot.
    ///
    /// # Safety
    /// No code of the machine may be running. Pointers to objects created after the snapshot must
    /// not be used any more, and such objects must not own anything outside the region.
    pub(super) unsafe fn reset(&mut self) {
        if self.snapshot.is_empty() {
            return;
        }
        // SAFETY: the snapshot was copied from the same places, which are still usable; the caller
        // ensures that nothing else accesses them.
        unsafe {
            for (start, bytes) in &self.snapshot {
                let place = self.base.as_ptr().add(*start);
                ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len());
            }
            let header = self.base.cast::<Header>().as_ptr();
            let end = ((*header).top + SLACK).next_multiple_of(GROWTH);
            // If this fails, the memory is kept, and later blocks can use it.
            if end < (*header).usable && return_to_system(self.base, end, (*header).usable).is_ok()
            {
                (*header).usable = end;
            }
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // SAFETY: the region is from `reserve`, and no reference to it exists.
        let released = unsafe { munmap(self.base.as_ptr().cast(), self.size) };
        debug_assert!(released.is_ok(), "{released:?}");
    }
}

/// Returns the address of the extra data of the machine that `state` belongs to. Snapshots contain
/// this data.
///
/// # Safety
/// `state` must be in an arena whose extra data is a `T`.
pub(super) unsafe fn extra<T>(state: RawState) -> *mut T {
    const { assert!(size_of::<T>() <= HEADER - EXTRA && align_of::<T>() <= 16) }
    state
        .cast::<u8>()
        .map_addr(|address| (address & !(ALIGNMENT - 1)) | EXTRA)
        .cast()
}

/// Returns the size class for a block of `size` bytes, and the size in bytes of the blocks of this
/// class. `size` is from 1 byte to 4 GiB.
fn class(size: usize) -> (usize, usize) {
    if size <= SMALL_MAX {
        let steps = size.div_ceil(SMALL_STEP);
        return (steps - 1, steps * SMALL_STEP);
    }
    let power = (size - 1).ilog2();
    let quarter = 1 << (power - 2);
    // 5 to 8 quarters of the largest power of two below the size.
    let quarters = size.div_ceil(quarter);
    let first = SMALL_CLASSES + 4 * (power - SMALL_MAX.ilog2()) as usize;
    (first + quarters - 5, quarters * quarter)
}

/// Allocates a block. Returns null if the region is full.
///
/// # Safety
/// `header` must be the header of a region that nothing else accesses during the call.
unsafe fn take(header: *mut Header, size: usize) -> *mut u8 {
    // SAFETY: the pointer is to the whole region, which the caller may access. The lists contain
    // offsets of free blocks, whose first words are written by `put`.
    unsafe {
        if size > (*header).size {
            return ptr::null_mut();
        }
        let base = header.cast::<u8>();
        let (class, size) = class(size);
        let first = (*header).free[class];
        if first != 0 {
            let block = base.add(first);
            (*header).free[class] = block.cast::<usize>().read();
            return block;
        }
        let end = (*header).top + size;
        if end > (*header).size || (end > (*header).usable && !grow(header, end)) {
            return ptr::null_mut();
        }
        let block = base.add((*header).top);
        (*header).top = end;
        block
    }
}

/// Adds a block of `size` bytes to the free list of its class.
///
/// # Safety
/// The conditions of `take` hold. The block comes from `take` with the same size and is not used
/// again.
unsafe fn put(header: *mut Header, block: *mut u8, size: usize) {
    let (class, _) = class(size);
    // SAFETY: blocks have at least 16 bytes, are aligned to 16, and this one is free.
    unsafe {
        block.cast::<usize>().write((*header).free[class]);
        (*header).free[class] = block.addr() - header.addr();
    }
}

/// Makes the region usable up to at least `end`. Returns `false` if there is not enough memory.
///
/// # Safety
/// The conditions of `take` hold, and `end` does not exceed the size of the region.
#[cold]
unsafe fn grow(header: *mut Header, end: usize) -> bool {
    // SAFETY: as in `take`.
    unsafe {
        let end = end.next_multiple_of(GROWTH).min((*header).size);
        let base = NonNull::new_unchecked(header.cast());
        let is_usable = make_usable(base, (*header).usable, end).is_ok();
        if is_usable {
            if (*header).is_new {
                base.byte_add((*header).usable)
                    .write_bytes(UNTOUCHED, end - (*header).usable);
            }
            (*header).usable = end;
        }
        is_usable
    }
}

/// The allocator function for Luau.
unsafe extern "C" fn allocate(
    header: *mut c_void,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: Luau passes the header that the state was created with, and blocks of this allocator
    // with their sizes, from one thread at a time.
    unsafe {
        let header = header.cast::<Header>();
        let block = block.cast::<u8>();
        let is_new = block.is_null() || old == 0;
        if new == 0 {
            if !is_new {
                put(header, block, old);
            }
            return ptr::null_mut();
        }
        if is_new {
            return take(header, new).cast();
        }
        if class(old).0 == class(new.min(ALIGNMENT)).0 {
            return block.cast();
        }
        let other = take(header, new);
        if !other.is_null() {
            ptr::copy_nonoverlapping(block, other, old.min(new));
            put(header, block, old);
        } else if new < old {
            // Shrinking must not fail: Luau shrinks blocks when an error would leave an object
            // inconsistent.
            return block.cast();
        }
        other.cast()
    }
}

/// Alignment and maximum size of regions in bytes.
const ALIGNMENT: usize = 1 << 32;

/// Reserves `size` bytes of address space at a multiple of [`ALIGNMENT`].
fn reserve(size: usize) -> rustix::io::Result<NonNull<u8>> {
    let whole = ALIGNMENT + size;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping at an address chosen by the system; only its unaligned ends are
    // unmapped.
    unsafe {
        let start = mmap_anonymous(ptr::null_mut(), whole, ProtFlags::empty(), flags)?;
        let before = start.addr().next_multiple_of(ALIGNMENT) - start.addr();
        let base = start.byte_add(before);
        if before > 0 {
            munmap(start, before)?;
        }
        if before + size < whole {
            munmap(base.byte_add(size), whole - before - size)?;
        }
        Ok(NonNull::new_unchecked(base.cast()))
    }
}

/// Makes a range of a region readable and writable.
fn make_usable(base: NonNull<u8>, from: usize, to: usize) -> rustix::io::Result<()> {
    let flags = MprotectFlags::READ | MprotectFlags::WRITE;
    // SAFETY: the caller's offsets are in a region from `reserve`.
    unsafe { mprotect(base.as_ptr().byte_add(from).cast(), to - from, flags) }
}

/// Returns the memory of a range to the system. The range must be made usable again before it is
/// used.
///
/// # Safety
/// The range must not be referenced.
unsafe fn return_to_system(base: NonNull<u8>, from: usize, to: usize) -> rustix::io::Result<()> {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
    // SAFETY: the new mapping replaces a part of a region from `reserve` that is not referenced.
    unsafe {
        let start = base.as_ptr().byte_add(from).cast();
        mmap_anonymous(start, to - from, ProtFlags::empty(), flags).map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn size_classes_fit_their_blocks_with_at_most_a_quarter_overhead() {
        let mut before = (0, 0);
        for size in (1..5000).chain((13..32).flat_map(|power| (1 << power) - 1..=(1 << power) + 1))
        {
            let (number, bytes) = class(size);
            assert!(bytes >= size && bytes % SMALL_STEP == 0, "{size}: {bytes}");
            assert!(bytes - size <= SMALL_STEP.max(size / 4), "{size}: {bytes}");
            assert!(number < CLASSES && (number, bytes) >= before, "{size}");
            before = (number, bytes);
        }
        assert_eq!(class(ALIGNMENT), (CLASSES - 1, ALIGNMENT));
    }

    #[test]
    fn blocks_have_the_same_offsets_in_every_arena() {
        let place = || {
            let arena = Arena::new(64 << 20).unwrap();
            let header = arena.base.as_ptr().cast::<c_void>();
            let mut blocks: Vec<(*mut c_void, usize)> = Vec::new();
            let mut offsets = Vec::new();
            for number in 1..2000_usize {
                let size = number * 7919 % 40_000 + 1;
                let (old, size) = if number % 3 == 0 {
                    (blocks.swap_remove(number * 31 % blocks.len()), size)
                } else if number % 5 == 0 {
                    (blocks.swap_remove(number * 17 % blocks.len()), 0)
                } else {
                    ((ptr::null_mut(), 0), size)
                };
                // SAFETY: the header is that of the arena, and each block is passed with its size.
                let block = unsafe { allocate(header, old.0, old.1, size) };
                if size > 0 {
                    blocks.push((block, size));
                }
                offsets.push(block.addr().saturating_sub(arena.base()));
            }
            // No two blocks overlap.
            blocks.sort();
            assert!(blocks.is_sorted_by(|one, other| one.0.addr() + one.1 <= other.0.addr()));
            offsets
        };
        assert_eq!(place(), place());
    }

    #[test]
    fn a_full_region_returns_null() {
        let arena = Arena::new(4 << 20).unwrap();
        let header = arena.base.as_ptr().cast();
        // SAFETY: the header is that of the arena, and each block is passed with its size.
        let resized = |block, old, size| unsafe { allocate(header, block, old, size) };
        let new = |size| resized(ptr::null_mut(), 0, size);
        assert!(new(5 << 20).is_null() && new(usize::MAX).is_null());
        let block = new(3 << 20);
        assert!(!block.is_null() && new(2 << 20).is_null());
        // Shrinking a block still works.
        assert_eq!(resized(block, 3 << 20, 1 << 20), block);
        assert!(resized(block, 1 << 20, 0).is_null());
        assert_eq!(new(1 << 20), block);
    }
}
