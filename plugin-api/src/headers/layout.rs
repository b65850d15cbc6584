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
        outer
            .fields
            .iter()
            .any(|field| matches!(field.ty, Type::Frame(inner) if inner.name == frame.name))
    };
    let fields = frame.fields.iter().map(|field| {
        let element = match field.ty {
            Type::Frame(inner) => inner.size,
            Type::Scalar(Scalar::U8) => 1,
            Type::Scalar(Scalar::U16) => 2,
            Type::Scalar(Scalar::U32 | Scalar::I32) => 4,
            Type::Scalar(Scalar::U64 | Scalar::I64) => 8,
        };
        (
            field.name.to_owned(),
            field.offset,
            element * field.array.unwrap_or(1),
        )
    });
    Layout {
        name: format!("hattari_{}", frame.name),
        size: frame.size,
        grows: !schema.frames.iter().any(embeds),
        fields: fields.collect(),
    }
}

/// The condition in C under which pointers have 8 bytes.
pub const WIDE: &str = "UINTPTR_MAX == 0xffffffffffffffffu";
/// The condition in C of WebAssembly, where pointers have 4 bytes and numbers of 8 lie at multiples
/// of 8.
pub const WASM: &str = "defined(__wasm32__)";

/// Assertions in C that the compiler sees the same layouts where the condition holds.
#[must_use]
pub fn asserts(condition: &str, layouts: &[Layout]) -> String {
    let mut out = format!("#if {condition}\n");
    for Layout {
        name, size, fields, ..
    } in layouts
    {
        out.push_str(&format!("HATTARI_ASSERT_(sizeof({name}) == {size});\n"));
        for (field, offset, _) in fields {
            out.push_str(&format!(
                "HATTARI_ASSERT_(offsetof({name}, {field}) == {offset});\n"
            ));
        }
    }
    out + "#endif\n"
}
