//! Zero-window alpha-beta search: checks whether North-South takes a target number of the remaining
//! tricks.
//!
//! Sets of cards are bit sets with a lane of 16 bits per suit. Within a lane, only the cards of
//! this position are numbered, lowest first. Every answer comes with the cards whose ranks it
//! depends on (M. Ginsberg, "Partition Search", 1996). The table stores the answer for all
//! positions that agree in these cards.

use crate::bounds::{Lead, cashable, certain_tricks, lengths, nth_highest, trump_tricks};
use crate::order::{HISTORY_UNIT, beats_card, follows, highest, leads, run_of, suit_of};
use crate::table::{Bounds, Owners, Table};

/// Bit mask of each suit.
pub(crate) const LANES: [u64; 4] = [0xffff, 0xffff << 16, 0xffff << 32, 0xffff << 48];

/// Returns the cards of one suit, shifted to the lowest lane.
#[inline]
pub(crate) fn lane(cards: u64, suit: usize) -> u64 {
    cards >> (16 * suit) & 0xffff
}

/// The current trick.
#[derive(Clone, Copy)]
pub(crate) struct Trick {
    /// Card led.
    pub led: u64,
    /// Winning card so far.
    pub best: u64,
    /// Seat that played the winning card.
    pub winner: usize,
    /// Number of cards played.
    pub played: u32,
    /// Set of the cards played.
    pub cards: u64,
    /// All cards that the seats held before the lead.
    pub all: u64,
}

impl Trick {
    /// Returns a trick to which `leader` leads, with `all` cards that are not played yet.
    #[inline]
    pub(crate) fn before_lead(leader: usize, all: u64) -> Trick {
        Trick {
            led: 0,
            best: 0,
            winner: leader,
            played: 0,
            cards: 0,
            all,
        }
    }

    /// Returns the trick after `seat` has played `card`.
    #[inline(always)]
    pub(crate) fn with(&self, card: u64, seat: usize, trump: usize) -> Trick {
        let mut next = *self;
        next.cards |= card;
        next.played += 1;
        if self.played == 0 {
            next.led = card;
        }
        if self.played == 0 || beats_card(card, self.best, trump) {
            next.best = card;
            next.winner = seat;
        }
        next
    }
}

/// The result of a search: `true` if North-South reaches the target, and the cards whose ranks this
/// depends on.
pub(crate) type SearchResult = (bool, u64);

/// An entry of the cutoff table.
struct CutoffEntry {
    slot: usize,
    tag: u32,
    /// The card that caused a cutoff, or 0.
    card: u64,
}

/// Cards that a seat has tried without success for its side.
#[derive(Default)]
struct FailedCards {
    cards: u64,
    /// Cards whose ranks the failures depend on.
    ranks: u64,
    /// Low cards of each suit that are known to be no better than a card that failed.
    not_better: u64,
}

/// The state of a search.
pub(crate) struct Search {
    /// Cards held by each seat; North is 0.
    pub hands: [u64; 4],
    /// Cards held by each seat before the trick in which the search began.
    first_hands: [u64; 4],
    /// Trump suit, or 4 for no trumps.
    pub trump: usize,
    lengths: u64,
    /// For each suit, the packed owners of its cards (see [`Owners`]), indexed by the set of cards
    /// of the suit that are still held.
    owners: [Vec<u32>; 4],
    table: Table,
    /// Cutoff table, indexed by a hash of seat, own hand and trick. An entry has the card that last
    /// caused a cutoff in the lowest bits, and above them a tag that identifies the situation.
    cutoffs: Vec<u32>,
    /// Success of each lead in earlier tries, by seat and card, from -[`HISTORY_MAX`] to
    /// [`HISTORY_MAX`].
    history: [[i32; 64]; 4],
    /// Number of resets with other hands or trumps. The number is part of the hash, so that cutoffs
    /// from earlier hands are not found.
    generation: u64,
    /// Number of cards played by the search since the last reset.
    pub nodes: u64,
}

const CUTOFFS_LOG2: u32 = 15;
/// Number of bits of a cutoff entry that hold the card.
const CARD_BITS: u32 = 6;
/// Maximum absolute value of a lead's history.
const HISTORY_MAX: i32 = 150 * HISTORY_UNIT;

impl Search {
    /// Creates a search whose table uses at most about `mib` MiB.
    pub(crate) fn new(mib: usize) -> Self {
        Self {
            hands: [0; 4],
            first_hands: [0; 4],
            trump: 4,
            lengths: 0,
            owners: Default::default(),
            table: Table::new(mib),
            cutoffs: vec![0; 1 << CUTOFFS_LOG2],
            history: [[0; 64]; 4],
            generation: 0,
            nodes: 0,
        }
    }

    /// Starts a search with the hands before the current trick. Clears the tables, unless hands and
    /// trumps are the same as before.
    pub(crate) fn reset(&mut self, hands: [u64; 4], trump: usize) {
        self.hands = hands;
        self.lengths = lengths(&hands);
        self.nodes = 0;
        if (self.first_hands, self.trump) == (hands, trump) {
            return;
        }
        self.first_hands = hands;
        self.trump = trump;
        self.table.clear();
        self.generation = self.generation.wrapping_add(1);
        self.history = [[0; 64]; 4];
        for suit in 0..4 {
            let cards = hands.iter().fold(0, |all, hand| all | lane(*hand, suit));
            let owner = |rank: u32| {
                (0u32..4)
                    .find(|&o| lane(hands[o as usize], suit) >> rank & 1 == 1)
                    .unwrap_or(0)
            };
            let owner: Vec<u32> = (0..cards.count_ones()).map(owner).collect();
            let table = &mut self.owners[suit];
            table.clear();
            table.push(0);
            // The entry of a set with a new highest card is the entry of the set without the card,
            // shifted by one place, with the owner of the card on top.
            for owner in owner {
                for below in 0..table.len() {
                    table.push(table[below] >> 2 | owner << 24);
                }
            }
        }
    }

    /// Removes a card from the hand of a seat.
    #[inline]
    pub(crate) fn remove_card(&mut self, seat: usize, card: u64) {
        self.hands[seat] ^= card;
        self.lengths -= 1 << (16 * suit_of(card) + 4 * seat);
    }

    /// Puts a card back into the hand of a seat.
    #[inline]
    pub(crate) fn return_card(&mut self, seat: usize, card: u64) {
        self.hands[seat] ^= card;
        self.lengths += 1 << (16 * suit_of(card) + 4 * seat);
    }

    /// Checks whether North-South takes at least `target` of the remaining tricks if `leader`
    /// leads.
    pub(crate) fn lead(&mut self, leader: usize, target: i8) -> SearchResult {
        let tricks = self.hands[leader].count_ones();
        let n = tricks_i8(tricks);
        if target <= 0 {
            return (true, 0);
        }
        if target > n {
            return (false, 0);
        }
        if n == 1 {
            return self.last_trick(leader);
        }
        let ours = leader & 1 == 0;
        let need = needed(n, ours, target);
        let lead = Lead {
            hands: &self.hands,
            lengths: self.lengths,
            leader,
            trump: self.trump,
        };
        if let Some(ranks) = cashable(&lead, need, None) {
            return (ours, ranks);
        }
        if self.trump < 4
            && let Some(ranks) = trump_tricks(&self.hands, leader, self.trump, need)
        {
            return (ours, ranks);
        }
        let theirs = tricks + 1 - need;
        if let Some(ranks) = certain_tricks(&lead, theirs) {
            return (!ours, ranks);
        }
        let all = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3];
        let owners = |suit: usize| {
            u64::from(self.owners[suit][usize::try_from(lane(all, suit)).expect("13 bits")])
        };
        let owners: Owners = [owners(0) | owners(1) << 26, owners(2) | owners(3) << 26];
        let seat = u8::try_from(leader).expect("one of four");
        if let Some(bounds) = self
            .table
            .find_deciding(self.lengths, seat, &owners, target)
        {
            let mut ranks = 0;
            for (lane, top) in LANES.iter().zip(bounds.tops) {
                ranks |= nth_highest(all & lane, top.into());
            }
            return (bounds.lower >= target, ranks);
        }

        let trick = Trick::before_lead(leader, all);
        let (reached, ranks) = self.try_cards(self.hands[leader], leader, &trick, target);
        let tops = std::array::from_fn(|suit| {
            let ranks = ranks & LANES[suit];
            if ranks == 0 {
                return 0;
            }
            let lowest = ranks & ranks.wrapping_neg();
            u8::try_from((all & LANES[suit] & lowest.wrapping_neg()).count_ones())
                .expect("at most 13")
        });
        let (lower, upper) = if reached {
            (target, n)
        } else {
            (0, target - 1)
        };
        self.table
            .store(self.lengths, seat, &owners, Bounds { lower, upper, tops });
        (reached, ranks)
    }

    /// Checks whether North-South takes at least `target` more tricks if `seat` is the next to play
    /// to the trick.
    pub(crate) fn follow(&mut self, seat: usize, trick: &Trick, target: i8) -> SearchResult {
        let led = LANES[suit_of(trick.led)];
        let hand = self.hands[seat];
        let legal = if hand & led == 0 { hand } else { hand & led };
        if trick.played == 1
            && let Some(answer) = self.second_hand_cashes(seat, trick, target)
        {
            return answer;
        }
        if legal & (legal - 1) == 0 {
            return self.play(seat, legal, trick, target);
        }
        let run = run_of(legal & legal.wrapping_neg(), legal, trick.all & !legal);
        if run == legal {
            let card = highest(run);
            let (reached, ranks) = self.play(seat, card, trick, target);
            return (
                reached,
                if reached == (seat & 1 == 0) {
                    ranks
                } else {
                    widen_ranks(ranks, card, run)
                },
            );
        }
        self.try_cards(legal, seat, trick, target)
    }

    /// Returns the answer if the side of the second hand reaches its goal with sure tricks,
    /// otherwise `None`. One of its hands must win this trick with an unbeatable card and then cash
    /// the other tricks.
    pub(crate) fn second_hand_cashes(
        &self,
        seat: usize,
        trick: &Trick,
        target: i8,
    ) -> Option<SearchResult> {
        let suit = suit_of(trick.led);
        let (led, third) = (LANES[suit], self.hands[(seat + 1) & 3]);
        let trumps = if self.trump < 4 && self.trump != suit {
            LANES[self.trump]
        } else {
            0
        };
        if third & led == 0 && third & trumps != 0 {
            return None;
        }
        let ours = seat & 1 == 0;
        let need = needed(tricks_i8(self.hands[seat].count_ones()), ours, target);
        // The calculation assumes that `winner` leads this trick, so the card that was led goes
        // back to its hand and follows later.
        let mut hands = self.hands;
        hands[trick.winner] ^= trick.led;
        let lengths = self.lengths + (1 << (16 * suit + 4 * trick.winner));
        [seat, seat ^ 2].into_iter().find_map(|winner| {
            let highest = hands[winner] & led > (third | trick.led) & led;
            // A partner who holds only trumps would have to ruff.
            if !highest || hands[winner ^ 2] & !trumps == 0 {
                return None;
            }
            let lead = Lead {
                hands: &hands,
                lengths,
                leader: winner,
                trump: self.trump,
            };
            Some((ours, cashable(&lead, need, Some(suit))?))
        })
    }

    /// Tries cards until one reaches the goal of the seat's side, beginning with the card that last
    /// caused a cutoff. Returns the answer.
    fn try_cards(&mut self, legal: u64, seat: usize, trick: &Trick, target: i8) -> SearchResult {
        let known = self.cutoff_entry(seat, trick);
        let others = trick.all & !legal;
        let mut tried = FailedCards::default();
        if known.card & legal != 0
            && let Some(answer) = self.attempt(
                run_of(known.card, legal, others),
                seat,
                trick,
                target,
                &known,
                &mut tried,
            )
        {
            return answer;
        }
        let mut moves = if trick.played == 0 {
            leads(&self.hands, seat, self.trump, &self.history[seat])
        } else {
            follows(&self.hands, seat, legal, trick, self.trump)
        };
        while let Some(card) = moves.next() {
            if card & (tried.cards | tried.not_better) == 0
                && let Some(answer) = self.attempt(
                    run_of(card, legal, others),
                    seat,
                    trick,
                    target,
                    &known,
                    &mut tried,
                )
            {
                return answer;
            }
        }
        (seat & 1 != 0, tried.ranks)
    }

    /// Plays the highest card of `run`. Returns the answer if the card succeeds for the side of
    /// `seat`; otherwise adds the card to `tried` and returns `None`.
    #[inline]
    fn attempt(
        &mut self,
        run: u64,
        seat: usize,
        trick: &Trick,
        target: i8,
        known: &CutoffEntry,
        tried: &mut FailedCards,
    ) -> Option<SearchResult> {
        let card = highest(run);
        let (reached, rests) = self.play(seat, card, trick, target);
        if reached == (seat & 1 == 0) {
            self.cutoffs[known.slot] = known.tag << CARD_BITS | card.trailing_zeros();
            if trick.played == 0 {
                self.remember_lead(seat, card, tried.cards);
            }
            return Some((reached, rests));
        }
        let rests = widen_ranks(rests, card, run);
        tried.cards |= card;
        tried.ranks |= rests;
        let suit = LANES[suit_of(card)];
        let lowest = rests & suit & (rests & suit).wrapping_neg();
        if lowest == 0 {
            tried.not_better |= suit;
        } else if card < lowest {
            tried.not_better |= suit & (lowest - 1);
        }
        None
    }

    /// Returns the entry of the cutoff table for this hand in this trick.
    #[inline]
    fn cutoff_entry(&self, seat: usize, trick: &Trick) -> CutoffEntry {
        let key = (self.hands[seat] ^ trick.led.rotate_left(7) ^ trick.best.rotate_left(29))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(seat as u64 + 4 * trick.winner as u64 + 16 * self.generation);
        let mixed = key.wrapping_mul(0xd6e8_feb8_6659_fd93);
        let slot = (mixed >> (64 - CUTOFFS_LOG2)) as usize;
        let tag = (mixed >> 23 & 0x03ff_ffff) as u32;
        let kept = self.cutoffs[slot];
        let card = if kept >> CARD_BITS == tag {
            1 << (kept & 63)
        } else {
            0
        };
        CutoffEntry { slot, tag, card }
    }

    /// Updates the history of leads after the lead `good` caused a cutoff and the leads in `bad`
    /// failed.
    fn remember_lead(&mut self, seat: usize, good: u64, mut bad: u64) {
        let history = &mut self.history[seat];
        let mut move_towards = |goal: i32, card: u64| {
            let weight = &mut history[card.trailing_zeros() as usize];
            *weight += (goal - *weight) / 64;
        };
        move_towards(HISTORY_MAX, good);
        while bad != 0 {
            move_towards(-HISTORY_MAX, bad & bad.wrapping_neg());
            bad &= bad - 1;
        }
    }

    /// Plays a card to the trick and returns the answer for the resulting position.
    #[inline(always)]
    pub(crate) fn play(
        &mut self,
        seat: usize,
        card: u64,
        trick: &Trick,
        target: i8,
    ) -> SearchResult {
        self.nodes += 1;
        self.remove_card(seat, card);
        let next = trick.with(card, seat, self.trump);
        let answer = if next.played < 4 {
            self.follow((seat + 1) & 3, &next, target)
        } else {
            let won = i8::from(next.winner & 1 == 0);
            let (reached, ranks) = self.lead(next.winner, target - won);
            (reached, ranks | winner_by_rank(next.best, next.cards))
        };
        self.return_card(seat, card);
        answer
    }

    fn last_trick(&self, leader: usize) -> SearchResult {
        let mut trick = Trick::before_lead(leader, 0);
        for turn in leader..leader + 4 {
            let seat = turn & 3;
            trick = trick.with(self.hands[seat], seat, self.trump);
        }
        (
            trick.winner & 1 == 0,
            winner_by_rank(trick.best, trick.cards),
        )
    }
}

/// Returns the winning card of a complete trick if it beat another card of its suit, so that the
/// result depends on its rank; otherwise 0.
#[inline]
fn winner_by_rank(best: u64, cards: u64) -> u64 {
    if (cards & LANES[suit_of(best)]).count_ones() > 1 {
        best
    } else {
        0
    }
}

/// Extends the ranks that a failed move depends on to the run of touching cards that `card`
/// represents. If the rank of one of them mattered, the ranks of the others matter as well, because
/// they were treated as equal.
#[inline]
fn widen_ranks(ranks: u64, card: u64, run: u64) -> u64 {
    let suit = ranks & LANES[suit_of(card)];
    let lowest = suit & suit.wrapping_neg();
    if lowest != 0 && lowest <= card {
        ranks | run & run.wrapping_neg()
    } else {
        ranks
    }
}

/// Returns how many of the `n` remaining tricks one side needs: North-South (`ours`) to reach the
/// target, or East-West to prevent it.
#[inline]
fn needed(n: i8, ours: bool, target: i8) -> u32 {
    if ours { target } else { n - target + 1 }
        .unsigned_abs()
        .into()
}

#[inline]
fn tricks_i8(tricks: u32) -> i8 {
    i8::try_from(tricks).expect("at most 13 tricks")
}
