//! The records that host and bots exchange, and their descriptions.
//!
//! A *frame* is a `#[repr(C)]` struct without padding and pointers. Its fields are little-endian
//! integers of fixed size, arrays of them, and other frames. [`frame!`](crate::frame!) declares a
//! frame and records the name, type, offset and meaning of each field. C headers, Lua type stubs,
//! the Lua decoder and the golden layout file are generated from that description.

use bytemuck::{AnyBitPattern, Pod, pod_read_unaligned};

/// A sized integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// `uint8_t`.
    U8,
    /// `uint16_t`.
    U16,
    /// `uint32_t`.
    U32,
    /// `uint64_t`.
    U64,
    /// `int32_t`.
    I32,
    /// `int64_t`.
    I64,
}

impl Scalar {
    /// Returns the size in bytes.
    #[inline]
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Scalar::U8 => 1,
            Scalar::U16 => 2,
            Scalar::U32 | Scalar::I32 => 4,
            Scalar::U64 | Scalar::I64 => 8,
        }
    }

    /// Reads a number from the start of `bytes`.
    ///
    /// # Panics
    /// Panics if there are fewer bytes than [`Scalar::size`].
    #[inline]
    #[must_use]
    pub fn read(self, bytes: &[u8]) -> i128 {
        fn read<T: AnyBitPattern>(bytes: &[u8]) -> T {
            pod_read_unaligned(&bytes[..size_of::<T>()])
        }
        match self {
            Scalar::U8 => bytes[0].into(),
            Scalar::U16 => read::<u16>(bytes).into(),
            Scalar::U32 => read::<u32>(bytes).into(),
            Scalar::U64 => read::<u64>(bytes).into(),
            Scalar::I32 => read::<i32>(bytes).into(),
            Scalar::I64 => read::<i64>(bytes).into(),
        }
    }
}

/// The type of a field or of one element of an array field.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A sized integer.
    Scalar(Scalar),
    /// Another frame, embedded.
    Frame(&'static Frame),
}

impl Type {
    /// Returns the size in bytes, which is the distance between elements of an array.
    #[inline]
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Type::Scalar(scalar) => scalar.size(),
            Type::Frame(frame) => frame.size,
        }
    }
}

/// The meaning of a field, which decides how headers, stubs and scripts represent it.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A plain number.
    Number,
    /// 0 or 1; a boolean in scripts.
    Flag,
    /// A set of cards with one bit per card; the game defines the numbers of cards.
    Cards,
    /// The number of a card, as the game defines it; 0xff for none.
    Card,
    /// A seat, from 0; 0xff for none. In scripts, seats start at 1 and none is nil.
    Seat,
    /// A set of seats with one bit per seat.
    Seats,
    /// A place, title or player, from 0; 0xff for none. In scripts, these start at 1 and none is
    /// nil.
    Ordinal,
    /// One of several named values.
    Code(&'static [Code]),
    /// A set of named flags. Each has one bit; the values are the masks.
    Flags(&'static [Code]),
    /// An embedded frame.
    Record,
    /// The size of the frame in bytes; the first field of every frame that can grow.
    Size,
    /// Reserved bytes, which are always zero.
    Reserved,
}

/// The name of a code or flag, and its value.
pub type Code = (&'static str, u64);

/// One field of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in Rust, C and Lua.
    pub name: &'static str,
    /// Type of one element.
    pub ty: Type,
    /// Number of elements, if the field is an array.
    pub array: Option<usize>,
    /// Offset from the start of the frame in bytes.
    pub offset: usize,
    /// Meaning of the value.
    pub meaning: Meaning,
    /// Documentation, one string per line.
    pub doc: &'static [&'static str],
}

impl Field {
    /// Returns the number in a field of a record, or in the first element of an array; `None` for
    /// an embedded frame.
    pub fn number(&self, record: &[u8]) -> Option<i128> {
        match self.ty {
            Type::Scalar(scalar) => Some(scalar.read(&record[self.offset..])),
            Type::Frame(_) => None,
        }
    }
}

/// The description of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Name without the prefix `hattari_` of C.
    pub name: &'static str,
    /// Documentation, one string per line.
    pub doc: &'static [&'static str],
    /// Size in bytes.
    pub size: usize,
    /// Fields by ascending offset, without gaps.
    pub fields: &'static [Field],
}

/// A named number for authors of bots, such as the bit of a card.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Name in capitals, without the prefix of a language.
    pub name: &'static str,
    /// Value of the constant.
    pub value: u64,
    /// Meaning of the value. A set ([`Meaning::Cards`]) needs 64 bits in every language.
    pub meaning: Meaning,
    /// Description in one line.
    pub doc: &'static str,
}

impl Constant {
    /// Creates a plain number.
    pub const fn number(name: &'static str, value: u64, doc: &'static str) -> Constant {
        Constant {
            name,
            value,
            meaning: Meaning::Number,
            doc,
        }
    }

    /// Creates a set of cards.
    pub const fn cards(name: &'static str, value: u64, doc: &'static str) -> Constant {
        Constant {
            meaning: Meaning::Cards,
            ..Constant::number(name, value, doc)
        }
    }
}

/// The description of all records that host and bots exchange in a game. Headers, stubs and
/// decoders are generated from it.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Name and revision, for example `daihinmin/1`.
    pub game: &'static str,
    /// Description of the numbering of cards and seats; an empty string separates paragraphs.
    pub doc: &'static [&'static str],
    /// Named numbers.
    pub constants: &'static [Constant],
    /// Action, event and view; embedded frames come before the frames that contain them.
    pub frames: &'static [Frame],
}

/// A plain record with a description.
pub trait Framed: Pod + Send + Sync {
    /// The description of the record.
    const FRAME: Frame;
    /// Size in bytes, the value of the field with [`Meaning::Size`].
    #[expect(clippy::cast_possible_truncation, reason = "frames are small")]
    const SIZE: u32 = size_of::<Self>() as u32;
}

/// A type that a field of a frame can have.
pub trait FieldType {
    /// Type of one element.
    const TYPE: Type;
    /// Number of elements if the type is an array.
    const ARRAY: Option<usize> = None;
}

macro_rules! scalar {
    ($($t:ty => $s:ident),*) => {$(impl FieldType for $t { const TYPE: Type = Type::Scalar(Scalar::$s); })*};
}
scalar!(u8 => U8, u16 => U16, u32 => U32, u64 => U64, i32 => I32, i64 => I64);

impl<T: FieldType, const N: usize> FieldType for [T; N] {
    const TYPE: Type = T::TYPE;
    const ARRAY: Option<usize> = Some(N);
}

/// Declares frames: `#[repr(C)]` structs with their [`Frame`] descriptions. Does not compile if a
/// struct would contain padding. A field has the [`Meaning`] after `=>`, or else is a plain number.
///
/// ```
/// use hattari_games::{frame, frame::Framed};
/// frame! {
///     /// A point.
///     pub struct Point: "demo_point" {
///         /// Horizontal position.
///         x: u32,
///         /// Seats on its four sides.
///         sides: [u8; 4] => Seat,
///     }
/// }
/// assert_eq!(Point::FRAME.fields[1].offset, 4);
/// ```
#[macro_export]
macro_rules! frame {
    (@meaning) => {
        $crate::frame::Meaning::Number
    };
    (@meaning $meaning:expr) => {{
        use $crate::frame::Meaning::*;
        $meaning
    }};
    // `$bytemuck` is the path of the `bytemuck` crate in the declaring package. The derives accept
    // it only as a string literal.
    (
        in $bytemuck:literal;
        $(
            $(#[doc = $doc:literal])*
            pub struct $name:ident : $cname:literal {
                $( $(#[doc = $fdoc:literal])* $field:ident : $ty:ty $(=> $meaning:expr)? ),* $(,)?
            }
        )*
    ) => { $(
        $(#[doc = $doc])*
        #[repr(C)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, $crate::bytemuck::Pod, $crate::bytemuck::Zeroable)]
        #[bytemuck(crate = $bytemuck)]
        pub struct $name { $( $(#[doc = $fdoc])* pub $field: $ty, )* }

        impl $crate::frame::Framed for $name {
            const FRAME: $crate::frame::Frame = $crate::frame::Frame {
                name: $cname,
                doc: &[$($doc),*],
                size: core::mem::size_of::<$name>(),
                fields: &[$( $crate::frame::Field {
                    name: stringify!($field),
                    ty: <$ty as $crate::frame::FieldType>::TYPE,
                    array: <$ty as $crate::frame::FieldType>::ARRAY,
                    offset: core::mem::offset_of!($name, $field),
                    meaning: $crate::frame!(@meaning $($meaning)?),
                    doc: &[$($fdoc),*],
                } ),*],
            };
        }

        impl $crate::frame::FieldType for $name {
            const TYPE: $crate::frame::Type =
                $crate::frame::Type::Frame(&<$name as $crate::frame::Framed>::FRAME);
        }
    )* };
    ($($frame:tt)*) => {
        $crate::frame! { in "::bytemuck"; $($frame)* }
    };
}

/// Declares the values of codes, or flags, as modules with a constant for each value. The constant
/// `NAMES` of each lists the names in lower case with their values, for [`Meaning::Code`] and
/// [`Meaning::Flags`].
///
/// ```
/// hattari_games::codes! {
///     /// Kinds of action.
///     pub mod kind {
///         /// No bet.
///         CHECK = 0,
///         /// A bet.
///         BET = 1,
///     }
/// }
/// assert_eq!((kind::BET, kind::NAMES), (1, &[("check", 0), ("bet", 1)][..]));
/// ```
#[macro_export]
macro_rules! codes {
    ($(
        $(#[doc = $doc:literal])*
        pub mod $module:ident {
            $( $(#[doc = $vdoc:literal])* $name:ident = $value:literal ),* $(,)?
        }
    )*) => { $(
        $(#[doc = $doc])*
        pub mod $module {
            $( $(#[doc = $vdoc])* pub const $name: u8 = $value; )*
            /// The names in lower case, with their values.
            pub const NAMES: &[$crate::frame::Code] = &[$( (
                {
                    const NAME: &str = stringify!($name);
                    const LETTERS: [u8; NAME.len()] = $crate::frame::small_letters(NAME);
                    match core::str::from_utf8(&LETTERS) {
                        Ok(name) => name,
                        Err(_) => NAME,
                    }
                },
                $value,
            ) ),*];
        }
    )* };
}

/// Returns the lower-case letters of a name of `N` bytes, for [`codes!`](crate::codes!).
#[doc(hidden)]
pub const fn small_letters<const N: usize>(name: &str) -> [u8; N] {
    let mut letters = *name.as_bytes().first_chunk().expect("a name of N bytes");
    letters.make_ascii_lowercase();
    letters
}

/// Returns the entries of `names` that have the given values, for records that use only a part of a
/// code. The values of `names` must be 0, 1, 2 and so on.
pub const fn pick<const N: usize>(names: &[Code], values: [u8; N]) -> [Code; N] {
    let mut picked = [("", 0); N];
    let mut place = 0;
    while place < N {
        picked[place] = names[values[place] as usize];
        place += 1;
    }
    picked
}
