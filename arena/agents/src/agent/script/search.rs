//! The library `search` of scripts: the host's look-ahead at the decision that is under way.
//!
//! It is paid for in steps, so that a script gets equally far on every machine.

use super::vm::Shared;
use super::{natives, raw};
use crate::agent::lookahead::{Asked, Refusal};
use hattari_plugin::games::daihinmin::{PLAYERS, card};
use hattari_search::daihinmin::Playout;
use mlua::{Error, Lua, Table};
use std::rc::Rc;

/// Steps that a deal costs: some fifty cards become table entries.
pub(super) const STEPS_OF_DEAL: u32 = 100;
/// Steps that a playout by chance costs, and one by the fitted policy.
pub(super) const STEPS_OF_PLAYOUT: [u32; 2] = [20, 60];
/// Steps that a call costs besides: what the seat knows is read.
const STEPS_OF_CALL: u64 = 50;
/// Most deals of one call.
const DEALS_MAX: u32 = 10_000;
/// Most playouts of an action in a deal.
const PLAYOUTS_MAX: u32 = 1_000_000;

/// The library, read-only.
pub(super) fn library(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Table> {
    let library = lua.create_table()?;
    let own = Rc::clone(shared);
    library.raw_set(
        "deals",
        lua.create_function(move |lua, count: f64| deals(lua, &own, count))?,
    )?;
    let own = Rc::clone(shared);
    let points =
        move |lua: &Lua, (deals, playouts, policy): (Table, Option<f64>, Option<String>)| {
            points(
                lua,
                &own,
                &deals,
                playouts.unwrap_or(1.0),
                policy.as_deref(),
            )
        };
    library.raw_set("points", lua.create_function(points)?)?;
    Ok(library)
}

fn refused(refusal: Refusal) -> Error {
    Error::RuntimeError(refusal.message().to_owned())
}

/// A whole number from 1 to `most`.
fn whole(number: f64, what: &str, most: u32) -> mlua::Result<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to most"
    )]
    if number.fract() == 0.0 && (1.0..=f64::from(most)).contains(&number) {
        return Ok(number as u32);
    }
    Err(Error::RuntimeError(format!(
        "{what} must be a whole number from 1 to {most}, not {number}"
    )))
}

/// Deals as lists, by seat, of the names of cards.
fn deals(lua: &Lua, shared: &Shared, count: f64) -> mlua::Result<Table> {
    let count = whole(count, "the number of deals", DEALS_MAX)?;
    raw::pay(STEPS_OF_CALL + u64::from(count) * u64::from(STEPS_OF_DEAL))?;
    let mut drawn = Vec::with_capacity(count as usize);
    shared
        .turn
        .read(|turn| {
            let asked = turn.ok_or(Refusal::NoDecision).and_then(Asked::read)?;
            shared
                .lookahead
                .borrow_mut()
                .sample(&asked, count, |hands| drawn.push(*hands))
        })
        .map_err(refused)?;
    let list = lua.create_table_with_capacity(drawn.len(), 0)?;
    for (number, hands) in drawn.iter().enumerate() {
        let deal = lua.create_table_with_capacity(PLAYERS, 0)?;
        for (seat, &hand) in hands.iter().enumerate() {
            let names = lua.create_sequence_from(card::cells(hand).filter_map(card::name))?;
            deal.raw_set(seat + 1, names)?;
        }
        list.raw_set(number + 1, deal)?;
    }
    Ok(list)
}

/// Mean points of every action in every deal: a list by deal of lists by action.
fn points(
    lua: &Lua,
    shared: &Shared,
    deals: &Table,
    playouts: f64,
    policy: Option<&str>,
) -> mlua::Result<Table> {
    let playouts = whole(playouts, "the number of playouts", PLAYOUTS_MAX)?;
    let policy = match policy {
        None | Some("uniform") => Playout::Uniform,
        Some("fitted") => Playout::Fitted,
        Some(other) => {
            return Err(Error::RuntimeError(format!(
                "the policy is \"uniform\" or \"fitted\", not \"{other}\""
            )));
        }
    };
    let count = deals.raw_len();
    if count > DEALS_MAX as usize {
        return Err(Error::RuntimeError(format!(
            "{count} deals are too many: at most {DEALS_MAX}"
        )));
    }
    raw::pay(STEPS_OF_CALL)?;
    let mut means = Vec::new();
    let (mut hands, mut width) = (Vec::new(), 0);
    shared.turn.read(|turn| -> mlua::Result<()> {
        let asked = turn
            .ok_or(Refusal::NoDecision)
            .and_then(Asked::read)
            .map_err(refused)?;
        width = asked.actions();
        let each = STEPS_OF_PLAYOUT[usize::from(policy == Playout::Fitted)];
        let trials = count
            .saturating_mul(width)
            .saturating_mul(playouts as usize);
        // All of it before the deals are read: a playout costs more than what there is to read for
        // it.
        raw::pay((trials as u64).saturating_mul(u64::from(each)))?;
        for deal in 1..=count {
            hands.push(read_deal(&deals.raw_get(deal)?)?);
        }
        let mut lookahead = shared.lookahead.borrow_mut();
        lookahead
            .playouts(
                &asked,
                hands.iter(),
                playouts,
                policy,
                raw::is_over,
                |mean| means.push(mean),
            )
            .map_err(refused)
    })?;
    let list = lua.create_table_with_capacity(hands.len(), 0)?;
    for (number, row) in means.chunks(width.max(1)).enumerate() {
        list.raw_set(number + 1, lua.create_sequence_from(row.iter().copied())?)?;
    }
    Ok(list)
}

/// A deal from the names of cards by seat.
fn read_deal(deal: &Table) -> mlua::Result<[card::CardSet; PLAYERS]> {
    let mut hands = [0; PLAYERS];
    for (seat, hand) in hands.iter_mut().enumerate() {
        natives::each_card(&deal.raw_get(seat + 1)?, |name| {
            let number = card::parse(name)
                .ok_or_else(|| Error::RuntimeError(format!("there is no card \"{name}\"")))?;
            *hand |= 1 << number;
            Ok(())
        })?;
    }
    Ok(hands)
}
