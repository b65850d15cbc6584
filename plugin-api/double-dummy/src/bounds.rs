//! Bounds on the number of tricks, computed without search: tricks that the side on lead can cash
//! immediately, and tricks that the other side takes against any play.
//!
//! The functions for these bounds also return the cards whose ranks the bound depends on.

use crate::order::highest;
use crate::search::LANES;

/// Returns the cards of a suit that are higher than every card of `below`.
#[inline]
fn above(cards: u64, below: u64) -> u64 {
    if below == 0 {
        cards
    } else {
        cards & (!0 << (64 - below.leading_zeros()))
    }
}

/// Returns the lowest card of a set within one suit; 0 if the set is empty.
#[inline]
fn lowest(cards: u64) -> u64 {
    cards & cards.wrapping_neg()
}

/// Returns the `n`-th highest card, counted from 1; 0 if `n` is 0 or one more than the number of
/// cards. `n` must not be greater.
#[inline]
pub(crate) fn nth_highest(mut cards: u64, n: u32) -> u64 {
    if n == 0 {
        return 0;
    }
    for _ in 1..n {
        cards &= !(1 << (63 - cards.leading_zeros()));
    }
    highest(cards)
}

/// Returns the number of cards of each suit in each hand: 16 bits per suit, with 4 bits per seat.
pub(crate) fn lengths(hands: &[u64; 4]) -> u64 {
    let length = |n: usize| u64::from((hands[n % 4] & LANES[n / 4]).count_ones()) << (4 * n);
    (0..16).map(length).sum()
}

/// The hands before a lead.
pub(crate) struct Lead<'h> {
    /// Cards held by each seat.
    pub hands: &'h [u64; 4],
    /// Numbers of cards in `hands`, packed by [`lengths`].
    pub lengths: u64,
    /// Seat to lead.
    pub leader: usize,
    /// Trump suit, or 4 for no trumps.
    pub trump: usize,
}

impl Lead<'_> {
    /// Returns the hands and their lengths in turn order, starting with the leader.
    #[inline]
    fn in_turn(&self) -> ([u64; 4], u64) {
        let hands = [0, 1, 2, 3].map(|n| self.hands[(self.leader + n) & 3]);
        let stays = (0xffff >> (4 * self.leader)) * 0x0001_0001_0001_0001;
        let lengths = self.lengths >> (4 * self.leader) & stays
            | self.lengths << (16 - 4 * self.leader) & !stays;
        (hands, lengths)
    }
}

#[inline]
fn lengths_in(lengths: u64, suit: usize) -> [u32; 4] {
    [0, 4, 8, 12].map(|seat| (lengths >> (16 * suit + seat) & 15) as u32)
}

/// Numbers of tricks that the leader's side can cash in one suit: the leader's, and partner's after
/// the leader has led the suit to partner.
#[derive(Clone, Copy, Default)]
struct CashableTricks {
    leader: u32,
    partner: u32,
    /// `true` if the leader can lead the suit to partner's winners.
    crosses: bool,
    /// Cards whose ranks these numbers depend on.
    ranks: u64,
}

/// Counts the tricks that the leader's side can cash in a suit. The arrays are the cards and
/// lengths of the hands in this suit, in turn order. `safe` is the number of rounds that no
/// opponent can ruff.
#[inline(always)]
fn cashable_rounds(
    [m, o, p, q]: [u64; 4],
    [own, left, partners, right]: [u32; 4],
    safe: u32,
) -> CashableTricks {
    let opponents = o | q;
    // A side without the highest card of the suit can cash no trick.
    if m | p <= opponents {
        return CashableTricks::default();
    }
    let opposed = left.max(right);
    if own == 0 {
        let run = above(p, opponents);
        let tricks = run.count_ones();
        let partner = if tricks >= opposed { partners } else { tricks }.min(safe);
        return CashableTricks {
            leader: 0,
            partner,
            crosses: false,
            ranks: if partner == 0 {
                0
            } else {
                nth_highest(run, partner.min(opposed))
            },
        };
    }
    let top = above(m, p | opponents);
    let tops = top.count_ones();
    let others = opposed.max(partners);
    let mut result = if tops >= others {
        // The leader's highest cards exhaust the suit in all other hands.
        CashableTricks {
            leader: own,
            partner: 0,
            crosses: false,
            ranks: nth_highest(m, others),
        }
    } else {
        let (run, run_p) = (above(m, opponents), above(p, opponents));
        let (a, b) = (run.count_ones(), run_p.count_ones());
        if partners - b >= a {
            // Partner can play a low card to each winner of the leader.
            let partner = if a + b >= opposed.max(own) {
                partners - a
            } else {
                b
            };
            CashableTricks {
                leader: a,
                partner,
                crosses: own > a,
                ranks: lowest(run | run_p),
            }
        } else {
            let rest = m & !top;
            let next = above(p, rest | opponents);
            let left = partners.saturating_sub(tops);
            let cashed = next.count_ones().min(left);
            let partner = if tops + cashed >= opposed.max(own) {
                left
            } else {
                cashed
            };
            let ranks = if cashed > 0 {
                lowest(next)
            } else {
                lowest(top)
            };
            CashableTricks {
                leader: tops,
                partner,
                crosses: own > tops,
                ranks,
            }
        }
    };
    if result.leader >= safe {
        result.leader = safe;
        result.partner = 0;
    }
    result.partner = result.partner.min(safe - result.leader);
    result.crosses &= result.partner > 0;
    if result.leader + result.partner == 0 {
        result.ranks = 0;
    }
    result
}

/// Checks whether the leader's side can cash `need` tricks immediately if the lead moves to partner
/// at most once. Returns the cards whose ranks this depends on, or `None` if the check fails.
///
/// If `first` is a suit, the leader must be able to cash a trick in it, and cashes it first.
#[inline]
pub(crate) fn cashable(lead: &Lead<'_>, need: u32, first: Option<usize>) -> Option<u64> {
    if lead.trump < 4 {
        return cashable_with_trumps(lead, need, first);
    }
    let (from_me, lengths) = lead.in_turn();
    let me = from_me[0];
    let mut suits = [CashableTricks::default(); 4];
    let (mut own, mut partners, mut crosses) = (0, 0, false);
    for (suit, &t) in LANES.iter().enumerate() {
        let side = cashable_rounds(from_me.map(|hand| hand & t), lengths_in(lengths, suit), 13);
        if first == Some(suit) && side.leader == 0 {
            return None;
        }
        if side.leader >= need && first.is_none_or(|first| first == suit) {
            return Some(own_ranks(&side, me & t, need));
        }
        own += side.leader;
        partners += side.partner;
        crosses |= side.crosses;
        suits[suit] = side;
    }
    if own >= need {
        return Some(fewest_ranks(&mut suits, me, need, first));
    }
    (crosses && own + partners >= need)
        .then(|| suits.iter().fold(0, |ranks, side| ranks | side.ranks))
}

/// Selects `need` winning rounds of the leader in as few suits as possible, starting with the suit
/// `first` if it is given. Returns the cards whose ranks these rounds depend on.
fn fewest_ranks(suits: &mut [CashableTricks; 4], me: u64, need: u32, first: Option<usize>) -> u64 {
    let (mut left, mut ranks, mut next) = (need, 0, first);
    while left > 0 {
        let longest = || (0..4).max_by_key(|&suit| suits[suit].leader).unwrap_or(0);
        let suit = next.take().unwrap_or_else(longest);
        let taken = suits[suit].leader.min(left);
        ranks |= own_ranks(&suits[suit], me & LANES[suit], taken);
        suits[suit].leader = 0;
        left -= taken;
    }
    ranks
}

/// Returns the cards whose ranks the first `taken` rounds of the leader in a suit depend on.
#[inline]
fn own_ranks(side: &CashableTricks, own: u64, taken: u32) -> u64 {
    // Only the high cards down to the lowest of `side.ranks` win by rank. Later rounds are won
    // because the other hands are out of the suit.
    let named = (own & side.ranks.wrapping_neg()).count_ones();
    nth_highest(own, taken.min(named))
}

/// Does the same as [`cashable`] for a trump contract, with two lines of play. One draws trumps
/// first and then cashes plain suits. The other cashes plain suits while all hands follow, and
/// takes [`trump_tricks`] later.
fn cashable_with_trumps(lead: &Lead<'_>, need: u32, first: Option<usize>) -> Option<u64> {
    let (from_me, lengths) = lead.in_turn();
    let (me, trump) = (from_me[0], lead.trump);
    let t = LANES[trump];
    let trump_lengths = lengths_in(lengths, trump);
    let trumps = cashable_rounds(from_me.map(|hand| hand & t), trump_lengths, 13);
    if first == Some(trump) && trumps.leader == 0 {
        return None;
    }
    if trumps.leader >= need && first.is_none_or(|first| first == trump) {
        return Some(nth_highest(me & t, need));
    }
    let n = me.count_ones();
    let mut ranks = trumps.ranks;
    let (mut own, mut partners, mut crosses) = (0, 0, false);
    // If a round of trumps must come first, it needs the highest trump, whatever later rounds
    // depend on.
    let (mut early, mut early_ranks) = (
        0,
        if first == Some(trump) {
            nth_highest(me & t, 1)
        } else {
            0
        },
    );
    for (suit, &lane) in LANES.iter().enumerate() {
        if suit == trump {
            continue;
        }
        // Number of rounds that no opponent can ruff: `safe` after drawing as many trumps as
        // possible, `safe_early` before.
        let (mut safe, mut safe_early) = (13, 13);
        let in_suit = lengths_in(lengths, suit);
        for opponent in [1, 3] {
            let (length, trumps_left) = (in_suit[opponent], trump_lengths[opponent]);
            if trumps_left > 0 {
                safe_early = length.min(safe_early);
            }
            if trumps_left > trumps.leader {
                safe = length.min(safe);
            }
        }
        let side = cashable_rounds(from_me.map(|hand| hand & lane), in_suit, safe);
        let tricks = side.leader.min(safe_early);
        if first == Some(suit) && tricks == 0 {
            return None;
        }
        if tricks > 0 {
            early += tricks;
            early_ranks |= own_ranks(&side, me & lane, tricks);
        }
        own += side.leader;
        partners += side.partner;
        crosses |= side.crosses;
        ranks |= side.ranks;
    }
    // Both hands of the side must keep plain cards: a forced ruff would move the lead.
    let (own_plain, partner_plain) = (n - trump_lengths[0], n - trump_lengths[2]);
    if early > 0 && early <= partner_plain {
        if early >= need {
            return Some(early_ranks);
        }
        if let Some(of_trumps) = trump_tricks(lead.hands, lead.leader, trump, need - early) {
            return Some(early_ranks | of_trumps);
        }
    }
    let thrown = trumps.leader.saturating_sub(trump_lengths[2]);
    let tricks = if own + thrown > partner_plain {
        trumps.leader + partner_plain.saturating_sub(thrown).min(own)
    } else {
        let own_trumps = trump_lengths[0] - trumps.leader;
        let own_thrown = trumps.partner.saturating_sub(own_trumps);
        let partners = partners
            .min(partner_plain - own - thrown)
            .min(own_plain.saturating_sub(own + own_thrown));
        let crosses = crosses && partners > 0 || trumps.crosses;
        trumps.leader
            + own
            + if crosses {
                partners + trumps.partner
            } else {
                0
            }
    };
    (tricks.min(n) >= need).then_some(ranks)
}

/// Checks whether the leader's opponents take at least `need` tricks against any play. Returns the
/// cards whose ranks this depends on, or `None` if the check fails.
#[inline]
pub(crate) fn certain_tricks(lead: &Lead<'_>, need: u32) -> Option<u64> {
    if lead.trump < 4 {
        return trump_tricks(lead.hands, lead.leader ^ 1, lead.trump, need);
    }
    let ([me, left, partner, right], _) = lead.in_turn();
    // Whichever suit is led, an opponent wins the trick with the highest card of the suit and then
    // leads.
    let (mut by_left, mut by_right, mut ranks) = (false, false, 0);
    for t in LANES {
        if me & t == 0 {
            continue;
        }
        let (l, r) = (left & t, right & t);
        if (me | partner) & t > l | r {
            return None;
        }
        by_left |= l > r;
        by_right |= l < r;
        ranks |= highest(l | r);
    }
    for (is_beaten, step) in [(by_left, 1), (by_right, 3)] {
        if is_beaten {
            let leader = (lead.leader + step) & 3;
            ranks |= cashable(&Lead { leader, ..*lead }, need, None)?;
        }
    }
    Some(ranks)
}

/// Checks whether the side of `seat` takes at least `need` tricks with trumps, against any play and
/// any leader. Returns the cards whose ranks this depends on, or `None` if the check fails.
///
/// Each trump of a hand is played to a different trick and loses only to a higher trump of the
/// other side. One higher trump beats only one of these trumps. The number of losing trumps is
/// therefore at most the number of trumps that can be paired with different higher trumps of the
/// other side.
pub(crate) fn trump_tricks(hands: &[u64; 4], seat: usize, trump: usize, need: u32) -> Option<u64> {
    let t = LANES[trump];
    let theirs = (hands[(seat + 1) & 3] | hands[(seat + 3) & 3]) & t;
    [hands[seat] & t, hands[seat ^ 2] & t]
        .into_iter()
        .find_map(|own| {
            let length = own.count_ones();
            // From the highest card down, `free` counts the opponents' trumps that are not yet
            // paired, and `lost` counts the losers.
            let (mut left, mut free, mut lost, mut ranks) = (own | theirs, 0, 0, 0);
            while need + lost <= length {
                // Assume the worst distribution of the lower cards.
                let below = (left & own)
                    .count_ones()
                    .min(free + (left & theirs).count_ones());
                if need + lost + below <= length {
                    return Some(ranks);
                }
                ranks = 1 << (63 - left.leading_zeros());
                left ^= ranks;
                if ranks & theirs != 0 {
                    free += 1;
                } else if free > 0 {
                    free -= 1;
                    lost += 1;
                }
            }
            None
        })
}
