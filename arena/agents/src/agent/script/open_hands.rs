//! The library `double_dummy` of scripts: bridge with open hands, solved at the decision that is
//! under way.
//!
//! It is paid for in steps by the work that the search does, so that a script gets equally far on
//! every machine.

use super::host::{self, Function};
use super::shared::Shared;
use super::state::State;
use super::{meter, natives};
use crate::agent::open_hands::Refusal;
use hattari_plugin::games::bridge::{Card, CardSet};
use std::ffi::{CStr, c_int};

/// Steps that a deal costs besides the search: some fifty cards are read.
const STEPS_OF_DEAL: u64 = 100;
/// Most deals of one call.
const DEALS_MAX: usize = 10_000;

pub(super) static DOUBLE_DUMMY: &[(&CStr, Function)] = &[(c"tricks", tricks)];

fn refused(refusal: Refusal) -> String {
    refusal.message().to_owned()
}

/// `double_dummy.tricks(deals)`: tricks of declarer's side for every action in every deal, a list
/// by deal of lists by action.
fn tricks(state: &State<'_>, shared: &Shared) -> Result<c_int, String> {
    host::table(state, 1)?;
    let count = state.length(1);
    if count > DEALS_MAX {
        return Err(format!("{count} deals are too many: at most {DEALS_MAX}"));
    }
    // One more for the call itself.
    meter::pay((count as u64 + 1) * STEPS_OF_DEAL)?;
    let list = state.push_table(count, 0);
    for number in 1..=count {
        let deal = state.get_element(1, number);
        let hands = read_deal(state, deal)?;
        state.truncate(list);
        let (row, work) = shared
            .turn
            .read(|turn| {
                let mut open_hands = shared.open_hands.borrow_mut();
                let asked = open_hands.read(turn.ok_or(Refusal::NoDecision)?)?;
                open_hands.tricks(&asked, &hands)
            })
            .map_err(refused)?;
        meter::pay(work)?;
        let tricks = state.push_table(row.len(), 0);
        for (index, &number) in row.iter().enumerate() {
            state.push_number(number.into());
            state.set_element(tricks, index + 1);
        }
        state.set_element(list, number);
    }
    Ok(1)
}

/// Reads the deal at a place: names of cards by seat.
fn read_deal(state: &State<'_>, deal: c_int) -> Result<[u64; 4], String> {
    host::table(state, deal)?;
    let mut hands = [CardSet::default(); 4];
    for (seat, hand) in hands.iter_mut().enumerate() {
        let cards = state.get_element(deal, seat + 1);
        natives::each_card(state, cards, |name| {
            let card = name.parse::<Card>().map_err(|error| error.to_string())?;
            hand.insert(card);
            Ok(())
        })?;
    }
    Ok(hands.map(|hand| hand.0))
}
