//! Deals in text notation, and the choices of bots in them.

use bytemuck::Zeroable;
use hattari_plugin::games::{BlockState, Game, Move, words};
use hattari_plugin::holdem::card::{DECK, cards, parse_list, set_of};
use hattari_plugin::holdem::{Block, Bot, DealStart, Holdem, Options, Turn, View, kind};
use hattari_plugin::{Choice, Player};

/// The rules and a deal in progress. Seat 0 has the button.
pub(crate) struct Table {
    pub game: Holdem,
    pub block: BlockState<Holdem>,
    pub deal: <Holdem as Game>::Deal,
}

impl Table {
    /// Creates a deal with these cards: two for each of `players` seats, then the community.
    pub(crate) fn new(options: Options, players: usize, text: &str) -> Table {
        let game = Holdem::new(options).unwrap();
        let block = game.new_block(players, 100);
        let mut deck = parse_list(&text.replace('|', "")).unwrap();
        deck.extend(cards(DECK & !set_of(&deck)));
        let mut deal = game.new_deal();
        game.start(&block, &deck.try_into().unwrap(), &mut deal)
            .unwrap();
        Table { game, block, deal }
    }

    /// Plays actions in turn order: `fold`, `stay` (check or call), `raise 300`.
    pub(crate) fn then(mut self, moves: &str) -> Table {
        for word in moves.split(", ").filter(|word| !word.is_empty()) {
            let mut legal = Vec::new();
            self.game.legal(&self.deal, &mut legal);
            let (word, amount) = word
                .split_once(' ')
                .map_or((word, 0), |(word, amount)| (word, amount.parse().unwrap()));
            let fits = |wanted: u8| match word {
                "fold" => wanted == kind::FOLD,
                "stay" => wanted == kind::CHECK || wanted == kind::CALL,
                _ => wanted == kind::RAISE,
            };
            let action = *legal
                .iter()
                .find(|action| fits(action.kind))
                .unwrap_or_else(|| panic!("{word}: {legal:?}"));
            self.game.apply(&mut self.deal, Move { action, amount });
        }
        self
    }

    /// Returns the bot's choice as text.
    pub(crate) fn choice<B: Bot>(&self, bot: &mut B) -> String {
        let mut view = View::zeroed();
        let seat = self.game.to_act(&self.deal).unwrap();
        self.game.view(&self.block, &self.deal, seat, &mut view);
        let mut legal = Vec::new();
        self.game.legal(&self.deal, &mut legal);
        let history = self.game.history(&self.deal);
        Bot::deal_start(bot, &DealStart::new(&view, history));
        let Choice { action, amount } = bot.choose(&Turn::new(&view, history, &legal));
        words::choice(
            &self.game,
            &Move {
                action: legal[action],
                amount,
            },
        )
    }
}

/// Creates a bot for the first block of a table.
pub(crate) fn bot<B: Bot>(config: B::Config, players: usize) -> B {
    bot_at(config, players, &Options::default()).unwrap()
}

/// Creates a bot with other rules. Returns its error text if it rejects them.
pub(crate) fn bot_at<B: Bot>(
    config: B::Config,
    players: usize,
    options: &Options,
) -> Result<B, String> {
    B::check(&config)?;
    B::new(config, &Block::new(players, 0, 100, 1, options))
}

/// A bot for [`play`]; the second argument is true at the first turn of a deal.
pub(crate) type Seated = Box<dyn FnMut(&Turn, bool) -> Choice>;

/// Returns the chips that each bot wins. Every deal is played once for each rotation of the bots.
pub(crate) fn play(bots: &mut [Seated], deals: u64, options: Options) -> Vec<i64> {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    let players = bots.len();
    let game = Holdem::new(options).unwrap();
    let mut won = vec![0; players];
    for rotation in 0..players {
        let (mut block, mut deal, mut legal) =
            (game.new_block(players, 1000), game.new_deal(), Vec::new());
        let (mut view, mut payoffs) = (View::zeroed(), vec![0; players]);
        for number in 0..deals {
            let mut chance = ChaCha8Rng::seed_from_u64(1);
            chance.set_stream(number);
            game.deal(&mut block, &mut chance, &mut deal);
            let mut first = vec![true; players];
            while let Some(seat) = game.to_act(&deal) {
                game.legal(&deal, &mut legal);
                let entrant = (usize::from(seat) + rotation) % players;
                let mut choice = 0.into();
                if legal.len() > 1 || legal[0].kind == kind::RAISE {
                    game.view(&block, &deal, seat, &mut view);
                    choice = bots[entrant](
                        &Turn::new(&view, game.history(&deal), &legal),
                        first[entrant],
                    );
                    first[entrant] = false;
                }
                game.apply(
                    &mut deal,
                    Move {
                        action: legal[choice.action],
                        amount: choice.amount,
                    },
                );
            }
            game.finish(&mut block, &deal, &mut payoffs);
            for (player, payoff) in payoffs.iter().enumerate() {
                won[(player + rotation) % players] += payoff;
            }
        }
    }
    won
}

/// Creates a bot for [`play`].
pub(crate) fn player<B: Bot>(config: B::Config, players: usize) -> Seated {
    let mut bot: B = bot(config, players);
    Box::new(move |turn, is_first| {
        if is_first {
            Bot::deal_start(&mut bot, &DealStart::new(turn.view(), &[]));
        }
        bot.choose(turn)
    })
}
