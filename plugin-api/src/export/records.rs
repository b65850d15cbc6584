//! Reads the records that a call hands over, whatever release of the header the other side was
//! built with.
#![expect(unsafe_code, reason = "turns the host's pointers into slices")]

use super::Failure;
use crate::abi::E_FAIL;
use bytemuck::Pod;
use core::ffi::c_void;
use std::slice;

/// The record at `ptr`, of which the host says that it has `size` bytes.
///
/// # Errors
/// A null or crooked pointer; a record shorter than this library's: the host is older than the bot.
///
/// # Safety
/// `ptr` is null or points to `size` bytes that hold for `'a`.
#[inline]
pub(super) unsafe fn record<'a, T: Pod>(
    what: &str,
    ptr: *const c_void,
    size: u32,
) -> Result<&'a T, Failure> {
    let ptr = checked::<T>(what, ptr, size)?;
    // SAFETY: not null, aligned, long enough; any bytes are a `T`, which is plain data.
    Ok(unsafe { &*ptr })
}

/// The `count` records from `ptr` on, each `stride` bytes after the one before: in place where the
/// host's records are as long as this library's, else their known parts copied to `buffer`.
///
/// # Errors
/// As [`record`].
///
/// # Safety
/// `ptr` points to `count` records of `stride` bytes that hold for `'a`, unless it is null or
/// `count` is 0.
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
        // SAFETY: not null, aligned, `count` records without gaps between them; any bytes are a
        // `T`.
        return Ok(unsafe { slice::from_raw_parts(first, count as usize) });
    }
    buffer.clear();
    for index in 0..count as usize {
        // SAFETY: within the `count` records of `stride` bytes; read without asking for alignment.
        buffer.push(unsafe { first.byte_add(index * stride as usize).read_unaligned() });
    }
    Ok(buffer)
}

/// The `count` numbers at `ptr`.
///
/// # Errors
/// A null or crooked pointer.
///
/// # Safety
/// `ptr` points to `count` numbers that hold for `'a`, unless it is null or `count` is 0.
pub(super) unsafe fn numbers<'a>(
    what: &str,
    ptr: *const i64,
    count: u32,
) -> Result<&'a [i64], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    let first = checked::<i64>(what, ptr.cast(), 8)?;
    // SAFETY: not null, aligned, `count` numbers.
    Ok(unsafe { slice::from_raw_parts(first, count as usize) })
}

#[inline]
fn checked<T>(what: &str, ptr: *const c_void, size: u32) -> Result<*const T, Failure> {
    let ptr = ptr.cast::<T>();
    if (size as usize) < size_of::<T>() {
        return Err(too_short(what, size, size_of::<T>()));
    }
    if ptr.is_null() || !ptr.is_aligned() {
        return Err(crooked(what, ptr.is_null()));
    }
    Ok(ptr)
}

#[cold]
fn too_short(what: &str, size: u32, known: usize) -> Failure {
    let text = format!(
        "the host's {what} has {size} bytes, this bot's {known}: the host is older than the bot"
    );
    Failure::new(E_FAIL, text)
}

#[cold]
fn crooked(what: &str, is_null: bool) -> Failure {
    Failure::new(
        E_FAIL,
        format!(
            "the host's pointer to {what} is {}",
            if is_null { "null" } else { "not aligned" }
        ),
    )
}
