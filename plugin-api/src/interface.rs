//! The common part of the modules of games: the trait for authors of bots, and its connection to
//! [`Player`](crate::Player).

/// Declares the items of a game's module: the argument types of bots (`Block`, `DealStart`, `Turn`,
/// `DealEnd`), the trait `Bot`, and the function `bot` that declares a bot. Also implements
/// [`Player`](crate::Player) for every `Bot`.
///
/// The arguments after the game have doc comments for the trait's methods:
/// * `deal_start`
/// * `act` with its return type: an index, or a [`Choice`](crate::Choice) if there are
///   amounts
/// * optionally a method for another kind of decision, with its phase and its default function
macro_rules! interface {
    (
        $game:ty,
        $(#[$dealt:meta])* deal_start,
        $(#[$act:meta])* act -> $answer:ty
        $(, $(#[$other:meta])* $name:ident in $phase:path => $default:path)?
    ) => {
        /// The start of a block: players, seed and options.
        pub type Block<'a> = crate::Block<'a, $game>;
        $(#[$dealt])*
        pub type DealStart<'a> = crate::DealStart<'a, $game>;
        /// A decision of the bot: view, public record and legal actions.
        pub type Turn<'a> = crate::Turn<'a, $game>;
        /// The end of a deal: last view, public record and payoffs.
        pub type DealEnd<'a> = crate::DealEnd<'a, $game>;

        /// A bot. One value plays one block, so its fields persist from deal to deal within the
        /// block.
        pub trait Bot: Sized + Send + 'static {
            /// The settings that leagues can change; [`NoConfig`](crate::NoConfig) if there are
            /// none.
            type Config: crate::Config;

            /// Checks a config for values that make no sense, such as zero samples. Called when the
            /// league is read, before any play.
            ///
            /// # Errors
            /// Returns a message for the author of the league.
            fn check(_config: &Self::Config) -> Result<(), String> {
                Ok(())
            }

            /// Creates a bot for one block.
            ///
            /// # Errors
            /// Returns the reason if the bot does not play this block, for example because of an
            /// option.
            fn new(config: Self::Config, block: &Block) -> Result<Self, String>;

            $(#[$dealt])*
            fn deal_start(&mut self, start: &DealStart) {
                start.skip_from_now_on();
            }

            $(
                $(#[$other])*
                fn $name(&mut self, turn: &Turn) -> usize {
                    $default(turn)
                }
            )?

            $(#[$act])*
            fn act(&mut self, turn: &Turn) -> $answer;

            /// Handles the end of a deal. The view contains the cards that were shown.
            fn deal_end(&mut self, end: &DealEnd) {
                end.skip_from_now_on();
            }
        }

        /// Declares a bot for [`export_bots!`](crate::export_bots!): its id (lower-case letters,
        /// digits, `-`), version and description in one line.
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
