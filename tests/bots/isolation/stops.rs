//! Tests of a bot that stops its league.

use super::attacks::with_bot;
use hattari_agents::record::Record;
use std::collections::BTreeMap;

/// A block that stops the league is stored with its fault. Restarting the league until all blocks
/// are played therefore cannot be used to select blocks.
#[test]
fn a_block_that_stops_the_league_is_stored() {
    let more = "faults: stop\nblocks: 6\ndeals: 6\n";
    let folder = with_bot("stops", &["-DCHEATS"], more);
    let mut kept = BTreeMap::<u32, Record>::new();
    let mut runs = 0;
    loop {
        let run = folder.hattari("run x.yaml --no-report --jobs 1");
        runs += 1;
        assert!(
            run.code == 0 || run.err.contains("stopped by a fault"),
            "{}",
            run.err
        );
        for record in folder.records("x.yaml") {
            let block = record.job.block;
            let before = kept.entry(block).or_insert_with(|| record.clone());
            assert_eq!(*before, record, "block {block} was played again");
        }
        if run.code == 0 {
            break;
        }
    }
    let bad = kept
        .values()
        .filter(|record| record.sum[4] < 24)
        .collect::<Vec<_>>();
    assert!(
        !bad.is_empty() && bad.iter().all(|record| !record.faults.is_empty()),
        "{kept:?}"
    );
    assert!(kept.len() == 6 && runs <= 7, "{runs} runs");
    folder.succeeds("report x.yaml").says("crash");
}
