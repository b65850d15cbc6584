//! The learned strategy of the bot `cfr`, and its text format.
//!
//! The text contains the bounds of the classes, then a line for each situation of each street. A
//! line has two characters per class: the probabilities of a fold and of a raise in 63rds, from `0`
//! to `o`.

use super::betting::{START, STREETS, Situation};
use super::classes::{Bounds, CLASSES};

/// Denominator of the probabilities.
pub const PARTS: u8 = 63;

/// Probabilities of the actions at every decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategy {
    /// Bounds of the classes of hands.
    pub bounds: Bounds,
    /// Probabilities of fold and raise in 63rds, by index of the decision.
    pub chances: Vec<[u8; 2]>,
}

impl Strategy {
    /// Returns the probabilities of fold and raise in 63rds. The rest is the probability of check
    /// or call.
    pub(crate) fn chances(&self, situation: &Situation, class: usize) -> [u8; 2] {
        self.chances[situation.decision(class)]
    }

    /// Parses a strategy.
    ///
    /// # Errors
    /// Returns an error text with the line number if the text is invalid.
    pub fn parse(text: &str) -> Result<Strategy, String> {
        let mut lines = text.lines().enumerate();
        let mut line = || {
            lines
                .next()
                .ok_or_else(|| "the text ends too early".to_owned())
        };
        let mut bounds = Bounds::default();
        let mut read = |to: &mut [u16]| -> Result<(), String> {
            let (number, line) = line()?;
            let read: Option<Vec<u16>> = line.split(' ').map(|bound| bound.parse().ok()).collect();
            let read = read.filter(|read| read.len() == to.len());
            to.copy_from_slice(
                &read
                    .ok_or_else(|| format!("line {}: expected {} bounds", number + 1, to.len()))?,
            );
            Ok(())
        };
        for (ends, nows) in &mut bounds.streets {
            read(ends)?;
            nows.iter_mut().try_for_each(|now| read(now))?;
        }
        read(&mut bounds.river)?;
        let mut chances = Vec::with_capacity(START[STREETS]);
        for (street, &classes) in CLASSES.iter().enumerate() {
            for _ in 0..Situation::count(street) {
                let (number, line) = line()?;
                let parts: Option<Vec<u8>> = line
                    .bytes()
                    .map(|byte| byte.checked_sub(b'0').filter(|&parts| parts <= PARTS))
                    .collect();
                let is_whole = |parts: &Vec<u8>| {
                    parts.len() == 2 * classes
                        && parts.chunks(2).all(|pair| pair[0] + pair[1] <= PARTS)
                };
                let parts = parts
                    .filter(is_whole)
                    .ok_or_else(|| format!("line {}: invalid probabilities", number + 1))?;
                chances.extend(parts.chunks(2).map(|pair| [pair[0], pair[1]]));
            }
        }
        line().map_or(Ok(Strategy { bounds, chances }), |(number, _)| {
            Err(format!(
                "line {}: unexpected line after the end",
                number + 1
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_strategy_texts_are_rejected_with_their_line() {
        let text = include_str!("limit.txt");
        assert!(Strategy::parse(text).is_ok());
        let refused = |text: &str| Strategy::parse(text).unwrap_err();
        assert_eq!(refused(""), "the text ends too early");
        assert_eq!(
            refused(&text.replacen(' ', "-", 1)),
            "line 1: expected 11 bounds"
        );
        let last = text.lines().count();
        assert_eq!(
            refused(&format!("{text}0")),
            format!("line {}: unexpected line after the end", last + 1)
        );
        let cut = text.trim_end();
        assert_eq!(
            refused(&cut[..cut.len() - 1]),
            format!("line {last}: invalid probabilities")
        );
    }
}
