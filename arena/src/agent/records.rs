//! The records behind the pointers of the C interface, as bytes to be sent, or as a game has them.

#![expect(unsafe_code, reason = "reads the records that a decision points to")]

use hattari_plugin::abi;
use hattari_plugin::games::GameTypes;
use std::ffi::c_void;

/// What a call of an agent lets the bot know.
#[derive(Clone, Copy)]
pub struct Seen<'a> {
    /// The view.
    pub view: &'a [u8],
    /// All events of the deal.
    pub history: &'a [u8],
    /// Bytes of an event.
    pub event: u32,
    /// Number of events.
    pub events: u32,
}

/// The same as the game's records.
#[derive(Clone, Copy)]
pub struct Known<'a, G: GameTypes> {
    /// The view.
    pub view: &'a G::View,
    /// All events of the deal.
    pub history: &'a [G::Event],
}

impl<'a> Seen<'a> {
    /// As the records of the game that is played.
    ///
    /// # Panics
    /// If it is another game's.
    pub fn known<G: GameTypes>(&self) -> Known<'a, G> {
        // No records have no address either, and so no alignment.
        let history = if self.history.is_empty() { &[] } else { bytemuck::cast_slice(self.history) };
        Known { view: bytemuck::from_bytes(self.view), history }
    }
}

/// What a deal starts with.
pub fn of_start(start: &abi::DealInfo) -> Seen<'_> {
    Seen {
        view: records(start.view, 1, start.view_size),
        history: records(start.history, start.history_count, start.history_stride),
        event: start.history_stride,
        events: start.history_count,
    }
}

/// What a decision is made from, and its actions.
pub fn of_decision(decision: &abi::Decision) -> (Seen<'_>, &[u8]) {
    let seen = Seen {
        view: records(decision.view, 1, decision.view_size),
        history: records(decision.history, decision.history_count, decision.history_stride),
        event: decision.history_stride,
        events: decision.history_count,
    };
    (seen, records(decision.actions, decision.action_count, decision.action_stride))
}

/// How a deal ended, and its payoffs.
pub fn of_result(result: &abi::DealResult) -> (Seen<'_>, &[u8]) {
    let seen = Seen {
        view: records(result.view, 1, result.view_size),
        history: records(result.history, result.history_count, result.history_stride),
        event: result.history_stride,
        events: result.history_count,
    };
    (seen, records(result.payoffs.cast(), result.payoff_count, 8))
}

/// `count` records of `size` bytes.
fn records<'a>(first: *const c_void, count: u32, size: u32) -> &'a [u8] {
    let bytes = count as usize * size as usize;
    if bytes == 0 {
        return &[];
    }
    // SAFETY: an agent's structs point to so many records of that size, which live as long as the call that the struct is
    // borrowed for; the public functions tie the lifetime to that borrow. Records hold no padding, so all bytes are set.
    unsafe { std::slice::from_raw_parts(first.cast(), bytes) }
}
