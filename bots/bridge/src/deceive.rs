//! Play that takes the defenders' reasoning into account (Kobayashi, Yamashita and Uehara,
//! "コンピュータブリッジにおいて ディフェンダーを惑わすプレイ", play in computer bridge that
//! misleads the defenders).
//!
//! What declarer plays is seen by the defenders, who take the deal to be another than it is. So a
//! card is not judged by what perfect defence makes of it but by what these defenders will make of
//! it: declarer deals candidates for the real deal, and in each lets them decide by the deals that
//! *they* would think of, which may well contradict declarer's own cards.

use crate::play::Play;
use crate::reason::{self, Reasoning, Tally, Tools};
use crate::thumb;
use crate::worlds::Worlds;
use hattari_plugin::bridge::{Card, CardSet, Holding, Seat, View};
use serde::{Deserialize, Serialize};

/// How far defenders' decisions are thought through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// The first one that a defender makes on lead, as in the paper: before it declarer's line,
    /// after it perfect play of all.
    First,
    /// Everybody's, to the end of the deal.
    All,
}

/// Which decisions are thought through; the others are made by ordinary reasoning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum When {
    /// With which card to win a trick, where ordinary reasoning has it that declarer, last to play
    /// from the own hand, wins it and several cards would: what the defenders' inference reads.
    #[default]
    Winning,
    /// All of declarer's, dummy's cards included.
    Always,
}

/// Where the candidates for the real deal come from.
#[derive(Clone, Copy)]
pub enum Source<'s> {
    /// The deals that declarer's view leaves open and that this accepts.
    Sampled(&'s dyn Fn(&[CardSet; 4]) -> bool),
    /// This one: for questions about a deal that is known.
    Known([CardSet; 4]),
}

/// A declarer who thinks about what the defenders think.
pub struct Deceiver {
    /// Candidates for the real deal.
    pub candidates: u32,
    /// How far it thinks.
    pub depth: Depth,
    /// Declarer's own reasoning.
    pub own: Reasoning,
    /// The reasoning that the defenders are taken to use; its samples are everybody's in imagined
    /// decisions.
    pub opponents: Reasoning,
    /// What the calls say.
    pub holdings: [Holding; 4],
    /// Cards by which declarer goes on to the first decision, before rules of thumb take over. See
    /// [`line_card`].
    pub line: Vec<Card>,
}

/// What has become of the cards in all candidates together.
#[derive(Clone, Debug, Default)]
pub struct Verdict {
    /// For each card, in the order asked for.
    pub tallies: Vec<Tally>,
    /// For each candidate, the tricks of every card; they are the same candidates for all cards.
    pub tricks: Vec<Vec<u8>>,
}

impl Deceiver {
    /// Judges `cards`, which are legal now.
    pub fn judge(
        &self,
        view: &View,
        cards: &[Card],
        source: Source<'_>,
        tools: &mut Tools,
    ) -> Verdict {
        let mut worlds = Worlds::of(view, &self.holdings, self.own.rules());
        let mut verdict = Verdict {
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
                    let hands = worlds.draw_some(&mut tools.rng);
                    if is_meant(&hands) {
                        break hands;
                    }
                },
            };
            let mut tricks = Vec::with_capacity(cards.len());
            for (&card, tally) in cards.iter().zip(&mut verdict.tallies) {
                let mut play = Play::of(view, hands);
                play.play(card);
                let taken = match self.depth {
                    Depth::First => self.first(play.clone(), tools),
                    Depth::All => self.all(play.clone(), tools),
                };
                tally.add(taken, play.goal());
                tricks.push(taken);
            }
            verdict.tricks.push(tricks);
        }
        verdict
    }

    /// Declarer's tricks if only the first defender on lead is misled.
    fn first(&self, mut play: Play, tools: &mut Tools) -> u8 {
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
            // Nothing that the defender believes agrees with what is seen: nobody is misled.
            return tools.solve(&play);
        };
        play.play(cards[reason::best(&tallies, &cards, false, self.opponents.win)]);
        tools.solve(&play)
    }

    /// Declarer's tricks if everybody goes on by ordinary reasoning to the end.
    fn all(&self, mut play: Play, tools: &mut Tools) -> u8 {
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

/// The next card of declarer's line: the first of `line` that has not been played, where it may be
/// played now; without one, and for defenders, the rules of thumb. Without any line declarer so
/// develops the longest suit.
#[must_use]
pub fn line_card(line: &[Card], play: &Play, turn: usize) -> Card {
    let (view, legal) = (play.view(), play.legal());
    let scripted = next_of(line, &view).filter(|card| legal.contains(card));
    scripted
        .filter(|_| Seat::ALL[turn].side() == play.declarers())
        .unwrap_or_else(|| thumb::choose(&view, &legal))
}

/// The first card of a line that nobody has played yet.
#[must_use]
pub fn next_of(line: &[Card], view: &View) -> Option<Card> {
    let gone = CardSet(view.played.iter().fold(0, |gone, played| gone | played));
    line.iter().copied().find(|&card| !gone.contains(card))
}

/// Reads a line such as `D5 DA CQ`.
///
/// # Errors
/// The word that is no card.
pub fn read_line(text: &str) -> Result<Vec<Card>, String> {
    text.split_whitespace()
        .map(|word| word.parse::<Card>().map_err(|error| error.to_string()))
        .collect()
}
