//! Tests of entrants that are excluded because of their bots.

use super::*;

#[test]
fn broken_bots_are_excluded_if_the_league_allows_it() {
    let files = ["in/a.lua", "in/b.lua", "in/bad1.lua", "in/bad2.lua"];
    let folder = folder_with(&files.map(|file| (file, "")));
    let load = |text: &str| in_folder(&folder, text);
    let text = |more: &str| {
        format!(
            "game: tanhinmin\nseed: 1\nentrants: [{{bot: \"in/*.lua\"}}, eager]\nformat: {{kind: line-ups, size: 2}}\nblocks: 10\n{more}"
        )
    };
    let stopped = load(&text("")).unwrap_err();
    has(&stopped, "`in/bad1.lua` does not parse");
    has(&stopped, "2 problems");
    let league = load(&text("on_error: exclude")).unwrap();
    assert_eq!(named(&league), ["a=in/a.lua", "b=in/b.lua", "eager=eager"]);
    let messages: Vec<String> = league.excluded.iter().map(Excluded::to_string).collect();
    assert_eq!(messages[0], "`bad1`: `in/bad1.lua` does not parse");
    assert_eq!(
        (messages.len(), Schedule::of(&league).line_ups.len()),
        (2, 3)
    );
    let stored = serde_json::to_string(&league).unwrap();
    assert_eq!(serde_json::from_str::<League>(&stored).unwrap(), league);
    // Excluded entrants are removed from the format.
    let with_format = |format: &str| {
        load(&text("on_error: exclude").replace("{kind: line-ups, size: 2}", format))
    };
    let swiss = with_format("{kind: swiss, rounds: 2, size: 2, late: {bad1: 2, b: 2}}").unwrap();
    let Format::Swiss(swiss) = &swiss.format else {
        panic!()
    };
    assert_eq!(swiss.late.keys().collect::<Vec<_>>(), ["b"]);
    // Entrants with fixed seats cannot be excluded, nor can all entrants.
    let fixed = "{kind: challenge, challengers: [a, b], field: [bad1]}";
    for (format, words) in [
        (
            fixed,
            "`bad1` cannot be excluded, because it is in the `field`",
        ),
        (fixed, "`bad2`: `in/bad2.lua`"),
        (
            "{kind: duel, a: [bad1, bad2], b: [a]}",
            "no entrant is left in a list",
        ),
        (
            "{kind: line-ups, size: 4}",
            "3 entrants are left for tables of 4",
        ),
    ] {
        has(&with_format(format).unwrap_err(), words);
    }
}
