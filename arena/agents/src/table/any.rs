//! Games, tables and deals without their types, for code that works with any game.

use super::play::dealt::{DealKeeper, KeptDeal, RecordedFork};
use super::shared::{
    DecisionSelector, FeatureValues, ForkScript, HybridPart, HybridSeat, SharedSeat,
    choice_features, outcome_features, position_features,
};
use super::{BlockPlan, Decider, Table, TakenStep, TypedObserver, Unfinished};
use crate::agent::recorded::Answers;
use crate::agent::reference::{First, Random};
use crate::agent::{Agent, Agents, Call, CallResult};
use crate::games;
use crate::record::{Fault, JobId, Record, Timing};
use crate::seeds::{LineUpSeeds, Seeds};
use hattari_plugin::Choice;
use hattari_plugin::games::scene::{Line, Offer, Scene};
use hattari_plugin::games::{BlockState, ChanceEvent, Game, Move, Seating, words};
use serde_json::Value;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A game with its options: any [`Game`], without the game's types. Views, events and actions are
/// the bytes of the game's records.
pub trait AnyGame: Send + Sync {
    /// Returns the name and revision of the game.
    fn id(&self) -> &'static str;
    /// Returns the minimum and maximum number of players.
    fn players(&self) -> (usize, usize);
    /// Returns how players get their seats.
    fn seating(&self) -> Seating;
    /// Returns the number of rotations of a duplicated deal with `players` players.
    fn rotations(&self, players: usize) -> usize;
    /// Returns the number of scores of a duplicated deal: one per rotation, or one in total if the
    /// game scores them together ([`Game::joint_payoff`]).
    fn counted_rotations(&self, players: usize) -> usize {
        let rotations = self.rotations(players);
        if self.joint_payoff(&vec![0; rotations]).is_some() {
            1
        } else {
            rotations
        }
    }
    /// Returns an entrant's score of a duplicated deal from its payoffs in all rotations
    /// ([`Game::joint_payoff`]).
    fn joint_payoff(&self, payoffs: &[i64]) -> Option<i64>;
    /// Returns the unit of payoffs, for example `points`.
    fn score_unit(&self) -> &'static str;
    /// Returns the unit of scores in reports, which may differ for duplicated deals.
    fn unit(&self, is_duplicate: bool) -> &'static str;
    /// Returns the name of a second unit for payoffs, such as a blind in poker, and the value of
    /// this unit in points; `None` if the game has none.
    fn stake(&self) -> Option<(&'static str, i64)>;
    /// Returns for each given deal the index of the first one with the same cards; empty if all
    /// deals are random.
    fn given_deals(&self) -> Vec<usize>;
    /// Returns the kinds of chance events whose value is recorded.
    fn chances(&self) -> &'static [&'static str];
    /// Renders the view of a seat for people.
    fn scene(&self, view: &[u8]) -> Scene;
    /// Renders an event for people. The text comes after the player's name.
    fn line(&self, event: &[u8]) -> Line;
    /// Renders an action as a choice for people.
    fn offer(&self, action: &[u8]) -> Offer;
    /// Returns the features of the position that a seat sees; empty if the game defines none.
    fn position_features(&self, view: &[u8]) -> FeatureValues;
    /// Returns the features of a choice at the position that a seat sees; empty if the game defines
    /// none.
    fn choice_features(&self, view: &[u8], action: &[u8], amount: i64) -> FeatureValues;
    /// Returns the player who acts first in a game of `players` players whose cards are dealt from
    /// `seeds`.
    fn opener(&self, players: usize, seeds: &Seeds) -> Option<usize>;
    /// Creates a table for this game.
    fn table(&self) -> Box<dyn AnyTable + '_>;
    /// Creates the agent of a seat that two bots share, controlled by `script`.
    fn shared_seat(
        &self,
        bots: [Box<dyn Agent>; 2],
        script: &Rc<RefCell<ForkScript>>,
    ) -> Box<dyn Agent>;
    /// Creates the agent of a hybrid: the first bot makes the selected decisions, and the second
    /// bot makes all others.
    fn hybrid_seat(&self, parts: [HybridPart; 2], selects: DecisionSelector) -> Box<dyn Agent>;
    /// Creates the reference agent that chooses at random.
    fn random(&self) -> Box<dyn Agent>;
    /// Creates the reference agent that takes the first legal action.
    fn first(&self) -> Box<dyn Agent>;
    /// Creates agents that replay recorded answers.
    fn recorded(&self, answers: Answers) -> Vec<Box<dyn Agent>>;
}

/// A table for one game, without the game's types. It can store the deals of a block, in their state
/// right after the cards were dealt, and replay them one by one.
pub trait AnyTable {
    /// Plays a block like [`Table::play_block`]. The stored deals are unchanged.
    ///
    /// # Errors
    /// Returns the errors of [`Table::play_block`].
    fn play_block(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &LineUpSeeds,
        agents: &mut Agents,
        observer: &mut dyn BlockObserver,
    ) -> Result<(Record, Timing), Unfinished>;
    /// Plays a block and replaces the stored deals by its deals. Returns the payoffs of each deal,
    /// indexed by entrant.
    ///
    /// # Errors
    /// Returns the errors of [`Table::play_block`].
    fn keep(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &LineUpSeeds,
        agents: &mut Agents,
    ) -> Result<Vec<Vec<i64>>, Unfinished>;
    /// Replays the stored deal `number` like `Table::play_dealt`.
    ///
    /// # Errors
    /// Returns the errors of `Table::play_dealt`.
    fn play(
        &mut self,
        number: usize,
        block: (JobId, BlockPlan),
        bots: &Seeds,
        agents: &mut Agents,
        observer: &mut dyn BlockObserver,
    ) -> Result<(Vec<i64>, Vec<Fault>), Unfinished>;
    /// Replays the stored deal `number` and stores its choices up to the fork, a decision at which
    /// two bots choose differently. `fork` contains places in the line-up, and the index of the
    /// fork among the unforced decisions at these places.
    ///
    /// # Errors
    /// Returns the errors of [`AnyTable::play`].
    fn record_fork(
        &mut self,
        number: usize,
        block: (JobId, BlockPlan),
        bots: &Seeds,
        agents: &mut Agents,
        fork: (&[usize], usize),
    ) -> Result<(), Unfinished>;
    /// Plays the deal of the stored fork from its first choice, with `choice` at the fork. The
    /// cards are replaced by others that fit what the deciding seat knew. All bots are restarted
    /// and called as usual, but the recorded choices replace theirs up to the fork. `sample` is the
    /// source of the cards and of the bots' random numbers. Returns the payoffs by entrant; `None`
    /// if the game cannot deal other cards.
    ///
    /// If `number` is another rotation of this deal, plays that rotation with the same cards and
    /// without recorded choices.
    ///
    /// # Errors
    /// Returns the errors of [`AnyTable::play`].
    fn play_sampled(
        &mut self,
        number: usize,
        choice: Choice,
        block: (JobId, BlockPlan),
        sample: &Seeds,
        agents: &mut Agents,
    ) -> Result<Option<Vec<i64>>, Unfinished>;
}

/// The events that an observer receives. Other events cost no time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ObserverDetail {
    /// Ends of deals and of the block only.
    Ends,
    /// Ends of deals and of the block, and every answer of a bot.
    Answers,
    /// All events.
    All,
}

/// An observer of a block of any game: [`TypedObserver`] without the game's types.
pub trait BlockObserver {
    /// Returns the events that the observer wants to receive.
    fn detail(&self) -> ObserverDetail {
        ObserverDetail::All
    }
    /// Called after cards have been dealt. `entrants[player]` is the index in the line-up.
    fn dealt(&mut self, _at: &dyn Position, _entrants: &[usize]) {}
    /// Called before a bot decides for `seat`. `entrant` is the index of the bot in the line-up.
    fn asked(&mut self, _at: &dyn Position, _seat: u8, _entrant: usize) {}
    /// Called like [`TypedObserver::answered`].
    fn answered(&mut self, _entrant: usize, _call: Call, _answer: CallResult<'_>) {}
    /// Called after a choice has been carried out.
    fn acted(&mut self, _at: &dyn Position, _taken: &TakenAction<'_>) {}
    /// Called like [`TypedObserver::chanced`].
    fn chanced(&mut self, _event: ChanceEvent<'_>) {}
    /// Called at the end of a deal with its last position, before [`BlockObserver::ended`].
    fn outcome(&mut self, _at: &dyn Position) {}
    /// Called at the end of a deal, with payoffs by player.
    fn ended(&mut self, _payoffs: &[i64], _entrants: &[usize]) {}
    /// Called at the end of the block, with its record.
    fn finished(&mut self, _record: &Record) {}
    /// Called like [`TypedObserver::has_seen_enough`].
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// An observer that ignores all events.
impl BlockObserver for () {
    fn detail(&self) -> ObserverDetail {
        ObserverDetail::Ends
    }
}

/// A deal in progress, with the cards of all players.
pub trait Position {
    /// Returns the game.
    fn game(&self) -> &dyn AnyGame;
    /// Returns a line of text with the cards of all players.
    fn describe(&self) -> String;
    /// Appends the view of a seat to `views`.
    fn view(&self, seat: u8, views: &mut Vec<u8>);
    /// Returns the number of public events.
    fn events(&self) -> usize;
    /// Returns public event `number`.
    fn event(&self, number: usize) -> &[u8];
    /// Returns the seat that must decide; `None` when the deal is over.
    fn to_act(&self) -> Option<u8>;
    /// Returns the legal actions: each action as a choice for people, and its minimum and maximum
    /// amount; `None` for an action without an amount.
    fn legal(&self) -> Vec<(Offer, Option<(i64, i64)>)>;
    /// Returns the seat of a player.
    fn seat_of(&self, player: usize) -> u8;
    /// Returns the player who decides for a seat.
    fn player_at(&self, seat: u8) -> usize;
    /// Returns the features of the outcome of a finished deal for a seat; empty if the game defines
    /// none.
    fn outcome_features(&self, seat: u8) -> FeatureValues;
}

/// A choice that has been carried out.
pub struct TakenAction<'a> {
    /// Seat for which the choice was made.
    pub seat: u8,
    /// Index of the deciding entrant in the line-up.
    pub entrant: usize,
    /// Source of the choice: the bot, the rules or a forced move.
    pub decider: Decider,
    /// Index of the decision in the deal, as in [`Fault`]; `None` if the bot was not called.
    pub decision: Option<u32>,
    /// Bytes of the action.
    pub action: &'a [u8],
    /// Amount, if the action has one.
    pub amount: i64,
    /// Indices of the public events that the choice caused.
    pub events: Range<usize>,
    choice: &'a dyn Fn() -> String,
}

impl TakenAction<'_> {
    /// Returns a short description of the choice.
    pub fn choice(&self) -> String {
        (self.choice)()
    }
}

impl<G: Game> AnyGame for G {
    fn id(&self) -> &'static str {
        G::ID
    }
    fn players(&self) -> (usize, usize) {
        G::players()
    }
    fn seating(&self) -> Seating {
        Game::seating(self)
    }
    fn rotations(&self, players: usize) -> usize {
        G::rotations(players)
    }
    fn joint_payoff(&self, payoffs: &[i64]) -> Option<i64> {
        Game::joint_payoff(self, payoffs)
    }
    fn score_unit(&self) -> &'static str {
        G::score_unit()
    }
    fn unit(&self, is_duplicate: bool) -> &'static str {
        Game::unit(self, is_duplicate)
    }
    fn stake(&self) -> Option<(&'static str, i64)> {
        Game::stake(self)
    }
    fn given_deals(&self) -> Vec<usize> {
        Game::given_deals(self)
    }
    fn chances(&self) -> &'static [&'static str] {
        Game::chances(self)
    }
    fn scene(&self, view: &[u8]) -> Scene {
        Game::scene(self, &bytemuck::pod_read_unaligned(view))
    }
    fn line(&self, event: &[u8]) -> Line {
        Game::line(self, &bytemuck::pod_read_unaligned(event))
    }
    fn offer(&self, action: &[u8]) -> Offer {
        Game::offer(self, &bytemuck::pod_read_unaligned(action))
    }
    fn position_features(&self, view: &[u8]) -> FeatureValues {
        position_features::<G>(&bytemuck::pod_read_unaligned(view))
    }
    fn choice_features(&self, view: &[u8], action: &[u8], amount: i64) -> FeatureValues {
        let action = bytemuck::pod_read_unaligned(action);
        let view = bytemuck::pod_read_unaligned(view);
        choice_features::<G>(&view, &Move { action, amount })
    }
    fn opener(&self, players: usize, seeds: &Seeds) -> Option<usize> {
        let (mut block, mut deal) = (self.new_block(players, 1), self.new_deal());
        self.deal(&mut block, &mut seeds.stream(0), &mut deal);
        Some(self.player_at(&deal, self.to_act(&deal)?))
    }
    fn table(&self) -> Box<dyn AnyTable + '_> {
        Box::new(TableWithDeals {
            table: Table::new(self),
            deals: Vec::new(),
            fork: None,
        })
    }
    fn shared_seat(
        &self,
        bots: [Box<dyn Agent>; 2],
        script: &Rc<RefCell<ForkScript>>,
    ) -> Box<dyn Agent> {
        Box::new(SharedSeat::<G> {
            bots,
            has_failed: [false; 2],
            script: Rc::clone(script),
            game: PhantomData,
        })
    }
    fn hybrid_seat(&self, parts: [HybridPart; 2], selects: DecisionSelector) -> Box<dyn Agent> {
        Box::new(HybridSeat::<G> {
            parts,
            selects,
            game: PhantomData,
        })
    }
    fn random(&self) -> Box<dyn Agent> {
        Box::new(Random::<G>::default())
    }
    fn first(&self) -> Box<dyn Agent> {
        Box::new(First::<G>::default())
    }
    fn recorded(&self, answers: Answers) -> Vec<Box<dyn Agent>> {
        answers.agents::<G>()
    }
}

/// A table with stored deals.
struct TableWithDeals<'g, G: Game> {
    table: Table<'g, G>,
    deals: Vec<KeptDeal<G>>,
    /// The recorded fork with the number of its deal.
    fork: Option<(usize, RecordedFork<G>)>,
}

impl<G: Game> AnyTable for TableWithDeals<'_, G> {
    fn play_block(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &LineUpSeeds,
        agents: &mut Agents,
        observer: &mut dyn BlockObserver,
    ) -> Result<(Record, Timing), Unfinished> {
        match observer.detail() {
            ObserverDetail::Ends => {
                let watch = &mut ObserverAdapter::<G, ENDS> {
                    observer,
                    block: None,
                };
                self.table.play_block(job, plan, chance, agents, watch)
            }
            ObserverDetail::Answers => {
                let watch = &mut ObserverAdapter::<G, ANSWERS> {
                    observer,
                    block: None,
                };
                self.table.play_block(job, plan, chance, agents, watch)
            }
            ObserverDetail::All => {
                let watch = &mut ObserverAdapter::<G, ALL> {
                    observer,
                    block: None,
                };
                self.table.play_block(job, plan, chance, agents, watch)
            }
        }
    }

    fn keep(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &LineUpSeeds,
        agents: &mut Agents,
    ) -> Result<Vec<Vec<i64>>, Unfinished> {
        let mut keeper = DealKeeper::<G> {
            deals: Vec::new(),
            payoffs: Vec::new(),
        };
        let played = self
            .table
            .play_block(job, plan, chance, agents, &mut keeper);
        self.deals = keeper.deals;
        played.map(|_| keeper.payoffs)
    }

    fn play(
        &mut self,
        number: usize,
        block: (JobId, BlockPlan),
        bots: &Seeds,
        agents: &mut Agents,
        observer: &mut dyn BlockObserver,
    ) -> Result<(Vec<i64>, Vec<Fault>), Unfinished> {
        let deal = &self.deals[number];
        if observer.detail() != ObserverDetail::All {
            return self
                .table
                .play_dealt((deal, &[]), block, bots, agents, &mut ());
        }
        let watch = &mut ObserverAdapter::<G, ALL> {
            observer,
            block: None,
        };
        self.table
            .play_dealt((deal, &[]), block, bots, agents, watch)
    }

    fn record_fork(
        &mut self,
        number: usize,
        block: (JobId, BlockPlan),
        bots: &Seeds,
        agents: &mut Agents,
        (places, decision): (&[usize], usize),
    ) -> Result<(), Unfinished> {
        let mut fork = RecordedFork::<G> {
            places: places.to_vec(),
            left: decision,
            choices: Vec::new(),
            position: None,
        };
        let deal = (&self.deals[number], &[][..]);
        self.table
            .play_dealt(deal, block, bots, agents, &mut fork)?;
        self.fork = Some((number, fork));
        Ok(())
    }

    fn play_sampled(
        &mut self,
        number: usize,
        choice: Choice,
        block: (JobId, BlockPlan),
        sample: &Seeds,
        agents: &mut Agents,
    ) -> Result<Option<Vec<i64>>, Unfinished> {
        let Some((forked, fork)) = &self.fork else {
            return Ok(None);
        };
        let (dealt, cards) = (&self.deals[*forked], sample.child(0));
        let again = fork.dealt_again(self.table.game, dealt, choice, &cards);
        let Some((mut deal, mut given)) = again else {
            return Ok(None);
        };
        if number != *forked {
            (deal, given) = (self.deals[number].with_deal(deal.deal), Vec::new());
        }
        let bots = sample.child(1);
        self.table
            .play_dealt((&deal, &given), block, &bots, agents, &mut ())
            .map(|(payoffs, _)| Some(payoffs))
    }
}

/// Parameter of [`ObserverAdapter`] for [`ObserverDetail::Ends`].
const ENDS: u8 = 0;
/// Parameter of [`ObserverAdapter`] for [`ObserverDetail::Answers`].
const ANSWERS: u8 = 1;
/// Parameter of [`ObserverAdapter`] for [`ObserverDetail::All`].
const ALL: u8 = 2;

/// An adapter that passes events up to a level of detail on to an observer. The level is a constant
/// parameter, so other events cost nothing.
struct ObserverAdapter<'a, G: Game, const DETAIL: u8> {
    observer: &'a mut dyn BlockObserver,
    /// State of the block when the deal began; `None` if the observer does not receive all events.
    block: Option<BlockState<G>>,
}

/// A deal in progress of the game `G`.
struct TypedPosition<'a, G: Game> {
    game: &'a G,
    block: &'a BlockState<G>,
    deal: &'a G::Deal,
}

impl<G: Game> Position for TypedPosition<'_, G> {
    fn game(&self) -> &dyn AnyGame {
        self.game
    }
    fn describe(&self) -> String {
        words::deal(self.game, self.block, self.deal)
    }
    fn view(&self, seat: u8, views: &mut Vec<u8>) {
        let mut view: G::View = bytemuck::Zeroable::zeroed();
        self.game.view(self.block, self.deal, seat, &mut view);
        views.extend_from_slice(bytemuck::bytes_of(&view));
    }
    fn events(&self) -> usize {
        self.game.history(self.deal).len()
    }
    fn event(&self, number: usize) -> &[u8] {
        bytemuck::bytes_of(&self.game.history(self.deal)[number])
    }
    fn to_act(&self) -> Option<u8> {
        self.game.to_act(self.deal)
    }
    fn legal(&self) -> Vec<(Offer, Option<(i64, i64)>)> {
        let mut actions = Vec::new();
        self.game.legal(self.deal, &mut actions);
        actions
            .iter()
            .map(|action| (Game::offer(self.game, action), G::amounts(action)))
            .collect()
    }
    fn seat_of(&self, player: usize) -> u8 {
        self.game.seat_of(self.deal, player)
    }
    fn player_at(&self, seat: u8) -> usize {
        self.game.player_at(self.deal, seat)
    }
    fn outcome_features(&self, seat: u8) -> FeatureValues {
        outcome_features(self.game, self.block, self.deal, seat)
    }
}

impl<G: Game, const DETAIL: u8> TypedObserver<G> for ObserverAdapter<'_, G, DETAIL> {
    fn dealt(&mut self, game: &G, block: &BlockState<G>, deal: &G::Deal, entrants: &[usize]) {
        if DETAIL == ALL {
            let at = TypedPosition { game, block, deal };
            self.observer.dealt(&at, entrants);
            self.block = Some(block.clone());
        }
    }
    fn asked(
        &mut self,
        game: &G,
        block: &BlockState<G>,
        deal: &G::Deal,
        seat: u8,
        entrant: usize,
        _actions: &[G::Action],
    ) {
        if DETAIL == ALL {
            let at = TypedPosition { game, block, deal };
            self.observer.asked(&at, seat, entrant);
        }
    }
    fn answered(&mut self, entrant: usize, call: Call, answer: CallResult<'_>) {
        if DETAIL != ENDS {
            self.observer.answered(entrant, call, answer);
        }
    }
    fn acted(&mut self, game: &G, deal: &G::Deal, step: &TakenStep<'_, G>) {
        let Some(block) = self.block.as_ref().filter(|_| DETAIL == ALL) else {
            return;
        };
        let end = game.history(deal).len();
        let taken = TakenAction {
            seat: step.seat,
            entrant: step.entrant,
            decider: step.decider,
            decision: step.decision,
            action: bytemuck::bytes_of(&step.choice.action),
            amount: step.choice.amount,
            events: end - step.events.len()..end,
            choice: &|| words::choice(game, &Move { ..step.choice }),
        };
        self.observer
            .acted(&TypedPosition { game, block, deal }, &taken);
    }
    fn chanced(&mut self, event: ChanceEvent<'_>) {
        self.observer.chanced(event);
    }
    fn ended(&mut self, game: &G, deal: &G::Deal, payoffs: &[i64], entrants: &[usize]) {
        if let Some(block) = self.block.as_ref().filter(|_| DETAIL == ALL) {
            self.observer.outcome(&TypedPosition { game, block, deal });
        }
        self.observer.ended(payoffs, entrants);
    }
    fn finished(&mut self, record: &Record) {
        self.observer.finished(record);
    }
    fn has_seen_enough(&self) -> bool {
        self.observer.has_seen_enough()
    }
}

/// A function that creates a game from its options.
type GameConstructor = fn(&Value) -> Result<Box<dyn AnyGame>, String>;

static CONSTRUCTORS: LazyLock<RwLock<Vec<(&'static str, GameConstructor)>>> = LazyLock::new(|| {
    macro_rules! makers {
        ($($folder:ident: $game:ident,)*) => {
            vec![$(maker::<hattari_plugin::games::$folder::$game>()),*]
        };
    }
    games::register_solver();
    RwLock::new(hattari_plugin::games::every_game!(makers))
});

fn maker<G: Game>() -> (&'static str, GameConstructor) {
    (G::ID, make::<G>)
}

fn make<G: Game>(options: &Value) -> Result<Box<dyn AnyGame>, String> {
    let options = serde_json::from_value(options.clone())
        .map_err(|error| format!("options of {}: {error}", G::ID))?;
    Ok(Box::new(G::new(options)?))
}

/// Registers a game so that the host can play it. If a game with the same name is already
/// registered, nothing changes.
pub fn add<G: Game>() {
    let mut makers = CONSTRUCTORS.write().unwrap_or_else(PoisonError::into_inner);
    if games::add::<G>() {
        makers.push(maker::<G>());
    }
}

/// Creates the game `name` from its options. The name may include the revision.
///
/// # Errors
/// Returns an error if there is no such game, or if the options are invalid.
pub fn game(name: &str, options: &Value) -> Result<Box<dyn AnyGame>, String> {
    let facts = games::named(name).map_err(|error| error.to_string())?;
    // The lock is released before the constructor runs.
    let make = CONSTRUCTORS
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .iter()
        .find(|(id, _)| *id == facts.id)
        .map(|(_, make)| *make);
    make.ok_or_else(|| format!("this program cannot play the game `{name}`"))?(options)
}
