//! Play that takes the defenders' reasoning into account (Kobayashi, Yamashita and Uehara,
//! "コンピュータブリッジにおいて ディフェンダーを惑わすプレイ", play in computer bridge that misleads the defenders).
//!
//! Defenders infer hidden cards from the cards that declarer plays, and can be wrong. A card is
//! therefore judged not by perfect defence, but by the defence that these defenders will choose.
//! Declarer samples candidates for the real deal. In each candidate, the defenders decide by the
//! deals that *they* consider possible. Such deals can contradict declarer's own cards.

use crate::play::OpenDeal;
use crate::reason::{self, Reasoning, Tally, Tools};
use crate::thumb;
use crate::worlds::Worlds;
use hattari_plugin::bridge::{Card, CardSet, HandConstraints, Seat, View};
use hattari_plugin::games::cards::union_of;

hattari_plugin::games::choices! {
    /// The decisions of declarer that take the defenders' reasoning into account. All other
    /// decisions are made by ordinary reasoning.
    pub enum DeceptionScope {
        /// Choices between several cards that win the trick, if declarer plays the last card of a
        /// trick from its own hand and ordinary reasoning would win it. The defenders draw
        /// conclusions from such choices.
        Winning,
        /// All decisions of declarer, including those on dummy's cards.
        Always,
    }
}

/// The source of candidates for the real deal.
pub enum Source<'s> {
    /// Sampled deals that are consistent with declarer's view and for which the function returns
    /// `true`.
    Sampled(&'s dyn Fn(&[CardSet; 4]) -> bool),
    /// A known deal. Values are then those in this deal, not averages.
    Known([CardSet; 4]),
}

/// A declarer that takes the defenders' reasoning into account.
pub struct Deceiver {
    /// Number of candidates for the real deal.
    pub candidates: u32,
    /// Models all decisions of defenders until the end of the deal, that is, predicts them from
    /// their assumed reasoning. Otherwise, only the first decision of a defender on lead is
    /// modelled, as in the paper. Before this decision, declarer follows a line of play; after it,
    /// all players play double dummy.
    pub models_all: bool,
    /// Declarer's own reasoning.
    pub own: Reasoning,
    /// Assumed reasoning of the defenders. Its numbers of samples are used for all players in
    /// modelled decisions.
    pub opponents: Reasoning,
    /// Strength and suit lengths that the calls promise for each hand, by seat.
    pub holdings: [HandConstraints; 4],
    /// Cards that declarer plays first, in this order, until the first modelled decision. Then
    /// rules of thumb choose the cards; see [`line_card`].
    pub line: Vec<Card>,
}

/// The results of playing each card in all candidates.
#[derive(Debug, Default)]
pub struct CardResults {
    /// Result of each card, in the order in which the cards were given.
    pub tallies: Vec<Tally>,
    /// For each candidate, the tricks of declarer's side after every card. All cards are judged on
    /// the same candidates.
    pub tricks: Vec<Vec<u8>>,
}

impl Deceiver {
    /// Plays each of `cards`, which must be legal, in all candidates, and returns the results.
    pub fn judge(
        &self,
        view: &View,
        cards: &[Card],
        source: Source<'_>,
        tools: &mut Tools,
    ) -> CardResults {
        let mut worlds = Worlds::of(view, &self.holdings, self.own.rules());
        let mut results = CardResults {
            tallies: vec![Tally::default(); cards.len()],
            tricks: Vec::new(),
        };
        for candidate in 0..self.candidates {
            if candidate > 0 && tools.is_late() {
                break;
            }
            let hands = match source {
                Source::Known(hands) => hands,
                Source::Sampled(is_meant) => loop {
                    let hands = worlds.draw_relaxed(&mut tools.rng);
                    if is_meant(&hands) {
                        break hands;
                    }
                },
            };
            let mut tricks = Vec::with_capacity(cards.len());
            for (&card, tally) in cards.iter().zip(&mut results.tallies) {
                let mut play = OpenDeal::of(view, hands);
                play.play(card);
                let goal = play.goal();
                let taken = if self.models_all {
                    self.model_all_decisions(play, tools)
                } else {
                    self.model_first_decision(play, tools)
                };
                tally.add(taken, goal);
                tricks.push(taken);
            }
            results.tricks.push(tricks);
        }
        results
    }

    /// Returns the tricks of declarer's side if only the first decision of a defender on lead is
    /// modelled.
    fn model_first_decision(&self, mut play: OpenDeal, tools: &mut Tools) -> u8 {
        while let Some(turn) = play.turn().filter(|_| !play.is_defenders_lead()) {
            let card = line_card(&self.line, &play, turn);
            play.play(card);
        }
        if play.turn().is_none() {
            return play.won();
        }
        let (view, cards) = (play.view(), play.legal());
        let Some(tallies) =
            reason::judge(&view, &cards, &self.opponents, &self.holdings, tools, true)
        else {
            // No deal agrees with the defender's rules and view, so the defender is not misled.
            return tools.solve(&play);
        };
        play.play(cards[reason::best(&tallies, &cards, false, self.opponents.win)]);
        tools.solve(&play)
    }

    /// Returns the tricks of declarer's side if all players use ordinary reasoning until the end.
    fn model_all_decisions(&self, mut play: OpenDeal, tools: &mut Tools) -> u8 {
        let Reasoning {
            samples,
            samples_max,
            exact,
            ..
        } = self.opponents;
        let declarer = Reasoning {
            samples,
            samples_max,
            exact,
            ..self.own
        };
        while play.turn().is_some() {
            let (view, cards) = (play.view(), play.legal());
            let reasoning = if view.seat == view.declarer {
                &declarer
            } else {
                &self.opponents
            };
            play.play(reason::choose(
                &view,
                &cards,
                reasoning,
                &self.holdings,
                tools,
            ));
        }
        play.won()
    }
}

/// Returns the next card of declarer's line: the first card of `line` that has not been played, if
/// it is legal. Otherwise, and for defenders, returns the card that the rules of thumb play. With
/// an empty line, declarer thus develops the longest suit.
pub fn line_card(line: &[Card], play: &OpenDeal, turn: usize) -> Card {
    let (view, legal) = (play.view(), play.legal());
    let scripted = next_unplayed(line, &view).filter(|card| legal.contains(card));
    scripted
        .filter(|_| Seat::ALL[turn].side() == play.declarer_side())
        .unwrap_or_else(|| thumb::choose(&view, &legal))
}

/// Returns the first card of a line that has not been played, or `None` if all have been played.
pub(crate) fn next_unplayed(line: &[Card], view: &View) -> Option<Card> {
    let gone = CardSet(union_of(&view.played));
    line.iter().copied().find(|&card| !gone.contains(card))
}

/// Parses a line such as `D5 DA CQ`.
///
/// # Errors
/// Returns an error with the first word that is not a card.
pub fn read_line(text: &str) -> Result<Vec<Card>, String> {
    text.split_whitespace()
        .map(|word| word.parse::<Card>().map_err(|error| error.to_string()))
        .collect()
}
