//! The `poker` libraries of scripts, for work that would be too slow in Luau. The work is charged
//! in steps, so that the limit stops a script at the same point on every machine.

use super::host::{self, Function};
use super::meter;
use super::shared::VmShared;
use super::state::LuaState;
use hattari_plugin::games::poker::card::{self, CardSet};
use hattari_plugin::games::poker::{RANKED_MAX, RANKED_MIN, Strength, equity};
use hattari_plugin::holdem::win_rate as win_rate_of;
use std::ffi::{CStr, c_int};

/// Default number of showdowns that are sampled for a win rate. If at most this number of showdowns
/// is possible, all of them are enumerated by default.
const SAMPLES: u64 = 1000;
/// Maximum number of opponents.
const OPPONENTS_MAX: u32 = 8;
/// Steps charged for reading lists of cards and ranking one hand.
const STEPS_OF_CARDS: u64 = 10;
/// Maximum number of cards in a list.
const CARDS_MAX: usize = 60;
/// Maximum length in bytes of a card's name.
const NAME_MAX: usize = 8;
/// Number of hole cards.
const HAND: u32 = 2;
/// Maximum number of community cards.
const COMMUNITY_MAX: u32 = 5;

/// Functions for hold'em.
pub(super) static HOLDEM: &[(&CStr, Function)] = &[
    (c"strength", strength),
    (c"unit", unit),
    (c"reseed", reseed),
    (c"win_rate", win_rate),
];

/// Functions for all poker games.
pub(super) static POKER: &[(&CStr, Function)] = HOLDEM.split_at(3).0;

/// `poker.strength(cards)`: returns the strength of a hand as a number, higher for better hands,
/// and the name of the category.
fn strength(state: &LuaState, _: &VmShared) -> Result<c_int, String> {
    meter::pay(STEPS_OF_CARDS)?;
    let set = set(state, 1, "strength")?;
    let count = set.count_ones();
    if !(RANKED_MIN..=RANKED_MAX).contains(&count) {
        return Err(format!(
            "poker.strength: takes {RANKED_MIN} to {RANKED_MAX} cards (got {count})"
        ));
    }
    let strength = Strength::of(set);
    state.push_number(f64::from(strength.number()));
    state.push_text(strength.category().name());
    Ok(2)
}

/// `poker.unit()`: returns the next random number of the block, at least 0 and less than 1.
fn unit(state: &LuaState, shared: &VmShared) -> Result<c_int, String> {
    let unit = shared.rng.borrow_mut().unit();
    state.push_number(unit);
    Ok(1)
}

/// `poker.reseed(number)`: restarts the block's random numbers with the block's seed and `number`.
fn reseed(state: &LuaState, shared: &VmShared) -> Result<c_int, String> {
    shared.reseed(host::count(state, 1)?);
    Ok(0)
}

/// `poker.win_rate(hand, community, opponents, samples, exact_max)`: returns the expected share of
/// the pot and the standard error of this estimate.
fn win_rate(state: &LuaState, shared: &VmShared) -> Result<c_int, String> {
    meter::pay(STEPS_OF_CARDS)?;
    let (hand, community) = (set(state, 1, "win_rate")?, set(state, 2, "win_rate")?);
    let opponents = host::count(state, 3)?;
    let samples = host::optional_count(state, 4)?.unwrap_or(SAMPLES);
    let exact_max = host::optional_count(state, 5)?.unwrap_or(SAMPLES);
    if hand.count_ones() != HAND || community.count_ones() > COMMUNITY_MAX || hand & community != 0
    {
        return Err(
            "poker.win_rate: takes a hand of two cards and at most five community cards, all \
             different"
                .to_owned(),
        );
    }
    let opponents = u32::try_from(opponents)
        .ok()
        .filter(|count| (1..=OPPONENTS_MAX).contains(count))
        .ok_or_else(|| {
            format!("poker.win_rate: takes 1 to {OPPONENTS_MAX} opponents (got {opponents})")
        })?;
    if samples == 0 {
        return Err("poker.win_rate: takes at least one sample".to_owned());
    }
    let counted =
        equity::showdowns(community, opponents).filter(|&showdowns| showdowns <= exact_max);
    // One step for every ranked hand.
    let showdowns = counted.unwrap_or(samples);
    meter::pay(showdowns.saturating_mul(u64::from(opponents) + 1))?;
    let mut rng = shared.rng.borrow_mut();
    let rate = win_rate_of(hand, community, opponents, samples, exact_max, &mut rng);
    drop(rng);
    state.push_number(rate.share);
    state.push_number(rate.error);
    Ok(2)
}

/// Returns the set of cards in the list at a stack index. `function` is the name of the running
/// function in errors.
fn set(state: &LuaState, list: c_int, function: &str) -> Result<CardSet, String> {
    let mut set = 0;
    each_card(state, list, |name| {
        let card = card::parse(name).ok_or_else(|| {
            format!("poker.{function}: `{name}` is not a card; write for example `As`")
        })?;
        if set & 1 << card != 0 {
            return Err(format!("poker.{function}: {name} occurs twice"));
        }
        set |= 1 << card;
        Ok(())
    })?;
    Ok(set)
}

/// Calls `take` with the name of each card in the list at a stack index.
///
/// # Errors
/// Returns the error of `take`, or an error if the value is not a list of at most [`CARDS_MAX`]
/// texts.
pub(super) fn each_card(
    state: &LuaState,
    list: c_int,
    mut take: impl FnMut(&str) -> Result<(), String>,
) -> Result<(), String> {
    host::table(state, list)?;
    let count = state.length(list);
    if count > CARDS_MAX {
        return Err(format!(
            "a list can have at most {CARDS_MAX} cards (got {count})"
        ));
    }
    let top = state.top();
    for index in 1..=count {
        let at = state.get_element(list, index);
        let Some((name, _)) = state.text_start(at, NAME_MAX) else {
            let kind = state.type_name(at);
            return Err(format!(
                "a list of cards must contain names; element {index} is of type {kind}"
            ));
        };
        take(&String::from_utf8_lossy(&name))?;
        state.truncate(top);
    }
    Ok(())
}
