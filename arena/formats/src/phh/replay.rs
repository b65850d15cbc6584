//! Replay of a record: the hand is played again and every action is checked.

use super::write::swap_heads_up;
use super::{Hand, Step, Variant, decimal};
use crate::deck::fill_deck;
use hattari_games::poker::betting::{Choices, SeatSet};
use hattari_games::poker::pots::pots;
use hattari_games::poker::{
    self, BetLimit, BettingStructure, Block, Deal, NOBODY, OddChips, Poker, SeatMove, Strength,
    card,
};
use hattari_games::{Game, holdem, stud};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// The result of replaying a hand.
#[derive(Debug)]
pub struct ReplayedHand {
    /// Chips won or lost by each player, by position.
    pub payoffs: Vec<i64>,
    /// Decisions of the hand, including forced ones.
    pub decisions: Vec<HandDecision>,
    /// Maximum difference that another rule for odd chips of split pots can make to a player's
    /// chips.
    pub odd_chips: i64,
}

/// The situation at a decision.
#[derive(Debug, Serialize)]
pub struct HandDecision {
    /// The player who acts.
    pub player: usize,
    /// Legal choices of that player.
    pub choices: Choices,
    /// Total of all chips put in so far.
    pub pot: i64,
    /// Remaining chips of each player, by position.
    pub stacks: Vec<i64>,
    /// Chips that each player has put in on this street, by position.
    pub bets: Vec<i64>,
}

/// The reason a hand cannot be replayed.
#[derive(Debug, Error)]
pub enum ReplayError {
    /// Rules that this program does not support.
    #[error("{0}")]
    Rules(String),
    /// Cards that are not from one deck, or that decide the hand but are unknown.
    #[error("{0}")]
    Cards(String),
    /// An action is not legal.
    #[error("action {number} `{step}`: {message}")]
    Action {
        /// Number of the action, from 1.
        number: usize,
        /// Text of the action.
        step: String,
        /// Description of the error.
        message: String,
    },
    /// The actions end before the hand is over. Contains the number of the player to act, from 1.
    #[error("the actions end while player {0} is to act")]
    Unfinished(usize),
}

/// Options by name. They replace the options that are recorded in the hands.
pub type Overrides = serde_json::Map<String, serde_json::Value>;

/// Replays a hand with the options in the record and the `overrides`, which take precedence. The
/// format does not define all rules; the defaults are:
///
/// - no-limit games: no cap on raises
/// - fixed limit: at most 4 raises; an all-in raise of half a bet or more counts as a whole raise
/// - odd chips go to the seats left of the button
/// - if a blind or bring-in is short, the amount to call is the amount posted
///
/// # Errors
/// Returns an error if a rule is not supported or an action is illegal.
pub fn replay(hand: &Hand, overrides: &Overrides) -> Result<ReplayedHand, ReplayError> {
    let count = hand.starting_stacks.len();
    let is_stud = hand.variant == Variant::FixedLimitStud;
    let (least, most) = if is_stud {
        stud::Stud::players()
    } else {
        holdem::Holdem::players()
    };
    if !(least..=most).contains(&count) {
        return Err(ReplayError::Rules(format!(
            "{count} players are not supported; the game has {least} to {most} players"
        )));
    }
    if is_stud {
        replay_stud(hand, overrides)
    } else {
        replay_holdem(hand, overrides)
    }
}

/// Returns the ante if it is the same for all players.
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

fn replay_holdem(hand: &Hand, overrides: &Overrides) -> Result<ReplayedHand, ReplayError> {
    let [small_blind, big_blind, rest @ ..] = hand.blinds.as_slice() else {
        return Err(ReplayError::Rules(
            "the hand has fewer than two blinds".into(),
        ));
    };
    let is_fixed = hand.variant == Variant::FixedLimitHoldem;
    let big = hand.small_bet;
    let is_plain = (1..=big).contains(small_blind)
        && *big_blind == big
        && rest.iter().all(|&straddle| straddle == 0);
    let ante = one_ante(hand);
    let derived = holdem::Options {
        limit: if is_fixed {
            BetLimit::FixedLimit
        } else {
            BetLimit::NoLimit
        },
        small_blind: (*small_blind).clamp(1, big.max(1)),
        big_blind: big,
        posts: if is_plain {
            Vec::new()
        } else {
            swap_heads_up(hand.blinds.clone())
        },
        big_bet: hand.big_bet,
        ante: ante.unwrap_or(0),
        antes: if ante.is_some() {
            Vec::new()
        } else {
            swap_heads_up(hand.antes.clone())
        },
        dead_antes: hand.dead_antes,
        // Not used: the record defines the chips of each player.
        stack: most(&hand.starting_stacks).max(big + most(&hand.antes)),
        raises_max: if is_fixed { 4 } else { 0 },
        whole_blind: false,
        ..holdem::Options::default()
    };
    replay_with_options(&derived, overrides, hand, 2)
}

fn replay_stud(hand: &Hand, overrides: &Overrides) -> Result<ReplayedHand, ReplayError> {
    let ante = one_ante(hand).ok_or_else(|| {
        ReplayError::Rules("stud is supported only if all players pay the same ante".into())
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
    // Eight hands of seven cards are more than a deck.
    let is_full = hand.starting_stacks.len() == stud::PLAYERS_MAX;
    replay_with_options(&derived, overrides, hand, if is_full { 6 } else { 7 })
}

/// Replays a hand with options derived from its fields. `each` is the number of places in the deck
/// for the cards of one player.
fn replay_with_options<V: poker::Variant>(
    derived: &V,
    overrides: &Overrides,
    hand: &Hand,
    each: usize,
) -> Result<ReplayedHand, ReplayError> {
    let game = Poker::new(options(hand, derived, overrides)?).map_err(ReplayError::Rules)?;
    let players = hand.starting_stacks.len();
    let mut block = game.new_block(players, 1);
    // Players are seated by position.
    block.memory.stacks[..players].copy_from_slice(&hand.starting_stacks);
    block.memory.button = u8::try_from(players - 1).unwrap_or(0);
    let streets = game.form().streets.iter();
    let cards_max: usize = streets
        .map(|street| usize::from(street.down + street.up))
        .sum();
    let (deck, known) = deck(hand, each, cards_max)?;
    let mut deal = game.new_deal();
    deal.mucked = mucked(hand);
    game.start(&block, &deck, &mut deal)
        .map_err(|message| ReplayError::Cards(message.into()))?;
    play(game.form(), &mut deal, &block, hand, known)
}

/// Returns the options of a record. Options that the record states replace the `derived` ones, and
/// the `overrides` replace both.
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

/// Returns the players who muck their hands at the showdown; empty if no hand was shown.
fn mucked(hand: &Hand) -> SeatSet {
    let count = hand.starting_stacks.len();
    let (mut in_play, mut mucked): (SeatSet, SeatSet) = ((1 << count) - 1, 0);
    for step in &hand.actions {
        match step {
            // The player does not exist; the action is rejected later.
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

/// Returns the maximum difference that another rule for odd chips can make to a player's chips in a
/// finished deal: the number of winners minus one, summed over all pots.
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
        let seats = (0..deal.betting.players()).filter(|seat| seats & 1 << seat != 0);
        let strengths: Vec<Strength> = seats.map(strength).collect();
        let best = strengths.iter().max();
        let winners = strengths.iter().filter(|&own| Some(own) == best);
        i64::try_from(winners.count()).unwrap_or(0) - 1
    };
    pots(&deal.betting)
        .map(|pot| sharing(pot.seats).max(0))
        .sum()
}

/// Applies the decisions of a dealt hand.
fn play(
    form: &BettingStructure,
    deal: &mut Deal,
    block: &Block,
    hand: &Hand,
    known: card::CardSet,
) -> Result<ReplayedHand, ReplayError> {
    let count = hand.starting_stacks.len();
    // The format has no code for pot limit; it is recorded as no limit with an option.
    let is_fixed = hand.variant != Variant::NoLimitHoldem;
    if (form.limit == BetLimit::FixedLimit) != is_fixed || form.limit == BetLimit::StreetPot {
        return Err(ReplayError::Rules(format!(
            "the betting limit in the options is not that of the variant {}",
            hand.variant.code()
        )));
    }
    let (mut decisions, mut board) = (Vec::new(), 0);
    for (number, step) in (1..).zip(&hand.actions) {
        let wrong = |message: String| ReplayError::Action {
            number,
            step: step.text(hand.decimals),
            message,
        };
        let player = match *step {
            Step::BringIn(player)
            | Step::RaiseTo(player, _)
            | Step::CheckOrCall(player)
            | Step::Fold(player) => player,
            Step::DealHole(player, _) | Step::Show(player, _) | Step::ShowDealt(player)
                if player >= count =>
            {
                return Err(wrong(format!("the hand has only {count} players")));
            }
            Step::DealHole(..) | Step::Show(..) | Step::ShowDealt(_) => continue,
            Step::DealBoard(ref cards) => {
                board += cards.len();
                let due = deal.community.count_ones() as usize;
                if board > due {
                    return Err(wrong(format!(
                        "the board has {board} cards, but only {due} can have been dealt here"
                    )));
                }
                continue;
            }
            Step::Draw(_) => return Err(wrong("the game has no draws".into())),
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
                list_legal_actions(&choices, hand.decimals).join(", ")
            ))
        })?;
        decisions.push(HandDecision {
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
    let is_unknown = |&shown: &card::CardSet| shown != 0 && (shown | deal.community) & !known != 0;
    if deal.shown.iter().any(is_unknown) {
        return Err(ReplayError::Cards(
            "cards that decide the hand are unknown".into(),
        ));
    }
    Ok(ReplayedHand {
        payoffs: block.payoffs(form, &deal.betting.stacks)[..count].to_vec(),
        decisions,
        odd_chips: odd_chips(deal),
    })
}

/// Returns the move that a step describes; `None` if the move is not legal.
fn choose(step: &Step, choices: &Choices) -> Option<SeatMove> {
    match *step {
        Step::Fold(_) => choices.fold.then_some(SeatMove::Fold),
        Step::CheckOrCall(_) => choices.call.map(|_| SeatMove::Call),
        Step::BringIn(_) => choices.bring_in.map(|_| SeatMove::BringIn),
        // A raise with all chips, if these are no more than the bring-in.
        Step::RaiseTo(_, total) if choices.bring_in == Some(total) && choices.raise.is_none() => {
            Some(SeatMove::BringIn)
        }
        Step::RaiseTo(_, total) => {
            let fits = |&(lowest, highest): &(i64, i64)| (lowest..=highest).contains(&total);
            choices.raise.filter(fits).map(|_| SeatMove::RaiseTo(total))
        }
        _ => None,
    }
}

fn list_legal_actions(choices: &Choices, decimals: u8) -> Vec<String> {
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

/// Returns the deck of a hand with unknown cards filled in, and the set of known cards. It contains
/// all cards of the first player, all cards of the next and so on, then the community cards. `each`
/// is the number of places for the cards of one player, `cards_max` the maximum number of cards of
/// one player.
fn deck(
    hand: &Hand,
    each: usize,
    cards_max: usize,
) -> Result<([u8; card::DECK_SIZE], card::CardSet), ReplayError> {
    let players = hand.starting_stacks.len();
    let mut deck = [None; card::DECK_SIZE];
    let mut dealt = vec![0; players];
    // Known cards of each player.
    let mut held: Vec<card::CardSet> = vec![0; players];
    let mut folded = vec![false; players];
    let mut board = players * each;
    // Places for cards beyond a player's own places, in the order of the remaining deck.
    let mut spare: Option<std::vec::IntoIter<usize>> = None;
    for step in &hand.actions {
        match step {
            Step::Fold(player) if *player < players => folded[*player] = true,
            Step::DealBoard(cards) => {
                for &card in cards {
                    put(&mut deck, board, card)?;
                    board += 1;
                }
            }
            Step::DealHole(player, cards) if *player < players => {
                if dealt[*player] + cards.len() > cards_max {
                    return Err(ReplayError::Cards(format!(
                        "player {} is dealt more than {cards_max} cards",
                        player + 1
                    )));
                }
                for &card in cards {
                    let place = if dealt[*player] < each {
                        player * each + dealt[*player]
                    } else {
                        let places = spare
                            .get_or_insert_with(|| spare_places(each, &dealt, &folded).into_iter());
                        places.next().ok_or_else(|| {
                            ReplayError::Cards("the hand deals more cards than the deck has".into())
                        })?
                    };
                    put(&mut deck, place, card)?;
                    dealt[*player] += 1;
                    held[*player] |= card.map_or(0, |card| 1 << card);
                }
            }
            _ => {}
        }
    }
    // A hand that was dealt face down may be shown at the end.
    for step in &hand.actions {
        let Step::Show(player, cards) = step else {
            continue;
        };
        let Some(held) = held.get_mut(*player) else {
            continue;
        };
        for &card in cards.iter().take(each).flatten() {
            if *held & 1 << card != 0 {
                continue;
            }
            *held |= 1 << card;
            let mut places = player * each..(player + 1) * each;
            let Some(place) = places.find(|&place| deck[place].is_none()) else {
                // At a full table of stud, the last card lies on the board.
                if each < cards.len() {
                    continue;
                }
                return Err(ReplayError::Cards(format!(
                    "player {} shows {}, but was dealt other cards",
                    player + 1,
                    card::name(card).unwrap_or("?")
                )));
            };
            put(&mut deck, place, Some(card))?;
        }
    }
    Ok(fill_deck(deck))
}

/// Returns the places in the deck that no active player needs: the places after all hands, then
/// the undealt places of folded players. `each` is the number of places of one player.
fn spare_places(each: usize, dealt: &[usize], folded: &[bool]) -> Vec<usize> {
    let players = dealt.len();
    let undealt = (0..players).filter(|&player| folded[player]);
    let undealt = undealt.flat_map(|player| player * each + dealt[player]..(player + 1) * each);
    (players * each..card::DECK_SIZE).chain(undealt).collect()
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
