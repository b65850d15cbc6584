//! Reservation of address space for virtual machines.
#![expect(
    unsafe_code,
    reason = "reserves and releases pages through system calls"
)]

use rustix::io::Result;
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
use std::ptr::{self, NonNull};

/// Alignment and maximum size of regions in bytes.
pub(super) const ALIGNMENT: usize = 1 << 32;

/// Reserves `size` bytes of address space at a multiple of [`ALIGNMENT`].
pub(super) fn reserve(size: usize) -> Result<NonNull<u8>> {
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
pub(super) fn make_usable(base: NonNull<u8>, from: usize, to: usize) -> Result<()> {
    let flags = MprotectFlags::READ | MprotectFlags::WRITE;
    // SAFETY: the caller's offsets are in a region from `reserve`.
    unsafe { mprotect(base.as_ptr().byte_add(from).cast(), to - from, flags) }
}

/// Returns the memory of a range to the system. The range must be made usable again before it is
/// used.
///
/// # Safety
/// The range must not be referenced.
pub(super) unsafe fn return_to_system(base: NonNull<u8>, from: usize, to: usize) -> Result<()> {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
    // SAFETY: the caller's offsets are in a region from `reserve`.
    let start = unsafe { base.as_ptr().byte_add(from).cast() };
    // SAFETY: the new mapping replaces a part of the region that is not referenced.
    unsafe { mmap_anonymous(start, to - from, ProtFlags::empty(), flags) }.map(drop)
}

/// Releases a region.
///
/// # Safety
/// The region must not be referenced.
pub(super) unsafe fn release(base: NonNull<u8>, size: usize) {
    // SAFETY: the caller's region is from `reserve`.
    let released = unsafe { munmap(base.as_ptr().cast(), size) };
    debug_assert!(released.is_ok(), "{released:?}");
}
