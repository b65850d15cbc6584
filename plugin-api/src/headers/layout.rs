//! Where every field of a struct lies.

use crate::games::frame::{Frame, Scalar, Schema, Type};

/// The layout of one struct.
pub struct Layout {
    /// Its name in C.
    pub name: String,
    /// Its size in bytes.
    pub size: usize,
    /// Whether later releases may add fields at its end.
    pub grows: bool,
    /// Name, offset and size of each field.
    pub fields: Vec<(String, usize, usize)>,
}

/// The layout of a game's record. It grows unless another record embeds it.
#[must_use]
pub fn of_frame(frame: &Frame, schema: &Schema) -> Layout {
    let embeds = |outer: &Frame| {
        outer.fields.iter().any(|field| matches!(field.ty, Type::Frame(inner) if inner.name == frame.name))
    };
    let fields = frame.fields.iter().map(|field| {
        let element = match field.ty {
            Type::Frame(inner) => inner.size,
            Type::Scalar(Scalar::U8) => 1,
            Type::Scalar(Scalar::U16) => 2,
            Type::Scalar(Scalar::U32 | Scalar::I32) => 4,
            Type::Scalar(Scalar::U64 | Scalar::I64) => 8,
        };
        (field.name.to_owned(), field.offset, element * field.array.unwrap_or(1))
    });
    Layout {
        name: format!("hattari_{}", frame.name),
        size: frame.size,
        grows: !schema.frames.iter().any(embeds),
        fields: fields.collect(),
    }
}

/// Assertions in C that the compiler sees the same layout. Interfaces have pointers, so they hold where those have 8 bytes.
#[must_use]
pub fn asserts(layouts: &[Layout]) -> String {
    let mut out = String::from("/* The layout that both sides count on. */\n#if UINTPTR_MAX == 0xffffffffffffffffu\n");
    for Layout { name, size, fields, .. } in layouts {
        out.push_str(&format!("HATTARI_ASSERT_(sizeof({name}) == {size});\n"));
        for (field, offset, _) in fields {
            out.push_str(&format!("HATTARI_ASSERT_(offsetof({name}, {field}) == {offset});\n"));
        }
    }
    out + "#endif\n"
}
