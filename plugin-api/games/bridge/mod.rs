//! Contract bridge: the play of the cards after an auction that the options specify.
//!
//! Properties: 4 players, 52 cards, 13 each; payoffs sum to zero. All random draws are made before
//! the first decision. Hands are hidden, except dummy's after the first lead.
//!
//! The seat on declarer's left leads. Then dummy's hand is shown, and declarer also plays its
//! cards. Seats must follow suit if they can. The highest trump wins the trick, or else the highest
//! card of the suit led; the seat that played it leads to the next trick. The score of declarer's
//! side depends on its number of tricks. A *duplicate* deal is played twice with the sides swapped,
//! and the two scores are compared ([`Scoring`]). Each player keeps the seat with the player's
//! number. Revokes are impossible, and there are no claims.

mod board;
mod call;
mod cards;
mod constraints;
mod deal;
mod features;
mod hands;
mod hidden;
mod lin;
mod luck;
mod options;
mod pbn;
mod records;
mod scene;
mod schema;
mod score;
mod source;
mod trick;

pub use board::Board;
pub use call::{Auction, Call, CallError, Contract, Doubling};
pub use cards::{Card, CardSet, Cards, NotationError, Seat, Side, Strain, Suit};
pub use constraints::{HandConstraints, is_balanced};
pub use deal::{Deal, DealError};
pub use hidden::HiddenCards;
pub use lin::{read_lin, write_lin};
pub use luck::{Luck, SolveDeal, set_solver};
pub use options::{BridgeSetup, CALLS_MAX, Options, Scoring, Vulnerable};
pub use pbn::{GameRecord, Games, read_games, read_pbn, write_pbn};
pub use records::{Action, Event, NONE, View, event, strain};
pub use score::{duplicate_score, imps};
pub use trick::{playable_cards, winner_index, wins_trick};

use crate::frame::Framed;
use crate::scene::{Line, Scene};
use crate::{ChanceEvent, Game, Move, Seating, given};
use bytemuck::Zeroable;
use rand::Rng;
use source::DealSampler;
use std::sync::OnceLock;

/// The state that persists from deal to deal. It does not influence cards or play.
pub type Block = crate::Block<()>;

/// The rules of bridge with their options.
#[derive(Clone, Debug)]
pub struct Bridge {
    options: Options,
    setting: BridgeSetup,
    /// Source of random deals, made for the first of them.
    sampler: OnceLock<DealSampler>,
    /// View with the fields that are the same in all views.
    blank: View,
    /// Solver, if luck is measured.
    solve: Option<SolveDeal>,
}

impl Bridge {
    /// Returns the contract, which is the same in all deals.
    pub fn contract(&self) -> &Contract {
        &self.setting.contract
    }

    /// Returns the parsed options.
    pub fn setup(&self) -> &BridgeSetup {
        &self.setting
    }

    /// Starts a deal with given cards.
    pub fn start(&self, cards: &Deal, board: &mut Board) {
        board.start(cards, &self.setting);
    }

    /// Returns the score of declarer's side for a number of tricks; the defenders lose the same
    /// amount.
    pub fn score_of(&self, tricks: u8) -> i64 {
        let contract = &self.setting.contract;
        match self.options.scoring {
            Scoring::Tricks => tricks.into(),
            Scoring::Contracts => i64::from(contract.tricks() <= tricks),
            Scoring::Imps | Scoring::BoardAMatch | Scoring::Points => {
                duplicate_score(contract, self.setting.is_vulnerable, tricks)
            }
        }
    }

    /// Returns the board as a record for files: hands, calls, the cards played, and the tricks if
    /// all cards were played.
    pub fn record(&self, board: &Board) -> GameRecord {
        let contract = self.setting.contract;
        GameRecord {
            tags: Vec::new(),
            dealer: Some(self.setting.auction.dealer()),
            vulnerable: Some(self.options.vulnerable),
            deal: Some(self.cards(board)),
            contract: Some(contract),
            passed_out: false,
            result: (board.count == 52).then(|| board.won[contract.declarer as usize % 2]),
            calls: self.setting.auction.calls().to_vec(),
            play: board.cards[..usize::from(board.count)]
                .iter()
                .filter_map(|&card| Card::from_index(card))
                .collect(),
        }
    }

    /// Draws a deal that satisfies the constraints of the options.
    fn draw_deal(&self, chance: &mut impl Rng) -> Deal {
        let sampler = || DealSampler::of(&self.setting.holdings);
        self.sampler.get_or_init(sampler).draw(chance)
    }

    /// Returns the cards at the start of the deal.
    fn cards(&self, board: &Board) -> Deal {
        Deal {
            hands: std::array::from_fn(|seat| CardSet(board.hands[seat].0 | board.played[seat])),
        }
    }
}

impl Game for Bridge {
    type Options = Options;
    type Features = Self;
    type Memory = ();
    type Deal = Board;

    const GENERATION: u32 = 2;
    const OFFERS: &'static [&'static str] = &["Play {card}"];

    fn new(options: Options) -> Result<Bridge, String> {
        let setting = options.setup()?;
        if setting.deals.is_empty() {
            source::check(&setting.holdings)?;
        }
        let solve = (options.luck == Luck::DoubleDummy)
            .then(luck::solver)
            .transpose()?;
        if solve.is_some() && !setting.deals.is_empty() {
            return Err(
                "luck: given deals are not drawn at random, so luck cannot be measured; \
                 remove `luck`"
                    .into(),
            );
        }
        let contract = &setting.contract;
        let mut calls = [NONE; CALLS_MAX];
        for (place, call) in calls.iter_mut().zip(setting.auction.calls()) {
            *place = call.number();
        }
        let vulnerable = [Side::NorthSouth, Side::EastWest]
            .map(|side| u8::from(options.vulnerable.includes(side)));
        let blank = View {
            size: View::SIZE,
            dealer: options.dealer as u8,
            declarer: contract.declarer as u8,
            dummy: contract.declarer.after(2) as u8,
            level: contract.level,
            strain: contract.strain.index(),
            doubling: contract.doubling as u8,
            vulnerable: vulnerable[0] | vulnerable[1] << 1,
            call_count: setting.auction.calls().len().to_le_bytes()[0],
            calls,
            ..View::zeroed()
        };
        Ok(Bridge {
            options,
            setting,
            sampler: OnceLock::new(),
            blank,
            solve,
        })
    }

    fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the options without the given deals, the measure of luck, and the cards played in
    /// advance. (Views contain these cards.)
    fn visible_options(&self) -> Options {
        Options {
            deals: Vec::new(),
            played: String::new(),
            luck: Luck::None,
            ..self.options.clone()
        }
    }

    fn deals(options: &mut Options) -> Option<&mut Vec<String>> {
        Some(&mut options.deals)
    }

    fn given_deals(&self) -> Vec<usize> {
        given::first_equal(self.setting.deals.iter())
    }

    /// Reads PBN or LIN records, or one deal per line.
    fn read_deals(text: &str) -> Result<Vec<String>, String> {
        if let Some(games) = read_games(text) {
            // Leaving an invalid record out would shift the deals of all blocks.
            return (1..)
                .zip(games.into_all()?)
                .map(|(number, game)| match game.deal {
                    Some(deal) => Ok(deal.to_string()),
                    None => Err(format!("game {number} has no deal")),
                })
                .collect();
        }
        given::deal_lines(text)
    }

    fn rules() -> &'static str {
        include_str!("RULES.md")
    }

    fn players() -> (usize, usize) {
        (4, 4)
    }

    /// Returns 1, because deals share no state.
    fn block_deals(&self) -> u32 {
        1
    }

    fn worst_payoff(&self) -> i64 {
        -(0..=13)
            .map(|tricks| self.score_of(tricks).abs())
            .max()
            .unwrap_or(0)
    }

    fn unit(&self, is_duplicate: bool) -> &'static str {
        match self.options.scoring {
            Scoring::Tricks => "tricks",
            Scoring::Contracts => "contracts",
            Scoring::Imps if is_duplicate => "IMPs",
            Scoring::BoardAMatch if is_duplicate => "boards",
            Scoring::Imps | Scoring::BoardAMatch | Scoring::Points => "points",
        }
    }

    fn memory(&self, _players: usize, _deals: u32) {}

    fn seating(&self) -> Seating {
        Seating::Fixed
    }

    fn new_deal(&self) -> Board {
        Board::new()
    }

    fn deal<R: Rng>(&self, block: &mut Block, chance: &mut R, deal: &mut Board) {
        let given = block.given_deal(&self.setting.deals);
        let cards = given.copied().unwrap_or_else(|| self.draw_deal(chance));
        deal.start(&cards, &self.setting);
    }

    /// Returns the seat that decides, which is declarer for dummy's cards.
    #[inline]
    fn to_act(&self, deal: &Board) -> Option<u8> {
        let turn = deal.seat_to_play()?;
        let declarer = self.setting.contract.declarer;
        Some(if turn == declarer.after(2) {
            declarer
        } else {
            turn
        } as u8)
    }

    /// Lists the legal cards: from spades to clubs, low cards first.
    #[inline]
    fn legal(&self, deal: &Board, actions: &mut Vec<Action>) {
        actions.clear();
        let seat = deal.seat_to_play().map_or(NONE, |seat| seat as u8);
        actions.extend(deal.legal().into_iter().map(|card| Action {
            card: card.index(),
            seat,
            reserved: [0; 6],
        }));
    }

    #[inline]
    fn view(&self, block: &Block, deal: &Board, seat: u8, view: &mut View) {
        let is_shown = deal.count > 0;
        *view = View {
            deal: block.finished,
            deals: block.planned,
            seat,
            turn: deal.seat_to_play().map_or(NONE, |seat| seat as u8),
            leader: deal.leader as u8,
            on_table: deal.count % 4,
            played_count: deal.count,
            won: deal.won,
            dummy_shown: u8::from(is_shown),
            hand: deal.hands[usize::from(seat)].0,
            dummy_hand: if is_shown {
                deal.hands[usize::from(self.blank.dummy)].0
            } else {
                0
            },
            played: deal.played,
            results: std::array::from_fn(|seat| block.totals[seat]),
            cards: deal.cards,
            leaders: deal.leaders,
            ..self.blank
        };
    }

    #[inline]
    fn history<'a>(&self, deal: &'a Board) -> &'a [Event] {
        &deal.history
    }

    #[inline]
    fn apply(&self, deal: &mut Board, choice: Move<Action>) {
        if let Some(card) = Card::from_index(choice.action.card) {
            deal.play(card, &self.setting.contract);
        }
    }

    /// Redeals the cards that the seat cannot see. The hands satisfy the constraints of the
    /// options, unless deals are given.
    fn resample<R: Rng>(&self, deal: &mut Board, seat: u8, chance: &mut R) {
        let view = self.view_of(&self.new_block(4, 0), deal, seat);
        let mut hidden =
            HiddenCards::of(&view, &[CardSet::default(); 4]).expect("the deal is possible");
        loop {
            deal.hands = hidden.deal(chance);
            if !self.setting.deals.is_empty()
                || source::fits(&self.cards(deal), &self.setting.holdings)
            {
                return;
            }
        }
    }

    fn origin(&self, start: &Board, later: &Board, _choices: &mut [Move<Action>]) -> Option<Board> {
        let mut board = start.clone();
        for (seat, hand) in board.hands.iter_mut().enumerate() {
            *hand = CardSet((later.hands[seat].0 | later.played[seat]) & !start.played[seat]);
        }
        Some(board)
    }

    fn payoffs(&self, _block: &Block, deal: &Board, payoffs: &mut [i64]) {
        let side = self.setting.contract.declarer as usize % 2;
        let score = self.score_of(deal.won[side]);
        for (seat, payoff) in payoffs.iter_mut().enumerate() {
            *payoff = if seat % 2 == side { score } else { -score };
        }
    }

    fn chances(&self) -> &'static [&'static str] {
        if self.solve.is_some() {
            luck::CHANCES
        } else {
            &[]
        }
    }

    fn luck<R: Rng>(&self, deal: &Board, chance: &mut R, tell: impl FnMut(ChanceEvent<'_>)) {
        if let Some(solve) = self.solve {
            luck::report_luck(self, solve, deal, chance, tell);
        }
    }

    /// Returns 2, because a duplicate deal is played again with the sides swapped.
    fn rotations(_players: usize) -> usize {
        2
    }

    fn joint_payoff(&self, payoffs: &[i64]) -> Option<i64> {
        let difference: i64 = payoffs.iter().sum();
        Some(match self.options.scoring {
            Scoring::Imps => imps(difference),
            Scoring::BoardAMatch => difference.signum(),
            Scoring::Points | Scoring::Tricks | Scoring::Contracts => difference,
        })
    }

    fn scene(&self, view: &View) -> Scene {
        scene::scene(view)
    }

    fn line(&self, event: &Event) -> Line {
        scene::line(event)
    }
}
