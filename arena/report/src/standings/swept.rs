//! Scores of entrants that differ only in one numeric setting, by the value of this setting.

use super::{AboutEntrant, Estimate};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Minimum number of different values for a setting to be reported.
const VALUES_MIN: usize = 3;

/// Scores of entrants that differ in one numeric setting only.
#[derive(Debug, Serialize)]
pub struct SweptSetting {
    /// The bot, as the league names it.
    pub bot: String,
    /// Name of the setting.
    pub setting: String,
    /// The other settings, which are the same for all points.
    pub fixed: Value,
    /// The points, the smallest value first.
    pub points: Vec<SweptPoint>,
}

/// The score at one value of a setting.
#[derive(Debug, Serialize)]
pub struct SweptPoint {
    /// Value of the setting.
    pub value: f64,
    /// Name of the entrant.
    pub name: String,
    /// Mean score with its interval; `None` if it cannot be estimated.
    pub estimate: Option<Estimate>,
}

/// Finds the settings that take at least three values among entrants that are otherwise configured
/// alike, with one entrant per value. `estimate` returns the score of an entrant, and `None` if the
/// entrant is not in the standings.
pub(super) fn swept_settings(
    entrants: &[AboutEntrant],
    estimate: impl Fn(&str) -> Option<Option<Estimate>>,
) -> Vec<SweptSetting> {
    // Points by bot, setting and all other settings.
    let mut groups: BTreeMap<[String; 3], Vec<SweptPoint>> = BTreeMap::new();
    for entrant in entrants {
        let Some(estimate) = estimate(&entrant.name) else {
            continue;
        };
        for (setting, value) in entrant.config.as_object().into_iter().flatten() {
            let Some(value) = value.as_f64() else {
                continue;
            };
            let mut fixed = entrant.config.clone();
            fixed
                .as_object_mut()
                .and_then(|fields| fields.remove(setting));
            let key = [entrant.bot.clone(), setting.clone(), fixed.to_string()];
            groups.entry(key).or_default().push(SweptPoint {
                value,
                name: entrant.name.clone(),
                estimate,
            });
        }
    }
    let is_distinct =
        |points: &[SweptPoint]| points.windows(2).all(|two| two[0].value < two[1].value);
    groups
        .into_iter()
        .map(|(key, mut points)| {
            points.sort_by(|one, other| one.value.total_cmp(&other.value));
            (key, points)
        })
        .filter(|(_, points)| points.len() >= VALUES_MIN && is_distinct(points))
        .map(|([bot, setting, fixed], points)| SweptSetting {
            bot,
            setting,
            fixed: serde_json::from_str(&fixed).unwrap_or_default(),
            points,
        })
        .collect()
}
