//! What the host of scripts knows of games: the descriptions of their records, and what they add in Luau.

use hattari_plugin::games::frame::{Frame, Framed};
use hattari_plugin::games::{daihinmin, poker, stud};

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
pub static GAMES: [ScriptGame; 2] = [
    ScriptGame {
        id: "daihinmin/1",
        view: daihinmin::View::FRAME,
        event: daihinmin::Event::FRAME,
        action: daihinmin::Action::FRAME,
        card_name: daihinmin::card::name,
        supplement: include_str!("luau/daihinmin.luau"),
    },
    ScriptGame {
        id: "stud/1",
        view: stud::View::FRAME,
        event: stud::Event::FRAME,
        action: stud::Action::FRAME,
        card_name: poker::card::name,
        supplement: include_str!("luau/poker.luau"),
    },
];

/// The game of that id, with its revision or without.
pub fn find(id: &str) -> Option<&'static ScriptGame> {
    GAMES.iter().find(|game| game.is(id))
}
