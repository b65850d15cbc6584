//! `hattari export pbn` and `hattari export lin`.

use super::{BlockInfo, GameWriter};
use hattari_plugin::games::Game;
use hattari_plugin::games::bridge::{Board, Bridge, write_lin, write_pbn};

pub(super) const HELP: &str = "\
Boards are replayed from their seeds. If the store contains a block's record, the two are \
compared, as by `hattari replay`. A board has its deal, dealer, vulnerability, auction, \
contract, every card in the order of play, the tricks of declarer's side and the entrant in each \
seat. Boards are numbered in the order of the file. PBN also gets the tags LineUp, Block and \
Game, which identify the board in its league; the two tables of a duplicate board are \
consecutive games.

Examples:
  hattari export pbn leagues/bridge.yaml --output bridge.pbn
  hattari export lin leagues/bridge.yaml --line-up 0 --block 3 > block.lin

Exit codes: 0 written, 1 a replayed block differs from the stored record, 2 any error.";

/// A writer of boards in Portable Bridge Notation if `PBN` is true, otherwise in the LIN format of
/// Bridge Base Online.
pub(super) struct BoardWriter<const PBN: bool>(BlockInfo);

impl<const PBN: bool> GameWriter<Bridge> for BoardWriter<PBN> {
    const UNIT: &'static str = "board";

    fn new(block: BlockInfo) -> Self {
        BoardWriter(block)
    }

    fn ended(
        &mut self,
        game: &Bridge,
        deal: &Board,
        number: u32,
        place: u64,
        _payoffs: &[i64],
        entrants: &[usize],
    ) -> anyhow::Result<String> {
        let mut board = game.record(deal);
        board.tags.insert(0, ("Board".into(), place.to_string()));
        let names = self.0.names_of(entrants);
        for (seat, direction) in (0..).zip(["North", "East", "South", "West"]) {
            let name = names[game.player_at(deal, seat)].clone();
            board.tags.push((direction.into(), name));
        }
        let origin = &self.0.origin;
        let league = origin.league.clone().unwrap_or_default();
        board.tags.push(("Event".into(), league));
        for (tag, number) in [
            ("LineUp", origin.line_up),
            ("Block", origin.block),
            ("Game", Some(number)),
        ] {
            board
                .tags
                .extend(number.map(|number| (tag.into(), number.to_string())));
        }
        Ok(match (PBN, place) {
            (false, _) => write_lin(&[board]),
            (true, 1) => write_pbn(&[board]),
            // Only the first board follows the header of the file.
            (true, _) => write_pbn(&[board]).replacen(&write_pbn(&[]), "", 1),
        })
    }
}
