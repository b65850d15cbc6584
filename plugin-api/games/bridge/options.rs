//! The switches of the rules.

use super::call::{Auction, Call, Contract};
use super::cards::{Card, CardSet, Seat, Side};
use super::deal::Deal;
use super::luck::Luck;
use super::trick::{follow, winner};
use serde::{Deserialize, Serialize};

/// Who is vulnerable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vulnerable {
    /// Nobody.
    #[default]
    None,
    /// North and South.
    NorthSouth,
    /// East and West.
    EastWest,
    /// Both sides.
    Both,
}

impl Vulnerable {
    /// Whether a side is.
    #[must_use]
    pub fn is(self, side: Side) -> bool {
        match self {
            Vulnerable::None => false,
            Vulnerable::Both => true,
            Vulnerable::NorthSouth => side == Side::NorthSouth,
            Vulnerable::EastWest => side == Side::EastWest,
        }
    }
}

/// What a deal counts where it is duplicated: played a second time with the sides swapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scoring {
    /// International match points for the two scores added up.
    #[default]
    Imps,
    /// 1 for the better of the two results, -1 for the worse.
    BoardAMatch,
    /// The two scores added up.
    Points,
    /// No score at all but tricks, duplicated or not: declarer's side gains what it takes, the
    /// defenders lose as much.
    Tricks,
    /// 1 for a contract that makes, 0 for one that fails, duplicated or not; the defenders lose as
    /// much.
    Contracts,
}

/// What is asked of a hand when cards are dealt; what is not given may be anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Holding {
    /// Least and most high-card points.
    pub hcp: [u8; 2],
    /// Only 4-3-3-3, 4-4-3-2 and 5-3-3-2.
    pub balanced: bool,
    /// Fewest and most spades.
    pub spades: [u8; 2],
    /// Fewest and most hearts.
    pub hearts: [u8; 2],
    /// Fewest and most diamonds.
    pub diamonds: [u8; 2],
    /// Fewest and most clubs.
    pub clubs: [u8; 2],
}

impl Default for Holding {
    fn default() -> Self {
        let any = [0, 13];
        Holding {
            hcp: [0, 37],
            balanced: false,
            spades: any,
            hearts: any,
            diamonds: any,
            clubs: any,
        }
    }
}

impl Holding {
    /// Whether a hand is such a one.
    #[must_use]
    pub fn fits(&self, hand: CardSet) -> bool {
        let within = |[least, most]: [u8; 2], n: u32| u32::from(least) <= n && n <= u32::from(most);
        let lengths = hand.lengths();
        let bounds = [self.spades, self.hearts, self.diamonds, self.clubs];
        within(self.hcp, hand.high_card_points().into())
            && bounds
                .into_iter()
                .zip(lengths)
                .all(|(bounds, length)| within(bounds, length))
            && (!self.balanced || is_balanced(lengths))
    }
}

/// Whether these lengths are 4-3-3-3, 4-4-3-2 or 5-3-3-2.
#[must_use]
pub fn is_balanced(lengths: [u32; 4]) -> bool {
    let doubletons = lengths.iter().filter(|&&length| length == 2).count();
    lengths.iter().all(|length| (2..=5).contains(length)) && doubletons <= 1
}

/// Every switch of the rules. The default is the preset `3nt`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Options {
    /// Who calls first: N, E, S or W.
    pub dealer: Seat,
    /// `none`, `north-south`, `east-west` or `both`.
    pub vulnerable: Vulnerable,
    /// The calls, from the dealer on, to the three passes at the end. They make the contract; bots
    /// see them.
    pub auction: String,
    /// What a duplicated deal counts: `imps`, `board-a-match` or `points`; a deal that is not
    /// duplicated counts its score. Or, duplicated or not, `tricks` or `contracts` made.
    pub scoring: Scoring,
    /// What declarer is dealt.
    pub declarer: Holding,
    /// What dummy is dealt.
    pub dummy: Holding,
    /// What the defender on lead is dealt.
    pub leader: Holding,
    /// What the other defender is dealt.
    pub partner: Holding,
    /// Deals as PBN writes them, played in turn from block to block, again from the first after
    /// the last; without them all cards are dealt at random.
    pub deals: Vec<String>,
    /// Cards that are played before anybody is asked: `S7 S2 SJ`. Needs `deals` in which they can
    /// be played.
    pub played: String,
    /// Measure of luck: `none`, or `double-dummy` (some 100 ms of processor time for each deal
    /// that is played).
    #[serde(skip_serializing_if = "Luck::is_none")]
    pub luck: Luck,
}

impl Default for Options {
    fn default() -> Self {
        let any = Holding::default();
        Options {
            dealer: Seat::South,
            vulnerable: Vulnerable::None,
            auction: "1NT Pass 3NT Pass Pass Pass".into(),
            scoring: Scoring::Imps,
            declarer: Holding {
                hcp: [15, 17],
                balanced: true,
                ..any
            },
            dummy: Holding {
                hcp: [10, 14],
                spades: [0, 3],
                hearts: [0, 3],
                ..any
            },
            leader: any,
            partner: any,
            deals: Vec::new(),
            played: String::new(),
            luck: Luck::None,
        }
    }
}

/// Options, read and checked.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The calls.
    pub auction: Auction,
    /// What they came to.
    pub contract: Contract,
    /// Whether declarer's side is vulnerable.
    pub is_vulnerable: bool,
    /// What each seat is dealt, North first.
    pub holdings: [Holding; 4],
    /// Deals to draw from.
    pub deals: Vec<Deal>,
    /// Cards played before the first decision.
    pub played: Vec<Card>,
}

/// Most calls of an auction that a view has room for.
pub const CALLS_MAX: usize = 64;

impl Options {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["3nt", "1nt", "random"];

    /// The preset of that name.
    ///
    /// - `3nt`: South opens 1NT with 15 to 17 balanced points and plays 3NT opposite 10 to 14
    ///   without a major of four.
    /// - `1nt`: South opens 1NT with 15 to 17 balanced points and plays there opposite 0 to 7
    ///   points.
    /// - `random`: South plays 1NT, whatever the cards.
    #[must_use]
    pub fn preset(name: &str) -> Option<Options> {
        let three = Options::default();
        let any = Holding::default();
        let auction = || "1NT Pass Pass Pass".into();
        match name {
            "3nt" => Some(three),
            "1nt" => Some(Options {
                auction: auction(),
                dummy: Holding { hcp: [0, 7], ..any },
                ..three
            }),
            "random" => Some(Options {
                auction: auction(),
                declarer: any,
                dummy: any,
                ..three
            }),
            _ => None,
        }
    }

    /// Reads and checks everything.
    ///
    /// # Errors
    /// The option that is wrong, and what would be right.
    pub fn setting(&self) -> Result<Setting, String> {
        let calls: Result<Vec<Call>, _> = self
            .auction
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(str::parse)
            .collect();
        let calls = calls.map_err(|error| format!("auction: {error}"))?;
        if CALLS_MAX < calls.len() {
            return Err(format!(
                "auction has {} calls, but at most {CALLS_MAX} are possible",
                calls.len()
            ));
        }
        let auction =
            Auction::of(self.dealer, &calls).map_err(|error| format!("auction: {error}"))?;
        let contract = auction.contract().ok_or(
            "auction: there is no contract; the auction needs a bid and three passes at the end"
                .to_owned(),
        )?;
        let mut holdings = [Holding::default(); 4];
        for (name, steps, holding) in [
            ("declarer", 0, self.declarer),
            ("leader", 1, self.leader),
            ("dummy", 2, self.dummy),
            ("partner", 3, self.partner),
        ] {
            let bounds = [
                holding.hcp,
                holding.spades,
                holding.hearts,
                holding.diamonds,
                holding.clubs,
            ];
            if bounds.iter().any(|[least, most]| most < least) {
                return Err(format!(
                    "{name}: the upper bound of a range must not be less than the lower bound"
                ));
            }
            holdings[contract.declarer.after(steps) as usize] = holding;
        }
        let deals: Result<Vec<Deal>, String> =
            self.deals.iter().map(|text| read_deal(text)).collect();
        let deals = deals?;
        let played: Result<Vec<Card>, _> = self.played.split_whitespace().map(str::parse).collect();
        let played = played.map_err(|error| format!("played: {error}"))?;
        if !played.is_empty() && deals.is_empty() {
            return Err("played: this option is possible only with given `deals`".into());
        }
        for deal in &deals {
            check_play(deal, &contract, &played)
                .map_err(|what| format!("played: {what} in {deal}"))?;
        }
        let is_vulnerable = self.vulnerable.is(contract.declarer.side());
        Ok(Setting {
            auction,
            contract,
            is_vulnerable,
            holdings,
            deals,
            played,
        })
    }
}

fn read_deal(text: &str) -> Result<Deal, String> {
    let deal: Deal = text.parse().map_err(|error| format!("deals: {error}"))?;
    match Seat::ALL
        .into_iter()
        .find(|&seat| deal.hands[seat as usize].len() != 13)
    {
        Some(seat) => Err(format!(
            "deals: {seat} has {} cards, must have 13",
            deal.hands[seat as usize].len()
        )),
        None => Ok(deal),
    }
}

fn check_play(deal: &Deal, contract: &Contract, played: &[Card]) -> Result<(), String> {
    let mut hands = deal.hands;
    let mut leader = contract.declarer.after(1);
    for trick in played.chunks(4) {
        for (n, &card) in trick.iter().enumerate() {
            let seat = leader.after(n);
            let led = (n > 0).then(|| trick[0]);
            if !follow(hands[seat as usize], led).contains(card) {
                return Err(format!("{seat} may not play {card}"));
            }
            hands[seat as usize].remove(card);
        }
        if trick.len() == 4 {
            leader = leader.after(winner(trick, contract.strain));
        }
    }
    if hands.iter().all(|hand| hand.is_empty()) {
        Err("all cards are already played; at least one must be left".into())
    } else {
        Ok(())
    }
}
