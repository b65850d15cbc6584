//! The library `double_dummy` of scripts: bridge with open hands, solved at the decision that is
//! under way.
//!
//! It is paid for in steps by the work that the search does, so that a script gets equally far on
//! every machine.

use super::vm::Shared;
use super::{natives, raw};
use crate::agent::open_hands::Refusal;
use hattari_plugin::games::bridge::{Card, CardSet};
use mlua::{Error, Lua, Table};
use std::rc::Rc;

/// Steps that a deal costs besides the search: some fifty cards are read.
pub(super) const STEPS_OF_DEAL: u64 = 100;
/// Most deals of one call.
const DEALS_MAX: usize = 10_000;

/// The library, read-only.
pub(super) fn library(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let library = lua.create_table()?;
    let own = Rc::clone(shared);
    library.raw_set(
        "tricks",
        lua.create_function(move |lua, deals: Table| tricks(lua, &own, &deals))?,
    )?;
    Ok(library)
}

fn refused(refusal: Refusal) -> Error {
    Error::RuntimeError(refusal.message().to_owned())
}

/// Tricks of declarer's side for every action in every deal: a list by deal of lists by action.
fn tricks(lua: &Lua, shared: &Shared, deals: &Table) -> mlua::Result<Table> {
    let count = deals.raw_len();
    if count > DEALS_MAX {
        return Err(Error::RuntimeError(format!(
            "{count} deals are too many: at most {DEALS_MAX}"
        )));
    }
    // One more for the call itself.
    raw::pay((count as u64 + 1) * STEPS_OF_DEAL)?;
    let list = lua.create_table()?;
    for number in 1..=count {
        let hands = read_deal(&deals.raw_get(number)?)?;
        let (row, work) = shared
            .turn
            .read(|turn| {
                let mut open_hands = shared.open_hands.borrow_mut();
                let asked = open_hands.read(turn.ok_or(Refusal::NoDecision)?)?;
                open_hands.tricks(&asked, &hands)
            })
            .map_err(refused)?;
        raw::pay(work)?;
        list.raw_set(number, lua.create_sequence_from(row)?)?;
    }
    Ok(list)
}

/// A deal from the names of cards by seat.
fn read_deal(deal: &Table) -> mlua::Result<[u64; 4]> {
    let mut hands = [CardSet::default(); 4];
    for (seat, hand) in hands.iter_mut().enumerate() {
        natives::each_card(&deal.raw_get(seat + 1)?, |name| {
            let card = name
                .parse::<Card>()
                .map_err(|error| Error::RuntimeError(error.to_string()))?;
            hand.insert(card);
            Ok(())
        })?;
    }
    Ok(hands.map(|hand| hand.0))
}
