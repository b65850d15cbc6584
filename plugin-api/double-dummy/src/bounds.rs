//! Tricks that can be counted without search: those that the side on lead can cash at once, and
//! those that the other side cannot be kept from taking.
//!
//! Every function returns a count together with the cards whose ranks it rests on.

use crate::order::highest;
use crate::search::LANES;

/// Cards of the lane above the highest of `below`.
#[inline]
fn above(cards: u64, below: u64) -> u64 {
    if below == 0 {
        cards
    } else {
        cards & (!0 << (64 - below.leading_zeros()))
    }
}

/// The lowest card of a lane's set, or none.
#[inline]
fn lowest(cards: u64) -> u64 {
    cards & cards.wrapping_neg()
}

/// The `n`-th highest card, counted from 1; none for 0.
#[inline]
fn nth_highest(mut cards: u64, n: u32) -> u64 {
    if n == 0 {
        return 0;
    }
    for _ in 1..n {
        cards &= !(1 << (63 - cards.leading_zeros()));
    }
    if cards == 0 {
        0
    } else {
        1 << (63 - cards.leading_zeros())
    }
}

/// How many cards of each suit each hand has: 16 bits a suit, in them 4 a seat.
pub(crate) fn lengths(hands: &[u64; 4]) -> u64 {
    let length = |n: usize| u64::from((hands[n % 4] & LANES[n / 4]).count_ones()) << (4 * n);
    (0..16).map(length).sum()
}

/// Hands before a lead.
#[derive(Clone, Copy)]
pub(crate) struct Lead<'h> {
    /// Cards held, by seat.
    pub hands: &'h [u64; 4],
    /// Their [`lengths`].
    pub lengths: u64,
    /// Whose lead it is.
    pub leader: usize,
    /// Trumps' suit, or 4.
    pub trump: usize,
}

impl Lead<'_> {
    /// Hands and lengths, the leader's first.
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

/// What one suit gives a leader and, once the lead has crossed over, the leader's partner.
#[derive(Clone, Copy, Default)]
struct Rounds {
    leader: u32,
    partner: u32,
    crosses: bool,
    ranks: u64,
}

/// Rounds of a suit that cannot be ruffed, in order from the leader: the hands' cards in it and
/// their lengths.
#[inline(always)]
fn rounds([m, o, p, q]: [u64; 4], [own, left, partners, right]: [u32; 4], safe: u32) -> Rounds {
    let opponents = o | q;
    // Without the highest card there is nothing to cash.
    if m | p <= opponents {
        return Rounds::default();
    }
    let opposed = left.max(right);
    if own == 0 {
        let run = above(p, opponents);
        let tricks = run.count_ones();
        let partner = if tricks >= opposed { partners } else { tricks }.min(safe);
        return Rounds {
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
        // All others are exhausted.
        Rounds {
            leader: own,
            partner: 0,
            crosses: false,
            ranks: nth_highest(m, others),
        }
    } else {
        let (run, run_p) = (above(m, opponents), above(p, opponents));
        let (a, b) = (run.count_ones(), run_p.count_ones());
        if partners - b >= a {
            // Partner can play a small card to each of the leader's winners.
            let partner = if a + b >= opposed.max(own) {
                partners - a
            } else {
                b
            };
            Rounds {
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
            Rounds {
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

/// What it rests on that the side of `leader` can cash `need` tricks from the lead, crossing to
/// partner once at most, if it can. Where a `first` suit is given, it is the leader's tricks in
/// this one that come first.
#[inline]
pub(crate) fn cashable(lead: &Lead<'_>, need: u32, first: Option<usize>) -> Option<u64> {
    if lead.trump < 4 {
        return cashable_with_trumps(lead, need, first);
    }
    let (from_me, lengths) = lead.in_turn();
    let me = from_me[0];
    let mut suits = [Rounds::default(); 4];
    let (mut own, mut partners, mut crosses) = (0, 0, false);
    for (suit, &t) in LANES.iter().enumerate() {
        let side = rounds(from_me.map(|hand| hand & t), lengths_in(lengths, suit), 13);
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

/// What `need` of the leader's rounds rest on, from as few suits as will do.
fn fewest_ranks(suits: &mut [Rounds; 4], me: u64, need: u32, first: Option<usize>) -> u64 {
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

/// What the first `taken` of the leader's rounds in a suit rest on.
#[inline]
fn own_ranks(side: &Rounds, own: u64, taken: u32) -> u64 {
    // Past the highest cards that are named, rounds are won because nobody else has any left.
    let named = (own & side.ranks.wrapping_neg()).count_ones();
    nth_highest(own, taken.min(named))
}

/// [`cashable`] with trumps, in two ways: trumps first, then plain suits; or plain suits as long as
/// all follow, and [`trump_tricks`] whenever they come.
fn cashable_with_trumps(lead: &Lead<'_>, need: u32, first: Option<usize>) -> Option<u64> {
    let (from_me, lengths) = lead.in_turn();
    let (me, trump) = (from_me[0], lead.trump);
    let t = LANES[trump];
    let trump_lengths = lengths_in(lengths, trump);
    let trumps = rounds(from_me.map(|hand| hand & t), trump_lengths, 13);
    if first == Some(trump) && trumps.leader == 0 {
        return None;
    }
    if trumps.leader >= need && first.is_none_or(|first| first == trump) {
        return Some(nth_highest(me & t, need));
    }
    let n = me.count_ones();
    let mut ranks = trumps.ranks;
    let (mut own, mut partners, mut crosses) = (0, 0, false);
    // The first round of trumps, where that comes before all, takes their highest, whatever later
    // ones rest on.
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
        // Rounds in which each opponent who could ruff follows: once trumps are drawn as far as
        // they can be, and before.
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
        let side = rounds(from_me.map(|hand| hand & lane), in_suit, safe);
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
    // Nobody of the side may run out of plain cards: a forced ruff would move the lead.
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

/// What it rests on that the opponents of `leader` take `need` tricks whatever happens, if that is
/// known.
#[inline]
pub(crate) fn certain(lead: &Lead<'_>, need: u32) -> Option<u64> {
    if lead.trump < 4 {
        return trump_tricks(lead.hands, lead.leader ^ 1, lead.trump, need);
    }
    let ([me, left, partner, right], _) = lead.in_turn();
    // Whatever suit is led, an opponent wins the trick with its highest card and goes on from
    // there.
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
    if by_left {
        ranks |= cashable(
            &Lead {
                leader: (lead.leader + 1) & 3,
                ..*lead
            },
            need,
            None,
        )?;
    }
    if by_right {
        ranks |= cashable(
            &Lead {
                leader: (lead.leader + 3) & 3,
                ..*lead
            },
            need,
            None,
        )?;
    }
    Some(ranks)
}

/// What it rests on that the side of `seat` takes `need` tricks with trumps whoever leads and
/// whatever is played, if it does.
///
/// Every trump of a hand is played sometime, and loses only to a higher one of the other side,
/// which then beats no second one. So a hand loses as many as can be paired off with higher ones of
/// the others at most.
pub(crate) fn trump_tricks(hands: &[u64; 4], seat: usize, trump: usize, need: u32) -> Option<u64> {
    let t = LANES[trump];
    let theirs = (hands[(seat + 1) & 3] | hands[(seat + 3) & 3]) & t;
    [hands[seat] & t, hands[seat ^ 2] & t]
        .into_iter()
        .find_map(|own| {
            let length = own.count_ones();
            // From the highest down: cards of the others that are not paired off yet, and the
            // losers so far.
            let (mut left, mut free, mut lost, mut ranks) = (own | theirs, 0, 0, 0);
            while need + lost <= length {
                // What lies below may lie as badly as it can.
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
