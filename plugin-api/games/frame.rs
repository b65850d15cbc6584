//! Records that cross the border between host and bots, and their description.
//!
//! A *frame* is a padding-free `#[repr(C)]` struct of sized integers, arrays of them and other
//! frames, little-endian, without pointers. [`frame!`](crate::frame!) declares one and records
//! name, type, offset and meaning of each field; C headers, Lua type stubs, the Lua decoder and the
//! golden layout file are all made from that description.

use bytemuck::Pod;

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

/// The type of a field or of one element of an array field.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A sized integer.
    Scalar(Scalar),
    /// Another frame, embedded.
    Frame(&'static Frame),
}

/// What a field means, for authors who do not read offsets.
#[derive(Clone, Copy, Debug)]
pub enum Meaning {
    /// A plain number.
    Number,
    /// 0 or 1; reads as a boolean in scripts.
    Flag,
    /// A set of cards, one bit a card, numbered as the game says.
    Cards,
    /// One card's number as the game says; 0xff is none.
    Card,
    /// A seat, from 0; 0xff is nobody. Scripts count seats from 1 and read nobody as nil.
    Seat,
    /// A set of seats, one bit a seat.
    Seats,
    /// A place, title or player counted from 0; 0xff is none. Scripts count them from 1 and read
    /// none as nil.
    Ordinal,
    /// One of a few named values.
    Code(&'static [Code]),
    /// A set of named flags, one bit each: name and mask.
    Flags(&'static [Code]),
    /// A frame inside this one.
    Record,
    /// The size in bytes of the frame itself; always the first field of frames that may grow.
    Size,
    /// Always zero.
    Reserved,
}

/// The name of a value of a code, or of a flag, and the value.
pub type Code = (&'static str, u64);

/// One field of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in Rust, C and Lua.
    pub name: &'static str,
    /// Type of one element.
    pub ty: Type,
    /// Elements, where the field is an array.
    pub array: Option<usize>,
    /// Bytes from the start of the frame.
    pub offset: usize,
    /// What it means.
    pub meaning: Meaning,
    /// Its documentation, one entry a line.
    pub doc: &'static [&'static str],
}

/// The description of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Name without the `hattari_` that C puts before it.
    pub name: &'static str,
    /// Its documentation, one entry a line.
    pub doc: &'static [&'static str],
    /// Size in bytes.
    pub size: usize,
    /// Fields by ascending offset, without gaps.
    pub fields: &'static [Field],
}

/// A number that authors need by name, such as the bit of a certain card.
#[derive(Clone, Copy, Debug)]
pub struct Constant {
    /// Name in capitals, without what a language puts before it.
    pub name: &'static str,
    /// Its value.
    pub value: u64,
    /// What it means: [`Meaning::Cards`] for sets, which need 64 bits in every language.
    pub meaning: Meaning,
    /// What it is, in a line.
    pub doc: &'static str,
}

impl Constant {
    /// A plain number.
    #[must_use]
    pub const fn number(name: &'static str, value: u64, doc: &'static str) -> Constant {
        Constant {
            name,
            value,
            meaning: Meaning::Number,
            doc,
        }
    }

    /// A set of cards.
    #[must_use]
    pub const fn cards(name: &'static str, value: u64, doc: &'static str) -> Constant {
        Constant {
            meaning: Meaning::Cards,
            ..Constant::number(name, value, doc)
        }
    }
}

/// Everything that crosses the border in one game: what headers, stubs and decoders are made from.
#[derive(Clone, Copy, Debug)]
pub struct Schema {
    /// Name and revision, as in `daihinmin/1`.
    pub game: &'static str,
    /// How cards, seats and the like are numbered, one entry a line.
    pub doc: &'static [&'static str],
    /// Numbers by name.
    pub constants: &'static [Constant],
    /// Action, event and view, each after those that it embeds.
    pub frames: &'static [Frame],
}

/// A plain record with a description.
pub trait Framed: Pod + Send + Sync {
    /// The description.
    const FRAME: Frame;
    /// Its size in bytes, for the field of [`Meaning::Size`].
    #[expect(clippy::cast_possible_truncation, reason = "frames are small")]
    const SIZE: u32 = size_of::<Self>() as u32;
}

/// A type that a field may have.
pub trait FieldType {
    /// Type of one element.
    const TYPE: Type;
    /// Elements, for arrays.
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

/// Declares a frame: a `#[repr(C)]` struct whose derive refuses padding, with its [`Frame`]
/// description.
///
/// ```
/// use hattari_games::{frame, frame::{Framed, Meaning}};
/// frame! {
///     /// A point.
///     pub struct Point: "demo_point" {
///         /// Across.
///         x: u32 => Meaning::Number,
///         /// Seats that like it.
///         fans: [u8; 4] => Meaning::Seat,
///     }
/// }
/// assert_eq!(Point::FRAME.fields[1].offset, 4);
/// ```
#[macro_export]
macro_rules! frame {
    // `$bytemuck` is where the package that declares the frame finds that crate; derives take it as text alone.
    (
        in $bytemuck:literal;
        $(#[doc = $doc:literal])*
        pub struct $name:ident : $cname:literal {
            $( $(#[doc = $fdoc:literal])* $field:ident : $ty:ty => $meaning:expr ),* $(,)?
        }
    ) => {
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
                    meaning: $meaning,
                    doc: &[$($fdoc),*],
                } ),*],
            };
        }

        impl $crate::frame::FieldType for $name {
            const TYPE: $crate::frame::Type =
                $crate::frame::Type::Frame(&<$name as $crate::frame::Framed>::FRAME);
        }
    };
    ($($frame:tt)*) => {
        $crate::frame! { in "::bytemuck"; $($frame)* }
    };
}

/// Declares the values of a code, or flags, as a module: a constant for each, and `NAMES`, their
/// names in small letters with the values, for [`Meaning::Code`] and [`Meaning::Flags`].
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
    (
        $(#[doc = $doc:literal])*
        pub mod $module:ident {
            $( $(#[doc = $vdoc:literal])* $name:ident = $value:literal ),* $(,)?
        }
    ) => {
        $(#[doc = $doc])*
        pub mod $module {
            $( $(#[doc = $vdoc])* pub const $name: u8 = $value; )*
            /// Names in small letters, with their values.
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
    };
}

/// The letters of a name of `N` letters, for [`codes!`](crate::codes!).
#[doc(hidden)]
#[must_use]
pub const fn small_letters<const N: usize>(name: &str) -> [u8; N] {
    let mut letters = [0; N];
    let mut place = 0;
    while place < N {
        letters[place] = name.as_bytes()[place].to_ascii_lowercase();
        place += 1;
    }
    letters
}

/// Those of `names` that have these values, each at the place of its number: for records that know
/// a part of a code. Names are numbered from 0 without gaps.
#[must_use]
pub const fn pick<const N: usize>(names: &[Code], values: [u8; N]) -> [Code; N] {
    let mut picked = [("", 0); N];
    let mut place = 0;
    while place < N {
        picked[place] = names[values[place] as usize];
        place += 1;
    }
    picked
}
