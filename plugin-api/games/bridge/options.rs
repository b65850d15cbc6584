//! The options of the rules.

use super::call::{Auction, Call, Contract};
use super::cards::{Card, Seat, Side};
use super::constraints::HandConstraints;
use super::deal::Deal;
use super::luck::Luck;
use super::trick::{playable_cards, winner_index};
use crate::{choices, options};

choices! {
    /// The sides with higher bonuses and penalties.
    pub enum Vulnerable {
        /// No side.
        None,
        /// North and South.
        NorthSouth,
        /// East and West.
        EastWest,
        /// Both sides.
        Both,
    }
}

impl Vulnerable {
    /// Returns `true` if `side` is vulnerable.
    #[must_use]
    pub fn includes(self, side: Side) -> bool {
        match self {
            Vulnerable::None => false,
            Vulnerable::Both => true,
            Vulnerable::NorthSouth => side == Side::NorthSouth,
            Vulnerable::EastWest => side == Side::EastWest,
        }
    }
}

choices! {
    /// The score of a duplicate deal, which is played twice with the sides swapped.
    pub enum Scoring {
        /// International match points for the sum of the two scores.
        Imps,
        /// 1 for the better of the two results, -1 for the worse.
        BoardAMatch,
        /// The sum of the two scores.
        Points,
        /// The number of tricks of declarer's side, for duplicate and other deals; the defenders
        /// lose the same number.
        Tricks,
        /// 1 if the contract is made and 0 if it fails, for duplicate and other deals; the
        /// defenders lose the same number.
        Contracts,
    }
}

options! {
    /// The options of the rules. The default is the preset `3nt`.
    pub struct Options {
        /// First seat to call: N, E, S or W.
        pub dealer: Seat = Seat::South,
        /// Vulnerable sides: `none`, `north-south`, `east-west` or `both`.
        pub vulnerable: Vulnerable = Vulnerable::None,
        /// Calls from the dealer to the three final passes. They determine the contract; bots see
        /// them.
        pub auction: String = "1NT Pass 3NT Pass Pass Pass".into(),
        /// Score of a deal: `imps`, `board-a-match`, `points`, `tricks` or `contracts`. The first
        /// three apply to duplicate deals only; other deals have the score of their contract.
        pub scoring: Scoring = Scoring::Imps,
        /// Constraints on declarer's hand.
        pub declarer: HandConstraints = HandConstraints {
            hcp: [15, 17],
            balanced: true,
            ..HandConstraints::default()
        },
        /// Constraints on dummy's hand.
        pub dummy: HandConstraints = HandConstraints {
            hcp: [10, 14],
            spades: [0, 3],
            hearts: [0, 3],
            ..HandConstraints::default()
        },
        /// Constraints on the hand of the defender who leads.
        pub leader: HandConstraints = HandConstraints::default(),
        /// Constraints on the hand of the other defender.
        pub partner: HandConstraints = HandConstraints::default(),
        /// Deals in PBN notation. Blocks play them in turn and start again after the last. If the
        /// list is empty, all deals are random.
        pub deals: Vec<String> = Vec::new(),
        /// Cards that are played before the first decision: `S7 S2 SJ`. They must be legal in all
        /// `deals`.
        pub played: String = String::new(),
        /// Measure of luck: `none`, or `double-dummy` (about 100 ms of CPU time per deal).
        #[serde(skip_serializing_if = "Luck::is_none")]
        pub luck: Luck = Luck::None,
    }
    presets {
        /// - `3nt`: South opens 1NT with 15 to 17 points and a balanced hand, and plays 3NT. North
        ///   has 10 to 14 points and no four-card major.
        "3nt" {},
        /// - `1nt`: South opens 1NT with the same hands and plays 1NT. North has 0 to 7 points.
        "1nt" {
            auction: "1NT Pass Pass Pass".into(),
            dummy: HandConstraints {
                hcp: [0, 7],
                ..HandConstraints::default()
            },
        },
        /// - `random`: South plays 1NT with any cards.
        "random" {
            auction: "1NT Pass Pass Pass".into(),
            declarer: HandConstraints::default(),
            dummy: HandConstraints::default(),
        },
    }
}

/// The options after parsing and checking.
#[derive(Clone, Debug)]
pub struct BridgeSetup {
    /// Complete auction, in which some player has bid.
    pub auction: Auction,
    /// Contract of the auction.
    pub contract: Contract,
    /// `true` if declarer's side is vulnerable.
    pub is_vulnerable: bool,
    /// Constraints on the hand of each seat, North first.
    pub holdings: [HandConstraints; 4],
    /// Given deals, in the order in which blocks play them; empty if all deals are random.
    pub deals: Vec<Deal>,
    /// Cards that are played before the first decision, in order.
    pub played: Vec<Card>,
}

/// Maximum number of calls in an auction, limited by the size of views.
pub const CALLS_MAX: usize = 64;

impl Options {
    /// Parses and checks the options.
    ///
    /// # Errors
    /// Returns an error that names the invalid option and the remedy.
    pub fn setup(&self) -> Result<BridgeSetup, String> {
        let calls: Result<Vec<Call>, _> = self
            .auction
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .map(str::parse)
            .collect();
        let calls = calls.map_err(|error| format!("auction: {error}"))?;
        if CALLS_MAX < calls.len() {
            return Err(format!(
                "auction has {} calls, but at most {CALLS_MAX} are allowed",
                calls.len()
            ));
        }
        let auction =
            Auction::of(self.dealer, &calls).map_err(|error| format!("auction: {error}"))?;
        let contract = auction.contract().ok_or(
            "auction: there is no contract; the auction needs a bid and three passes at the end"
                .to_owned(),
        )?;
        let mut holdings = [HandConstraints::default(); 4];
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
        let deals = self.deals.iter().map(|text| read_deal(text));
        let deals = deals.collect::<Result<Vec<Deal>, String>>()?;
        let played: Result<Vec<Card>, _> = self.played.split_whitespace().map(str::parse).collect();
        let played = played.map_err(|error| format!("played: {error}"))?;
        if !played.is_empty() && deals.is_empty() {
            return Err("played: cards can be played in advance only if `deals` are given".into());
        }
        for deal in &deals {
            check_play(deal, &contract, &played)
                .map_err(|what| format!("played: {what} (deal `{deal}`)"))?;
        }
        let is_vulnerable = self.vulnerable.includes(contract.declarer.side());
        Ok(BridgeSetup {
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
    for seat in Seat::ALL {
        let cards = deal.hands[seat as usize].len();
        if cards != 13 {
            return Err(format!("deals: {seat} has {cards} cards, must have 13"));
        }
    }
    Ok(deal)
}

fn check_play(deal: &Deal, contract: &Contract, played: &[Card]) -> Result<(), String> {
    let mut hands = deal.hands;
    let mut leader = contract.declarer.after(1);
    for trick in played.chunks(4) {
        for (n, &card) in trick.iter().enumerate() {
            let seat = leader.after(n);
            let led = (n > 0).then(|| trick[0]);
            if !playable_cards(hands[seat as usize], led).contains(card) {
                return Err(format!("{seat} may not play {card}"));
            }
            hands[seat as usize].remove(card);
        }
        if trick.len() == 4 {
            leader = leader.after(winner_index(trick, contract.strain));
        }
    }
    if hands.iter().all(|hand| hand.is_empty()) {
        Err("all cards are already played; at least one must be left".into())
    } else {
        Ok(())
    }
}
