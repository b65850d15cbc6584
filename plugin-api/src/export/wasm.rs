//! Functions for WebAssembly, where the host can access a module only through its exports, and a
//! panic ends the instance.

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// The message of a panic, with the layout of [`abi::Text`](crate::abi::Text).
#[repr(C)]
pub struct LastPanic {
    ptr: AtomicPtr<u8>,
    len: AtomicU64,
}

static LAST: LastPanic = LastPanic {
    ptr: AtomicPtr::new(std::ptr::null_mut()),
    len: AtomicU64::new(0),
};

/// Returns the pointer to the message of the last panic, and its length.
#[must_use]
pub fn last_panic() -> &'static LastPanic {
    &LAST
}

/// Stores the message of a panic, which the host reads after the end of the instance.
pub(super) fn note(text: &str) {
    if LAST.len.load(Ordering::Relaxed) == 0 {
        let text = text.to_owned().into_boxed_str();
        LAST.len.store(text.len() as u64, Ordering::Relaxed);
        LAST.ptr
            .store(Box::leak(text).as_mut_ptr(), Ordering::Relaxed);
    }
}

/// Allocates `bytes` bytes, aligned to 8, for the life of the instance. Returns null if there is no
/// memory.
#[must_use]
pub fn alloc(bytes: usize) -> *mut u8 {
    let mut room: Vec<u64> = Vec::new();
    match room.try_reserve_exact(bytes.div_ceil(8)) {
        Ok(()) => room.leak().as_mut_ptr().cast(),
        Err(_) => std::ptr::null_mut(),
    }
}
