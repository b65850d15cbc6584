//! What bots need in WebAssembly: the host cannot reach into a module but by what it exports, and a
//! panic ends the instance.

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

/// Words of a panic, laid out as [`abi::Text`](crate::abi::Text).
#[repr(C)]
pub struct LastPanic {
    ptr: AtomicPtr<u8>,
    len: AtomicU64,
}

static LAST: LastPanic = LastPanic {
    ptr: AtomicPtr::new(std::ptr::null_mut()),
    len: AtomicU64::new(0),
};

/// Where the words of the last panic are.
#[must_use]
pub fn last_panic() -> &'static LastPanic {
    &LAST
}

/// Keeps what a panic says where the host finds it after the instance's end.
pub(super) fn note(text: &str) {
    if LAST.len.load(Ordering::Relaxed) == 0 {
        let text = text.to_owned().into_boxed_str();
        LAST.len.store(text.len() as u64, Ordering::Relaxed);
        LAST.ptr
            .store(Box::leak(text).as_mut_ptr(), Ordering::Relaxed);
    }
}

/// Room for `bytes` bytes at a multiple of 8, for the life of the instance; null where there is
/// none.
#[must_use]
pub fn alloc(bytes: usize) -> *mut u8 {
    let mut room: Vec<u64> = Vec::new();
    match room.try_reserve_exact(bytes.div_ceil(8)) {
        Ok(()) => room.leak().as_mut_ptr().cast(),
        Err(_) => std::ptr::null_mut(),
    }
}
