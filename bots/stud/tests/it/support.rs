//! Deals in text notation, and the choices of bots in them.

use bytemuck::Zeroable;
use hattari_plugin::games::{BlockState, Game, Move, words};
use hattari_plugin::stud::card::{DECK, cards, name, parse_list, set_of};
use hattari_plugin::stud::{Block, Bot, DealEnd, DealStart, Options, Stud, Turn, View, kind};
use hattari_plugin::{Choice, Player};

/// Returns the options of the paper's game.
pub(crate) fn seven_turns() -> Options {
    Options::preset("fuzzy-2002").unwrap()
}

/// The rules and a deal in progress. Seat 0 has the button; in the game with seven turns it bets
/// first.
pub(crate) struct Table {
    pub game: Stud,
    pub block: BlockState<Stud>,
    pub deal: <Stud as Game>::Deal,
}

impl Table {
    /// Creates a deal with these cards: seven for each seat in the order of the deal, separated by
    /// `|`.
    pub(crate) fn new(options: Options, text: &str) -> Table {
        let game = Stud::new(options).unwrap();
        let block = game.new_block(text.split('|').count(), 100);
        let mut deck = parse_list(&text.replace('|', " ")).unwrap();
        deck.extend(cards(DECK & !set_of(&deck)));
        let mut deal = game.new_deal();
        game.start(&block, &deck.try_into().unwrap(), &mut deal)
            .unwrap();
        Table { game, block, deal }
    }

    /// Plays actions in turn order: `fold`, `stay` (check, call or bring in), `raise 300`,
    /// `open Js`.
    pub(crate) fn then(mut self, moves: &str) -> Table {
        for words in moves.split(", ").filter(|words| !words.is_empty()) {
            let mut legal = Vec::new();
            self.game.legal(&self.deal, &mut legal);
            let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
            let amount = rest.parse().unwrap_or(0);
            let action = legal.iter().find(|action| match word {
                "fold" => action.kind == kind::FOLD,
                "stay" => matches!(action.kind, kind::CHECK | kind::CALL | kind::BRING_IN),
                "open" => name(action.card) == Some(rest),
                _ => {
                    action.kind == kind::RAISE && (action.lowest..=action.highest).contains(&amount)
                }
            });
            let action = *action.unwrap_or_else(|| panic!("{words}: {legal:?}"));
            self.game.apply(&mut self.deal, Move { action, amount });
        }
        self
    }

    /// Returns the view of the seat to act.
    pub(crate) fn view(&self) -> View {
        let mut view = View::zeroed();
        self.game.view(
            &self.block,
            &self.deal,
            self.game.to_act(&self.deal).unwrap(),
            &mut view,
        );
        view
    }

    /// Returns the bot's choice as text.
    pub(crate) fn choice<B: Bot>(&self, bot: &mut B) -> String {
        let view = self.view();
        let mut legal = Vec::new();
        self.game.legal(&self.deal, &mut legal);
        let Choice { action, amount } =
            bot.choose(&Turn::new(&view, self.game.history(&self.deal), &legal));
        words::choice(
            &self.game,
            &Move {
                action: legal[action],
                amount,
            },
        )
    }
}

/// Creates a bot for the first block of a game with two players and seven turns.
pub(crate) fn bot<B: Bot>(config: B::Config) -> B {
    bot_of(config, 2, &seven_turns()).unwrap()
}

/// Creates a bot for the first block of a table.
pub(crate) fn bot_of<B: Bot>(
    config: B::Config,
    players: usize,
    options: &Options,
) -> Result<B, String> {
    B::check(&config)?;
    B::new(config, &Block::new(players, 1, 100, 1, options))
}

/// Plays deals with two bots. Returns the chips that the second bot wins, and the number of deals
/// until the block was over.
///
/// # Panics
/// Panics if a choice is illegal, or if chips are lost.
pub(crate) fn play<A: Bot, B: Bot>(
    first: &mut A,
    second: &mut B,
    deals: u64,
    options: Options,
) -> (i64, u64) {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    let game = Stud::new(options).unwrap();
    let (mut block, mut deal, mut legal) = (game.new_block(2, 1000), game.new_deal(), Vec::new());
    let (mut view, mut payoffs, mut won) = (View::zeroed(), [0; 2], 0);
    for number in 0..deals {
        let mut chance = ChaCha8Rng::seed_from_u64(1);
        chance.set_stream(number);
        game.deal(&mut block, &mut chance, &mut deal);
        let mut tell = |seat: u8, deal: &<Stud as Game>::Deal, block: &BlockState<Stud>| {
            game.view(block, deal, seat, &mut view);
            view
        };
        Bot::deal_start(
            first,
            &DealStart::new(&tell(0, &deal, &block), game.history(&deal)),
        );
        Bot::deal_start(
            second,
            &DealStart::new(&tell(1, &deal, &block), game.history(&deal)),
        );
        while let Some(seat) = game.to_act(&deal) {
            game.legal(&deal, &mut legal);
            let mut choice = 0.into();
            if legal.len() > 1 || legal[0].kind == kind::RAISE {
                let view = tell(seat, &deal, &block);
                let turn = Turn::new(&view, game.history(&deal), &legal);
                choice = if seat == 0 {
                    first.choose(&turn)
                } else {
                    second.choose(&turn)
                };
            }
            let action = legal[choice.action];
            assert!(
                action.kind != kind::RAISE
                    || (action.lowest..=action.highest).contains(&choice.amount)
            );
            game.apply(
                &mut deal,
                Move {
                    action,
                    amount: choice.amount,
                },
            );
        }
        game.finish(&mut block, &deal, &mut payoffs);
        assert_eq!(payoffs[0] + payoffs[1], 0);
        won += payoffs[1];
        Bot::deal_end(
            first,
            &DealEnd::new(&tell(0, &deal, &block), game.history(&deal), &payoffs),
        );
        Bot::deal_end(
            second,
            &DealEnd::new(&tell(1, &deal, &block), game.history(&deal), &payoffs),
        );
        if game.block_over(&block) {
            return (won, number + 1);
        }
    }
    (won, deals)
}
