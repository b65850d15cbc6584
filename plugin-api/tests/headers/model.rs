//! `src/abi.rs` as data: constants, structs and tables, with their comments.

use crate::package;
use std::fs;
use syn::{
    Attribute, Expr, ExprLit, Fields, Item, Lit, Meta, PointerMutability, ReturnType, Type,
    TypePath,
};

/// The contents of the file, in order.
pub(crate) struct Model {
    /// Comment of the file.
    pub doc: Vec<String>,
    /// Constants, structs and tables.
    pub items: Vec<Entry>,
}

/// A declaration of the header.
pub(crate) enum Entry {
    /// A constant: its Rust name, its value in C, and its comment.
    Constant {
        name: String,
        value: String,
        doc: Vec<String>,
    },
    /// An alias of an integer type.
    Alias {
        name: String,
        target: String,
        doc: Vec<String>,
    },
    /// A struct.
    Struct(Struct),
}

/// A struct of data or of functions.
pub(crate) struct Struct {
    /// Rust name.
    pub name: String,
    /// Comment.
    pub doc: Vec<String>,
    /// Fields in order.
    pub fields: Vec<Field>,
}

/// A field.
pub(crate) struct Field {
    /// Name.
    pub name: String,
    /// C declaration, without indent and semicolon.
    pub declaration: String,
    /// Type.
    pub shape: Shape,
    /// Comment.
    pub doc: Vec<String>,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A number, with its Rust type.
    Number(String),
    /// A pointer, also to a function.
    Pointer,
    /// Another struct of the file.
    Struct(String),
}

impl Struct {
    /// Returns `true` if the struct starts with its size, so it may grow.
    pub(crate) fn grows(&self) -> bool {
        self.fields
            .first()
            .is_some_and(|field| field.name == "struct_size")
    }
}

impl Model {
    /// Returns only the structs.
    pub(crate) fn structs(&self) -> impl Iterator<Item = &Struct> {
        self.items.iter().filter_map(|item| {
            if let Entry::Struct(it) = item {
                Some(it)
            } else {
                None
            }
        })
    }

    /// Returns the C name of a link's target.
    pub(crate) fn resolve(&self, target: &str) -> String {
        let (head, field) = target
            .split_once("::")
            .map_or((target, None), |(head, field)| (head, Some(field)));
        let name = self.items.iter().find_map(|item| match item {
            Entry::Constant { name, .. } if name == head => Some(c_constant(name)),
            Entry::Alias { name, .. } | Entry::Struct(Struct { name, .. }) if name == head => {
                Some(c_type_name(name))
            }
            _ => None,
        });
        let name = name
            .unwrap_or_else(|| panic!("a link leads to `{target}`, which abi.rs does not have"));
        match field {
            Some(field) => format!("{name}.{field}"),
            None => name,
        }
    }
}

/// Returns the C name of a constant.
pub(crate) fn c_constant(name: &str) -> String {
    format!("HATTARI_{name}")
}

/// Returns the C name of a type: the prefix, then words in lower case. `Entry` becomes
/// `LibraryEntry`, because the symbol `hattari_entry` is in the same C namespace.
pub(crate) fn c_type_name(name: &str) -> String {
    let mut out = String::from("hattari");
    for letter in name.replace("Entry", "LibraryEntry").chars() {
        if letter.is_ascii_uppercase() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// Parses `src/abi.rs`.
pub(crate) fn parse() -> Model {
    let source = fs::read_to_string(package().join("src/abi.rs")).expect("src/abi.rs can be read");
    let file = syn::parse_file(&source).expect("src/abi.rs is Rust");
    let items = file.items.iter().filter_map(|item| match item {
        Item::Const(it) => {
            let value = value(&it.expr, &c_type(referred(&it.ty)));
            Some(Entry::Constant {
                name: it.ident.to_string(),
                value,
                doc: doc(&it.attrs),
            })
        }
        Item::Type(it) => Some(Entry::Alias {
            name: it.ident.to_string(),
            target: c_type(&it.ty),
            doc: doc(&it.attrs),
        }),
        Item::Struct(it) => {
            let Fields::Named(fields) = &it.fields else {
                panic!("{} must have named fields", it.ident)
            };
            let fields = fields.named.iter().map(field).collect();
            Some(Entry::Struct(Struct {
                name: it.ident.to_string(),
                doc: doc(&it.attrs),
                fields,
            }))
        }
        Item::Fn(_) | Item::Use(_) => None,
        _ => panic!("abi.rs contains an item that cannot be translated to C"),
    });
    let items = items.collect();
    Model {
        doc: doc(&file.attrs),
        items,
    }
}

fn doc(attributes: &[Attribute]) -> Vec<String> {
    let texts = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(ExprLit {
                    lit: Lit::Str(text),
                    ..
                }) => Some(text.value()),
                _ => None,
            },
            _ => None,
        });
    texts.collect()
}

fn referred(ty: &Type) -> &Type {
    if let Type::Reference(reference) = ty {
        &reference.elem
    } else {
        ty
    }
}

/// Formats a constant of the C type `ty`.
fn value(expr: &Expr, ty: &str) -> String {
    let number = match expr {
        Expr::Lit(ExprLit {
            lit: Lit::CStr(text),
            ..
        }) => {
            return format!("{:?}", text.value().to_str().expect("ids are UTF-8"));
        }
        Expr::Lit(ExprLit {
            lit: Lit::Int(number),
            ..
        }) => number.base10_digits().to_owned(),
        Expr::Unary(negative) => format!("-{}", value(&negative.expr, "int32_t")),
        _ => panic!("a constant of abi.rs is neither a number nor a C string"),
    };
    match ty {
        "uint32_t" => format!("{number}u"),
        "int32_t" => number,
        ty => format!("(({ty}){number})"),
    }
}

fn field(field: &syn::Field) -> Field {
    let name = field.ident.as_ref().expect("fields have names").to_string();
    let declaration = match function_in(&field.ty) {
        Some(function) => {
            let arguments = function.inputs.iter().map(|argument| {
                let (name, _) = argument
                    .name
                    .as_ref()
                    .unwrap_or_else(|| panic!("an argument of {name} has no name"));
                declare(&argument.ty, &name.to_string())
            });
            let arguments: Vec<String> = arguments.collect();
            let arguments = if arguments.is_empty() {
                "void".to_owned()
            } else {
                arguments.join(", ")
            };
            let result = match &function.output {
                ReturnType::Default => "void".to_owned(),
                ReturnType::Type(_, ty) => c_type(ty),
            };
            format!("{}(*{name})({arguments})", spaced(&result))
        }
        None => declare(&field.ty, &name),
    };
    Field {
        name,
        declaration,
        shape: shape(&field.ty),
        doc: doc(&field.attrs),
    }
}

fn last_name(path: &syn::Path) -> String {
    let last = path.segments.last().expect("a path has a name");
    last.ident.to_string()
}

fn shape(ty: &Type) -> Shape {
    match ty {
        Type::Ptr(_) => Shape::Pointer,
        Type::Path(_) if function_in(ty).is_some() => Shape::Pointer,
        Type::Path(TypePath { path, .. }) => {
            let name = last_name(path);
            if name.starts_with(|letter: char| letter.is_ascii_lowercase()) {
                Shape::Number(name)
            } else {
                Shape::Struct(name)
            }
        }
        _ => panic!("abi.rs uses a type that cannot be translated to C"),
    }
}

/// Returns the function type of an `Option<unsafe extern "C" fn(…)>`.
fn function_in(ty: &Type) -> Option<&syn::TypeFnPtr> {
    let Type::Path(TypePath { path, .. }) = ty else {
        return None;
    };
    let segment = path
        .segments
        .last()
        .filter(|segment| segment.ident == "Option")?;
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(Type::FnPtr(function))) => Some(function),
        _ => panic!("an Option in abi.rs holds something else than a function"),
    }
}

fn declare(ty: &Type, name: &str) -> String {
    spaced(&c_type(ty)) + name
}

/// Returns a type with a space if a name follows; `*` is attached to the name.
fn spaced(ty: &str) -> String {
    if ty.ends_with('*') {
        ty.to_owned()
    } else {
        format!("{ty} ")
    }
}

fn c_type(ty: &Type) -> String {
    match ty {
        Type::Ptr(pointer) => {
            let target = c_type(&pointer.elem);
            let is_const = matches!(pointer.mutability, PointerMutability::Const(_));
            match (&*pointer.elem, is_const) {
                (Type::Ptr(_), true) => format!("{target}const *"),
                (Type::Ptr(_), false) => format!("{target}*"),
                (_, true) => format!("const {target} *"),
                (_, false) => format!("{target} *"),
            }
        }
        Type::Path(TypePath { path, .. }) => match last_name(path).as_str() {
            "c_char" | "CStr" => "char".to_owned(),
            "c_void" => "void".to_owned(),
            name @ ("u8" | "u16" | "u32" | "u64") => format!("uint{}_t", &name[1..]),
            "f64" => "double".to_owned(),
            name @ ("i8" | "i16" | "i32" | "i64") => format!("int{}_t", &name[1..]),
            name => c_type_name(name),
        },
        _ => panic!("abi.rs uses a type that cannot be translated to C"),
    }
}

#[test]
fn rust_types_become_c_declarations() {
    let check = |rust: &str, c: &str| assert_eq!(declare(&syn::parse_str(rust).unwrap(), "x"), c);
    check("u32", "uint32_t x");
    check("*const c_char", "const char *x");
    check("*const *const c_char", "const char *const *x");
    check("*mut *mut Bot", "hattari_bot **x");
    check("*const BotFunctions", "const hattari_bot_functions *x");
    check("Text", "hattari_text x");
    check("*mut f64", "double *x");
}
