//! Which card to try first. Nothing here changes a result, only how soon it is found.

use crate::search::{LANES, Trick};

/// A card with how promising it looks.
#[derive(Clone, Copy, Default)]
pub(crate) struct Move {
    /// The card's bit.
    pub card: u64,
    /// All cards that are as good as this one, this one the highest.
    pub class: u64,
    /// Higher is tried sooner.
    pub weight: i32,
}

/// At most one a card of a hand.
pub(crate) type Moves = [Move; 13];

/// Lists one card of every run of touching cards in `legal`; returns how many.
#[inline]
pub(crate) fn generate(moves: &mut Moves, legal: u64, all: u64) -> usize {
    let mut n = 0;
    for t in LANES {
        let mut own = legal & t;
        if own == 0 {
            continue;
        }
        let others = all & t & !legal;
        while own != 0 {
            let top = 1u64 << (63 - own.leading_zeros());
            let below = others & (top - 1);
            let floor = if below == 0 { 0 } else { 63 - below.leading_zeros() };
            let class = own & if below == 0 { !0 } else { !0 << floor };
            moves[n] = Move { card: top, class, weight: 0 };
            n += 1;
            own &= !class;
        }
    }
    n
}

/// The cards of the suit of a card.
#[inline]
pub(crate) fn suit_of(card: u64) -> usize {
    (card.trailing_zeros() >> 4) as usize
}

#[inline]
fn rank(card: u64) -> i32 {
    (card.trailing_zeros() & 15).cast_signed()
}

#[inline]
fn count(cards: u64) -> i32 {
    cards.count_ones().cast_signed()
}

/// The highest card of a lane's set, or none.
#[inline]
pub(crate) fn highest(cards: u64) -> u64 {
    if cards == 0 { 0 } else { 1 << (63 - cards.leading_zeros()) }
}

/// Weighs leads: where partner ruffs or wins, sure winners, then suits that promise to set something up; never what an opponent
/// ruffs.
///
/// Numbers here and in [`weigh_follows`] were found by trial: small changes were kept where they spared cards played in 300
/// random positions of nine cards, at no trumps and in a suit, and checked on 400 others.
pub(crate) fn weigh_leads(moves: &mut [Move], hands: &[u64; 4], leader: usize, trump: usize) {
    let [me, left, partner, right] = [0, 1, 2, 3].map(|n| hands[(leader + n) & 3]);
    for m in moves {
        let suit = suit_of(m.card);
        let t = LANES[suit];
        let (own, l, p, r) = (me & t, left & t, partner & t, right & t);
        let theirs = highest(l | r);
        let mut weight = (count(l | r) - count(own | p)) * 6;
        let ruffs = |hand: u64, in_suit: u64| trump < 4 && suit != trump && in_suit == 0 && hand & LANES[trump] != 0;
        if ruffs(left, l) || ruffs(right, r) {
            weight -= if ruffs(partner, p) { 0 } else { 775 };
        } else if ruffs(partner, p) && m.card == lowest_class(m, own) {
            weight += 484;
        }
        if suit == trump {
            weight -= 40;
        }
        weight += if m.card > theirs {
            let overtaken = p > m.card;
            175 + 27 * count(p) + 9 * count(l | r) - if overtaken { 10 } else { 0 }
        } else if p > theirs {
            // Partner wins; the smallest card will do.
            let alone = p.count_ones() == 1;
            let finesse = highest(r) == theirs;
            275 - 3 * rank(m.card) + 18 * count(own) + if alone { 51 } else { 0 } - if finesse { 30 } else { 0 }
        } else {
            set_up(m, [own, l, p, r])
        };
        m.weight = weight;
    }
}

/// What speaks for a lead that an opponent can win; hands from the leader's on, in its suit.
fn set_up(m: &Move, [own, l, p, r]: [u64; 4]) -> i32 {
    let theirs = highest(l | r);
    let beaten = highest(l) < highest(r);
    let mut weight = 107 + 3 * rank(m.card) + 3 * count(own) + 6 * count(p);
    // Lead towards partner's honours through the hand that has to play first.
    if highest(p) > highest(r) && !beaten {
        weight += 15;
    }
    if highest(p) > highest(l) && highest(p) > m.card {
        weight += 23;
    }
    if beaten {
        weight -= 9;
    }
    if highest(own | p) > highest((l | r) & !theirs) {
        weight += 53;
    }
    // Top of touching honours forces theirs out.
    if m.class.count_ones() > 1 && m.card > highest(theirs ^ (l | r)) {
        weight += 20;
    }
    // It comes down by itself.
    if l == theirs || r == theirs {
        weight -= 28;
    }
    weight
}

fn lowest_class(m: &Move, own: u64) -> u64 {
    if m.class & own & own.wrapping_neg() != 0 { m.card } else { 0 }
}

/// Weighs the second to fourth hand's cards: win as cheaply as it takes, otherwise throw what is worth least.
pub(crate) fn weigh_follows(moves: &mut [Move], hands: &[u64; 4], seat: usize, trick: &Trick, trump: usize) {
    let led = LANES[suit_of(trick.led)];
    let me = hands[seat];
    let partner_wins = trick.played >= 2 && trick.winner == seat ^ 2;
    let (next, after) = ((seat + 1) & 3, (seat + 2) & 3);
    let left = match trick.played {
        1 => [hands[next], hands[after]],
        2 => [hands[next], 0],
        _ => [0, 0],
    };
    // The hand to the left is always an opponent; the one after it, where it still plays, is partner.
    let beats = |hand: u64, card: u64| {
        if hand & led != 0 {
            let suit_matches = card & led != 0;
            suit_matches && highest(hand & led) > card
        } else if trump < 4 {
            let ruff = highest(hand & LANES[trump]);
            ruff != 0 && (card & LANES[trump] == 0 || ruff > card)
        } else {
            false
        }
    };
    let follows = me & led != 0;
    for m in moves {
        let r = rank(m.card);
        let ruffing = if follows { 0 } else { 556 };
        m.weight = if !follows && (trump == 4 || m.card & LANES[trump] == 0) {
            discard(m, hands, seat)
        } else if !beats_card(m.card, trick.best, trump) {
            if follows { 100 - 19 * r } else { -61 - 19 * r }
        } else if trick.played == 3 {
            if partner_wins { 12 - 5 * r - ruffing } else { 378 - 9 * r }
        } else if beats(left[0], m.card) {
            if trick.played == 1 && beats(left[1], highest(left[0] & led)) { 78 - 5 * r } else { 215 - 10 * r }
        } else if partner_wins && !beats(left[0], trick.best) {
            11 - 5 * r - ruffing
        } else if trick.played == 1 && left[1] & led != 0 && !beats(left[0], highest(left[1] & led)) {
            130 - 10 * r
        } else {
            1228 - 7 * r
        };
    }
}

/// What speaks for throwing a card away: that it is low, and neither guards an honour nor is all that a suit has.
fn discard(m: &Move, hands: &[u64; 4], seat: usize) -> i32 {
    let suit = LANES[suit_of(m.card)];
    let (own, partners) = (hands[seat] & suit, hands[seat ^ 2] & suit);
    let all = (hands[0] | hands[1] | hands[2] | hands[3]) & suit;
    let rest = all & !own;
    let length = own.count_ones();
    let mut weight = 107 + count(own) - 16 * rank(m.card) - 19 * count(partners);
    if length == 2 && highest(own) < highest(rest) && highest(own) != m.card {
        weight -= 29;
    }
    if m.card > highest(rest) {
        weight -= 95;
    }
    if highest(partners) == highest(all) {
        weight -= 39;
    }
    if length == 1 {
        weight -= 11;
    }
    weight
}

/// Whether a card played later beats the best card so far.
#[inline]
pub(crate) fn beats_card(card: u64, best: u64, trump: usize) -> bool {
    let (suit, of) = (suit_of(card), suit_of(best));
    if suit == of { card > best } else { suit == trump }
}
