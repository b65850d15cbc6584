//! Loads libraries of compiled bots, once each and for good, and reads what they say of their bots.
//!
//! A library is never unloaded: destructors of its thread-locals and its own threads may outlive
//! any moment that looks right. So everything that it hands out lives as long as the process.

#![expect(unsafe_code, reason = "calls into loaded libraries")]

use super::image::Image;
use crate::agent::bot::{self, BotInfo, Told, check_told};
use crate::agent::lock::lock;
use crate::agent::{LoadError, status};
use core::ffi::{CStr, c_char};
use hattari_plugin::{Collection, abi};
use std::collections::HashMap;
use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// What stands for a path where bots are linked into this program.
const BUILT_IN: &str = "built in";

/// A loaded library whose tables and descriptors have been checked.
#[derive(Debug)]
pub struct Library {
    path: PathBuf,
    image: Image,
    factory: &'static abi::BotFactory,
    bots: Vec<BotInfo>,
}

/// Every library that has been loaded, by its path without links.
static LOADED: LazyLock<Mutex<HashMap<PathBuf, &'static Library>>> = LazyLock::new(Mutex::default);

impl Library {
    /// Loads the library at `path`, or gives it again where it is loaded already: a path means the
    /// same code as long as the process lives, even if the file changes. The file is read once;
    /// what has not this hash is not loaded, and what is loaded is what was read, whatever
    /// becomes of the file meanwhile. The version is read from the file before any code of the
    /// library runs.
    ///
    /// # Errors
    /// What is wrong with the file, its entry, its factory or a descriptor; it has changed since it
    /// had this hash.
    pub fn load(path: &Path, hash: u64) -> Result<&'static Library, LoadError> {
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let changed =
            || LoadError::new(path, "it has changed since it was looked at", "start again");
        // Held while loading: the contract promises that nothing else of the library runs at that
        // time.
        let mut loaded = lock(&LOADED);
        if let Some(library) = loaded.get(&real) {
            return if library.image.hash == hash {
                Ok(library)
            } else {
                Err(changed())
            };
        }
        let (image, data) = Image::and_data(path)?;
        if image.hash != hash {
            return Err(changed());
        }
        let library: &'static Library = Box::leak(Box::new(open(path, &real, image, Some(&data))?));
        loaded.insert(real, library);
        Ok(library)
    }

    /// Loads a library whose file has been looked at, by this path and no other; for a process that
    /// loads one and no more.
    ///
    /// # Errors
    /// What is wrong with its entry, its factory or a descriptor.
    #[cfg(target_os = "linux")]
    pub(in crate::agent) fn load_as(
        path: &Path,
        image: Image,
    ) -> Result<&'static Library, LoadError> {
        open(path, path, image, None).map(|library| &*Box::leak(Box::new(library)))
    }

    /// A library that is linked into this program, under a name for messages: nothing is loaded,
    /// its factory is checked as that of any other. For programs that bring bots of their own,
    /// and for tests of what a library may answer.
    ///
    /// # Errors
    /// What is wrong with the factory or a descriptor.
    ///
    /// # Safety
    /// The factory's functions and what they give are what the C interface says of them.
    pub unsafe fn linked(
        name: &Path,
        factory: &'static abi::BotFactory,
    ) -> Result<Library, LoadError> {
        let bots = offered(name, factory)?;
        Ok(Library {
            path: name.to_owned(),
            image: Image::of_this_program(),
            factory,
            bots,
        })
    }

    /// The bots of a package that this program links.
    ///
    /// # Errors
    /// What is wrong with a descriptor.
    pub fn built_in(bots: &Collection) -> Result<Library, LoadError> {
        // SAFETY: a collection is made by the SDK alone, whose functions keep to the interface.
        unsafe { Library::linked(Path::new(BUILT_IN), bots.factory()) }
    }

    /// Where it was found.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bots.
    #[must_use]
    pub fn bots(&self) -> &[BotInfo] {
        &self.bots
    }

    /// Its function that creates bots.
    pub(super) fn create(&self) -> CreateFunction {
        self.factory.create.expect("checked when it was loaded")
    }
}

/// The factory's function that creates a bot.
pub(super) type CreateFunction = unsafe extern "C" fn(
    bot_id: *const c_char,
    host: *const abi::Host,
    config_json: abi::Text,
    error: *mut c_char,
    error_capacity: u32,
    out: *mut *mut abi::Bot,
) -> abi::Status;

/// Loads a library from these bytes, where they are given, else from its file.
fn open(path: &Path, real: &Path, image: Image, data: Option<&[u8]>) -> Result<Library, LoadError> {
    let error = |cause: String, cure: &str| LoadError::new(path, cause, cure);
    let handle = data.map_or_else(|| dlopen(real), |data| dlopen_bytes(real, data)).map_err(|cause| {
        let cure = "build it for this machine, and link what it needs into it (`.a` archives, `-static-libstdc++`) or install \
                    that where the system's libraries are: others beside it are not loaded in a process of its own";
        error(format!("the system cannot load it ({cause})"), cure)
    })?;
    // SAFETY: `Image::read` found the symbol, data of at least the size that it states. That it is
    // an entry is the contract.
    let entry = unsafe {
        handle
            .get::<*const abi::Entry>(abi::ENTRY_SYMBOL.to_bytes_with_nul())
            .map(|symbol| *symbol)
    };
    let entry = entry.map_err(|cause| {
        error(
            format!("its entry cannot be reached ({cause})"),
            "export the entry",
        )
    })?;
    if entry.is_null() || !entry.is_aligned() {
        return Err(error(
            "its entry is not aligned".into(),
            "declare it with the header's type",
        ));
    }
    // SAFETY: not null, aligned, of the size of this major version; the library stays loaded for
    // ever.
    let entry: &'static abi::Entry = unsafe { &*entry };
    if let Some(init) = entry.init {
        let text = CString::new(real.as_os_str().as_encoded_bytes())
            .map_err(|_| error("its path holds a zero byte".into(), "rename it"))?;
        // SAFETY: the text ends with a zero and lives through the call; loading is exclusive.
        let status = unsafe { init(text.as_ptr()) };
        if status < abi::OK {
            return Err(error(
                status::not_initialised(status),
                "see what init needs; `hattari -vv` shows what the library logs",
            ));
        }
    }
    let Some(get_factory) = entry.get_factory else {
        return Err(error(
            "its entry's get_factory is null".into(),
            "set it; without a factory there are no bots",
        ));
    };
    // SAFETY: the text ends with a zero and lives through the call.
    let factory = unsafe { get_factory(abi::FACTORY_BOTS.as_ptr()) }.cast::<abi::BotFactory>();
    if factory.is_null() {
        return Err(error(
            format!(
                "its get_factory gives null for `{}`",
                abi::FACTORY_BOTS.to_string_lossy()
            ),
            "return the table of functions hattari_bot_factory for that id",
        ));
    }
    if !factory.is_aligned() {
        return Err(error(
            "its factory is not aligned".into(),
            "return a table of type hattari_bot_factory",
        ));
    }
    // SAFETY: not null and aligned; the contract says that it is a table for this id, alive as long
    // as the library.
    let factory: &'static abi::BotFactory = unsafe { &*factory };
    let bots = offered(path, factory)?;
    Ok(Library {
        path: path.to_owned(),
        image,
        factory,
        bots,
    })
}

/// Checks a factory and reads what it offers.
fn offered(path: &Path, factory: &abi::BotFactory) -> Result<Vec<BotInfo>, LoadError> {
    let functions = [
        ("count", factory.count.is_none()),
        ("descriptor", factory.descriptor.is_none()),
        ("create", factory.create.is_none()),
    ];
    if let Some((name, _)) = functions.iter().find(|(_, missing)| *missing) {
        let cause = format!("the function `{name}` of its factory is null");
        return Err(LoadError::new(path, cause, "set all three functions"));
    }
    describe(factory).map_err(|cause| LoadError::new(path, cause, "mend the library's descriptors"))
}

/// Loads a library so that all its symbols are bound now and none are seen by other libraries.
fn dlopen(path: &Path) -> Result<ManuallyDrop<libloading::Library>, String> {
    // SAFETY: constructors of the library run. It states that it is a bot for this version, and is
    // trusted by the user where this is the host; where nobody has said so, this is a worker.
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

/// Loads a library from the bytes that were read from its file. One that names libraries by its own
/// place ($ORIGIN) is loaded from there.
#[cfg(target_os = "linux")]
fn dlopen_bytes(real: &Path, data: &[u8]) -> Result<ManuallyDrop<libloading::Library>, String> {
    use std::os::fd::AsRawFd;
    let names_its_place = data.windows(6).any(|text| text == b"ORIGIN");
    if names_its_place {
        return dlopen(real);
    }
    let file = crate::agent::process::sealed(data).map_err(|error| error.to_string())?;
    let name = format!("/proc/self/fd/{}", file.as_raw_fd());
    // Open as long as the library is loaded: the loader knows libraries by their names.
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

/// Reads all descriptors, or says which one is wrong.
fn describe(factory: &abi::BotFactory) -> Result<Vec<BotInfo>, String> {
    let (Some(count), Some(descriptor)) = (factory.count, factory.descriptor) else {
        return Err("its factory lacks functions".into());
    };
    // SAFETY: no arguments.
    let count = unsafe { count() };
    bot::offered(count, |index| {
        // SAFETY: any index may be asked for; what the factory gives is null or a descriptor that
        // lives as long as the library.
        unsafe { read(descriptor(index)) }
    })
}

/// Reads one descriptor.
///
/// # Safety
/// `pointer` is null or points to a descriptor of the size that it states, whose texts end with
/// zeros.
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
            "struct_size is {size}, at least {least} are needed"
        ));
    }
    // SAFETY: large enough by its own statement.
    let descriptor = unsafe { &*pointer };
    let told = Told {
        flags: descriptor.flags,
        id: descriptor.id,
        version: descriptor.version,
        author: descriptor.author,
        license: descriptor.license,
        description: descriptor.description,
        config_schema_json: descriptor.config_schema_json,
        has_games: !descriptor.games.is_null(),
    };
    // SAFETY: the caller's promise holds for all texts of the descriptor.
    let text = |pointer, name: &str, most| unsafe { text(pointer, name, most) };
    // SAFETY: entries are read up to the null that ends the list.
    let game = |index: u32| Ok(unsafe { descriptor.games.add(index as usize).read_unaligned() });
    check_told(&told, text, game)
}

/// Reads a text that a zero ends; `None` for null.
///
/// # Safety
/// `pointer` is null or points to bytes of which one is zero.
unsafe fn text(pointer: *const c_char, name: &str, max: usize) -> Result<Option<String>, String> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: bytes are readable up to the first zero; no more than `max` are read.
    let length = (0..max).find(|&i| unsafe { pointer.add(i).read() } == 0);
    let length = length.ok_or_else(|| format!("`{name}` has no zero within {max} bytes"))?;
    // SAFETY: just read.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8(bytes.to_vec())
        .map(Some)
        .map_err(|_| format!("`{name}` is not UTF-8"))
}

/// The id as C reads it.
pub(super) fn c_id(info: &BotInfo) -> CString {
    CString::new(info.id.as_str()).expect("ids were checked")
}

/// What `create` wrote into the buffer for its error.
pub(super) fn error_text(buffer: &[u8]) -> String {
    let text = CStr::from_bytes_until_nul(buffer).map_or(buffer, CStr::to_bytes);
    String::from_utf8_lossy(text).into_owned()
}
