//! Compact encoding of integers.
//!
//! The zigzag code maps 0, -1, 1, -2 to 0, 1, 2, 3 and so on, so that numbers near 0 are short. The
//! coded number is written in groups of seven bits, the lowest first, each in a byte. The top bit
//! is set in all bytes of a number but the last. A blob is a sequence of such numbers.

use std::iter;

/// Encodes numbers as a blob.
pub fn pack(numbers: impl Iterator<Item = i64>) -> Vec<u8> {
    let mut blob = Vec::new();
    append(numbers, &mut blob);
    blob
}

/// Appends encoded numbers to a blob.
pub fn append(numbers: impl Iterator<Item = i64>, blob: &mut Vec<u8>) {
    for number in numbers {
        let mut rest = (number << 1 ^ number >> 63).cast_unsigned();
        while rest >= 0x80 {
            blob.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        blob.push((rest & 0x7f) as u8);
    }
}

/// Decodes a blob. Returns `None` if it is invalid.
pub fn unpack(blob: &[u8]) -> Option<Vec<i64>> {
    let mut numbers = Vec::with_capacity(blob.len());
    for number in unpack_each(blob) {
        numbers.push(number?);
    }
    Some(numbers)
}

/// Decodes the numbers of a blob one by one; an invalid number is `None`.
pub fn unpack_each(blob: &[u8]) -> impl Iterator<Item = Option<i64>> {
    let mut bytes = blob.iter();
    iter::from_fn(move || {
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let Some(&byte) = bytes.next() else {
                return (shift != 0).then_some(None);
            };
            if shift > 63 || shift == 63 && byte > 1 {
                return Some(None);
            }
            value |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                return Some(Some(
                    (value >> 1).cast_signed() ^ -(value & 1).cast_signed(),
                ));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unpacking_packed_numbers_returns_the_original_numbers() {
        let numbers = [
            0,
            1,
            -1,
            63,
            64,
            -64,
            -65,
            8191,
            8192,
            i64::from(u32::MAX),
            i64::MAX,
            i64::MIN,
        ];
        let blob = pack(numbers.into_iter());
        assert_eq!(unpack(&blob).as_deref(), Some(&numbers[..]));
        assert_eq!(&blob[..4], [0, 2, 1, 126]);
        assert_eq!(unpack(&blob[..blob.len() - 1]), None, "cut short");
        assert_eq!(unpack(&[0xff; 11]), None, "too large");
    }
}
