//! What the host of scripts knows of games: the descriptions of their records, and what they add in Luau.

use super::natives::{self, Library};
use super::vm::Shared;
use super::{open_hands, search};
use hattari_plugin::games::frame::{Frame, Framed};
use hattari_plugin::games::poker::card;
use hattari_plugin::games::{GameTypes, bridge, daihinmin, holdem, stud, tanhinmin};
use mlua::{Lua, Table};
use std::rc::Rc;

/// Makes a library of functions that look at the decision under way.
pub type Look = fn(&Lua, &Rc<Shared>) -> mlua::Result<Table>;

/// A game as scripts meet it.
#[derive(Debug)]
pub struct ScriptGame {
    /// Name and revision, as in `daihinmin/1`.
    pub id: &'static str,
    /// Description of the view.
    pub view: Frame,
    /// Description of an event.
    pub event: Frame,
    /// Description of an action.
    pub action: Frame,
    /// Text of a card by its number.
    pub card_name: fn(u8) -> Option<&'static str>,
    /// Luau source of what the game adds to the records; called with the names of cards by number. It returns
    /// `complete` (finishes a decoded move), `phases` (functions that a bot may have besides `act`, by the phase of the
    /// view, with what is done for bots that lack them) and `globals` (read-only libraries).
    pub supplement: &'static str,
    /// A library of functions of the host's own, with its name.
    pub natives: Option<(&'static str, Library)>,
    /// A library by which the host looks at the decision under way, with its name.
    pub look: Option<(&'static str, Look)>,
}

impl ScriptGame {
    /// The name without the revision: the folder of its scripts.
    pub fn name(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(name, _)| name)
    }

    /// Whether `id` names this game, with its revision or without.
    pub fn is(&self, id: &str) -> bool {
        id == self.id || id == self.name()
    }
}

/// Every game that scripts can play.
pub static GAMES: [ScriptGame; 5] = [
    ScriptGame {
        look: Some(("search", search::library)),
        ..of::<daihinmin::Daihinmin>(daihinmin::card::name, include_str!("luau/daihinmin.luau"))
    },
    ScriptGame {
        look: Some(("double_dummy", open_hands::library)),
        ..of::<bridge::Bridge>(bridge::Bridge::card_name, include_str!("luau/bridge.luau"))
    },
    ScriptGame {
        natives: Some(("poker", natives::holdem)),
        ..of::<holdem::Holdem>(card::name, include_str!("luau/poker.luau"))
    },
    ScriptGame {
        natives: Some(("poker", natives::poker)),
        ..of::<stud::Stud>(card::name, include_str!("luau/poker.luau"))
    },
    of::<tanhinmin::Tanhinmin>(tanhinmin::card_name, include_str!("luau/tanhinmin.luau")),
];

const fn of<G: GameTypes>(card_name: fn(u8) -> Option<&'static str>, supplement: &'static str) -> ScriptGame {
    ScriptGame {
        id: G::ID,
        view: G::View::FRAME,
        event: G::Event::FRAME,
        action: G::Action::FRAME,
        card_name,
        supplement,
        natives: None,
        look: None,
    }
}

/// The game of that id, with its revision or without.
pub fn find(id: &str) -> Option<&'static ScriptGame> {
    GAMES.iter().find(|game| game.is(id))
}
