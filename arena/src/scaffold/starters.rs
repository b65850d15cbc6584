//! The parts of templates that depend on the game. A game needs a folder `templates/games/GAME` and
//! a line in [`starter`].

/// The template parts of one game. Placeholders such as `@NAME@` are replaced later.
#[derive(Clone, Copy, Debug)]
pub struct Starter {
    /// One-line description of the strategy of the bots in C, Python, JavaScript, Go and Java.
    pub about: &'static str,
    /// A league in which the bot plays.
    pub league: &'static str,
    /// The complete bot in Lua.
    pub lua: &'static str,
    /// The complete bot in Rust.
    pub rust: &'static str,
    /// The code that chooses an action, for bots in C.
    pub c_decision: &'static str,
    /// Positions for the tests of bots in C.
    pub c_positions: &'static str,
    /// The code that chooses an action, for bots in Python.
    pub python_decision: &'static str,
    /// The code that chooses an action, for bots in JavaScript.
    pub node_decision: &'static str,
    /// The code that chooses an action, for bots in Go.
    pub go_decision: &'static str,
    /// The code that chooses an action, for bots in Java.
    pub java_decision: &'static str,
}

/// Includes the files in the folder of a game.
macro_rules! read {
    ($game:literal, $about:literal) => {
        Starter {
            about: $about,
            league: include_str!(concat!("templates/games/", $game, "/league.yaml")),
            lua: include_str!(concat!("templates/games/", $game, "/bot.lua")),
            rust: include_str!(concat!("templates/games/", $game, "/bot.rs.txt")),
            c_decision: include_str!(concat!("templates/games/", $game, "/decide.c")),
            c_positions: include_str!(concat!("templates/games/", $game, "/positions.c")),
            python_decision: include_str!(concat!("templates/games/", $game, "/decide.py")),
            node_decision: include_str!(concat!("templates/games/", $game, "/decide.js")),
            go_decision: include_str!(concat!("templates/games/", $game, "/decide.go")),
            java_decision: include_str!(concat!("templates/games/", $game, "/Decide.java")),
        }
    };
}

/// Returns the template parts of a game, given by its name without revision, or `None` if the game
/// has no templates.
#[must_use]
pub fn starter(game: &str) -> Option<Starter> {
    Some(match game {
        "bridge" => read!("bridge", "wins tricks as cheaply as it can"),
        "daihinmin" => read!("daihinmin", "plays its weakest cards first"),
        "holdem" => read!(
            "holdem",
            "raises with a pair, otherwise calls only small bets"
        ),
        "stud" => read!("stud", "bets with a pair or better"),
        "tanhinmin" => read!("tanhinmin", "keeps its weakest card for the end"),
        _ => return None,
    })
}
