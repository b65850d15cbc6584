//! An encoder for structs in Thrift's compact protocol, limited to the parts that Parquet metadata
//! needs.

use Value::{I32, I64, List, Struct, Text};

/// The value of a field or of an element of a list.
pub(super) enum Value<'a> {
    /// A 32-bit integer.
    I32(i32),
    /// A number of bytes or rows, as a 64-bit integer.
    I64(usize),
    /// A UTF-8 string, encoded with its length.
    Text(&'a str),
    /// A struct that was encoded by [`encode`].
    Struct(Vec<u8>),
    /// A list of values of one type. An empty list is encoded as a list of structs.
    List(Vec<Value<'a>>),
}

impl Value<'_> {
    /// Returns the code of the type.
    fn kind(&self) -> u8 {
        match self {
            I32(_) => 5,
            I64(_) => 6,
            Text(_) => 8,
            List(_) => 9,
            Struct(_) => 12,
        }
    }

    /// Appends the encoded value.
    fn put(&self, bytes: &mut Vec<u8>) {
        match self {
            I32(number) => put_signed((*number).into(), bytes),
            I64(size) => {
                let size = i64::try_from(*size).expect("sizes in memory fit in 64 bits");
                put_signed(size, bytes);
            }
            Text(text) => {
                put_number(text.len() as u64, bytes);
                bytes.extend(text.as_bytes());
            }
            Struct(encoded) => bytes.extend(encoded),
            List(values) => {
                let kind = values
                    .first()
                    .map_or(Struct(Vec::new()).kind(), Value::kind);
                match u8::try_from(values.len()) {
                    Ok(count @ ..15) => bytes.push(count << 4 | kind),
                    _ => {
                        bytes.push(0xf0 | kind);
                        put_number(values.len() as u64, bytes);
                    }
                }
                values.iter().for_each(|value| value.put(bytes));
            }
        }
    }
}

/// Encodes a struct. The fields must be in ascending order of their numbers.
pub(super) fn encode(fields: &[(u8, Value<'_>)]) -> Vec<u8> {
    let (mut bytes, mut last) = (Vec::new(), 0);
    for (number, value) in fields {
        debug_assert!(
            last < *number && number - last < 16,
            "fields are close together"
        );
        bytes.push((number - last) << 4 | value.kind());
        value.put(&mut bytes);
        last = *number;
    }
    bytes.push(0);
    bytes
}

/// Appends an unsigned integer with seven bits per byte, lowest bits first.
pub(super) fn put_number(mut number: u64, bytes: &mut Vec<u8>) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

/// Appends a signed integer in zigzag encoding.
fn put_signed(number: i64, bytes: &mut Vec<u8>) {
    put_number((number << 1 ^ number >> 63).cast_unsigned(), bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thrift_fields_are_encoded_by_id_delta_and_type() {
        // Example from the specification of the compact protocol.
        let bytes = encode(&[
            (1, I32(-1)),
            (3, I64(300)),
            (4, Text("ab")),
            (9, List(vec![I32(1), I32(2)])),
            (10, Struct(encode(&[]))),
        ]);
        assert_eq!(
            bytes,
            [
                0x15, 1, 0x26, 0xd8, 4, 0x18, 2, b'a', b'b', 0x59, 0x25, 2, 4, 0x1c, 0, 0
            ]
        );
    }

    #[test]
    fn the_length_of_a_long_thrift_list_is_encoded_separately() {
        let numbers = (0..15).map(|_| I32(0)).collect();
        let bytes = encode(&[(1, List(numbers))]);
        assert_eq!(bytes[..3], [0x19, 0xf5, 15]);
    }
}
