//! Inspection of library files: exported symbols and interface version. No code of the library
//! runs, not even its constructors.

use crate::agent::LoadError;
use crate::files;
use hattari_plugin::abi;
use object::{Architecture, Object, ObjectKind, ObjectSegment, ObjectSymbol, SymbolKind};
use std::io::ErrorKind;
use std::path::Path;

/// The data that can be read from a library's file without running its code.
pub(crate) struct LibraryInfo {
    /// Hash of the file.
    pub hash: u64,
    /// Major version of the C interface.
    pub abi_major: u32,
    /// Minor version of the C interface.
    pub abi_minor: u32,
    /// Names of the exported symbols, sorted. The C interface allows only `hattari_entry`.
    pub exports: Vec<String>,
}

/// Name of the required symbol.
const ENTRY: &str = match abi::ENTRY_SYMBOL.to_str() {
    Ok(name) => name,
    Err(_) => panic!("the name of the entry is ASCII"),
};

/// Remedy for a file that is not a dynamic library.
const LINK: &str = "link the bot with `cc -shared -fPIC`, or as a `cdylib` in Rust";

/// Maximum size of a library in bytes.
const FILE_BYTES_MAX: u64 = 512 << 20;

/// Size in bytes of the fields with which the entry begins in every version: struct_size,
/// abi_major, abi_minor.
const ENTRY_HEAD: u64 = 12;

impl LibraryInfo {
    /// Reads the library at `path` and checks that this host can load it. Also returns the contents
    /// of the file.
    ///
    /// # Errors
    /// Returns an error if the file is not a library for this machine, if its entry is missing or
    /// too small, or if its major version differs.
    pub(crate) fn read(path: &Path) -> Result<(LibraryInfo, Vec<u8>), LoadError> {
        let error = |cause: String, remedy: &str| LoadError::new(path, cause, remedy);
        if path.is_dir() {
            return Err(error(
                "it is a folder".into(),
                "name the library's file, or list the folder with --bots",
            ));
        }
        let data = files::read(path, FILE_BYTES_MAX).map_err(|io| match io.kind() {
            ErrorKind::NotFound => error(
                "there is no such file".into(),
                "check the path, or build the bot first",
            ),
            ErrorKind::FileTooLarge => error(
                io.to_string(),
                "make the library smaller, for example by removing large tables",
            ),
            _ => LoadError::unreadable(path, &io),
        })?;
        let file =
            object::File::parse(&*data).map_err(|_| match object::FileKind::parse(&*data) {
                Ok(_) => error(
                    "it is damaged or truncated".into(),
                    "copy or build it again",
                ),
                Err(_) => error("it is not a dynamic library".into(), LINK),
            })?;
        if file.kind() != ObjectKind::Dynamic {
            let kind = match file.kind() {
                ObjectKind::Relocatable => "an object file",
                ObjectKind::Executable => "a program",
                _ => "another kind of file",
            };
            return Err(error(format!("it is {kind}, not a dynamic library"), LINK));
        }
        // The system's loader trusts the header; accessing a mapped page beyond the end of the file
        // would kill the host.
        if file.segments().any(|segment| segment.data().is_err()) {
            return Err(error("it is truncated".into(), "copy or build it again"));
        }
        if let Some(other) = architecture_error(&file) {
            return Err(error(other, "build the bot for this machine"));
        }
        let exports = exports(&file);
        let [entry_size, abi_major, abi_minor] = entry(path, &file, &exports)?;
        if abi_major != abi::ABI_MAJOR {
            let remedy = if abi_major < abi::ABI_MAJOR {
                "build the bot again with this release's header"
            } else {
                "update Hattari, or build the bot with this release's header"
            };
            let ours = abi::ABI_MAJOR;
            return Err(error(
                format!(
                    "it was built for version {abi_major} of the C interface; this host supports \
                     version {ours}"
                ),
                remedy,
            ));
        }
        if (entry_size as usize) < size_of::<abi::Entry>() {
            let least = size_of::<abi::Entry>();
            return Err(error(
                format!("its `{ENTRY}` has struct_size {entry_size}; at least {least} is required"),
                "set struct_size to sizeof(hattari_library_entry) of this release's header",
            ));
        }
        let exports = exports.into_iter().map(|(name, _)| name).collect();
        let hash = xxhash_rust::xxh3::xxh3_64(&data);
        Ok((
            LibraryInfo {
                hash,
                abi_major,
                abi_minor,
                exports,
            },
            data,
        ))
    }
}

/// Returns an error message if the file was built for another processor architecture.
fn architecture_error(file: &object::File<'_>) -> Option<String> {
    let here = std::env::consts::ARCH;
    let there = match file.architecture() {
        Architecture::X86_64 => "x86_64",
        Architecture::Aarch64 => "aarch64",
        Architecture::I386 => "x86",
        Architecture::Arm => "arm",
        Architecture::Riscv64 => "riscv64",
        Architecture::PowerPc64 => "powerpc64",
        // Not known here; the system's loader decides.
        _ => return None,
    };
    (there != here).then(|| format!("it was built for {there}; this machine is {here}"))
}

/// Returns the exported names and their addresses. The underscore that some systems put before
/// names is removed.
fn exports(file: &object::File<'_>) -> Vec<(String, u64)> {
    let Ok(exports) = file.exports() else {
        return Vec::new();
    };
    let mut names: Vec<_> = exports
        .into_iter()
        .map(|export| {
            let name = export.name();
            let plain = if cfg!(target_vendor = "apple") {
                name.strip_prefix(b"_").unwrap_or(name)
            } else {
                name
            };
            (
                String::from_utf8_lossy(plain).into_owned(),
                export.address(),
            )
        })
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Reads the size, the major version and the minor version of the entry from the file at `path`.
///
/// # Errors
/// Returns an error if the entry is missing or invalid.
fn entry(
    path: &Path,
    file: &object::File<'_>,
    exports: &[(String, u64)],
) -> Result<[u32; 3], LoadError> {
    let error = |cause: String, remedy: &str| Err(LoadError::new(path, cause, remedy));
    let Some(&(_, address)) = exports.iter().find(|(name, _)| name == ENTRY) else {
        let remedy = "define the constant `HATTARI_EXPORT const hattari_library_entry hattari_entry` (C), or use the SDK's \
                    export macro (Rust)";
        return error(format!("it does not export `{ENTRY}`"), remedy);
    };
    let remedy = "define it as an initialised constant of the header's type";
    let found = file
        .dynamic_symbols()
        .find(|symbol| symbol.is_definition() && symbol.address() == address);
    if found
        .as_ref()
        .is_some_and(|symbol| symbol.kind() == SymbolKind::Text)
    {
        return error(format!("its `{ENTRY}` is a function"), remedy);
    }
    let head = file
        .segments()
        .find_map(|segment| segment.data_range(address, ENTRY_HEAD).ok().flatten());
    let words = head.and_then(|head| bytemuck::try_pod_read_unaligned::<[u32; 3]>(head).ok());
    let Some([size, major, minor]) = words else {
        let cause = format!("the file contains no data for the symbol `{ENTRY}`");
        return error(cause, remedy);
    };
    // The size of the symbol, if the format has it, is more reliable than struct_size.
    let measured = found.map_or(0, |symbol| symbol.size());
    if major == abi::ABI_MAJOR && (1..size_of::<abi::Entry>() as u64).contains(&measured) {
        return error(format!("its `{ENTRY}` has only {measured} bytes"), remedy);
    }
    Ok([size, major, minor])
}
