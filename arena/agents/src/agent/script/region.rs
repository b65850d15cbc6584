//! Address space for virtual machines, reserved from the operating system.
#![expect(
    unsafe_code,
    reason = "reserves and releases pages through system calls"
)]

use rustix::io::Result;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ptr::{self, NonNull};

/// Alignment of regions, and upper bound of their sizes.
pub(super) const ALIGNMENT: usize = 1 << 32;

/// Reserves `size` bytes of address space at a multiple of [`ALIGNMENT`].
pub(super) fn reserve(size: usize) -> Result<NonNull<u8>> {
    let whole = ALIGNMENT + size;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping, wherever the system puts it. What is unmapped are the parts of it
    // around the aligned one.
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

/// Makes bytes of a region usable.
pub(super) fn make_usable(base: NonNull<u8>, from: usize, to: usize) -> Result<()> {
    let flags = MprotectFlags::READ | MprotectFlags::WRITE;
    // SAFETY: the caller's offsets lie in a region of `reserve`.
    unsafe { mprotect(base.as_ptr().byte_add(from).cast(), to - from, flags) }
}

/// Gives the memory of usable bytes back; they are unusable then.
///
/// # Safety
/// Nothing refers to these bytes.
pub(super) unsafe fn give_back(base: NonNull<u8>, from: usize, to: usize) -> Result<()> {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
    // SAFETY: the caller's offsets lie in a region of `reserve`.
    let start = unsafe { base.as_ptr().byte_add(from).cast() };
    // SAFETY: the new mapping replaces a part of the region, to which nothing refers.
    unsafe { mmap_anonymous(start, to - from, ProtFlags::empty(), flags) }.map(drop)
}

/// Gives a region back.
///
/// # Safety
/// Nothing refers to the region.
pub(super) unsafe fn release(base: NonNull<u8>, size: usize) {
    // SAFETY: the caller's region is from `reserve`.
    let released = unsafe { munmap(base.as_ptr().cast(), size) };
    debug_assert!(released.is_ok(), "{released:?}");
}
