//! What the host adds to the rules of a game: for scripts, for authors of bots, for those who watch
//! one.

/// What the host adds to a game; nothing of it is needed to play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hosted {
    /// What scripts find beside the records.
    pub luau: Luau,
    /// With whom a bot is usually watched; `None` where that is to be said each time.
    pub usual: Option<Usual>,
}

/// What scripts of a game find beside its records.
#[derive(Clone, Copy, Debug)]
pub struct Luau {
    /// Luau source of what the game adds to the records; called with the names of cards by number
    /// and Luau's own `table.concat`. It returns `complete` (finishes a decoded move: sets the
    /// fields that [`Types::fields`] adds, none of them to a table) and `globals` (read-only
    /// libraries).
    pub supplement: &'static str,
    /// What the host computes for scripts of this game, besides services for decisions.
    pub library: Option<LuauLibrary>,
    /// The phase for which bots may have a function besides `act`.
    pub phase: Option<Phase>,
    /// What editors are told of it.
    pub types: Types,
}

/// A phase of a game in which the host decides for bots that lack a function for it.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Name of the phase and of the function.
    pub name: &'static str,
    /// Returns the index of the host's choice from the records of the view and of the legal
    /// actions; `None` in other phases.
    pub default: fn(&[u8], &[u8]) -> Option<usize>,
}

/// What a game adds in the types of what its scripts see, which editors read.
#[derive(Clone, Copy, Debug)]
pub struct Types {
    /// What a card's name is.
    pub card: &'static str,
    /// Fields of a frame: its name, the field's, the field's type and what it is. They come before
    /// the described fields, in the place of one of the same name.
    pub fields: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// Declarations that follow the records'.
    pub rest: &'static [&'static str],
}

impl Default for Luau {
    /// Nothing.
    fn default() -> Luau {
        let types = Types {
            card: "its name",
            fields: &[],
            rest: &[],
        };
        Luau {
            supplement: "return {}",
            library: None,
            phase: None,
            types,
        }
    }
}

/// Libraries of the host's own that scripts may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LuauLibrary {
    /// `poker`: hands of seven cards ranked.
    Poker,
    /// `poker` with win rates of hold'em.
    Holdem,
}

/// With whom, and how, a bot is usually watched.
#[derive(Clone, Copy, Debug)]
pub struct Usual {
    /// Reference opponents.
    pub opponents: &'static [&'static str],
    /// Deals of a block.
    pub deals: u32,
    /// Whether two partners are one entrant.
    pub in_pairs: bool,
    /// Whether deals are played with the seats exchanged.
    pub duplicate: bool,
}

impl Usual {
    /// Nobody, as a base for others.
    pub(crate) const NONE: Usual = Usual {
        opponents: &[],
        deals: 10,
        in_pairs: false,
        duplicate: false,
    };
}
