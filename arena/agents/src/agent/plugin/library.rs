//! Loading of libraries with compiled bots and reading of their descriptors. Each library is loaded
//! once.
//!
//! A library is never unloaded, because destructors of its thread-locals and its own threads may
//! run at any later time. So its functions and data stay valid until the process ends.

#![expect(unsafe_code, reason = "calls into loaded libraries")]

use super::library_info::LibraryInfo;
use crate::agent::bot::check_descriptor;
use crate::agent::{BotInfo, LoadError, bot, lock, status};
use crate::files;
use core::ffi::c_char;
use hattari_plugin::{Collection, abi};
use std::collections::HashMap;
use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// Path that messages show for bots that are linked into this program.
const BUILT_IN: &str = "built in";

/// A loaded library with validated function tables and descriptors.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    hash: u64,
    pub(super) factory: &'static abi::BotFactory,
    bots: Vec<BotInfo>,
}

/// All loaded libraries, by canonical path.
static LOADED: LazyLock<Mutex<HashMap<PathBuf, &'static Library>>> = LazyLock::new(Mutex::default);

impl Library {
    /// Loads the library at `path`, or returns the library that was loaded from there before. If
    /// the file changes, this process still uses the loaded code. The file is read once, and the
    /// bytes that were hashed are the bytes that are loaded. The version is checked before any code
    /// of the library runs.
    ///
    /// # Errors
    /// Returns an error if the file, its entry, its factory or a descriptor is invalid, or if the
    /// file does not have this hash.
    pub(crate) fn load(path: &Path, hash: u64) -> Result<&'static Library, LoadError> {
        let real = files::canonical(path);
        let changed = || {
            LoadError::new(
                path,
                "it has changed since it was inspected",
                "start the command again",
            )
        };
        // Locked while loading, because the contract guarantees that no other code of the library
        // runs at that time.
        let mut loaded = lock(&LOADED);
        if let Some(library) = loaded.get(&real) {
            return if library.hash == hash {
                Ok(library)
            } else {
                Err(changed())
            };
        }
        let (info, data) = LibraryInfo::read(path)?;
        if info.hash != hash {
            return Err(changed());
        }
        let library: &'static Library = Box::leak(Box::new(open(path, &real, hash, Some(&data))?));
        loaded.insert(real, library);
        Ok(library)
    }

    /// Loads a library whose file has been inspected, without resolving the path. Used by processes
    /// that load only one library.
    ///
    /// # Errors
    /// Returns an error if its entry, its factory or a descriptor is invalid.
    #[cfg(target_os = "linux")]
    pub(crate) fn load_as(path: &Path, hash: u64) -> Result<&'static Library, LoadError> {
        open(path, path, hash, None).map(|library| &*Box::leak(Box::new(library)))
    }

    /// Creates a library from a factory that is linked into this program. `name` stands for the
    /// path in messages. The factory is checked like one from a file. Used by programs with their
    /// own bots, and by tests.
    ///
    /// # Errors
    /// Returns an error if the factory or a descriptor is invalid.
    ///
    /// # Safety
    /// The factory's functions and their results must fulfil the contract of the C interface.
    pub unsafe fn linked(
        name: &Path,
        factory: &'static abi::BotFactory,
    ) -> Result<Library, LoadError> {
        checked(name, 0, factory)
    }

    /// Creates a library from a collection of bots that is linked into this program.
    ///
    /// # Errors
    /// Returns an error if a descriptor is invalid.
    pub(crate) fn built_in(bots: &Collection) -> Result<Library, LoadError> {
        // SAFETY: only the SDK creates collections, and its functions fulfil the contract.
        unsafe { Library::linked(Path::new(BUILT_IN), bots.factory()) }
    }

    /// Returns the path of the library.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the descriptors of the library's bots.
    pub fn bots(&self) -> &[BotInfo] {
        &self.bots
    }
}

/// Loads a library from `data` if given, otherwise from the file at `real`.
fn open(path: &Path, real: &Path, hash: u64, data: Option<&[u8]>) -> Result<Library, LoadError> {
    let error = |cause: String, remedy: &str| LoadError::new(path, cause, remedy);
    let handle = data
        .map_or_else(|| dlopen(real), |data| dlopen_bytes(real, data))
        .map_err(|cause| {
            let remedy = "build it for this machine, and link its dependencies statically (`.a` \
                archives, `-static-libstdc++`) or install them in the system's library folders; a \
                bot in a separate process cannot load libraries from other folders";
            error(format!("the system cannot load it ({cause})"), remedy)
        })?;
    // SAFETY: `LibraryInfo::read` found the symbol, which has at least the stated size. By the
    // contract it is an entry.
    let entry = unsafe {
        handle
            .get::<*const abi::Entry>(abi::ENTRY_SYMBOL.to_bytes_with_nul())
            .map(|symbol| *symbol)
    };
    let entry = entry.map_err(|cause| {
        error(
            format!("its `hattari_entry` cannot be found ({cause})"),
            "export `hattari_entry`",
        )
    })?;
    if entry.is_null() || !entry.is_aligned() {
        return Err(error(
            "its `hattari_entry` is not aligned".into(),
            "declare it with the header's type",
        ));
    }
    // SAFETY: not null, aligned, of the size of this major version; the library is never unloaded.
    let entry: &'static abi::Entry = unsafe { &*entry };
    if let Some(init) = entry.init {
        let text = CString::new(real.as_os_str().as_encoded_bytes())
            .map_err(|_| error("its path contains a zero byte".into(), "rename it"))?;
        // SAFETY: the text is zero-terminated and outlives the call; the lock is held.
        let status = unsafe { init(text.as_ptr()) };
        if status < abi::OK {
            return Err(error(
                status::not_initialised(status),
                "check what the init function needs; `hattari -vv` shows the log of the library",
            ));
        }
    }
    let Some(get_factory) = entry.get_factory else {
        return Err(error(
            "`get_factory` of its `hattari_entry` is null".into(),
            "set it to a function that returns the bot factory",
        ));
    };
    // SAFETY: the text is zero-terminated and outlives the call.
    let factory = unsafe { get_factory(abi::FACTORY_BOTS.as_ptr()) }.cast::<abi::BotFactory>();
    if factory.is_null() {
        return Err(error(
            format!(
                "its get_factory returned null for `{}`",
                abi::FACTORY_BOTS.to_string_lossy()
            ),
            "return a pointer to a hattari_bot_factory for this id",
        ));
    }
    if !factory.is_aligned() {
        return Err(error(
            "its bot factory is not aligned".into(),
            "return a pointer to a hattari_bot_factory",
        ));
    }
    // SAFETY: not null and aligned; by the contract it is the table for this id, valid as long as
    // the library is loaded.
    checked(path, hash, unsafe { &*factory })
}

/// Checks a factory and reads its descriptors.
fn checked(
    path: &Path,
    hash: u64,
    factory: &'static abi::BotFactory,
) -> Result<Library, LoadError> {
    let missing = |name: &str| {
        let cause = format!("the function `{name}` of its factory is null");
        LoadError::new(path, cause, "set `count`, `descriptor` and `create`")
    };
    let count = factory.count.ok_or_else(|| missing("count"))?;
    let descriptor = factory.descriptor.ok_or_else(|| missing("descriptor"))?;
    factory.create.ok_or_else(|| missing("create"))?;
    // SAFETY: the function takes no arguments.
    let count = unsafe { count() };
    let bots = bot::read_descriptors(count, |index| {
        // SAFETY: any index is allowed; the result is null or a descriptor that is valid as long as
        // the library is loaded.
        unsafe { read(descriptor(index)) }
    })
    .map_err(|cause| LoadError::new(path, cause, "fix the library's descriptors"))?;
    Ok(Library {
        path: path.to_owned(),
        hash,
        factory,
        bots,
    })
}

/// Loads a library, binds all its symbols at once and hides them from other libraries.
fn dlopen(path: &Path) -> Result<ManuallyDrop<libloading::Library>, String> {
    // SAFETY: constructors of the library run. It declares that it is a bot for this version. In
    // the host process the user trusts it; otherwise this is a worker.
    let handle = unsafe {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        Library::open(Some(path), RTLD_NOW | RTLD_LOCAL).map(libloading::Library::from)
    };
    handle
        .map(ManuallyDrop::new)
        .map_err(|error| match std::error::Error::source(&error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        })
}

/// Loads a library from `data`, the bytes read from its file. A library that refers to its own
/// folder ($ORIGIN) is loaded from the file instead.
#[cfg(target_os = "linux")]
fn dlopen_bytes(real: &Path, data: &[u8]) -> Result<ManuallyDrop<libloading::Library>, String> {
    use std::os::fd::AsRawFd;
    let names_its_place = data.windows(6).any(|text| text == b"ORIGIN");
    if names_its_place {
        return dlopen(real);
    }
    let file = crate::agent::process::sealed(data).map_err(|error| error.to_string())?;
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    // Must stay open as long as the library is loaded, because the loader identifies libraries by
    // name.
    let file = ManuallyDrop::new(file);
    dlopen(Path::new(&name)).map_err(|error| {
        drop(ManuallyDrop::into_inner(file));
        error.replace(&name, &real.display().to_string())
    })
}

/// Loads a library from its file.
#[cfg(not(target_os = "linux"))]
fn dlopen_bytes(real: &Path, _data: &[u8]) -> Result<ManuallyDrop<libloading::Library>, String> {
    dlopen(real)
}

/// Reads one descriptor.
///
/// # Safety
/// `pointer` must be null or point to a descriptor of the stated size with zero-terminated texts.
unsafe fn read(pointer: *const abi::BotDescriptor) -> Result<BotInfo, String> {
    if pointer.is_null() {
        return Err("it is null".into());
    }
    if !pointer.is_aligned() {
        return Err("it is not aligned".into());
    }
    let least = size_of::<abi::BotDescriptor>();
    // SAFETY: not null, aligned; the size is the first field of every version.
    let size = unsafe { (&raw const (*pointer).struct_size).read() };
    if (size as usize) < least {
        return Err(format!(
            "struct_size is {size}; at least {least} is required"
        ));
    }
    // SAFETY: the stated size is sufficient.
    let told = unsafe { &*pointer };
    let texts = [
        told.id,
        told.version,
        told.author,
        told.license,
        told.description,
        told.config_schema_json,
    ];
    // SAFETY: all texts of the descriptor are zero-terminated, as required from the caller.
    let text = |pointer, name: &str, most| unsafe { text(pointer, name, most) };
    // SAFETY: entries are read up to the null that ends the list.
    let game = |index: u32| Ok(unsafe { told.games.add(index as usize).read_unaligned() });
    let game = (!told.games.is_null()).then_some(game);
    check_descriptor(told.flags, texts, text, game)
}

/// Reads a zero-terminated text; returns `None` for null. `name` is the field's name in errors.
///
/// # Safety
/// `pointer` must be null or point to a zero-terminated text.
unsafe fn text(pointer: *const c_char, name: &str, max: usize) -> Result<Option<String>, String> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: bytes are readable up to the first zero; at most `max` are read.
    let length = (0..max).find(|&i| unsafe { pointer.add(i).read() } == 0);
    let length =
        length.ok_or_else(|| format!("`{name}` must end with a zero byte within {max} bytes"))?;
    // SAFETY: these bytes were just read.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8(bytes.to_vec())
        .map(Some)
        .map_err(|_| format!("`{name}` is not UTF-8"))
}
