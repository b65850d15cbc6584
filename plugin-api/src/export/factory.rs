//! The entry and the factory of a library.
#![expect(unsafe_code, reason = "C callers pass raw pointers")]

use super::instance::read_text;
use super::{Declaration, Failure, panics};
use crate::abi::{
    ABI_MAJOR, ABI_MINOR, Bot, BotDescriptor, BotFactory, E_CONFIG, E_FAIL, E_PANIC, E_UNSUPPORTED,
    Entry, FACTORY_BOTS, Host, OK, Status, Text, struct_size,
};
use core::ffi::{CStr, c_char, c_void};
use core::ptr;
use std::sync::OnceLock;

/// A library of bots. Implemented by [`export_bots!`](crate::export_bots!).
pub trait Library: Sized + 'static {
    /// Declared bots.
    const BOTS: &'static [&'static dyn Declaration];

    /// The functions of the factory.
    const FACTORY: &'static BotFactory = &BotFactory {
        count: Some(count::<Self>),
        descriptor: Some(descriptor::<Self>),
        create: Some(create::<Self>),
    };

    /// Returns the storage of the descriptors, which are created at the first request.
    fn descriptors() -> &'static OnceLock<Descriptors>;
}

/// The descriptors of a library. Their texts are never freed, because a library is never unloaded.
pub struct Descriptors(Vec<BotDescriptor>);

// SAFETY: descriptors and texts are written once before they are shared, and never changed.
unsafe impl Send for Descriptors {}
// SAFETY: descriptors and texts are never changed after they are shared.
unsafe impl Sync for Descriptors {}

/// Returns the constant that a library exports.
#[must_use]
pub const fn entry<L: Library>() -> Entry {
    Entry {
        struct_size: struct_size::<Entry>(),
        abi_major: ABI_MAJOR,
        abi_minor: ABI_MINOR,
        reserved: 0,
        init: None,
        get_factory: Some(get_factory::<L>),
    }
}

unsafe extern "C" fn get_factory<L: Library>(factory_id: *const c_char) -> *const c_void {
    // SAFETY: the pointer is not null, and the interface requires that the text ends with a zero.
    if !factory_id.is_null() && unsafe { CStr::from_ptr(factory_id) } == FACTORY_BOTS {
        return ptr::from_ref(L::FACTORY).cast();
    }
    ptr::null()
}

unsafe extern "C" fn count<L: Library>() -> u32 {
    u32::try_from(L::BOTS.len()).unwrap_or(u32::MAX)
}

unsafe extern "C" fn descriptor<L: Library>(index: u32) -> *const BotDescriptor {
    panics::install_hook();
    // Presets are code of the bot's author, which may panic.
    let descriptors = panics::guard(|| {
        L::descriptors()
            .get_or_init(|| Descriptors(L::BOTS.iter().map(|bot| bot.describe()).collect()))
    });
    match descriptors.ok().and_then(|all| all.0.get(index as usize)) {
        Some(descriptor) => descriptor,
        None => ptr::null(),
    }
}

unsafe extern "C" fn create<L: Library>(
    bot_id: *const c_char,
    host: *const Host,
    config_json: Text,
    error: *mut c_char,
    error_capacity: u32,
    out: *mut *mut Bot,
) -> Status {
    panics::install_hook();
    let build = || {
        if out.is_null() {
            return Err(Failure::new(E_FAIL, "the host's pointer to out is null"));
        }
        // SAFETY: the pointer is not null, and the host allows writing.
        unsafe { *out = ptr::null_mut() };
        if bot_id.is_null() {
            return Err(Failure::new(E_FAIL, "the host's pointer to bot_id is null"));
        }
        // SAFETY: the pointer is not null, and the interface requires that the text ends with a
        // zero.
        let id = unsafe { CStr::from_ptr(bot_id) }.to_string_lossy();
        let declared = L::BOTS.iter().find(|bot| bot.id() == id);
        let declared = declared.ok_or_else(|| {
            let ids: Vec<&str> = L::BOTS.iter().map(|bot| bot.id()).collect();
            let text = format!("this library has no bot `{id}`; it has {}", ids.join(", "));
            Failure::new(E_UNSUPPORTED, text)
        })?;
        // SAFETY: the text is valid for the call.
        let config = unsafe { read_text("config", config_json) };
        let config = config.map_err(|failure| Failure::new(E_CONFIG, failure.text))?;
        // SAFETY: the interface requires that the host's struct outlives the instance.
        unsafe { declared.create(host, config) }
    };
    let failure = match panics::guard(build) {
        Ok(Ok(bot)) => {
            // SAFETY: `build` has checked the pointer, and the host allows writing.
            unsafe { *out = bot };
            return OK;
        }
        Ok(Err(failure)) => failure,
        Err(panic) => Failure::new(E_PANIC, format!("panicked: {panic}")),
    };
    // SAFETY: the host guarantees that `error` has room for `error_capacity` bytes.
    unsafe { write_failure(&failure, error, error_capacity) }
}

/// Writes the text of `failure` to `error`, truncated at a character boundary and terminated by a
/// zero byte. Returns the status of `failure`.
///
/// # Safety
/// `error` must be null or have room for `capacity` bytes.
unsafe fn write_failure(failure: &Failure, error: *mut c_char, capacity: u32) -> Status {
    if !error.is_null() && capacity > 0 {
        let room = failure.text.len().min(capacity as usize - 1);
        let end = (0..=room)
            .rev()
            .find(|&end| failure.text.is_char_boundary(end))
            .unwrap_or(0);
        // SAFETY: `end` is less than `capacity`, so the zero fits too; the buffers do not overlap.
        unsafe {
            ptr::copy_nonoverlapping(failure.text.as_ptr(), error.cast::<u8>(), end);
            error.add(end).write(0);
        }
    }
    failure.status
}
