//! From a record back to the rules: the hand is played again, every action checked.

use super::{Hand, Step, Variant};
use hattari_games::Game;
use hattari_games::holdem::{self, Holdem};
use hattari_games::poker::betting::Choices;
use hattari_games::poker::event::Entry;
use hattari_games::poker::{Block, Deal, Form, Limit, Move, NOBODY, OddChips, card};
use hattari_games::stud::{self, Stud};
use serde::Serialize;
use thiserror::Error;

/// A hand that was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Chips won or lost by each player, by position.
    pub payoffs: Vec<i64>,
    /// Decisions of the hand, forced ones among them.
    pub decisions: Vec<Decision>,
}

/// What a decision was taken in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// The player who acts.
    pub player: usize,
    /// What he may do.
    pub choices: Choices,
    /// All chips put in so far.
    pub pot: i64,
    /// Chips that each player has left, by position.
    pub stacks: Vec<i64>,
    /// Chips that each player has put in on this street, by position.
    pub bets: Vec<i64>,
}

/// Why a hand cannot be played again.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// Rules that differ from ours.
    #[error("{0}")]
    Rules(String),
    /// Cards that are not those of one deck, or unknown ones that would decide the hand.
    #[error("{0}")]
    Cards(String),
    /// An action that is not legal where it stands.
    #[error("action {number} `{step}`: {message}")]
    Action {
        /// Its number, from 1.
        number: usize,
        /// Its text.
        step: String,
        /// What is wrong.
        message: String,
    },
    /// The actions end before the hand does.
    #[error("the actions end while player {0} is to act")]
    Unfinished(usize),
}

/// Plays a hand again. Options of the rules are those that stand in the record; without any, ours are taken where the
/// format says nothing: no cap on raises without limit and 4 at fixed limit, odd chips left of the button, and a blind or
/// bring-in that was posted short is called at what was posted.
///
/// # Errors
/// What is not ours or not legal.
pub fn replay(hand: &Hand) -> Result<Replayed, ReplayError> {
    let count = hand.starting_stacks.len();
    let ante = hand.antes.first().copied().unwrap_or(0);
    if hand.antes.iter().any(|&other| other != ante) {
        return Err(ReplayError::Rules("antes that differ from player to player are not played here".into()));
    }
    let least = if hand.variant == Variant::FixedLimitStud { (2, stud::PLAYERS_MAX) } else { Holdem::players() };
    if !(least.0..=least.1).contains(&count) {
        return Err(ReplayError::Rules(format!("a table of {count} is not played here")));
    }
    if hand.variant == Variant::FixedLimitStud { replay_stud(hand, ante) } else { replay_holdem(hand, ante) }
}

fn replay_holdem(hand: &Hand, ante: i64) -> Result<Replayed, ReplayError> {
    let rules = |message: String| ReplayError::Rules(message);
    let [small_blind, big_blind, rest @ ..] = hand.blinds.as_slice() else {
        return Err(rules("there are not two blinds".into()));
    };
    if rest.iter().any(|&straddle| straddle != 0) || *big_blind != hand.small_bet {
        return Err(rules("straddles, and least bets other than the big blind, are not played here".into()));
    }
    let is_fixed = hand.variant == Variant::FixedLimitHoldem;
    let derived = holdem::Options {
        limit: if is_fixed { Limit::FixedLimit } else { Limit::NoLimit },
        small_blind: *small_blind,
        big_blind: *big_blind,
        big_bet: hand.big_bet,
        ante,
        raises_max: if is_fixed { 4 } else { 0 },
        whole_blind: false,
        ..holdem::Options::default()
    };
    let game = Holdem::new(options(hand, derived)?).map_err(rules)?;
    let count = hand.starting_stacks.len();
    let mut block = game.new_block(count, 1);
    seat(hand, &mut block);
    let (deck, known) = Layout { each: 2, players: count }.deck(hand)?;
    let mut deal = game.new_deal();
    game.start(&block, &deck, &mut deal).map_err(|message| ReplayError::Cards(message.into()))?;
    play(game.form(), &mut deal, &mut block, hand, known)
}

fn replay_stud(hand: &Hand, ante: i64) -> Result<Replayed, ReplayError> {
    let derived = stud::Options {
        ante,
        bring_in: hand.bring_in,
        small_bet: hand.small_bet,
        big_bet: hand.big_bet,
        whole_bring_in: false,
        odd_chips: OddChips::LeftOfButton,
        ..stud::Options::default()
    };
    let game = Stud::new(options(hand, derived)?).map_err(ReplayError::Rules)?;
    let count = hand.starting_stacks.len();
    let mut block = game.new_block(count, 1);
    seat(hand, &mut block.table);
    // Eight hands of seven are more than a deck.
    let layout = Layout { each: if count == stud::PLAYERS_MAX { 6 } else { 7 }, players: count };
    let (deck, known) = layout.deck(hand)?;
    let mut deal = game.new_deal();
    game.start(&block, &deck, &mut deal).map_err(|message| ReplayError::Cards(message.into()))?;
    play(game.form(), &mut deal, &mut block.table, hand, known)
}

/// Seats the players in the order of their position, with their chips.
fn seat(hand: &Hand, block: &mut Block) {
    let count = hand.starting_stacks.len();
    block.stacks[..count].copy_from_slice(&hand.starting_stacks);
    block.button = u8::try_from(count - 1).unwrap_or(0);
}

/// The options that stand in the record, else those derived from its fields.
fn options<O: serde::de::DeserializeOwned>(hand: &Hand, derived: O) -> Result<O, ReplayError> {
    let Some(text) = &hand.origin.options else { return Ok(derived) };
    serde_json::from_str(text).map_err(|error| ReplayError::Rules(format!("`_options`: {error}")))
}

/// Carries out the decisions of a hand that has been dealt.
fn play<E: From<Entry> + Copy>(
    form: &Form,
    deal: &mut Deal<E>,
    block: &mut Block,
    hand: &Hand,
    known: card::CardSet,
) -> Result<Replayed, ReplayError> {
    let count = hand.starting_stacks.len();
    if (form.limit == Limit::NoLimit) != (hand.variant == Variant::NoLimitHoldem) || form.limit == Limit::StreetPot {
        return Err(ReplayError::Rules(format!("`_options` are not those of the variant {}", hand.variant.code())));
    }
    let mut decisions = Vec::new();
    for (number, step) in (1..).zip(&hand.actions) {
        let (Step::BringIn(player) | Step::RaiseTo(player, _) | Step::Stay(player) | Step::Fold(player)) = *step else {
            continue;
        };
        let wrong = |message: String| ReplayError::Action { number, step: step.to_string(), message };
        if deal.to_act == NOBODY {
            return Err(wrong("nobody is to act".into()));
        }
        if usize::from(deal.to_act) != player {
            return Err(wrong(format!("player {} is to act", deal.to_act + 1)));
        }
        let choices = deal.choices(form);
        let choice = choose(step, &choices)
            .ok_or_else(|| wrong(format!("it is not legal; {} would be", offers(&choices).join(", "))))?;
        decisions.push(Decision {
            player,
            choices,
            pot: deal.betting.pot,
            stacks: deal.betting.stacks[..count].to_vec(),
            bets: deal.betting.bets[..count].to_vec(),
        });
        deal.apply(form, choice);
    }
    if deal.to_act != NOBODY {
        return Err(ReplayError::Unfinished(usize::from(deal.to_act) + 1));
    }
    check_known(deal.shown, deal.community, known)?;
    let mut payoffs = vec![0; count];
    block.finish(form, &deal.betting.stacks, &mut payoffs);
    Ok(Replayed { payoffs, decisions })
}

/// The move that a step is, where it is legal.
fn choose(step: &Step, choices: &Choices) -> Option<Move> {
    match *step {
        Step::Fold(_) => choices.fold.then_some(Move::Fold),
        Step::Stay(_) => choices.call.map(|_| Move::Call),
        Step::BringIn(_) => choices.bring_in.map(|_| Move::BringIn),
        Step::RaiseTo(_, total) => {
            let fits = |&(lowest, highest): &(i64, i64)| (lowest..=highest).contains(&total);
            choices.raise.filter(fits).map(|_| Move::RaiseTo(total))
        }
        _ => None,
    }
}

/// What is legal, in the format's words.
fn offers(choices: &Choices) -> Vec<String> {
    let bring_in = choices.bring_in.map(|_| "pb".to_owned());
    let fold = choices.fold.then(|| "f".to_owned());
    let stay = choices.call.map(|_| "cc".to_owned());
    let raise = choices.raise.map(|(lowest, highest)| {
        if lowest == highest { format!("cbr {lowest}") } else { format!("cbr {lowest} to {highest}") }
    });
    [bring_in, fold, stay, raise].into_iter().flatten().collect()
}

/// Where the cards of a hand lie in a deck: those of each player together, then the community's.
struct Layout {
    each: usize,
    players: usize,
}

impl Layout {
    /// The deck of a hand, unknown cards filled in; and the set of those that are known.
    fn deck(&self, hand: &Hand) -> Result<([u8; card::DECK_SIZE], card::CardSet), ReplayError> {
        let mut deck = [None; card::DECK_SIZE];
        let mut dealt = vec![0; self.players];
        let mut folded = vec![false; self.players];
        let mut board = self.players * self.each;
        // Cards past the places of a player's own, in the order of the deck's that are left.
        let mut spare: Option<std::vec::IntoIter<usize>> = None;
        for step in &hand.actions {
            match step {
                Step::Fold(player) if *player < self.players => folded[*player] = true,
                Step::DealBoard(cards) => {
                    for &card in cards {
                        put(&mut deck, board, card)?;
                        board += 1;
                    }
                }
                Step::DealHole(player, cards) if *player < self.players => {
                    for &card in cards {
                        let place = if dealt[*player] < self.each {
                            player * self.each + dealt[*player]
                        } else {
                            let places = spare.get_or_insert_with(|| self.spare(&dealt, &folded).into_iter());
                            places.next().ok_or_else(|| ReplayError::Cards("more cards than the deck has".into()))?
                        };
                        put(&mut deck, place, card)?;
                        dealt[*player] += 1;
                    }
                }
                _ => {}
            }
        }
        // A hand that was not seen when it was dealt may be shown at the end.
        for step in &hand.actions {
            if let Step::Show(player, cards) = step {
                for (number, card) in cards.iter().enumerate().filter(|(number, _)| *number < self.each) {
                    let place = player * self.each + number;
                    if card.is_some() && deck.get(place).is_some_and(Option::is_none) {
                        put(&mut deck, place, *card)?;
                    }
                }
            }
        }
        let known = deck.iter().flatten().fold(0, |set, &card| set | 1_u64 << card);
        let mut rest = card::cards(card::DECK & !known);
        let mut filled = [0; card::DECK_SIZE];
        for (place, card) in filled.iter_mut().zip(deck) {
            *place = card.or_else(|| rest.next()).unwrap_or(0);
        }
        Ok((filled, known))
    }

    /// Places of cards that belong to no player still in: after all hands, then what folded players were not dealt.
    fn spare(&self, dealt: &[usize], folded: &[bool]) -> Vec<usize> {
        let undealt = (0..self.players).filter(|&player| folded[player]);
        let undealt = undealt.flat_map(|player| player * self.each + dealt[player]..(player + 1) * self.each);
        (self.players * self.each..card::DECK_SIZE).chain(undealt).collect()
    }
}

fn put(deck: &mut [Option<u8>; card::DECK_SIZE], place: usize, card: Option<u8>) -> Result<(), ReplayError> {
    let Some(card) = card else { return Ok(()) };
    let name = card::name(card).unwrap_or("?");
    if deck.contains(&Some(card)) {
        return Err(ReplayError::Cards(format!("{name} is dealt twice")));
    }
    let place = deck.get_mut(place).ok_or_else(|| ReplayError::Cards("more cards than the deck has".into()))?;
    *place = Some(card);
    Ok(())
}

/// Refuses hands that cards decided which nobody knows.
fn check_known(shown: [card::CardSet; 9], community: card::CardSet, known: card::CardSet) -> Result<(), ReplayError> {
    let is_unknown = |&shown: &card::CardSet| shown != 0 && (shown | community) & !known != 0;
    if shown.iter().any(is_unknown) {
        return Err(ReplayError::Cards("cards are unknown that decide the hand".into()));
    }
    Ok(())
}
