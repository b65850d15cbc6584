//! Reads the records of a call. The host and this library may have different releases of a record.
#![expect(unsafe_code, reason = "turns the host's pointers into slices")]

use super::Failure;
use crate::abi::E_FAIL;
use bytemuck::Pod;
use core::ffi::c_void;
use std::slice;

/// Returns the view at `ptr`. `size` is its size in bytes according to the host.
///
/// # Errors
/// Returns an error if the pointer is null or not aligned, or if the record is shorter than in this
/// library, because the host is older.
///
/// # Safety
/// `ptr` must be null or point to `size` bytes that are valid for `'a`.
#[inline]
pub(super) unsafe fn view<'a, T: Pod>(ptr: *const c_void, size: u32) -> Result<&'a T, Failure> {
    let ptr = checked::<T>("view", ptr, size)?;
    // SAFETY: the pointer is not null and aligned, and the record is long enough. `T` is plain
    // data, for which any bytes are valid.
    Ok(unsafe { &*ptr })
}

/// Returns the `count` records from `ptr` on, which are `stride` bytes apart. If the records are as
/// long as in this library, they are not copied. If they are longer, the known part of each is
/// copied to `buffer`.
///
/// # Errors
/// Returns the errors of [`view`].
///
/// # Safety
/// `ptr` must point to `count` records of `stride` bytes that are valid for `'a`, unless it is null
/// or `count` is 0.
#[inline]
pub(super) unsafe fn records<'a, T: Pod>(
    what: &str,
    ptr: *const c_void,
    count: u32,
    stride: u32,
    buffer: &'a mut Vec<T>,
) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    let first = checked::<T>(what, ptr, stride)?;
    if stride as usize == size_of::<T>() {
        // SAFETY: the pointer is not null and aligned, and `count` records follow it. Any bytes are
        // valid for `T`.
        return Ok(unsafe { slice::from_raw_parts(first, count as usize) });
    }
    buffer.clear();
    for index in 0..count as usize {
        // SAFETY: the record is one of the `count` records of `stride` bytes, and the read needs no
        // alignment.
        buffer.push(unsafe { first.byte_add(index * stride as usize).read_unaligned() });
    }
    Ok(buffer)
}

#[inline]
fn checked<T>(what: &str, ptr: *const c_void, size: u32) -> Result<*const T, Failure> {
    let ptr = ptr.cast::<T>();
    if (size as usize) < size_of::<T>() {
        return Err(too_short(what, size, size_of::<T>()));
    }
    if ptr.is_null() || !ptr.is_aligned() {
        return Err(invalid_pointer(what, ptr.is_null()));
    }
    Ok(ptr)
}

#[cold]
fn too_short(what: &str, size: u32, known: usize) -> Failure {
    let text = format!(
        "the host's {what} has {size} bytes, but this bot needs {known}; the host is older than the bot"
    );
    Failure::new(E_FAIL, text)
}

#[cold]
fn invalid_pointer(what: &str, is_null: bool) -> Failure {
    Failure::new(
        E_FAIL,
        format!(
            "the host's pointer to {what} is {}",
            if is_null { "null" } else { "not aligned" }
        ),
    )
}
