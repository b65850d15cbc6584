//! The host's side of one instance, behind the pointers that its bot has.

#![expect(unsafe_code, reason = "reads what bots pass through the C interface")]

use crate::agent::Turn;
use crate::agent::instance::InstanceState;
use crate::agent::services::BlockServices;
use hattari_plugin::abi;
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering::Relaxed};

pub(super) struct State {
    pub(super) instance: Mutex<InstanceState>,
    /// What the bot is handed, null between decisions. Look-ahead is granted for it alone, so that
    /// the host never reads what a bot has put together.
    pub(super) handed: AtomicPtr<Handed<'static>>,
    pub(super) services: Mutex<BlockServices>,
}

/// A decision as a bot is handed it, and what it was made from.
#[repr(C)]
pub(super) struct Handed<'a> {
    /// First, so that its address is that of the whole.
    pub decision: abi::Decision,
    pub turn: &'a Turn<'a>,
}

/// Takes a decision back.
pub(super) struct Lent<'a>(pub(super) &'a State);

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.0.handed.store(ptr::null_mut(), Relaxed);
    }
}

impl State {
    /// The decision that the bot is asked for; `None` if this is another.
    ///
    /// # Safety
    /// The bot does not answer before `'a` is over.
    pub(super) unsafe fn asked<'a>(&self, decision: *const abi::Decision) -> Option<&'a Turn<'a>> {
        let handed = self.handed.load(Relaxed);
        if handed.is_null() || !ptr::eq(handed.cast(), decision) {
            return None;
        }
        // SAFETY: it is lent until the bot answers, and that is after `'a`.
        Some(unsafe { (*handed).turn })
    }
}

/// The state behind `host`, `None` where a bot passes nonsense that can be told from a host.
///
/// # Safety
/// `host` is null or a pointer that [`Services::host`] gave, whose services live.
pub(super) unsafe fn state<'a>(host: *const abi::Host) -> Option<&'a State> {
    // SAFETY: by the contract of this function, and host_data points to the state beside the host
    // struct.
    unsafe {
        host.as_ref()
            .and_then(|host| host.host_data.cast::<State>().cast_const().as_ref())
    }
}

/// A bot's text as ours: at most `bytes_max` bytes, broken characters replaced.
///
/// # Safety
/// `text.ptr` is null or points to `text.len` readable bytes.
pub(super) unsafe fn text(text: abi::Text, bytes_max: u64) -> String {
    if text.ptr.is_null() {
        return String::new();
    }
    let length = usize::try_from(text.len.min(bytes_max)).expect("bounded");
    // SAFETY: by the contract of this function; no more than stated is read.
    let bytes = unsafe { std::slice::from_raw_parts(text.ptr.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}
