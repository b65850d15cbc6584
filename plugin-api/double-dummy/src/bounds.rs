//! Tricks that can be counted without search: those that the side on lead can cash at once, and those that the other
//! side cannot be kept from taking.
//!
//! Every function returns a count together with the cards whose ranks it rests on.

use crate::search::LANES;

/// Cards of the lane above the highest of `below`.
#[inline]
fn above(cards: u64, below: u64) -> u64 {
    if below == 0 { cards } else { cards & (!0 << (64 - below.leading_zeros())) }
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
    if cards == 0 { 0 } else { 1 << (63 - cards.leading_zeros()) }
}

/// What one suit gives a leader and, once the lead has crossed over, the leader's partner.
#[derive(Clone, Copy, Default)]
struct Rounds {
    leader: u32,
    partner: u32,
    crosses: bool,
    ranks: u64,
}

/// Rounds of a suit that cannot be ruffed: `m` the leader's cards, `p` partner's, `o` and `q` the opponents'.
#[inline]
fn rounds(m: u64, p: u64, o: u64, q: u64, safe: u32) -> Rounds {
    if m | p == 0 {
        return Rounds::default();
    }
    let opponents = o | q;
    let (own, partners) = (m.count_ones(), p.count_ones());
    let opposed = o.count_ones().max(q.count_ones());
    let top = above(m, p | opponents);
    let tops = top.count_ones();
    let others = opposed.max(partners);
    let mut result = if tops >= others.min(own) {
        // All others are exhausted, or the leader has nothing but winners.
        Rounds { leader: own, partner: 0, crosses: false, ranks: nth_highest(m, others.min(own)) }
    } else {
        let (run, run_p) = (above(m, opponents), above(p, opponents));
        let (a, b) = (run.count_ones(), run_p.count_ones());
        if partners - b >= a {
            // Partner can play a small card to each of the leader's winners.
            let partner = if a + b >= opposed.max(own) { partners - a } else { b };
            Rounds { leader: a, partner, crosses: own > a, ranks: lowest(run | run_p) }
        } else {
            let rest = m & !top;
            let next = above(p, rest | opponents);
            let left = partners.saturating_sub(tops);
            let cashed = next.count_ones().min(left);
            let partner = if tops + cashed >= opposed.max(own) { left } else { cashed };
            let ranks = if cashed > 0 { lowest(next) } else { lowest(top) };
            Rounds { leader: tops, partner, crosses: own > tops, ranks }
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

/// Tricks that the side of `leader` can cash from the lead, crossing to partner once at most.
#[inline]
pub(crate) fn cashable(hands: &[u64; 4], leader: usize, trump: usize) -> (u32, u64) {
    let (me, left, partner, right) =
        (hands[leader], hands[(leader + 1) & 3], hands[leader ^ 2], hands[(leader + 3) & 3]);
    let n = me.count_ones();
    let mut trumps = Rounds::default();
    let (mut left_ruffs, mut right_ruffs) = (false, false);
    let mut ranks = 0;
    if trump < 4 {
        let t = LANES[trump];
        trumps = rounds(me & t, partner & t, left & t, right & t, 13);
        ranks |= trumps.ranks;
        left_ruffs = (left & t).count_ones() > trumps.leader;
        right_ruffs = (right & t).count_ones() > trumps.leader;
    }
    let (mut a, mut b, mut crosses) = (0, 0, false);
    for (suit, &t) in LANES.iter().enumerate() {
        if suit == trump {
            continue;
        }
        let (o, q) = (left & t, right & t);
        let mut safe = 13;
        if left_ruffs {
            safe = o.count_ones();
        }
        if right_ruffs {
            safe = safe.min(q.count_ones());
        }
        let side = rounds(me & t, partner & t, o, q, safe);
        a += side.leader;
        b += side.partner;
        crosses |= side.crosses;
        ranks |= side.ranks;
    }
    if trump < 4 {
        // Nobody of the side may run out of plain cards: a forced ruff would move the lead.
        let t = LANES[trump];
        let (own_plain, partner_plain) = ((me & !t).count_ones(), (partner & !t).count_ones());
        let thrown = trumps.leader.saturating_sub((partner & t).count_ones());
        if a + thrown > partner_plain {
            return ((trumps.leader + partner_plain.saturating_sub(thrown).min(a)).min(n), ranks);
        }
        let own_trumps = (me & t).count_ones() - trumps.leader;
        let own_thrown = trumps.partner.saturating_sub(own_trumps);
        b = b.min(partner_plain - a - thrown).min(own_plain.saturating_sub(a + own_thrown));
        crosses &= b > 0;
    }
    let a = a + trumps.leader;
    let b = if crosses || trumps.crosses { b + trumps.partner } else { 0 };
    ((a + b).min(n), ranks)
}

/// Tricks that the opponents of `leader` take whatever happens.
#[inline]
pub(crate) fn certain(hands: &[u64; 4], leader: usize, trump: usize) -> (u32, u64) {
    let opponents = [(leader + 1) & 3, (leader + 3) & 3];
    let all = hands[0] | hands[1] | hands[2] | hands[3];
    if trump < 4 {
        return top_run(hands, all, &opponents, trump);
    }
    // Whatever suit is led, an opponent wins the trick and may then run that hand's winners.
    let (mut owners, mut ranks) = ([false; 2], 0);
    for t in LANES {
        if hands[leader] & t == 0 {
            continue;
        }
        let top = 1 << (63 - (all & t).leading_zeros());
        match opponents.iter().position(|&o| hands[o] & top != 0) {
            Some(owner) => owners[owner] = true,
            None => return (0, 0),
        }
        ranks |= top;
    }
    let mut fewest = u32::MAX;
    for (owner, &seat) in opponents.iter().enumerate() {
        if owners[owner] {
            let mut tricks = 0;
            for t in LANES {
                let run = above(hands[seat] & t, all & t & !hands[seat]);
                tricks += run.count_ones();
                ranks |= lowest(run);
            }
            fewest = fewest.min(tricks);
        }
    }
    if fewest == u32::MAX { (0, 0) } else { (fewest, ranks) }
}

/// The longer of two hands' unbroken runs from the top of trumps: as many tricks are certain.
#[inline]
pub(crate) fn top_run(hands: &[u64; 4], all: u64, seats: &[usize; 2], trump: usize) -> (u32, u64) {
    let t = LANES[trump];
    let mut best = (0, 0);
    for &seat in seats {
        let run = above(hands[seat] & t, all & t & !hands[seat]);
        if run.count_ones() > best.0 {
            best = (run.count_ones(), lowest(run));
        }
    }
    best
}
