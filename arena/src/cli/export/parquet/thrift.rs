//! An encoder for structs in Thrift's compact protocol, limited to the parts that Parquet metadata
//! needs.

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A struct to which fields are added. They must be added in ascending order of their numbers.
pub(super) struct Struct {
    bytes: Vec<u8>,
    /// Number of the field that was added last; 0 if there is none.
    last: u8,
}

impl Struct {
    pub(super) fn new() -> Struct {
        Struct {
            bytes: Vec::new(),
            last: 0,
        }
    }

    fn field(mut self, number: u8, kind: u8) -> Struct {
        debug_assert!(
            self.last < number && number - self.last < 16,
            "fields are close together"
        );
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
        self
    }

    pub(super) fn i32(self, number: u8, value: i32) -> Struct {
        let mut this = self.field(number, I32);
        put_signed(value.into(), &mut this.bytes);
        this
    }

    /// Adds a 64-bit field with a number of bytes or rows.
    pub(super) fn i64(self, number: u8, value: usize) -> Struct {
        let mut this = self.field(number, I64);
        put_signed(
            i64::try_from(value).expect("sizes in memory fit in 64 bits"),
            &mut this.bytes,
        );
        this
    }

    pub(super) fn text(self, number: u8, text: &str) -> Struct {
        let mut this = self.field(number, BINARY);
        put_text(text, &mut this.bytes);
        this
    }

    /// Adds a nested struct that was encoded by [`Struct::end`].
    pub(super) fn inner(self, number: u8, inner: &[u8]) -> Struct {
        let mut this = self.field(number, STRUCT);
        this.bytes.extend(inner);
        this
    }

    pub(super) fn i32s(self, number: u8, list: &[i32]) -> Struct {
        self.list(number, I32, list, |&value, bytes| {
            put_signed(value.into(), bytes)
        })
    }

    pub(super) fn texts(self, number: u8, list: &[&str]) -> Struct {
        self.list(number, BINARY, list, |text, bytes| put_text(text, bytes))
    }

    pub(super) fn inners(self, number: u8, list: &[Vec<u8>]) -> Struct {
        self.list(number, STRUCT, list, |inner, bytes| bytes.extend(inner))
    }

    fn list<T>(self, number: u8, kind: u8, list: &[T], put: impl Fn(&T, &mut Vec<u8>)) -> Struct {
        let mut this = self.field(number, LIST);
        match u8::try_from(list.len()) {
            Ok(count @ ..15) => this.bytes.push(count << 4 | kind),
            _ => {
                this.bytes.push(0xf0 | kind);
                put_number(list.len() as u64, &mut this.bytes);
            }
        }
        list.iter()
            .for_each(|element| put(element, &mut this.bytes));
        this
    }

    /// Returns the encoded struct.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
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

fn put_text(text: &str, bytes: &mut Vec<u8>) {
    put_number(text.len() as u64, bytes);
    bytes.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thrift_fields_are_encoded_by_id_delta_and_type() {
        // Example from the specification of the compact protocol.
        let bytes = Struct::new()
            .i32(1, -1)
            .i64(3, 300)
            .text(4, "ab")
            .i32s(9, &[1, 2])
            .inner(10, &Struct::new().end())
            .end();
        assert_eq!(
            bytes,
            [
                0x15, 1, 0x26, 0xd8, 4, 0x18, 2, b'a', b'b', 0x59, 0x25, 2, 4, 0x1c, 0, 0
            ]
        );
    }

    #[test]
    fn the_length_of_a_long_thrift_list_is_encoded_separately() {
        let bytes = Struct::new().i32s(1, &[0; 15]).end();
        assert_eq!(bytes[..3], [0x19, 0xf5, 15]);
    }
}
