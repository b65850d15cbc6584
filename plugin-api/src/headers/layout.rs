//! The layouts of structs, and C assertions that check them.

use crate::games::frame::{Frame, Schema, Type};

/// The layout of one struct.
pub struct Layout {
    /// Name in C.
    pub name: String,
    /// Size in bytes.
    pub size: usize,
    /// `true` if later releases may add fields at the end.
    pub grows: bool,
    /// Name, offset and size of each field, in bytes.
    pub fields: Vec<(String, usize, usize)>,
}

/// Returns the layout of a game's record. It may grow unless another record embeds it.
#[must_use]
pub fn of_frame(frame: &Frame, schema: &Schema) -> Layout {
    let embeds = |outer: &Frame| {
        outer
            .fields
            .iter()
            .any(|field| matches!(field.ty, Type::Frame(inner) if inner.name == frame.name))
    };
    let fields = frame.fields.iter().map(|field| {
        (
            field.name.to_owned(),
            field.offset,
            field.ty.size() * field.array.unwrap_or(1),
        )
    });
    Layout {
        name: format!("hattari_{}", frame.name),
        size: frame.size,
        grows: !schema.frames.iter().any(embeds),
        fields: fields.collect(),
    }
}

/// The C condition for pointers of 8 bytes.
pub const WIDE: &str = "UINTPTR_MAX == 0xffffffffffffffffu";
/// The C condition for WebAssembly, where pointers have 4 bytes and 8-byte numbers are aligned to
/// 8.
pub const WASM: &str = "defined(__wasm32__)";

/// Returns C assertions that check the layouts if the condition holds.
#[must_use]
pub fn asserts(condition: &str, layouts: &[Layout]) -> String {
    let mut out = format!("#if {condition}\n");
    for Layout {
        name, size, fields, ..
    } in layouts
    {
        out += &format!("HATTARI_ASSERT_(sizeof({name}) == {size});\n");
        for (field, offset, _) in fields {
            out += &format!("HATTARI_ASSERT_(offsetof({name}, {field}) == {offset});\n");
        }
    }
    out + "#endif\n"
}
