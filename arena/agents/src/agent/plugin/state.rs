//! The state of one instance. Bots pass a pointer to it when they call services.

#![expect(unsafe_code, reason = "reads what bots pass through the C interface")]

use crate::agent::Turn;
use crate::agent::instance::InstanceState;
use crate::agent::services::BlockServices;
use hattari_plugin::abi;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

pub(super) struct PluginState {
    pub(super) instance: Mutex<InstanceState>,
    /// Current decision; null between decisions. Services accept only this one, so that the host
    /// never reads a decision forged by a bot.
    pub(super) current_decision: AtomicPtr<PassedDecision<'static>>,
    pub(super) services: Mutex<BlockServices>,
}

/// A decision as passed to a bot, and the turn from which it was made.
#[repr(C)]
pub(super) struct PassedDecision<'a> {
    /// The decision in the form of the C interface. It must be the first field, so that its address
    /// is that of the struct.
    pub decision: abi::Decision,
    pub turn: &'a Turn<'a>,
}

/// A guard for the current decision. Dropping the guard removes the decision.
pub(super) struct DecisionGuard<'a>(pub(super) &'a PluginState);

impl Drop for DecisionGuard<'_> {
    fn drop(&mut self) {
        self.0.current_decision.store(ptr::null_mut(), Relaxed);
    }
}

impl PluginState {
    /// Returns the current decision; `None` if `decision` is a different one.
    ///
    /// # Safety
    /// The bot must not answer before `'a` ends.
    pub(super) unsafe fn current_turn<'a>(
        &self,
        decision: *const abi::Decision,
    ) -> Option<&'a Turn<'a>> {
        let handed = self.current_decision.load(Relaxed);
        if handed.is_null() || !ptr::eq(handed.cast(), decision) {
            return None;
        }
        // SAFETY: the decision is available until the bot answers, which is after `'a`.
        Some(unsafe { (*handed).turn })
    }
}

/// Returns the state to which `host` leads; `None` if `host` or the pointer in it is null.
///
/// # Safety
/// `host` must be null or from [`PluginServices::host`], with services that still exist.
pub(super) unsafe fn state<'a>(host: *const abi::Host) -> Option<&'a PluginState> {
    // SAFETY: required from the caller; `host_data` points to the state next to the host struct.
    unsafe {
        host.as_ref()
            .and_then(|host| host.host_data.cast::<PluginState>().cast_const().as_ref())
    }
}

/// Copies a bot's text, up to `bytes_max` bytes; invalid UTF-8 is replaced.
///
/// # Safety
/// `text.ptr` must be null or point to `text.len` readable bytes.
pub(super) unsafe fn text(text: abi::Text, bytes_max: u64) -> String {
    if text.ptr.is_null() {
        return String::new();
    }
    let length = usize::try_from(text.len.min(bytes_max)).expect("bounded");
    // SAFETY: required from the caller; at most the stated length is read.
    let bytes = unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
