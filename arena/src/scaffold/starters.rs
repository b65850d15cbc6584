//! The game-specific parts of templates. A game needs a folder `templates/games/GAME` and a line in
//! [`starter`].

/// Files for a new bot of a game. The scaffold replaces placeholders such as `@NAME@`.
#[derive(Clone, Copy, Debug)]
pub struct Starter {
    /// One-line description of the strategy of bots in C and of programs.
    pub about: &'static str,
    /// A league for the bot.
    pub league: &'static str,
    /// A bot in Lua.
    pub lua: &'static str,
    /// A bot in Rust.
    pub rust: &'static str,
    /// The decision of a bot in C.
    pub c_decision: &'static str,
    /// Test positions of a bot in C.
    pub c_positions: &'static str,
    /// The decision of a program in Python.
    pub python_decision: &'static str,
    /// The decision of a program in JavaScript.
    pub node_decision: &'static str,
    /// The decision of a program in Go.
    pub go_decision: &'static str,
    /// The decision of a program in Java.
    pub java_decision: &'static str,
}

/// Includes the files of a game's folder.
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

/// Returns the template parts of a game, given by its name without revision; `None` if it has none.
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
