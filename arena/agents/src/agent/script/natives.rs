//! Functions of the host's own that scripts may call: what would take Luau too long. They draw from
//! a generator of the block and take steps for the work that they do, so that a script gets as far
//! on every machine.

use super::raw;
use hattari_plugin::Rng;
use hattari_plugin::games::poker::card::{self, CardSet};
use hattari_plugin::games::poker::{RANKED_MAX, RANKED_MIN, Strength, equity};
use hattari_plugin::holdem::win_rate;
use mlua::{Lua, Table};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Showdowns of a win rate, and those of which all are counted, where a script does not say.
const SAMPLES: u64 = 1000;
/// Most opponents.
const OPPONENTS_MAX: u32 = 8;
/// Steps of reading a list of cards, and of ranking one hand.
const STEPS_OF_CARDS: u64 = 10;
/// Most cards of a list, and most bytes of a card's name.
const CARDS_MAX: usize = 60;
const NAME_MAX: usize = 8;
/// Cards of a hand, and most community cards.
const HAND: u32 = 2;
const COMMUNITY_MAX: u32 = 5;

/// Where a block's chance for these functions comes from: the generator that a compiled bot has
/// from the same seed.
#[derive(Debug)]
pub(super) struct Chance {
    seed: Cell<u64>,
    rng: RefCell<Rng>,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance {
            seed: Cell::new(0),
            rng: RefCell::new(Rng::new(0)),
        }
    }
}

impl Chance {
    /// Begins a block.
    pub(super) fn start(&self, seed: u64) {
        self.seed.set(seed);
        *self.rng.borrow_mut() = Rng::new(seed);
    }
}

/// What all games of poker offer: `strength`, `unit`, `reseed`.
pub(super) fn poker(lua: &Lua, chance: &Rc<Chance>) -> mlua::Result<Table> {
    let library = lua.create_table()?;
    let strength = |_: &Lua, cards: Table| {
        raw::pay(STEPS_OF_CARDS)?;
        let set = set(&cards, "strength")?;
        let count = set.count_ones();
        if !(RANKED_MIN..=RANKED_MAX).contains(&count) {
            return Err(wrong(&format!(
                "strength: {count} cards; hands of {RANKED_MIN} to {RANKED_MAX} are ranked"
            )));
        }
        let strength = Strength::of(set);
        Ok((strength.number(), strength.category().name()))
    };
    library.raw_set("strength", lua.create_function(strength)?)?;
    let drawn = Rc::clone(chance);
    library.raw_set(
        "unit",
        lua.create_function(move |_, ()| Ok(drawn.rng.borrow_mut().unit()))?,
    )?;
    let drawn = Rc::clone(chance);
    let reseed = move |_: &Lua, number: u64| {
        *drawn.rng.borrow_mut() = Rng::new(drawn.seed.get() ^ number);
        Ok(())
    };
    library.raw_set("reseed", lua.create_function(reseed)?)?;
    Ok(library)
}

/// What hold'em offers besides: `win_rate`.
pub(super) fn holdem(lua: &Lua, chance: &Rc<Chance>) -> mlua::Result<Table> {
    let library = poker(lua, chance)?;
    let chance = Rc::clone(chance);
    type Arguments = (Table, Table, u32, Option<u64>, Option<u64>);
    let rate = move |_: &Lua, (hand, community, opponents, samples, exact_max): Arguments| {
        raw::pay(STEPS_OF_CARDS)?;
        let (hand, community) = (set(&hand, "win_rate")?, set(&community, "win_rate")?);
        let (samples, exact_max) = (samples.unwrap_or(SAMPLES), exact_max.unwrap_or(SAMPLES));
        if hand.count_ones() != HAND
            || community.count_ones() > COMMUNITY_MAX
            || hand & community != 0
        {
            return Err(wrong(
                "win_rate: a hand of two cards and five community cards at most, all different",
            ));
        }
        if !(1..=OPPONENTS_MAX).contains(&opponents) {
            return Err(wrong(&format!(
                "win_rate: {opponents} opponents; there are 1 to {OPPONENTS_MAX}"
            )));
        }
        if samples == 0 {
            return Err(wrong("win_rate: at least one sample"));
        }
        let counted =
            equity::showdowns(community, opponents).filter(|&showdowns| showdowns <= exact_max);
        // A step for every hand that is ranked.
        raw::pay(
            counted
                .unwrap_or(samples)
                .saturating_mul(u64::from(opponents) + 1),
        )?;
        let mut rng = chance.rng.borrow_mut();
        let rate = win_rate(hand, community, opponents, samples, exact_max, &mut rng);
        Ok((rate.share, rate.error))
    };
    library.raw_set("win_rate", lua.create_function(rate)?)?;
    Ok(library)
}

/// A set of cards from a list of their names.
fn set(list: &Table, function: &str) -> mlua::Result<CardSet> {
    let mut set = 0;
    each_card(list, |name| {
        let card = card::parse(name)
            .ok_or_else(|| wrong(&format!("{function}: `{name}` is not a card, as `As` is")))?;
        if set & 1 << card != 0 {
            return Err(wrong(&format!("{function}: {name} stands twice")));
        }
        set |= 1 << card;
        Ok(())
    })?;
    Ok(set)
}

/// Reads the names of the cards in a list, which may have [`CARDS_MAX`] at the most.
///
/// # Errors
/// Returns the error of `take`, or an error if the list is too long or holds something else than
/// text.
pub(super) fn each_card(
    list: &Table,
    mut take: impl FnMut(&str) -> mlua::Result<()>,
) -> mlua::Result<()> {
    let count = list.raw_len();
    if count > CARDS_MAX {
        return Err(mlua::Error::runtime(format!(
            "a list of {count} cards: there are fewer"
        )));
    }
    for at in 1..=count {
        let name = list.raw_get::<mlua::LuaString>(at)?;
        let bytes = name.as_bytes();
        let name = String::from_utf8_lossy(&bytes[..bytes.len().min(NAME_MAX)]);
        take(&name)?;
    }
    Ok(())
}

fn wrong(what: &str) -> mlua::Error {
    mlua::Error::runtime(format!("poker.{what}"))
}
