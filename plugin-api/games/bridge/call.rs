//! Calls, auctions and contracts (Laws of Duplicate Bridge 2017, laws 17 to 22).

use super::cards::{NotationError, Seat, Strain, Suit};
use std::fmt;
use std::str::FromStr;

/// A call of an auction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Call {
    /// A pass: no bid, double or redouble.
    Pass,
    /// A double of the last bid, which the opponents made.
    Double,
    /// A redouble of a bid of the caller's side that the opponents have doubled.
    Redouble,
    /// A bid: an undertaking to win `level` tricks more than six.
    Bid {
        /// Number of tricks above six, 1 to 7.
        level: u8,
        /// Trumps or no trumps.
        strain: Strain,
    },
}

impl Call {
    /// Returns the number of the call: 0 pass, 1 double, 2 redouble, 3 to 37 the bids from 1C to
    /// 7NT.
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Call::Pass => 0,
            Call::Double => 1,
            Call::Redouble => 2,
            Call::Bid { level, strain } => {
                // Suits are numbered from the highest.
                let place = match strain {
                    Strain::Trump(suit) => 3 - suit as u8,
                    Strain::NoTrump => 4,
                };
                3 + 5 * (level - 1) + place
            }
        }
    }

    /// Returns the call with this number, or `None` if there is none.
    pub fn from_number(number: u8) -> Option<Call> {
        match number {
            0 => Some(Call::Pass),
            1 => Some(Call::Double),
            2 => Some(Call::Redouble),
            3..=37 => {
                let bid = number - 3;
                Some(Call::Bid {
                    level: bid / 5 + 1,
                    strain: match bid % 5 {
                        4 => Strain::NoTrump,
                        place => Strain::Trump(Suit::ALL[usize::from(3 - place)]),
                    },
                })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Call::Pass => f.write_str("Pass"),
            Call::Double => f.write_str("X"),
            Call::Redouble => f.write_str("XX"),
            Call::Bid { level, strain } => write!(f, "{level}{strain}"),
        }
    }
}

impl FromStr for Call {
    type Err = NotationError;

    /// Parses `Pass`, `P`, `X`, `Dbl`, `XX`, `Rdbl`, `3NT`, `3N`, `4h`.
    fn from_str(text: &str) -> Result<Call, NotationError> {
        let error = || NotationError::new(text, "call", "Pass, X, XX or a bid such as 1H or 3NT");
        match text.to_ascii_uppercase().as_str() {
            "PASS" | "P" | "-" => Ok(Call::Pass),
            "X" | "D" | "DBL" | "DOUBLE" => Ok(Call::Double),
            "XX" | "R" | "RDBL" | "REDOUBLE" => Ok(Call::Redouble),
            bid => {
                let level = bid
                    .bytes()
                    .next()
                    .filter(|b| (b'1'..=b'7').contains(b))
                    .ok_or_else(error)?
                    - b'0';
                Ok(Call::Bid {
                    level,
                    strain: bid[1..].parse().map_err(|_| error())?,
                })
            }
        }
    }
}

/// The doubling of a contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Doubling {
    /// Not doubled.
    #[default]
    Undoubled,
    /// Doubled once.
    Doubled,
    /// Doubled and redoubled.
    Redoubled,
}

/// A contract: the number of tricks that declarer's side undertakes to win, and the trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// Number of tricks above six, 1 to 7.
    pub level: u8,
    /// Trumps or no trumps.
    pub strain: Strain,
    /// Not doubled, doubled or redoubled.
    pub doubling: Doubling,
    /// Seat of the declarer.
    pub declarer: Seat,
}

impl Contract {
    /// Returns the number of tricks needed to make the contract, 7 to 13.
    pub fn tricks(&self) -> u8 {
        6 + self.level
    }
}

impl fmt::Display for Contract {
    /// Writes the value of PBN's tag `Contract`: `3NT`, `4SX`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubling = ["", "X", "XX"][self.doubling as usize];
        write!(f, "{}{}{doubling}", self.level, self.strain)
    }
}

/// An illegal call: its number, from 1, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("call {0}")]
pub struct CallError(String);

/// An auction, complete or in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Auction {
    dealer: Seat,
    calls: Vec<Call>,
    last_bid: Option<(u8, Strain, Seat)>,
    doubling: Doubling,
    /// Number of passes since the last call that is not a pass.
    passes: usize,
}

impl Auction {
    /// Creates an auction in which `dealer` calls first.
    pub fn new(dealer: Seat) -> Auction {
        Auction {
            dealer,
            calls: Vec::new(),
            last_bid: None,
            doubling: Doubling::Undoubled,
            passes: 0,
        }
    }

    /// Creates an auction from calls.
    ///
    /// # Errors
    /// Returns an error for the first illegal call.
    pub fn of(dealer: Seat, calls: &[Call]) -> Result<Auction, CallError> {
        let mut auction = Auction::new(dealer);
        for &call in calls {
            auction.call(call)?;
        }
        Ok(auction)
    }

    /// Returns the seat that calls first.
    pub fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Returns the calls so far.
    pub fn calls(&self) -> &[Call] {
        &self.calls
    }

    /// Returns the seat to call.
    pub fn to_call(&self) -> Seat {
        self.dealer.after(self.calls.len())
    }

    /// Returns `true` after three passes that follow a bid, or after four passes without a bid.
    pub fn is_over(&self) -> bool {
        self.passes == if self.last_bid.is_some() { 3 } else { 4 }
    }

    /// Makes a call.
    ///
    /// # Errors
    /// Returns an error if the call is illegal; the auction is not changed.
    pub fn call(&mut self, call: Call) -> Result<(), CallError> {
        let place = self.calls.len() + 1;
        if self.is_over() {
            return Err(CallError(format!(
                "{place} comes after the auction has ended"
            )));
        }
        let seat = self.to_call();
        let is_ours = self
            .last_bid
            .map(|(_, _, bidder)| bidder.side() == seat.side());
        match (call, is_ours, self.doubling) {
            (Call::Pass, ..) => {}
            (Call::Double, Some(false), Doubling::Undoubled) => self.doubling = Doubling::Doubled,
            (Call::Redouble, Some(true), Doubling::Doubled) => self.doubling = Doubling::Redoubled,
            (Call::Double | Call::Redouble, ..) => {
                return Err(CallError(format!(
                    "{place}: {call} is not allowed; only a bid of the opponents can be doubled, \
                     and only their double can be redoubled"
                )));
            }
            (Call::Bid { level, strain }, ..) => {
                if let Some((level, strain, _)) = self.last_bid {
                    let last = Call::Bid { level, strain };
                    if call.number() <= last.number() {
                        return Err(CallError(format!(
                            "{place}: {call} is not higher than {last}"
                        )));
                    }
                }
                self.last_bid = Some((level, strain, seat));
                self.doubling = Doubling::Undoubled;
            }
        }
        self.passes = if call == Call::Pass {
            self.passes + 1
        } else {
            0
        };
        self.calls.push(call);
        Ok(())
    }

    /// Returns the contract, which is the last bid. The declarer is the player of the bidding side
    /// who first bid its strain. Returns `None` if the auction is not finished or all players
    /// passed.
    pub fn contract(&self) -> Option<Contract> {
        let (level, strain, bidder) = self.last_bid.filter(|_| self.is_over())?;
        let named = |&(n, call): &(usize, &Call)| {
            matches!(call, Call::Bid { strain: named, .. } if *named == strain)
                && self.dealer.after(n).side() == bidder.side()
        };
        let (first, _) = self.calls.iter().enumerate().find(named)?;
        Some(Contract {
            level,
            strain,
            doubling: self.doubling,
            declarer: self.dealer.after(first),
        })
    }
}
