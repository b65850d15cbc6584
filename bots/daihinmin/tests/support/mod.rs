//! Positions in text notation, and the choices of bots in them.
#![allow(dead_code, reason = "every test file uses its part")]

pub(crate) mod deals;

use bytemuck::Zeroable;
use hattari_bots_daihinmin::style::{Groups, Lock, Style, Switches};
use hattari_plugin::daihinmin::card::parse_set;
use hattari_plugin::daihinmin::{Action, Options, View, phase};
use hattari_plugin::games::daihinmin::moves::legal_plays;
use hattari_plugin::games::daihinmin::{NONE, Situation};

/// The view of a seat; it is always seat 0.
#[derive(Clone)]
pub(crate) struct Position {
    view: View,
}

/// Returns a position in which the seat leads with this hand.
pub(crate) fn lead(hand: &str) -> Position {
    let view = View {
        phase: phase::PLAY,
        rules: Options::default().flags(),
        ask_last: 1,
        table_seat: NONE,
        hand: parse_set(hand).unwrap(),
        places: [NONE; 5],
        ..View::zeroed()
    };
    Position { view }
}

/// Returns a position in which the seat has this hand and seat 1 has played `table`.
pub(crate) fn on(table: &str, hand: &str) -> Position {
    let mut position = lead(hand);
    position.view.table = table.parse().unwrap_or_else(|e| panic!("{table}: {e}"));
    position.view.table_seat = 1;
    position
}

impl Position {
    /// Locks the suits.
    pub(crate) fn locked(mut self) -> Position {
        self.view.lock = 1;
        self
    }

    /// Starts a revolution.
    pub(crate) fn revolution(mut self) -> Position {
        self.view.revolution = 1;
        self
    }

    /// Marks these cards as played.
    pub(crate) fn gone(mut self, cards: &str) -> Position {
        self.view.gone = parse_set(cards).unwrap();
        self
    }

    /// Marks all cards as played except the hand and these.
    pub(crate) fn unseen(mut self, cards: &str) -> Position {
        let all = hattari_plugin::daihinmin::card::PACK;
        self.view.gone = all & !self.view.hand & !parse_set(cards).unwrap();
        self
    }

    /// Makes the play on the table the seat's own.
    pub(crate) fn own(mut self) -> Position {
        self.view.table_seat = 0;
        self
    }

    /// Marks these seats as having passed.
    pub(crate) fn passed(mut self, seats: &[u8]) -> Position {
        self.view.passed = seats.iter().fold(0, |set, seat| set | 1 << seat);
        self
    }

    /// Marks these seats as out.
    pub(crate) fn out(mut self, seats: &[u8]) -> Position {
        self.view.out = seats.iter().fold(0, |set, seat| set | 1 << seat);
        self
    }

    /// Changes the rules.
    pub(crate) fn rules(mut self, options: &Options) -> Position {
        self.view.rules = options.flags();
        self
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    pub(crate) fn legal(&self) -> Vec<Action> {
        let mut legal = Vec::new();
        legal_plays(self.view.hand, &Situation::from(&self.view), &mut legal);
        legal
    }

    /// Returns the play of the bot `choose` as text.
    pub(crate) fn answer(&self, choose: impl FnOnce(&View, &[Action]) -> usize) -> String {
        let legal = self.legal();
        let index = choose(&self.view, &legal);
        legal[index].to_string()
    }

    /// Asserts the play of a style; `-` is the pass.
    #[track_caller]
    pub(crate) fn check(&self, name: &str, expected: &str) {
        let answer = self.answer(|view, legal| style(name).choose(view, legal));
        assert_eq!(answer, expected, "{name}");
    }

    /// Does the same as [`Position::check`] for the style with groups `any`.
    #[track_caller]
    pub(crate) fn check_any(&self, name: &str, expected: &str) {
        let any = Switches {
            groups: Groups::Any,
            ..switches(name)
        };
        let answer = self.answer(|view, legal| Style::of(any).choose(view, legal));
        assert_eq!(answer, expected, "{name} with any groups");
    }
}

/// Returns the style with this name.
pub(crate) fn style(name: &str) -> Style {
    Style::of(switches(name))
}

/// Returns the switches of a published style, derived from its name.
pub(crate) fn switches(name: &str) -> Switches {
    let (stem, end) = name.split_once('-').unwrap_or((name, ""));
    let lock = if end.starts_with('s') {
        Lock::Prefer
    } else {
        Lock::Weakest
    };
    let locks = |kinds: [&str; 2]| {
        if kinds.contains(&stem) {
            lock
        } else {
            Lock::None
        }
    };
    Switches {
        history: stem != "plain",
        lock_single: locks(["single", "all"]),
        lock_group: locks(["pair", "all"]),
        stairs: end.ends_with('k'),
        groups: Groups::Whole,
    }
}

/// All named styles.
pub(crate) const STYLES: [&str; 15] = [
    "plain",
    "base",
    "single",
    "pair",
    "all",
    "single-s",
    "pair-s",
    "all-s",
    "base-k",
    "single-k",
    "pair-k",
    "all-k",
    "single-sk",
    "pair-sk",
    "all-sk",
];
