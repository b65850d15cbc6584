//! Weights of the code between two steps of a script, so that no step runs much of it for nothing.
//!
//! Luau counts calls, returns and turns of loops. What a function does in between is bounded by the
//! longest way through its instructions from one of these to the next, which is found when the
//! script is loaded.

use std::ops::RangeInclusive;

/// Weights of an instruction, and the weight that counts as one more step.
const LIGHT: u32 = 1;
const HEAVY: u32 = 4;
pub(super) const PER_STEP: u32 = 64;

/// Instructions that take two words.
const LONG: [u8; 30] = [
    7, 8, 12, 15, 16, 20, 27, 28, 29, 30, 31, 32, 53, 55, 58, 60, 66, 74, 75, 77, 78, 79, 80, 83,
    84, 85, 86, 87, 88, 90,
];
/// Instructions that look at no more than registers and constants, so that each takes the same
/// short time.
const SHORT: [RangeInclusive<u8>; 12] = [
    0..=6,
    9..=11,
    19..=19,
    21..=27,
    30..=30,
    45..=48,
    50..=50,
    57..=58,
    62..=62,
    64..=67,
    69..=70,
    77..=80,
];
const JUMP: u8 = 23;
const FORNLOOP: u8 = 57;
/// Instructions that are steps: calls, returns, and jumps back.
const STEPS: [u8; 6] = [21, 22, 24, FORNLOOP, 58, 67];
/// Jumps forward to an offset of 16 bits.
const JUMPS: [RangeInclusive<u8>; 6] = [23..=23, 25..=32, 56..=56, 59..=59, 61..=61, 76..=80];
const LOADB: u8 = 3;
/// Calls of functions that Luau contains, which jump over a call that follows if they succeed.
const FAST_CALLS: [u8; 5] = [60, 68, 73, 74, 75];

/// Returns the weight of the heaviest way to each word of a function from the step before, that
/// instruction included; `None` if no way counts as a step more.
pub(super) fn of_code(code: &[u32]) -> Option<Box<[u32]>> {
    let mut weights = vec![0; code.len()];
    let (mut most, mut loops) = (0, Vec::new());
    let mut at = 0;
    while at < code.len() {
        let op = (code[at] & 0xff) as u8;
        let length = if LONG.contains(&op) { 2 } else { 1 };
        let weight = weights[at] + if is_in(&SHORT, op) { LIGHT } else { HEAVY };
        weights[at] = weight;
        most = most.max(weight);
        let mut reach = |target: usize| {
            if !STEPS.contains(&op)
                && let Some(before) = weights.get_mut(target).filter(|_| target > at)
            {
                *before = weight.max(*before);
            }
        };
        if op != JUMP {
            reach(at + length);
        }
        let [_, _, low, high] = code[at].to_le_bytes();
        let target = (at + 1).saturating_add_signed(i16::from_le_bytes([low, high]).into());
        if is_in(&JUMPS, op) {
            reach(target);
        } else if op == LOADB || FAST_CALLS.contains(&op) {
            reach(at + 1 + usize::from(high) + usize::from(op != LOADB));
        } else if op == FORNLOOP {
            loops.push((at, target));
        }
        at += length;
    }
    // Native code takes the steps of a loop over numbers where its turns begin.
    for (end, start) in loops {
        if start < end {
            if STEPS.contains(&((code[start] & 0xff) as u8)) {
                weights[end] = weights[end].max(weights[start]);
            }
            weights[start] = weights[end];
        }
    }
    (most >= PER_STEP).then(|| weights.into_boxed_slice())
}

fn is_in(ranges: &[RangeInclusive<u8>], op: u8) -> bool {
    ranges.iter().any(|range| range.contains(&op))
}
