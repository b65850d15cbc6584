//! A game under its options without its types: for rooms that play, show and tell whatever game a
//! league names.

use super::play::dealt::{DealKeeper, Dealt};
use super::shared::{Script, SharedSeat};
use super::{BlockPlan, Decider, Step, Table, Unfinished, Watch};
use crate::agent::recorded::Answers;
use crate::agent::reference::{First, Random};
use crate::agent::{Agent, Call, Misstep};
use crate::games;
use crate::record::{Fault, JobId, Record, Timing};
use crate::seeds::{Chance, Seeds};
use hattari_plugin::Choice;
use hattari_plugin::games::scene::{Line, Offer, Scene};
use hattari_plugin::games::{ChanceEvent, Game, Grant, words};
use serde_json::Value;
use std::borrow::Borrow;
use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::Range;
use std::rc::Rc;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A game under its options. Views, events and actions are the bytes of the game's records.
pub trait AnyGame: Send + Sync {
    /// Name and revision.
    fn id(&self) -> &'static str;
    /// Fewest and most players of a table.
    fn players(&self) -> (usize, usize);
    /// In how many rotations a duplicated deal is played with so many players.
    fn rotations(&self, players: usize) -> usize;
    /// How many deals a duplicated deal counts for: one for each rotation, or one where the game
    /// counts them together ([`Game::joint_payoff`]).
    fn counted_rotations(&self, players: usize) -> usize;
    /// What a duplicated deal counts for an entrant, from its payoffs in all rotations
    /// ([`Game::joint_payoff`]).
    fn joint_payoff(&self, payoffs: &[i64]) -> Option<i64>;
    /// What payoffs are counted in, in the plural.
    fn score_unit(&self) -> &'static str;
    /// What a deal counts in as reports tell it, where deals are duplicated or not.
    fn unit(&self, is_duplicate: bool) -> &'static str;
    /// What payoffs are told in besides points, and how many points it is.
    fn stake(&self) -> Option<(&'static str, i64)>;
    /// How many deals the options give; 0 where all deals are drawn.
    fn given_deals(&self) -> usize;
    /// The kinds of chance whose worth records tell.
    fn chances(&self) -> &'static [&'static str];
    /// What a seat sees, for people.
    fn scene(&self, view: &[u8]) -> Scene;
    /// An event for people, as it reads after the name of whoever did it.
    fn line(&self, event: &[u8]) -> Line;
    /// An action as a person picks it.
    fn offer(&self, action: &[u8]) -> Offer;
    /// The player who begins a game of `players`, dealt from `seeds`.
    fn opener(&self, players: usize, seeds: &Seeds) -> Option<usize>;
    /// A table for it.
    fn table(&self) -> Box<dyn AnyTable + '_>;
    /// Room for deals that are played again one by one.
    fn deals(&self) -> Box<dyn AnyDeals + '_>;
    /// An agent for a seat that two bots share, as `script` says.
    fn shared_seat(
        &self,
        bots: [Box<dyn Agent>; 2],
        script: &Rc<RefCell<Script>>,
    ) -> Box<dyn Agent>;
    /// The host's own agent that chooses by chance.
    fn random(&self) -> Box<dyn Agent>;
    /// The host's own agent that takes the first action.
    fn first(&self) -> Box<dyn Agent>;
    /// Agents that give recorded answers again.
    fn recorded(&self, answers: Answers) -> Vec<Box<dyn Agent>>;
}

/// A table for one game.
pub trait AnyTable {
    /// As [`Table::play_block`].
    ///
    /// # Errors
    /// As there.
    fn play_block(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &Chance,
        agents: &mut [Box<dyn Agent>],
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Record, Timing), Unfinished>;
}

/// Deals of a block, kept as they were dealt.
pub trait AnyDeals {
    /// Plays a block and keeps its deals in place of those kept before. Returns the payoffs of each
    /// deal by place in the line-up.
    ///
    /// # Errors
    /// As [`Table::play_block`].
    fn keep(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &Chance,
        agents: &mut [Box<dyn Agent>],
    ) -> Result<Vec<Vec<i64>>, Unfinished>;
    /// Plays the kept deal of that number again, as [`Table::play_dealt`].
    ///
    /// # Errors
    /// As there.
    fn play(
        &mut self,
        number: usize,
        block: (JobId, BlockPlan),
        bots: &Seeds,
        agents: &mut [Box<dyn Agent>],
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Vec<i64>, Vec<Fault>), Unfinished>;
}

/// What an onlooker wants to be told. What it does not want costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// That deals and the block are over.
    Ends,
    /// That, and every answer of a bot.
    Answers,
    /// Everything.
    All,
}

/// Looks on while a block of any game is played: [`Watch`] without the game's types.
pub trait Onlooker {
    /// What it wants to be told.
    fn sight(&self) -> Sight {
        Sight::All
    }
    /// Cards have been dealt. `entrants[player]` is the place in the line-up.
    fn dealt(&mut self, _at: &dyn Position, _entrants: &[usize]) {}
    /// A bot is about to be asked: `seat` has these actions, `entrant` is the place in the line-up
    /// of whoever decides.
    fn asked(&mut self, _at: &dyn Position, _seat: u8, _entrant: usize, _actions: &dyn Actions) {}
    /// As [`Watch::answered`].
    fn answered(
        &mut self,
        _entrant: usize,
        _call: Call,
        _answer: Result<Option<&Choice>, &Misstep>,
    ) {
    }
    /// A choice has been carried out.
    fn acted(&mut self, _at: &dyn Position, _taken: &Taken<'_>) {}
    /// As [`Watch::chanced`].
    fn chanced(&mut self, _event: ChanceEvent<'_>) {}
    /// A deal is over; payoffs by player.
    fn ended(&mut self, _payoffs: &[i64], _entrants: &[usize]) {}
    /// The block is over; what is left of it.
    fn finished(&mut self, _record: &Record) {}
    /// As [`Watch::has_seen_enough`].
    fn has_seen_enough(&self) -> bool {
        false
    }
}

/// Nobody looks on.
impl Onlooker for () {
    fn sight(&self) -> Sight {
        Sight::Ends
    }
}

/// A deal that is being played, with everybody's cards.
pub trait Position {
    /// The game.
    fn game(&self) -> &dyn AnyGame;
    /// One line for people: who holds what now.
    fn describe(&self) -> String;
    /// Puts the view of a seat behind what `views` holds.
    fn view(&self, seat: u8, views: &mut Vec<u8>);
    /// How many lines the public record has.
    fn events(&self) -> usize;
    /// A line of the public record.
    fn event(&self, number: usize) -> &[u8];
    /// The seat that is to decide, `None` when the deal is over.
    fn to_act(&self) -> Option<u8>;
    /// The seat of a player.
    fn seat_of(&self, player: usize) -> u8;
    /// The player who decides for a seat.
    fn player_at(&self, seat: u8) -> usize;
}

/// The legal actions of a decision.
pub trait Actions {
    /// As a person picks them.
    fn offers(&self) -> Vec<Offer>;
    /// The amounts that each takes, lowest and highest; `None` where it takes none.
    fn amounts(&self) -> Vec<Option<(i64, i64)>>;
}

/// A choice that was carried out.
pub struct Taken<'a> {
    /// The seat that it was for.
    pub seat: u8,
    /// Place in the line-up of whoever decided.
    pub entrant: usize,
    /// Who made it.
    pub decider: Decider,
    /// Number of the decision in the deal as faults give it, where the bot was asked.
    pub decision: Option<u32>,
    /// The action.
    pub action: &'a [u8],
    /// The new lines of the record, by number.
    pub events: Range<usize>,
    choice: &'a dyn Fn() -> String,
}

impl Taken<'_> {
    /// The choice in a few words.
    #[must_use]
    pub fn choice(&self) -> String {
        (self.choice)()
    }
}

/// A game, owned or lent, with its types left out.
struct Whole<G, B>(B, PhantomData<fn() -> G>);

impl<G: Game, B: Borrow<G>> Whole<G, B> {
    fn new(game: B) -> Whole<G, B> {
        Whole(game, PhantomData)
    }

    fn game(&self) -> &G {
        self.0.borrow()
    }
}

impl<G: Game, B: Borrow<G> + Send + Sync> AnyGame for Whole<G, B> {
    fn id(&self) -> &'static str {
        G::ID
    }
    fn players(&self) -> (usize, usize) {
        G::players()
    }
    fn rotations(&self, players: usize) -> usize {
        G::rotations(players)
    }
    fn counted_rotations(&self, players: usize) -> usize {
        let rotations = G::rotations(players);
        if self.game().joint_payoff(&vec![0; rotations]).is_some() {
            1
        } else {
            rotations
        }
    }
    fn joint_payoff(&self, payoffs: &[i64]) -> Option<i64> {
        self.game().joint_payoff(payoffs)
    }
    fn score_unit(&self) -> &'static str {
        G::score_unit()
    }
    fn unit(&self, is_duplicate: bool) -> &'static str {
        self.game().unit(is_duplicate)
    }
    fn stake(&self) -> Option<(&'static str, i64)> {
        self.game().stake()
    }
    fn given_deals(&self) -> usize {
        self.game().given_deals()
    }
    fn chances(&self) -> &'static [&'static str] {
        self.game().chances()
    }
    fn scene(&self, view: &[u8]) -> Scene {
        self.game().scene(&bytemuck::pod_read_unaligned(view))
    }
    fn line(&self, event: &[u8]) -> Line {
        self.game().line(&bytemuck::pod_read_unaligned(event))
    }
    fn offer(&self, action: &[u8]) -> Offer {
        self.game().offer(&bytemuck::pod_read_unaligned(action))
    }
    fn opener(&self, players: usize, seeds: &Seeds) -> Option<usize> {
        let (mut block, mut deal) = (self.game().new_block(players, 1), self.game().new_deal());
        self.game()
            .deal(&mut block, &mut seeds.stream(0), &mut deal);
        Some(self.game().player_at(&deal, self.game().to_act(&deal)?))
    }
    fn table(&self) -> Box<dyn AnyTable + '_> {
        Box::new(Table::new(self.game()))
    }
    fn deals(&self) -> Box<dyn AnyDeals + '_> {
        Box::new(KeptDeals {
            table: Table::new(self.game()),
            deals: Vec::new(),
        })
    }
    fn shared_seat(
        &self,
        bots: [Box<dyn Agent>; 2],
        script: &Rc<RefCell<Script>>,
    ) -> Box<dyn Agent> {
        Box::new(SharedSeat::<G>::new(bots, script))
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

impl<G: Game> AnyTable for Table<'_, G> {
    fn play_block(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &Chance,
        agents: &mut [Box<dyn Agent>],
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Record, Timing), Unfinished> {
        let mut watch = Watcher {
            sight: onlooker.sight(),
            onlooker,
            whole: &Whole::new(self.game),
            block: None,
        };
        Table::play_block(self, job, plan, chance, agents, &mut watch)
    }
}

/// Kept deals with a table for them.
struct KeptDeals<'g, G: Game> {
    table: Table<'g, G>,
    deals: Vec<Dealt<G>>,
}

impl<G: Game> AnyDeals for KeptDeals<'_, G> {
    fn keep(
        &mut self,
        job: JobId,
        plan: BlockPlan,
        chance: &Chance,
        agents: &mut [Box<dyn Agent>],
    ) -> Result<Vec<Vec<i64>>, Unfinished> {
        let mut keeper = DealKeeper::default();
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
        agents: &mut [Box<dyn Agent>],
        onlooker: &mut dyn Onlooker,
    ) -> Result<(Vec<i64>, Vec<Fault>), Unfinished> {
        let deal = &self.deals[number];
        let whole = Whole::new(self.table.game);
        let mut watch = Watcher {
            sight: onlooker.sight(),
            onlooker,
            whole: &whole,
            block: None,
        };
        self.table.play_dealt(deal, block, bots, agents, &mut watch)
    }
}

/// Passes on what an onlooker wants to be told.
struct Watcher<'a, G: Game> {
    onlooker: &'a mut dyn Onlooker,
    sight: Sight,
    whole: &'a Whole<G, &'a G>,
    /// The block as it was when the deal began, where the onlooker wants everything.
    block: Option<G::Block>,
}

/// A position with its types.
struct At<'a, G: Game> {
    whole: &'a Whole<G, &'a G>,
    block: &'a G::Block,
    deal: &'a G::Deal,
}

impl<G: Game> Position for At<'_, G> {
    fn game(&self) -> &dyn AnyGame {
        self.whole
    }
    fn describe(&self) -> String {
        words::deal(self.whole.0, self.block, self.deal)
    }
    fn view(&self, seat: u8, views: &mut Vec<u8>) {
        let mut view: G::View = bytemuck::Zeroable::zeroed();
        self.whole.0.view(self.block, self.deal, seat, &mut view);
        views.extend_from_slice(bytemuck::bytes_of(&view));
    }
    fn events(&self) -> usize {
        self.whole.0.history(self.deal).len()
    }
    fn event(&self, number: usize) -> &[u8] {
        bytemuck::bytes_of(&self.whole.0.history(self.deal)[number])
    }
    fn to_act(&self) -> Option<u8> {
        self.whole.0.to_act(self.deal)
    }
    fn seat_of(&self, player: usize) -> u8 {
        self.whole.0.seat_of(self.deal, player)
    }
    fn player_at(&self, seat: u8) -> usize {
        self.whole.0.player_at(self.deal, seat)
    }
}

/// Legal actions with their types.
struct Legal<'a, G: Game>(&'a G, &'a [G::Action]);

impl<G: Game> Actions for Legal<'_, G> {
    fn offers(&self) -> Vec<Offer> {
        self.1.iter().map(|action| self.0.offer(action)).collect()
    }
    fn amounts(&self) -> Vec<Option<(i64, i64)>> {
        self.1.iter().map(G::amounts).collect()
    }
}

impl<G: Game> Watch<G> for Watcher<'_, G> {
    fn dealt(&mut self, _: &G, block: &G::Block, deal: &G::Deal, entrants: &[usize]) {
        if self.sight == Sight::All {
            let whole = self.whole;
            let at = At { whole, block, deal };
            self.onlooker.dealt(&at, entrants);
            self.block = Some(block.clone());
        }
    }
    fn asked(
        &mut self,
        game: &G,
        block: &G::Block,
        deal: &G::Deal,
        seat: u8,
        entrant: usize,
        actions: &[G::Action],
    ) {
        if self.sight == Sight::All {
            let whole = self.whole;
            let at = At { whole, block, deal };
            self.onlooker
                .asked(&at, seat, entrant, &Legal(game, actions));
        }
    }
    fn answered(&mut self, entrant: usize, call: Call, answer: Result<Option<&Choice>, &Misstep>) {
        if self.sight != Sight::Ends {
            self.onlooker.answered(entrant, call, answer);
        }
    }
    fn acted(&mut self, game: &G, deal: &G::Deal, step: &Step<'_, G>) {
        let Some(block) = &self.block else { return };
        let end = game.history(deal).len();
        let taken = Taken {
            seat: step.seat,
            entrant: step.entrant,
            decider: step.decider,
            decision: step.decision,
            action: bytemuck::bytes_of(&step.choice.action),
            events: end - step.events.len()..end,
            choice: &|| words::choice(game, &Grant { ..step.choice }),
        };
        let whole = self.whole;
        self.onlooker.acted(&At { whole, block, deal }, &taken);
    }
    fn chanced(&mut self, event: ChanceEvent<'_>) {
        self.onlooker.chanced(event);
    }
    fn ended(&mut self, _: &G, _: &G::Deal, payoffs: &[i64], entrants: &[usize]) {
        self.onlooker.ended(payoffs, entrants);
    }
    fn finished(&mut self, record: &Record) {
        self.onlooker.finished(record);
    }
    fn has_seen_enough(&self) -> bool {
        self.onlooker.has_seen_enough()
    }
}

/// Makes a game under options.
type Maker = fn(&Value) -> Result<Box<dyn AnyGame>, String>;

static MAKERS: LazyLock<RwLock<Vec<(&'static str, Maker)>>> = LazyLock::new(|| {
    macro_rules! makers {
        ($($folder:ident: $game:ident,)*) => {
            vec![$(maker::<hattari_plugin::games::$folder::$game>()),*]
        };
    }
    games::bring_solver();
    RwLock::new(hattari_plugin::games::every_game!(makers))
});

fn maker<G: Game>() -> (&'static str, Maker) {
    (G::ID, make::<G>)
}

fn make<G: Game>(options: &Value) -> Result<Box<dyn AnyGame>, String> {
    let options = serde_json::from_value(options.clone())
        .map_err(|error| format!("options of {}: {error}", G::ID))?;
    Ok(Box::new(Whole::new(G::new(options)?)))
}

/// Adds a game to those that the host plays. One of the same name that is there already stays.
pub fn add<G: Game>() {
    games::add::<G>();
    let mut makers = MAKERS.write().unwrap_or_else(PoisonError::into_inner);
    if !makers
        .iter()
        .any(|(id, _)| games::bare(id) == games::bare(G::ID))
    {
        makers.push(maker::<G>());
    }
}

/// The game of that name, with its revision or without, under options.
///
/// # Errors
/// There is no such game, or what is wrong with the options.
pub fn game(name: &str, options: &Value) -> Result<Box<dyn AnyGame>, String> {
    let facts = games::named(name).map_err(|error| error.to_string())?;
    let make = {
        let makers = MAKERS.read().unwrap_or_else(PoisonError::into_inner);
        makers
            .iter()
            .find(|(id, _)| *id == facts.id)
            .map(|(_, make)| *make)
    };
    make.ok_or_else(|| format!("the game `{name}` cannot be played here"))?(options)
}
