//! Checked access to a module's memory with 32-bit addresses.

use bytemuck::Pod;
use hattari_plugin::abi32::Text;
use std::ops::Range;

// The module's memory is little-endian, and records are copied unchanged.
const _: () = assert!(cfg!(target_endian = "little"));

/// The error for an access outside the module's memory.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{bytes} bytes at {address:#x} are outside its memory")]
pub(super) struct OutOfBounds {
    address: u32,
    bytes: u64,
}

/// Returns `bytes` bytes at an address.
#[inline]
pub(super) fn bytes(memory: &[u8], address: u32, bytes: u64) -> Result<&[u8], OutOfBounds> {
    let outside = OutOfBounds { address, bytes };
    memory.get(range(address, bytes)).ok_or(outside)
}

/// Returns `bytes` bytes at an address for writing.
#[inline]
pub(super) fn bytes_mut(
    memory: &mut [u8],
    address: u32,
    bytes: u64,
) -> Result<&mut [u8], OutOfBounds> {
    let outside = OutOfBounds { address, bytes };
    memory.get_mut(range(address, bytes)).ok_or(outside)
}

/// Returns the range of `bytes` bytes at an address. A range beyond all memories is cut off.
#[inline]
fn range(address: u32, bytes: u64) -> Range<usize> {
    let start = address as usize;
    start..start.saturating_add(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Reads the record at an address.
pub(super) fn read<T: Pod>(memory: &[u8], address: u32) -> Result<T, OutOfBounds> {
    let record = bytes(memory, address, size_of::<T>() as u64)?;
    Ok(bytemuck::pod_read_unaligned(record))
}

/// Writes a record to an address.
pub(super) fn write<T: Pod>(
    memory: &mut [u8],
    address: u32,
    record: &T,
) -> Result<(), OutOfBounds> {
    bytes_mut(memory, address, size_of::<T>() as u64)?.copy_from_slice(bytemuck::bytes_of(record));
    Ok(())
}

/// Returns a zero-terminated text without its zero; `None` if there is no zero within `most` bytes.
pub(super) fn text(memory: &[u8], address: u32, most: usize) -> Result<Option<&[u8]>, OutOfBounds> {
    let rest = memory
        .get(address as usize..)
        .ok_or(OutOfBounds { address, bytes: 1 })?;
    let within = &rest[..rest.len().min(most)];
    match within.iter().position(|&byte| byte == 0) {
        Some(end) => Ok(Some(&within[..end])),
        None if within.len() < most => Err(OutOfBounds {
            address,
            bytes: rest.len() as u64 + 1,
        }),
        None => Ok(None),
    }
}

/// Reads the text to which the [`Text`] at an address points, up to `most` bytes. Returns an empty
/// text for a null pointer.
pub(super) fn counted_text(memory: &[u8], address: u32, most: u64) -> Result<String, OutOfBounds> {
    let text: Text = read(memory, address)?;
    if text.ptr == 0 {
        return Ok(String::new());
    }
    Ok(String::from_utf8_lossy(bytes(memory, text.ptr, text.len.min(most))?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_accesses_out_of_bounds_return_an_error() {
        let mut memory = *b"abc\0efgh";
        assert_eq!(bytes(&memory, 2, 3), Ok(&b"c\0e"[..]));
        assert_eq!(bytes(&memory, 8, 0), Ok(&b""[..]));
        for (address, count) in [(0, 9), (8, 1), (9, 0), (u32::MAX, 1), (1, u64::MAX), (4, 5)] {
            assert!(
                bytes(&memory, address, count).is_err(),
                "{count} at {address}"
            );
            assert!(
                bytes_mut(&mut memory, address, count).is_err(),
                "{count} at {address}"
            );
        }
        assert_eq!(read::<u32>(&memory, 4), Ok(u32::from_le_bytes(*b"efgh")));
        assert!(read::<u32>(&memory, 5).is_err() && write(&mut memory, 7, &0_u16).is_err());
        assert_eq!(write(&mut memory, 6, &0_u16), Ok(()));
        assert_eq!(&memory, b"abc\0ef\0\0");
    }

    #[test]
    fn texts_are_read_up_to_their_terminating_zero() {
        let memory = b"abc\0efgh";
        assert_eq!(text(memory, 1, 10), Ok(Some(&b"bc"[..])));
        assert_eq!(text(memory, 0, 3), Ok(None));
        assert!(text(memory, 4, 10).is_err() && text(memory, 9, 10).is_err());
    }
}
