//! Deals of poker in text notation, and the choices of bots in them. The tests of the stud bots use
//! this module too.

use bytemuck::cast_slice;
use hattari_plugin::games::poker::card::{DECK, cards, name, parse_list, set_of};
use hattari_plugin::games::poker::event::{self, BettingAction};
use hattari_plugin::games::poker::{Deal, Poker, Variant};
use hattari_plugin::games::{BlockState, Game, Move, words};
use hattari_plugin::{Block, Choice, DealEnd, DealStart, Player, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The rules and a deal in progress. Seat 0 has the button; in stud with seven turns it bets first.
pub(crate) struct Table<V: Variant> {
    game: Poker<V>,
    block: BlockState<Poker<V>>,
    deal: Deal,
}

impl<V: Variant> Table<V> {
    /// Creates a deal with these cards in the order of the deck: the cards of each seat, then the
    /// community.
    pub(crate) fn new(options: V, players: usize, text: &str) -> Table<V> {
        let game = Poker::<V>::new(options).unwrap();
        let block = game.new_block(players, 100);
        let mut deck = parse_list(&text.replace('|', " ")).unwrap();
        deck.extend(cards(DECK & !set_of(&deck)));
        let mut deal = game.new_deal();
        game.start(&block, &deck.try_into().unwrap(), &mut deal)
            .unwrap();
        Table { game, block, deal }
    }

    /// Plays actions in turn order: `fold`, `stay` (check, call or bring in), `raise 300`,
    /// `open Js`.
    pub(crate) fn then(mut self, moves: &str) -> Table<V> {
        for words in moves.split(", ").filter(|words| !words.is_empty()) {
            let legal = self.game.legal_actions(&self.deal);
            let (word, rest) = words.split_once(' ').unwrap_or((words, ""));
            let amount = rest.parse().unwrap_or(0);
            let fits = |action: &BettingAction| match word {
                "fold" => action.kind == event::FOLD,
                "stay" => matches!(action.kind, event::CHECK | event::CALL | event::BRING_IN),
                "open" => name(action.card) == Some(rest),
                _ => is_raise_to(action, amount),
            };
            let betting: &[BettingAction] = cast_slice(&legal);
            let index = betting.iter().position(fits);
            let action = legal[index.unwrap_or_else(|| panic!("{words}: {betting:?}"))];
            self.game.apply(&mut self.deal, Move { action, amount });
        }
        self
    }

    /// Returns the view of the seat to act.
    pub(crate) fn view(&self) -> V::View {
        let seat = self.game.to_act(&self.deal).unwrap();
        self.game.view_of(&self.block, &self.deal, seat)
    }

    /// Returns the bot's choice as text.
    pub(crate) fn choice<B: Player<Poker<V>>>(&self, bot: &mut B) -> String {
        let (view, history) = (self.view(), self.game.history(&self.deal));
        let legal = self.game.legal_actions(&self.deal);
        bot.deal_start(&DealStart::new(&view, history));
        let Choice { action, amount } = bot.choose(&Turn::new(&view, history, &legal));
        let action = legal[action];
        words::choice(&self.game, &Move { action, amount })
    }
}

fn is_raise_to(action: &BettingAction, amount: i64) -> bool {
    action.kind == event::RAISE && (action.lowest..=action.highest).contains(&amount)
}

/// Creates a bot for the first block of a table. Returns its error text if it rejects the rules.
pub(crate) fn bot_at<V: Variant, B: Player<Poker<V>>>(
    config: B::Config,
    players: usize,
    options: &V,
) -> Result<B, String> {
    B::check(&config)?;
    B::new(config, &Block::new(players, 1, 100, 1, options))
}

/// Any bot at a table.
pub(crate) trait Seated<V: Variant> {
    fn start(&mut self, start: &DealStart<'_, Poker<V>>);
    fn turn(&mut self, turn: &Turn<'_, Poker<V>>) -> Choice;
    fn end(&mut self, end: &DealEnd<'_, Poker<V>>);
}

impl<V: Variant, B: Player<Poker<V>>> Seated<V> for B {
    fn start(&mut self, start: &DealStart<'_, Poker<V>>) {
        self.deal_start(start);
    }

    fn turn(&mut self, turn: &Turn<'_, Poker<V>>) -> Choice {
        self.choose(turn)
    }

    fn end(&mut self, end: &DealEnd<'_, Poker<V>>) {
        self.deal_end(end);
    }
}

/// Returns the chips that each bot wins. Every deal is played once in each of `rotations` rotations
/// of the bots.
///
/// # Panics
/// Panics if a choice is illegal, or if chips are lost.
pub(crate) fn play<V: Variant>(
    bots: &mut [&mut dyn Seated<V>],
    rotations: usize,
    deals: u64,
    options: V,
) -> Vec<i64> {
    let players = bots.len();
    let game = Poker::<V>::new(options).unwrap();
    let mut won = vec![0; players];
    for rotation in 0..rotations {
        let entrant = |player| (player + rotation) % players;
        let (mut block, mut deal) = (game.new_block(players, 1000), game.new_deal());
        let mut payoffs = vec![0; players];
        for number in 0..deals {
            let mut chance = ChaCha8Rng::seed_from_u64(1);
            chance.set_stream(number);
            game.deal(&mut block, &mut chance, &mut deal);
            for (player, seat) in (0..players).zip(0..) {
                let view = game.view_of(&block, &deal, seat);
                bots[entrant(player)].start(&DealStart::new(&view, game.history(&deal)));
            }
            while let Some(seat) = game.to_act(&deal) {
                let legal = game.legal_actions(&deal);
                let betting: &[BettingAction] = cast_slice(&legal);
                let mut choice = 0.into();
                if legal.len() > 1 || betting[0].kind == event::RAISE {
                    let view = game.view_of(&block, &deal, seat);
                    let turn = Turn::new(&view, game.history(&deal), &legal);
                    choice = bots[entrant(seat.into())].turn(&turn);
                }
                let Choice { action, amount } = choice;
                let chosen = &betting[action];
                assert!(chosen.kind != event::RAISE || is_raise_to(chosen, amount));
                let action = legal[action];
                game.apply(&mut deal, Move { action, amount });
            }
            game.finish(&mut block, &deal, &mut payoffs);
            assert_eq!(payoffs.iter().sum::<i64>(), 0);
            for (player, seat) in (0..players).zip(0..) {
                let view = game.view_of(&block, &deal, seat);
                won[entrant(player)] += payoffs[player];
                bots[entrant(player)].end(&DealEnd::new(&view, game.history(&deal), &payoffs));
            }
            if game.block_over(&block) {
                break;
            }
        }
    }
    won
}
