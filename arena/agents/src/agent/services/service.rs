//! Types that describe services, and the interface between a service and its callers.

use crate::agent::Turn;
use hattari_plugin::abi;
use hattari_plugin::games::GameTypes;
use std::ffi::CStr;

/// A service for the decisions of one game. Methods take or return deals: a set of cards for each
/// seat.
pub(crate) struct Service {
    /// Id in the C interface.
    pub id: &'static CStr,
    /// Name of the library in scripts.
    pub library: &'static str,
    /// Id of the game.
    pub game: &'static str,
    /// Number of seats, which is the number of sets in a deal.
    pub seats: usize,
    /// Function that returns the bit number of a card in sets, given the card's name.
    pub card: fn(&str) -> Option<u8>,
    pub methods: &'static [ServiceMethod],
    /// Function that starts a block with the game's options as JSON and the seed of the bot. It
    /// returns `None` if the options are invalid.
    pub start: fn(&str, u64) -> Option<ServiceSession>,
}

/// A function of a service. In the C interface, the parameters are the host, the decision, the
/// deals (if any), the number of deals, further numbers, and the buffer for the results.
pub(crate) struct ServiceMethod {
    /// Name in the C interface.
    #[cfg_attr(
        not(feature = "wasm"),
        expect(dead_code, reason = "only modules read it")
    )]
    pub name: &'static str,
    /// Name in scripts.
    pub script_name: &'static CStr,
    /// `true` if the method takes deals; `false` if it takes only the number of deals.
    pub takes_deals: bool,
    pub numbers: &'static [NumberParameter],
    pub output: Output,
    #[cfg_attr(
        not(feature = "wasm"),
        expect(dead_code, reason = "only modules read it")
    )]
    pub fuel: Price,
    pub steps: Price,
    /// Function that returns the units of work for each action and deal, given the method's numeric
    /// arguments. These units are charged before the call.
    pub work: fn([u32; 2]) -> u64,
}

/// A numeric parameter of a method.
pub(crate) enum NumberParameter {
    /// A count, at least 1. Scripts may pass at most `most`; the default is 1.
    Count { what: &'static str, most: u32 },
    /// An index in `names`. Scripts pass the name; the default is the first name.
    Choice {
        what: &'static str,
        names: &'static [&'static str],
    },
}

/// The results of a method.
#[derive(Clone, Copy)]
pub(crate) enum Output {
    /// Deals: for each deal and seat, a set of cards in 8 bytes.
    Deals,
    /// A float for each deal and action.
    Floats,
    /// A byte for each deal and action.
    Bytes,
}

/// The price in fuel or steps of a call, of each deal, and of each unit of work.
pub(crate) struct Price {
    pub call: u64,
    pub deal: u64,
    pub work: u64,
}

/// The arguments of a call.
pub(crate) struct Request<'a> {
    /// Number of deals.
    pub count: u32,
    /// Sets of cards of all deals, deal by deal; empty if the method takes no deals.
    pub deals: &'a [u64],
    pub numbers: [u32; 2],
}

/// A request that a running method makes to its caller.
pub(crate) enum ServiceStep<'a> {
    /// Ends the call if the time for the decision is over.
    Check,
    /// Charges fuel or steps for units of work.
    Pay(u64),
    /// Appends bytes to the results.
    Write(&'a [u8]),
}

/// A service for one bot in one block: a function that runs the method with the given index. An
/// error is the reason why the call stopped; results that were written before are valid.
pub(crate) type ServiceSession = Box<
    dyn FnMut(
            usize,
            &Turn<'_>,
            &Request<'_>,
            &mut dyn FnMut(ServiceStep<'_>) -> Result<(), ServiceRefusal>,
        ) -> Result<(), ServiceRefusal>
        + Send,
>;

/// The reason a call is rejected.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ServiceRefusal {
    /// No decision is being made, or the decision belongs to another game.
    NoDecision,
    /// Playouts were requested in the exchange of cards, where they cannot start.
    Exchange,
    /// The hands contradict the seat's information.
    InconsistentHands,
    /// The time for the decision is over.
    Late,
    /// The caller ended the call because fuel, steps or the room for results ran out.
    Ended,
}

impl ServiceRefusal {
    /// Returns the status of the C interface.
    pub(crate) fn status(self) -> abi::Status {
        match self {
            ServiceRefusal::Exchange => abi::E_UNSUPPORTED,
            ServiceRefusal::Late => abi::E_STOPPED,
            ServiceRefusal::NoDecision
            | ServiceRefusal::InconsistentHands
            | ServiceRefusal::Ended => abi::E_FAIL,
        }
    }
}

impl From<ServiceRefusal> for String {
    /// Returns the error message for scripts.
    fn from(refusal: ServiceRefusal) -> String {
        let message = match refusal {
            ServiceRefusal::NoDecision => {
                "this function can be called only during a decision, for that decision"
            }
            ServiceRefusal::Exchange => "playouts cannot start in the exchange",
            ServiceRefusal::InconsistentHands => "the hands contradict the view",
            ServiceRefusal::Late => "the time for the decision has run out",
            ServiceRefusal::Ended => "out of steps",
        };
        message.to_owned()
    }
}

impl ServiceMethod {
    /// Returns `true` if the arguments that a compiled bot passed are in range.
    pub(crate) fn accepts(&self, count: u32, numbers: [u32; 2]) -> bool {
        count > 0
            && self
                .numbers
                .iter()
                .zip(numbers)
                .all(|(number, value)| match number {
                    NumberParameter::Count { .. } => value > 0,
                    NumberParameter::Choice { names, .. } => (value as usize) < names.len(),
                })
    }

    /// Returns the price for the deals and actions of a call, which is charged before the call in
    /// addition to its fixed price.
    pub(crate) fn price(&self, price: &Price, count: u32, actions: u32, numbers: [u32; 2]) -> u64 {
        let count = u64::from(count);
        let work = count.saturating_mul(actions.into());
        let work = work.saturating_mul((self.work)(numbers));
        (count * price.deal).saturating_add(work.saturating_mul(price.work))
    }
}

/// Converts bytes to words of 8 bytes: sets of cards, or the bits of floats.
pub(crate) fn words(bytes: &[u8]) -> Vec<u64> {
    bytes
        .as_chunks()
        .0
        .iter()
        .map(|word| u64::from_ne_bytes(*word))
        .collect()
}

/// The view, history and actions of a decision.
type DecisionRecords<'a, G> = (
    &'a <G as GameTypes>::View,
    &'a [<G as GameTypes>::Event],
    &'a [<G as GameTypes>::Action],
);

/// Returns the view, the history and the actions of a decision in the game `G`.
///
/// # Errors
/// Returns [`ServiceRefusal::NoDecision`] if the records are from another game, or if there are no
/// actions.
pub(super) fn decision<'a, G: GameTypes>(
    turn: &Turn<'a>,
) -> Result<DecisionRecords<'a, G>, ServiceRefusal> {
    let ((view, history), actions) = turn
        .seen
        .cast::<G>()
        .zip(turn.legal.cast())
        .ok_or(ServiceRefusal::NoDecision)?;
    if actions.is_empty() {
        return Err(ServiceRefusal::NoDecision);
    }
    Ok((view, history, actions))
}
