//! The library `search` of scripts: the host's look-ahead at the decision that is under way.
//!
//! It is paid for in steps, so that a script gets equally far on every machine.

use super::host::{self, Function};
use super::shared::Shared;
use super::state::State;
use super::{meter, natives};
use crate::agent::lookahead::{Asked, Refusal};
use hattari_plugin::games::daihinmin::{PLAYERS, card};
use hattari_search::daihinmin::Playout;
use std::ffi::{CStr, c_int};

/// Steps that a deal costs: some fifty cards become table entries.
const STEPS_OF_DEAL: u32 = 100;
/// Steps that a playout by chance costs, and one by the fitted policy.
const STEPS_OF_PLAYOUT: [u32; 2] = [20, 60];
/// Steps that a call costs besides: what the seat knows is read.
const STEPS_OF_CALL: u64 = 50;
/// Most deals of one call.
const DEALS_MAX: u32 = 10_000;
/// Most playouts of an action in a deal.
const PLAYOUTS_MAX: u32 = 1_000_000;

pub(super) static SEARCH: &[(&CStr, Function)] = &[(c"deals", deals), (c"points", points)];

fn refused(refusal: Refusal) -> String {
    refusal.message().to_owned()
}

/// Returns a number that is whole and from 1 to `most`.
fn whole(number: f64, what: &str, most: u32) -> Result<u32, String> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to most"
    )]
    if number.fract() == 0.0 && (1.0..=f64::from(most)).contains(&number) {
        return Ok(number as u32);
    }
    Err(format!(
        "{what} must be a whole number from 1 to {most}, not {number}"
    ))
}

/// `search.deals(count)`: deals as lists, by seat, of the names of cards.
fn deals(state: &State<'_>, shared: &Shared) -> Result<c_int, String> {
    let count = whole(host::number(state, 1)?, "the number of deals", DEALS_MAX)?;
    meter::pay(STEPS_OF_CALL + u64::from(count) * u64::from(STEPS_OF_DEAL))?;
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
    let list = state.push_table(drawn.len(), 0);
    for (number, hands) in drawn.iter().enumerate() {
        let deal = state.push_table(PLAYERS, 0);
        for (seat, &hand) in hands.iter().enumerate() {
            let names = state.push_table(hand.count_ones() as usize, 0);
            for (index, name) in card::cells(hand).filter_map(card::name).enumerate() {
                state.push_text(name);
                state.set_element(names, index + 1);
            }
            state.set_element(deal, seat + 1);
        }
        state.set_element(list, number + 1);
    }
    Ok(1)
}

/// `search.points(deals, playouts, policy)`: mean points of every action in every deal, a list by
/// deal of lists by action.
fn points(state: &State<'_>, shared: &Shared) -> Result<c_int, String> {
    host::table(state, 1)?;
    let playouts = host::optional_number(state, 2)?.unwrap_or(1.0);
    let playouts = whole(playouts, "the number of playouts", PLAYOUTS_MAX)?;
    let policy = match state.text_start(3, 20) {
        None if state.is_nil(3) => Playout::Uniform,
        None => {
            let kind = state.type_name(3);
            return Err(format!("bad argument #3: text expected, got {kind}"));
        }
        Some((name, _)) => match &name[..] {
            b"uniform" => Playout::Uniform,
            b"fitted" => Playout::Fitted,
            other => {
                let other = String::from_utf8_lossy(other);
                return Err(format!(
                    "the policy is \"uniform\" or \"fitted\", not \"{other}\""
                ));
            }
        },
    };
    let count = state.length(1);
    if count > DEALS_MAX as usize {
        return Err(format!("{count} deals are too many: at most {DEALS_MAX}"));
    }
    meter::pay(STEPS_OF_CALL)?;
    let mut means = Vec::new();
    let (mut hands, mut width) = (Vec::new(), 0);
    shared.turn.read(|turn| -> Result<(), String> {
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
        meter::pay((trials as u64).saturating_mul(u64::from(each)))?;
        let top = state.top();
        for number in 1..=count {
            let deal = state.get_element(1, number);
            hands.push(read_deal(state, deal)?);
            state.truncate(top);
        }
        let mut lookahead = shared.lookahead.borrow_mut();
        lookahead
            .playouts(
                &asked,
                hands.iter(),
                playouts,
                policy,
                meter::is_over,
                |mean| means.push(mean),
            )
            .map_err(refused)
    })?;
    let list = state.push_table(hands.len(), 0);
    for (number, row) in means.chunks(width.max(1)).enumerate() {
        let points = state.push_table(row.len(), 0);
        for (index, &mean) in row.iter().enumerate() {
            state.push_number(mean);
            state.set_element(points, index + 1);
        }
        state.set_element(list, number + 1);
    }
    Ok(1)
}

/// Reads the deal at a place: names of cards by seat.
fn read_deal(state: &State<'_>, deal: c_int) -> Result<[card::CardSet; PLAYERS], String> {
    host::table(state, deal)?;
    let mut hands = [0; PLAYERS];
    for (seat, hand) in hands.iter_mut().enumerate() {
        let cards = state.get_element(deal, seat + 1);
        natives::each_card(state, cards, |name| {
            let number = card::parse(name).ok_or_else(|| format!("there is no card \"{name}\""))?;
            *hand |= 1 << number;
            Ok(())
        })?;
    }
    Ok(hands)
}
