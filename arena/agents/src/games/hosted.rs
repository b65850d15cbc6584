//! The host's additions to the rules of a game: for scripts, for editors and for `watch`.

/// The host's additions to a game; none of them is needed to play.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameExtras {
    /// Additions to the Luau API of scripts.
    pub luau: LuauExtras,
    /// Default settings for watching a bot; `None` if they must be given each time.
    pub usual: Option<UsualTable>,
}

/// The Luau API of a game's scripts in addition to its records.
#[derive(Clone, Copy, Debug)]
pub struct LuauExtras {
    /// Luau source with the game's additions to the records. It is called with the names of cards
    /// by number and with Luau's `table.concat`. It returns `complete` (sets the fields in
    /// [`Types::fields`] of a decoded action, none of them to a table) and `globals` (read-only
    /// libraries).
    pub supplement: &'static str,
    /// Functions that the host computes for scripts of this game, in addition to the services for
    /// decisions.
    pub library: Option<LuauLibrary>,
    /// Phase for which bots may define a function in addition to `act`.
    pub phase: Option<Phase>,
    /// Type declarations for editors.
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

/// Additions to the type declarations of a game's scripts, which editors read.
#[derive(Clone, Copy, Debug)]
pub struct Types {
    /// Description of a card's name.
    pub card: &'static str,
    /// Additional fields: name of the record, name of the field, type and description. They precede
    /// the fields of the schema and replace those of the same name.
    pub fields: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// Declarations that follow those of the records.
    pub rest: &'static [&'static str],
}

impl Default for LuauExtras {
    /// Returns an API without additions.
    fn default() -> LuauExtras {
        let types = Types {
            card: "its name",
            fields: &[],
            rest: &[],
        };
        LuauExtras {
            supplement: "return {}",
            library: None,
            phase: None,
            types,
        }
    }
}

/// Libraries of the host that scripts may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LuauLibrary {
    /// `poker`: ranks hands of seven cards.
    Poker,
    /// `poker` with win rates for hold'em.
    Holdem,
}

/// Default settings for watching a bot.
#[derive(Clone, Copy, Debug)]
pub struct UsualTable {
    /// Reference opponents.
    pub opponents: &'static [&'static str],
    /// Number of deals per block.
    pub deals: u32,
    /// `true` if two partners are one entrant.
    pub in_pairs: bool,
    /// `true` if each deal is repeated with the seats exchanged.
    pub duplicate: bool,
}

impl UsualTable {
    /// Settings without opponents, as a base for others.
    pub(crate) const NONE: UsualTable = UsualTable {
        opponents: &[],
        deals: 10,
        in_pairs: false,
        duplicate: false,
    };
}
