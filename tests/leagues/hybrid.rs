//! Entrants that play like one bot, with the choices of another bot in some decisions.

use crate::support::{Folder, project};
use hattari_agents::record::Record;

/// Hybrids of two built-in bots and of a Lua bot with a built-in bot, on the same deals as their
/// parts.
fn league(when: &str) -> String {
    let lua = project().join("scripts/daihinmin/minimal.lua");
    let names = [
        "mine",
        "all-k",
        "base",
        "never",
        "always",
        "lua-never",
        "lua-always",
        "some",
    ];
    format!(
        "game: daihinmin\nseed: 7\nentrants:\n\
         - {{name: never, bot: {{hybrid: base, with: all-k, when: \"own cards: 200 or more\"}}}}\n\
         - {{name: always, bot: {{hybrid: base, with: all-k, when: all decisions}}}}\n\
         - {{name: lua-never, bot: {{hybrid: mine, with: all-k, when: \"turn: exchange and turn: lead\"}}}}\n\
         - {{name: lua-always, bot: {{hybrid: all-k, with: mine, when: \"own cards: 0 or more\"}}}}\n\
         - {{name: some, bot: {{hybrid: mine, with: all-k, when: \"{when}\"}}}}\n\
         - {{name: mine, bot: {:?}}}\n- all-k\n- base\n\
         format: {{kind: challenge, challengers: [{}], field: [base, base, base, base]}}\n\
         blocks: 3\ndeals: 8\nsame_deals: true\n",
        lua.display().to_string(),
        names.join(", ")
    )
}

/// The score of each challenger in each block, in the order of `league`.
fn scores(records: &[Record]) -> Vec<Vec<i64>> {
    let mut scores = vec![Vec::new(); 8];
    for record in records {
        scores[record.job.line_up as usize].push(record.sum[0]);
    }
    scores
}

#[test]
fn a_hybrid_plays_like_the_bot_selected_for_each_decision() {
    let folder = Folder::of(&league("turn: follow, own cards: 5 or more"));
    let scores = scores(&folder.play("x.yaml"));
    let [
        mine,
        all_k,
        base,
        never,
        always,
        lua_never,
        lua_always,
        some,
    ] = &scores[..]
    else {
        panic!("{scores:?}");
    };
    assert_eq!(never, base);
    assert_eq!(always, all_k);
    assert_eq!(lua_never, mine);
    assert_eq!(lua_always, mine);
    assert!(mine != all_k && base != all_k && some != mine && some != all_k);
}

#[test]
fn every_command_that_opens_a_league_supports_hybrids() {
    let folder = Folder::of(&league("turn: follow"));
    folder.succeeds("run x.yaml --dry-run");
    folder.play("x.yaml");
    folder.succeeds("report x.yaml").says("some");
    folder.succeeds("verify x.yaml --all");
    folder
        .succeeds("replay x.yaml --line-up 7 --block 0 --deal 0")
        .says("some");
    let digest = folder.digest("x.yaml");
    folder.succeeds("cluster pack x.yaml");
    folder.succeeds("run x.hattari --no-report --store packed.sqlite");
    assert_eq!(folder.digest("packed.sqlite"), digest);
    folder
        .succeeds("review x.yaml --of mine --by some --deals 24 --forks 1")
        .says("in the same seats");
    // Other conditions are another version of the hybrid, and only its blocks are played again.
    folder.write("x.yaml", league("turn: lead"));
    folder.succeeds("run x.yaml --no-report");
    folder.succeeds("report x.yaml --versions some").says("2");
}

#[test]
fn invalid_hybrids_are_refused_with_the_reason() {
    let with = |bot: &str| {
        Folder::of(&format!(
            "game: tanhinmin\nentrants: [saver, boss, {{name: own, bot: saver}}, {{name: guest, kind: uecda}}, {{name: h, bot: {bot}}}]\n\
             format: {{kind: line-ups, size: 3}}\nblocks: 2\n"
        ))
    };
    for (bot, reason) in [
        ("{hybrid: saver, with: boss}", "lacks the key `when`"),
        (
            "{hybrid: saver, with: boss, when: following and passes}",
            "features of tanhinmin: `turn`, `own cards`",
        ),
        (
            "{hybrid: saver, with: boss, when: \"turn: folow\"}",
            "`turn` cannot be `folow`",
        ),
        (
            "{hybrid: saver, with: guest, when: \"turn: follow\"}",
            "`guest` cannot be part of a hybrid",
        ),
        (
            "{hybrid: own, with: h, when: \"turn: follow\"}",
            "`h` cannot be part of a hybrid",
        ),
        (
            "{hybrid: saver, with: bosss, when: \"turn: follow\"}",
            "no bot `bosss`",
        ),
        (
            "{hybrid: saver, with: boss, when: \"turn: follow\"}, config: {a: 1}",
            "`config` cannot be given with a hybrid",
        ),
    ] {
        let refused = with(bot).refuses("run x.yaml --dry-run", reason);
        refused.never_says("no bot `own`");
    }
}
