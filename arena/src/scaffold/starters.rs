//! The parts of templates that depend on the game. A game needs a folder `templates/games/GAME` and
//! a line in [`starter`].

/// The template parts of one game. Placeholders such as `@NAME@` are replaced later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Starter {
    /// One-line description of the strategy of the bots in C, Python, JavaScript, Go and Java.
    pub about: &'static str,
    /// Name and text of each file in the folder of the game.
    files: &'static [(&'static str, &'static str)],
}

impl Starter {
    /// Returns the text of a file in the folder of the game.
    ///
    /// # Panics
    /// Panics if [`starter`] does not list the file.
    pub(crate) fn file(&self, name: &str) -> &'static str {
        self.files
            .iter()
            .find(|(known, _)| *known == name)
            .expect("every game has the same files")
            .1
    }
}

/// Includes the files in the folder of a game. They are a league in which the bot plays and the
/// complete bots in Lua and Rust. For other languages, they are the code that chooses an action, and
/// positions for the tests of bots in C.
macro_rules! read {
    ($game:literal, $about:literal) => {
        read!(
            $game, $about, "league.yaml" "bot.lua" "bot.rs.txt" "decide.c" "positions.c"
            "decide.py" "decide.js" "decide.go" "Decide.java"
        )
    };
    ($game:literal, $about:literal, $($file:literal)+) => {
        Starter {
            about: $about,
            files: &[
                $(($file, include_str!(concat!("templates/games/", $game, "/", $file)))),+
            ],
        }
    };
}

/// Returns the template parts of a game, given by its name without revision, or `None` if the game
/// has no templates.
pub(crate) fn starter(game: &str) -> Option<Starter> {
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
