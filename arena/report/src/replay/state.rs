//! The state of a table as JSON, and changes between states.
//!
//! A state has these keys:
//! - `facts`: pairs of name and value; pairs with an empty value are left out
//! - `piles`: triples of name, seat and faces of the cards
//! - `seats`: for each seat number, `player`, `role`, `held`, `open`, `facts`, `note` and `out`
//! - `own`: for the number of each seat with visible cards, `hand` and `facts`
//! - `turn`: the seat to act
//!
//! A change is a JSON merge patch (RFC 7396).

use hattari_plugin::games::scene::{Fact, OwnCards, Scene, Tableau};
use serde_json::{Map, Value, json};

/// Returns the state of a table as seen from some seats; `turn` is the seat to act. With the scene
/// of one seat, the state contains only what that seat may see.
pub fn state(scenes: &[(u8, Scene)], turn: Option<u8>) -> Value {
    let empty = Tableau::default();
    let table = scenes.first().map_or(&empty, |(_, scene)| &scene.table);
    let seats = (0..).zip(&table.places).map(|(seat, place): (u8, _)| {
        let value = json!({
            "player": place.player,
            "role": place.role,
            "held": place.held,
            "open": place.open,
            "facts": facts(&place.facts),
            "note": place.note,
            "out": place.is_out,
        });
        (seat.to_string(), value)
    });
    let piles: Vec<Value> = table
        .piles
        .iter()
        .map(|pile| json!([pile.name, pile.seat, pile.faces]))
        .collect();
    let own = scenes
        .iter()
        .map(|(seat, scene)| (seat.to_string(), own(&scene.own)));
    json!({
        "facts": facts(&table.facts),
        "piles": piles,
        "seats": seats.collect::<Map<_, _>>(),
        "own": own.collect::<Map<_, _>>(),
        "turn": turn,
    })
}

fn own(own: &OwnCards) -> Value {
    json!({"hand": own.hand, "facts": facts(&own.facts)})
}

fn facts(facts: &[Fact]) -> Vec<(&'static str, &str)> {
    facts
        .iter()
        .filter(|(_, value)| !value.is_empty())
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}

/// Returns the merge patch that turns `before` into `after`.
pub fn patch(before: &Value, after: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (before, after) else {
        return after.clone();
    };
    let gone = old
        .keys()
        .filter(|key| !new.contains_key(*key))
        .map(|key| (key.clone(), Value::Null));
    let changed = new.iter().filter_map(|(key, value)| match old.get(key) {
        Some(before) if before == value => None,
        Some(before) => Some((key.clone(), patch(before, value))),
        None => Some((key.clone(), value.clone())),
    });
    Value::Object(gone.chain(changed).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_contains_only_what_changes() {
        let before = json!({"turn": 1, "seats": {"0": {"held": 3, "note": ""}, "1": {"held": 2}}, "piles": [["a", 1]]});
        let after =
            json!({"seats": {"0": {"held": 3, "note": "passed"}, "1": {"held": 1}}, "piles": []});
        let change = patch(&before, &after);
        assert_eq!(
            change,
            json!({"turn": null, "seats": {"0": {"note": "passed"}, "1": {"held": 1}}, "piles": []})
        );
        assert_eq!(patch(&after, &after), json!({}));
    }
}
