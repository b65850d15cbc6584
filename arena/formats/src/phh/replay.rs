//! From a record back to the rules: the hand is played again, every action checked.

use super::write::as_listed;
use super::{Hand, Step, Variant, decimal};
use crate::deck::complete;
use hattari_games::poker::betting::{Choices, SeatSet};
use hattari_games::poker::pots::pots;
use hattari_games::poker::{
    self, Block, Deal, Form, Limit, Move, NOBODY, OddChips, Poker, Strength, card,
};
use hattari_games::{Game, holdem, stud};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// A hand that was played again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Chips won or lost by each player, by position.
    pub payoffs: Vec<i64>,
    /// Decisions of the hand, forced ones among them.
    pub decisions: Vec<Decision>,
    /// The most chips that another rule on odd chips of split pots could move from or to a player.
    pub odd_chips: i64,
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

/// Options that stand above those of hands, by name.
pub type Overrides = serde_json::Map<String, serde_json::Value>;

/// Plays a hand again. Options of the rules are those that stand in the record, and above these the
/// `overrides`; without any, ours are taken where the format says nothing: no cap on raises without
/// limit and 4 at fixed limit, half a bet counts as a whole one there, odd chips left of the
/// button, and a blind or bring-in that was posted short is called at what was posted.
///
/// # Errors
/// What is not ours or not legal.
pub fn replay(hand: &Hand, overrides: &Overrides) -> Result<Replayed, ReplayError> {
    let count = hand.starting_stacks.len();
    let (least, most) = if hand.variant == Variant::FixedLimitStud {
        stud::Stud::players()
    } else {
        holdem::Holdem::players()
    };
    if !(least..=most).contains(&count) {
        return Err(ReplayError::Rules(format!(
            "tables of {count} players are not supported, only tables of {least} to {most}"
        )));
    }
    if hand.variant == Variant::FixedLimitStud {
        replay_stud(hand, overrides)
    } else {
        replay_holdem(hand, overrides)
    }
}

/// The ante where it is the same for all.
fn one_ante(hand: &Hand) -> Option<i64> {
    let ante = hand.antes.first().copied()?;
    hand.antes
        .iter()
        .all(|&other| other == ante)
        .then_some(ante)
}

fn most(amounts: &[i64]) -> i64 {
    amounts.iter().copied().max().unwrap_or(0)
}

fn replay_holdem(hand: &Hand, overrides: &Overrides) -> Result<Replayed, ReplayError> {
    let rules = |message: String| ReplayError::Rules(message);
    let [small_blind, big_blind, rest @ ..] = hand.blinds.as_slice() else {
        return Err(rules("the hand has fewer than two blinds".into()));
    };
    let is_fixed = hand.variant == Variant::FixedLimitHoldem;
    let big = hand.small_bet;
    let is_plain = (1..=big).contains(small_blind)
        && *big_blind == big
        && rest.iter().all(|&straddle| straddle == 0);
    let ante = one_ante(hand);
    let derived = holdem::Options {
        limit: if is_fixed {
            Limit::FixedLimit
        } else {
            Limit::NoLimit
        },
        small_blind: (*small_blind).clamp(1, big.max(1)),
        big_blind: big,
        posts: if is_plain {
            Vec::new()
        } else {
            as_listed(hand.blinds.clone())
        },
        big_bet: hand.big_bet,
        ante: ante.unwrap_or(0),
        antes: if ante.is_some() {
            Vec::new()
        } else {
            as_listed(hand.antes.clone())
        },
        dead_antes: hand.dead_antes,
        // Nobody has it: each has the chips that stand in the record.
        stack: most(&hand.starting_stacks).max(big + most(&hand.antes)),
        raises_max: if is_fixed { 4 } else { 0 },
        whole_blind: false,
        ..holdem::Options::default()
    };
    play_as(&derived, overrides, hand, 2)
}

fn replay_stud(hand: &Hand, overrides: &Overrides) -> Result<Replayed, ReplayError> {
    let ante = one_ante(hand).ok_or_else(|| {
        ReplayError::Rules(
            "stud with different antes for different players is not supported".into(),
        )
    })?;
    let derived = stud::Options {
        ante,
        dead_antes: hand.dead_antes,
        bring_in: hand.bring_in,
        small_bet: hand.small_bet,
        big_bet: hand.big_bet,
        stack: most(&hand.starting_stacks).max(hand.small_bet + ante),
        whole_bring_in: false,
        odd_chips: OddChips::LeftOfButton,
        ..stud::Options::default()
    };
    // Eight hands of seven are more than a deck.
    let is_full = hand.starting_stacks.len() == stud::PLAYERS_MAX;
    play_as(&derived, overrides, hand, if is_full { 6 } else { 7 })
}

/// Plays a hand by the options derived from it; `each` is how many places of the deck belong to a
/// player.
fn play_as<V: poker::Variant>(
    derived: &V,
    overrides: &Overrides,
    hand: &Hand,
    each: usize,
) -> Result<Replayed, ReplayError> {
    let game = Poker::new(options(hand, derived, overrides)?).map_err(ReplayError::Rules)?;
    let players = hand.starting_stacks.len();
    let mut block = game.new_block(players, 1);
    seat(hand, &mut block);
    let (deck, known) = Layout { each, players }.deck(hand)?;
    let mut deal = game.new_deal();
    deal.mucked = mucked(hand);
    game.start(&block, &deck, &mut deal)
        .map_err(|message| ReplayError::Cards(message.into()))?;
    play(game.form(), &mut deal, &mut block, hand, known)
}

/// Seats the players in the order of their position, with their chips.
fn seat(hand: &Hand, block: &mut Block) {
    let count = hand.starting_stacks.len();
    block.stacks[..count].copy_from_slice(&hand.starting_stacks);
    block.button = u8::try_from(count - 1).unwrap_or(0);
}

/// The options derived from a record's fields, with those over them that stand in it, and the
/// overrides.
fn options<O: Serialize + DeserializeOwned>(
    hand: &Hand,
    derived: &O,
    overrides: &Overrides,
) -> Result<O, ReplayError> {
    let rules = |of: &str, error: serde_json::Error| ReplayError::Rules(format!("{of}: {error}"));
    let mut options = serde_json::to_value(derived).map_err(|error| rules("options", error))?;
    let own: Overrides = match &hand.origin.options {
        Some(text) => serde_json::from_str(text).map_err(|error| rules("`_options`", error))?,
        None => Overrides::new(),
    };
    for (name, value) in own.iter().chain(overrides) {
        options[name] = value.clone();
    }
    serde_json::from_value(options).map_err(|error| rules("options", error))
}

/// Players who throw their hands away at the showdown without showing them; nobody where no hand
/// was shown at all.
fn mucked(hand: &Hand) -> SeatSet {
    let count = hand.starting_stacks.len();
    let (mut in_play, mut mucked): (SeatSet, SeatSet) = ((1 << count) - 1, 0);
    for step in &hand.actions {
        match step {
            // Nobody of that number is at the table; the hand is refused when it comes to his turn.
            Step::Fold(player) | Step::Show(player, _) | Step::ShowDealt(player)
                if *player >= count => {}
            Step::Fold(player) => in_play &= !(1 << player),
            Step::Show(player, cards) if cards.iter().all(Option::is_none) => mucked |= 1 << player,
            Step::Show(player, _) | Step::ShowDealt(player) => mucked &= !(1 << player),
            _ => {}
        }
    }
    if in_play & !mucked == 0 {
        0
    } else {
        mucked & in_play
    }
}

/// The most chips that other rules on odd chips could give a player of a deal that is over more or
/// less: one for each who shares a pot with others.
#[must_use]
pub fn odd_chips(deal: &Deal) -> i64 {
    let strength = |seat: u8| {
        let cards = deal.hands[usize::from(seat)] | deal.community;
        if deal.mucked & 1 << seat == 0 {
            Strength::of(cards)
        } else {
            Strength::default()
        }
    };
    if deal.betting.in_play.is_power_of_two() {
        return 0;
    }
    let sharing = |seats: SeatSet| {
        let strengths = (0..deal.betting.players())
            .filter(|seat| seats & 1 << seat != 0)
            .map(strength);
        let (mut best, mut count) = (Strength::default(), 0);
        for strength in strengths {
            count = if strength > best {
                1
            } else {
                count + i64::from(strength == best)
            };
            best = best.max(strength);
        }
        count - 1
    };
    pots(&deal.betting)
        .map(|pot| sharing(pot.seats).max(0))
        .sum()
}

/// Carries out the decisions of a hand that has been dealt.
fn play(
    form: &Form,
    deal: &mut Deal,
    block: &mut Block,
    hand: &Hand,
    known: card::CardSet,
) -> Result<Replayed, ReplayError> {
    let count = hand.starting_stacks.len();
    // Pot limit is no limit with an option more: the format has no code for it.
    let is_fixed = hand.variant != Variant::NoLimitHoldem;
    if (form.limit == Limit::FixedLimit) != is_fixed || form.limit == Limit::StreetPot {
        return Err(ReplayError::Rules(format!(
            "the limit in the options is not the limit of the variant {}",
            hand.variant.code()
        )));
    }
    let mut decisions = Vec::new();
    for (number, step) in (1..).zip(&hand.actions) {
        let (Step::BringIn(player)
        | Step::RaiseTo(player, _)
        | Step::Stay(player)
        | Step::Fold(player)) = *step
        else {
            continue;
        };
        let wrong = |message: String| ReplayError::Action {
            number,
            step: step.text(hand.decimals),
            message,
        };
        if deal.to_act == NOBODY {
            return Err(wrong("no player is to act".into()));
        }
        if usize::from(deal.to_act) != player {
            return Err(wrong(format!("player {} is to act", deal.to_act + 1)));
        }
        let choices = deal.choices(form);
        let choice = choose(step, &choices).ok_or_else(|| {
            wrong(format!(
                "this action is not legal; legal actions: {}",
                offers(&choices, hand.decimals).join(", ")
            ))
        })?;
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
    Ok(Replayed {
        payoffs,
        decisions,
        odd_chips: odd_chips(deal),
    })
}

/// The move that a step is, where it is legal.
fn choose(step: &Step, choices: &Choices) -> Option<Move> {
    match *step {
        Step::Fold(_) => choices.fold.then_some(Move::Fold),
        Step::Stay(_) => choices.call.map(|_| Move::Call),
        Step::BringIn(_) => choices.bring_in.map(|_| Move::BringIn),
        // All chips of one who has no more than the bring-in.
        Step::RaiseTo(_, total) if choices.bring_in == Some(total) && choices.raise.is_none() => {
            Some(Move::BringIn)
        }
        Step::RaiseTo(_, total) => {
            let fits = |&(lowest, highest): &(i64, i64)| (lowest..=highest).contains(&total);
            choices.raise.filter(fits).map(|_| Move::RaiseTo(total))
        }
        _ => None,
    }
}

/// What is legal, in the format's words.
fn offers(choices: &Choices, decimals: u8) -> Vec<String> {
    let bring_in = choices.bring_in.map(|_| "pb".to_owned());
    let fold = choices.fold.then(|| "f".to_owned());
    let stay = choices.call.map(|_| "cc".to_owned());
    let raise = choices.raise.map(|(lowest, highest)| {
        let (lowest, highest) = (decimal(lowest, decimals), decimal(highest, decimals));
        if lowest == highest {
            format!("cbr {lowest}")
        } else {
            format!("cbr {lowest} to {highest}")
        }
    });
    [bring_in, fold, stay, raise]
        .into_iter()
        .flatten()
        .collect()
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
                            let places = spare
                                .get_or_insert_with(|| self.spare(&dealt, &folded).into_iter());
                            places.next().ok_or_else(|| {
                                ReplayError::Cards(
                                    "the hand deals more cards than the deck has".into(),
                                )
                            })?
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
                for (number, card) in cards
                    .iter()
                    .enumerate()
                    .filter(|(number, _)| *number < self.each)
                {
                    let place = player * self.each + number;
                    if card.is_some() && deck.get(place).is_some_and(Option::is_none) {
                        put(&mut deck, place, *card)?;
                    }
                }
            }
        }
        Ok(complete(deck))
    }

    /// Places of cards that belong to no player still in: after all hands, then what folded players
    /// were not dealt.
    fn spare(&self, dealt: &[usize], folded: &[bool]) -> Vec<usize> {
        let undealt = (0..self.players).filter(|&player| folded[player]);
        let undealt =
            undealt.flat_map(|player| player * self.each + dealt[player]..(player + 1) * self.each);
        (self.players * self.each..card::DECK_SIZE)
            .chain(undealt)
            .collect()
    }
}

fn put(
    deck: &mut [Option<u8>; card::DECK_SIZE],
    place: usize,
    card: Option<u8>,
) -> Result<(), ReplayError> {
    let Some(card) = card else { return Ok(()) };
    let name = card::name(card).unwrap_or("?");
    if deck.contains(&Some(card)) {
        return Err(ReplayError::Cards(format!("{name} is dealt twice")));
    }
    let place = deck
        .get_mut(place)
        .ok_or_else(|| ReplayError::Cards("the hand deals more cards than the deck has".into()))?;
    *place = Some(card);
    Ok(())
}

/// Refuses hands that cards decided which nobody knows.
fn check_known(
    shown: [card::CardSet; 9],
    community: card::CardSet,
    known: card::CardSet,
) -> Result<(), ReplayError> {
    let is_unknown = |&shown: &card::CardSet| shown != 0 && (shown | community) & !known != 0;
    if shown.iter().any(is_unknown) {
        return Err(ReplayError::Cards(
            "cards that decide the hand are unknown".into(),
        ));
    }
    Ok(())
}
