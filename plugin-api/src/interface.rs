//! The part of a game's module that is the same for every game: the trait that authors implement,
//! and the way from it to the border.

/// Declares for a game the names of what its bots are given (`Block`, `DealStart`, `Turn`,
/// `DealEnd`), the trait `Bot`, the function `bot` that declares one, and the blanket
/// implementation of [`Player`](crate::Player).
///
/// After the game come, each with its documentation: what has happened when `deal_start` is called;
/// what `act` decides, with the type of its answer (an index, or a [`Choice`](crate::Choice) where
/// there are amounts); and, where the rules ask for a decision of another kind in a phase of their
/// own, its name, that phase, and the function that decides where a bot does not.
macro_rules! interface {
    (
        $game:ty,
        $(#[$dealt:meta])* deal_start,
        $(#[$act:meta])* act -> $answer:ty
        $(, $(#[$other:meta])* $name:ident in $phase:path => $default:path)?
    ) => {
        /// What a block starts with.
        pub type Block<'a> = crate::Block<'a, $game>;
        $(#[$dealt])*
        pub type DealStart<'a> = crate::DealStart<'a, $game>;
        /// A decision.
        pub type Turn<'a> = crate::Turn<'a, $game>;
        /// The deal is over.
        pub type DealEnd<'a> = crate::DealEnd<'a, $game>;

        /// A bot. One value plays one block: what it keeps in its fields lasts from deal to deal and is gone with the block.
        pub trait Bot: Sized + Send + 'static {
            /// What a league may set; [`NoConfig`](crate::NoConfig) where there is nothing to set.
            type Config: crate::Config;

            /// Refuses a config that can be read but makes no sense, such as no samples at all. Asked as the league is read,
            /// so its author learns of it before anything is played.
            ///
            /// # Errors
            /// What is wrong, in words for the author of the league.
            fn check(_config: &Self::Config) -> Result<(), String> {
                Ok(())
            }

            /// A bot for one block.
            ///
            /// # Errors
            /// Why it does not play this block, for instance because of an option of the rules.
            fn new(config: Self::Config, block: &Block) -> Result<Self, String>;

            $(#[$dealt])*
            fn deal_start(&mut self, _start: &DealStart) {}

            $(
                $(#[$other])*
                fn $name(&mut self, turn: &Turn) -> usize {
                    $default(turn)
                }
            )?

            $(#[$act])*
            fn act(&mut self, turn: &Turn) -> $answer;

            /// The deal is over. The view has what was shown.
            fn deal_end(&mut self, _end: &DealEnd) {}
        }

        /// Declares a bot for [`export_bots!`](crate::export_bots!): its id (lower case letters, digits, `-`), its version and
        /// what it does, in a line.
        #[must_use]
        pub const fn bot<B: Bot>(
            id: &'static str,
            version: &'static str,
            description: &'static str,
        ) -> crate::Declared<$game, B> {
            crate::Declared::new(id, version, description)
        }

        impl<B: Bot> crate::Player<$game> for B {
            type Config = B::Config;

            fn check(config: &Self::Config) -> Result<(), String> {
                B::check(config)
            }

            fn new(config: Self::Config, block: &Block) -> Result<Self, String> {
                B::new(config, block)
            }

            fn deal_start(&mut self, start: &DealStart) {
                Bot::deal_start(self, start);
            }

            #[inline]
            fn choose(&mut self, turn: &Turn) -> crate::Choice {
                $(
                    if turn.view().phase == $phase {
                        return self.$name(turn).into();
                    }
                )?
                Bot::act(self, turn).into()
            }

            fn deal_end(&mut self, end: &DealEnd) {
                Bot::deal_end(self, end);
            }
        }
    };
}

pub(crate) use interface;
