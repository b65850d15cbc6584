//! Positions as tests write them, and what a bot does in them.
#![allow(dead_code, reason = "every test file uses its part")]

pub(crate) mod deals;

use bytemuck::Zeroable;
use hattari_bots_daihinmin::style::{Groups, Lock, Style, Switches};
use hattari_plugin::daihinmin::card::parse_set;
use hattari_plugin::daihinmin::{Action, Options, View, phase};
use hattari_plugin::games::daihinmin::moves::legal_plays;
use hattari_plugin::games::daihinmin::{NONE, Situation};

/// What a seat sees; it sits in seat 0.
#[derive(Clone)]
pub(crate) struct Position {
    view: View,
}

/// The seat leads with this hand.
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

/// The seat has this hand, seat 1 has played that.
pub(crate) fn on(table: &str, hand: &str) -> Position {
    let mut position = lead(hand);
    position.view.table = table.parse().unwrap_or_else(|e| panic!("{table}: {e}"));
    position.view.table_seat = 1;
    position
}

impl Position {
    /// Suits are locked.
    pub(crate) fn locked(mut self) -> Position {
        self.view.lock = 1;
        self
    }

    /// A revolution is on.
    pub(crate) fn revolution(mut self) -> Position {
        self.view.revolution = 1;
        self
    }

    /// These cards have been played.
    pub(crate) fn gone(mut self, cards: &str) -> Position {
        self.view.gone = parse_set(cards).unwrap();
        self
    }

    /// All cards have been played but those in hand and these.
    pub(crate) fn unseen(mut self, cards: &str) -> Position {
        let all = hattari_plugin::daihinmin::card::PACK;
        self.view.gone = all & !self.view.hand & !parse_set(cards).unwrap();
        self
    }

    /// The play on the table is the seat's own.
    pub(crate) fn own(mut self) -> Position {
        self.view.table_seat = 0;
        self
    }

    /// These seats have passed.
    pub(crate) fn passed(mut self, seats: &[u8]) -> Position {
        self.view.passed = seats.iter().fold(0, |set, seat| set | 1 << seat);
        self
    }

    /// These seats have no cards left.
    pub(crate) fn out(mut self, seats: &[u8]) -> Position {
        self.view.out = seats.iter().fold(0, |set, seat| set | 1 << seat);
        self
    }

    /// Rules with other switches.
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

    /// What the bot `choose` plays here, as text.
    pub(crate) fn answer(&self, choose: impl FnOnce(&View, &[Action]) -> usize) -> String {
        let legal = self.legal();
        let index = choose(&self.view, &legal);
        legal[index].to_string()
    }

    /// Asserts what a style plays here; `-` is the pass.
    #[track_caller]
    pub(crate) fn check(&self, name: &str, expected: &str) {
        let answer = self.answer(|view, legal| style(name).choose(view, legal));
        assert_eq!(answer, expected, "{name}");
    }

    /// As [`Position::check`], of the style that follows with any group.
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

/// The style of that name.
pub(crate) fn style(name: &str) -> Style {
    Style::of(switches(name))
}

/// The switches of a published name, read off the name itself.
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
