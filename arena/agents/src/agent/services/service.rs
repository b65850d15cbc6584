//! Description of services, and what a service and its callers know of each other.

use crate::agent::Turn;
use hattari_plugin::abi;
use hattari_plugin::games::GameTypes;
use std::ffi::CStr;

/// Functions for decisions of one game, about deals: sets of cards by seat.
pub(crate) struct Service {
    /// Id in the C interface.
    pub id: &'static CStr,
    /// Name of the library of scripts.
    pub library: &'static str,
    /// Id of the game.
    pub game: &'static str,
    /// Number of sets in a deal.
    pub seats: usize,
    /// Returns the number of a card in a set, by its name.
    pub card: fn(&str) -> Option<u8>,
    pub methods: &'static [Method],
    /// Starts a block with rules as JSON and the seed of the bot. Returns `None` if the rules are
    /// not those of the game.
    pub start: fn(&str, u64) -> Option<Session>,
}

/// A function of a service. In the C interface its parameters are the host, the decision, the deals
/// if it takes some, their number, more numbers, and the place of the results.
pub(crate) struct Method {
    /// Name in the C interface.
    #[cfg_attr(
        not(feature = "wasm"),
        expect(dead_code, reason = "modules alone read it")
    )]
    pub name: &'static str,
    /// Name in scripts.
    pub script_name: &'static CStr,
    /// Whether it takes deals; otherwise it takes their number only.
    pub takes_deals: bool,
    pub numbers: &'static [Number],
    pub output: Output,
    #[cfg_attr(
        not(feature = "wasm"),
        expect(dead_code, reason = "modules alone read it")
    )]
    pub fuel: Price,
    pub steps: Price,
    /// Returns the units of work for an action in a deal. They are paid for before the call.
    pub work: fn([u32; 2]) -> u64,
}

/// A number that a method takes.
pub(crate) enum Number {
    /// From 1 to `most` for scripts, 1 if they give none.
    Count { what: &'static str, most: u32 },
    /// An index of these names. Scripts give the name, or none for the first.
    Choice {
        what: &'static str,
        names: &'static [&'static str],
    },
}

/// Results of a method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// A set of 8 bytes for each seat, deal by deal.
    Deals,
    /// A float for each action, deal by deal.
    Floats,
    /// A byte for each action, deal by deal.
    Bytes,
}

/// Fuel or steps of a call, of each deal, and of each unit of work.
pub(crate) struct Price {
    pub call: u64,
    pub deal: u64,
    pub work: u64,
}

/// Arguments of a call.
pub(crate) struct Request<'a> {
    /// Number of deals.
    pub count: u32,
    /// The sets of the deals; empty if the method takes none.
    pub deals: &'a [u64],
    pub numbers: [u32; 2],
}

/// What a method asks of the bot that calls it.
pub(crate) enum Step<'a> {
    /// Ends the call if the time for the decision has run out.
    Check,
    /// Takes fuel or steps for units of work.
    Pay(u64),
    /// Appends bytes to the results.
    Write(&'a [u8]),
}

/// A service for one bot in one block: runs the method with this index. Returns the reason why it
/// has stopped as an error; results that were written before are valid.
pub(crate) type Session = Box<
    dyn FnMut(
            usize,
            &Turn<'_>,
            &Request<'_>,
            &mut dyn FnMut(Step<'_>) -> Result<(), Refusal>,
        ) -> Result<(), Refusal>
        + Send,
>;

/// The reason why a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// No decision of the game is being made.
    NoDecision,
    /// Games cannot be continued from the exchange.
    Exchange,
    /// The hands do not fit what the seat knows.
    Unfit,
    /// The time for the decision has run out.
    Late,
    /// The caller has ended the call, because it cannot pay or has no room.
    Ended,
}

impl Refusal {
    /// Returns the reason in words.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Refusal::NoDecision => {
                "this function is available only while a decision is made, for that decision"
            }
            Refusal::Exchange => "games cannot be continued from the exchange",
            Refusal::Unfit => "the hands do not fit what the seat knows",
            Refusal::Late => "the time for the decision has run out",
            Refusal::Ended => "out of steps",
        }
    }

    /// Returns the status of the C interface.
    pub(crate) fn status(self) -> abi::Status {
        match self {
            Refusal::Exchange => abi::E_UNSUPPORTED,
            Refusal::Late => abi::E_STOPPED,
            Refusal::NoDecision | Refusal::Unfit | Refusal::Ended => abi::E_FAIL,
        }
    }
}

impl Method {
    /// Returns whether compiled bots may call it with these numbers.
    pub(crate) fn accepts(&self, count: u32, numbers: [u32; 2]) -> bool {
        let is_valid = |(number, value): (&Number, u32)| match number {
            Number::Count { .. } => value > 0,
            Number::Choice { names, .. } => (value as usize) < names.len(),
        };
        count > 0 && self.numbers.iter().zip(numbers).all(is_valid)
    }

    /// Returns the price of a call before it starts, besides that of each call.
    pub(crate) fn price(&self, price: &Price, count: u32, actions: u32, numbers: [u32; 2]) -> u64 {
        let count = u64::from(count);
        let work = count.saturating_mul(actions.into());
        let work = work.saturating_mul((self.work)(numbers));
        (count * price.deal).saturating_add(work.saturating_mul(price.work))
    }
}

/// Reads sets of cards, or the bits of floats.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    let words = bytes.as_chunks().0;
    words.iter().map(|word| u64::from_ne_bytes(*word)).collect()
}

/// View, history and actions of a decision.
pub(super) type Decision<'a, G> = (
    &'a <G as GameTypes>::View,
    &'a [<G as GameTypes>::Event],
    &'a [<G as GameTypes>::Action],
);

/// Reads a decision of the game `G`.
///
/// # Errors
/// Returns [`Refusal::NoDecision`] if the records are those of another game, or there are no
/// actions.
pub(super) fn decision<'a, G: GameTypes>(turn: &Turn<'a>) -> Result<Decision<'a, G>, Refusal> {
    let known = turn.seen.cast::<G>().zip(turn.legal.cast());
    let ((view, history), actions) = known.ok_or(Refusal::NoDecision)?;
    if actions.is_empty() {
        return Err(Refusal::NoDecision);
    }
    Ok((view, history, actions))
}
