//! The host's additions to games: data and functions for scripts, for editors and for `hattari
//! watch`.

/// The host's additions to a game. A game can be played without them.
#[derive(Clone, Copy, Debug)]
pub struct GameExtras {
    /// Luau source with the game's additions to the records. It is called with the names of cards
    /// by number and with Luau's `table.concat`. It returns a table with `complete`, a function
    /// that sets the additional [`fields`](GameExtras::fields) in a decoded action (never to a
    /// table), and `globals`, a table of read-only libraries.
    pub supplement: &'static str,
    /// Library of host functions for scripts of this game, besides the services for decisions.
    pub library: Option<LuauLibrary>,
    /// Phase for which bots may define a separate function besides `act`.
    pub phase: Option<Phase>,
    /// Description of how cards are named, for editors.
    pub card: &'static str,
    /// Additional fields: name of the record, name of the field, type and description. For editors,
    /// they precede the fields of the schema, and replace fields of the same name.
    pub fields: &'static [(&'static str, &'static str, &'static str, &'static str)],
    /// Luau declarations for editors, added after the declarations of the records.
    pub types: &'static [&'static str],
    /// Default settings for watching a bot; `None` if the user must give all of them.
    pub watch_defaults: Option<WatchDefaults>,
}

impl GameExtras {
    /// No additions.
    pub(crate) const NONE: GameExtras = GameExtras {
        supplement: "return {}",
        library: None,
        phase: None,
        card: "its name",
        fields: &[],
        types: &[],
        watch_defaults: None,
    };
}

/// A phase of a game in which the host decides for bots that do not define a function for it.
#[derive(Clone, Copy, Debug)]
pub struct Phase {
    /// Name of the phase, which is also the name of the function.
    pub name: &'static str,
    /// Function that returns the index of the action that the host chooses; `None` in other phases.
    /// The arguments are the records of the view and of the legal actions.
    pub default: fn(&[u8], &[u8]) -> Option<usize>,
}

/// Libraries of the host that scripts may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LuauLibrary {
    /// `poker`: strength of hands, and random numbers.
    Poker,
    /// `poker`, and in addition win rates for hold'em.
    Holdem,
}

/// Default settings for watching a bot.
#[derive(Clone, Copy, Debug)]
pub struct WatchDefaults {
    /// Names of the bots that play as opponents.
    pub opponents: &'static [&'static str],
    /// Number of deals per block.
    pub deals: u32,
    /// `true` if two partners form one entrant.
    pub in_pairs: bool,
    /// `true` if each deal is repeated with the seats exchanged.
    pub duplicate: bool,
}

impl WatchDefaults {
    /// Settings without opponents. The settings of games are made from these by changing some
    /// fields.
    pub(crate) const NONE: WatchDefaults = WatchDefaults {
        opponents: &[],
        deals: 10,
        in_pairs: false,
        duplicate: false,
    };
}
