//! Converts a table of scores in CSV format to samples. The table has a column `block`, optionally
//! a column `cluster`, and one column of scores per bot.
//!
//! The unit of observation is the block: rows of a block may be in any order and are averaged. An
//! empty cell or `NA` means that the bot did not play in that row. The score of a block is the mean
//! of the rows that the bot played. Two bots are compared on the blocks that both played. Blocks of
//! the same `cluster` have the same cards and count as one observation; by default, each block has
//! its own cards. Spaces around cells, a byte order mark, CRLF and quoted fields are accepted;
//! empty lines are skipped.

use super::records::pairs_of;
use super::{
    BlockInfo, BlockLabel, BotSample, LineUpSample, PairDeals, PairSample, Samples, SparseList,
};
use hattari_agents::record::{DecisionTime, KillCounts};
use std::collections::HashMap;
use std::io::Read;

/// Name of the column with the block of a row.
const BLOCK: &str = "block";
/// Name of the column with the cluster of a block.
const CLUSTER: &str = "cluster";
/// Maximum absolute value of a score. Squares of larger scores, and sums of them, could be infinite.
const SCORE_MAX: f64 = 1e100;

/// An error in a table of scores. The message names the line, from 1.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct ScoresError(String);

/// Reads a table of scores as a single line-up of all bots.
///
/// # Errors
/// Returns an error with the line number if the table does not have the format described in this
/// module.
pub fn read_scores(input: impl Read) -> Result<Samples, ScoresError> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(input);
    let header = reader.headers().map_err(explain)?.clone();
    let columns = ScoreColumns::of(&header)?;
    let (mut labels, mut clusters) = (HashMap::new(), HashMap::new());
    let mut rows = ScoreRows::new(columns.bots.len());
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(explain)? {
        let line = record.position().map_or(0, csv::Position::line);
        let text = |index: usize, column: &str| match &record[index] {
            "" => Err(ScoresError(format!(
                "line {line}: the cell of `{column}` is empty"
            ))),
            text => Ok(text),
        };
        let label = text(columns.block, BLOCK)?;
        let cluster = columns
            .cluster
            .map(|index| text(index, CLUSTER))
            .transpose()?;
        let number = |numbers: &mut HashMap<String, usize>, text: &str| {
            let next = numbers.len();
            *numbers.entry(text.to_owned()).or_insert(next)
        };
        let cluster_number = cluster.map(|cluster| number(&mut clusters, cluster));
        let block = number(&mut labels, label);
        if block == rows.blocks.len() {
            rows.new_block(label, cluster_number.unwrap_or(block), columns.bots.len());
        } else if let (Some(cluster), Some(number)) = (cluster, cluster_number)
            && number != rows.blocks[block].cluster
        {
            let earlier = clusters
                .iter()
                .find(|(_, known)| **known == rows.blocks[block].cluster)
                .map_or_else(String::new, |(text, _)| text.clone());
            return Err(ScoresError(format!(
                "line {line}: block `{label}` is in cluster `{cluster}` here and in `{earlier}` \
                above; a block belongs to one cluster, so give its rows the same cluster"
            )));
        }
        let score = |column: &BotColumn| score(&record[column.index], &column.name, line);
        let scores = columns
            .bots
            .iter()
            .map(score)
            .collect::<Result<Vec<_>, _>>()?;
        rows.add(block, &scores);
    }
    if rows.blocks.is_empty() {
        return refuse("there are no rows below the header");
    }
    Ok(rows.finish(columns.bots.into_iter().map(|column| column.name).collect()))
}

/// Indices of the columns, and the names of the bots.
struct ScoreColumns {
    block: usize,
    cluster: Option<usize>,
    bots: Vec<BotColumn>,
}

struct BotColumn {
    index: usize,
    name: String,
}

impl ScoreColumns {
    fn of(header: &csv::StringRecord) -> Result<ScoreColumns, ScoresError> {
        if header.is_empty() || (header.len() == 1 && header[0].is_empty()) {
            return refuse(
                "the file is empty; the first line must name the columns: block, then one column \
                per bot",
            );
        }
        let mut bots: Vec<BotColumn> = Vec::new();
        let (mut block, mut cluster) = (None, None);
        for (index, name) in header.iter().enumerate() {
            if name.is_empty() {
                return refuse(format!("line 1: column {} has no name", index + 1));
            }
            let special = match name.to_ascii_lowercase().as_str() {
                BLOCK => Some(&mut block),
                CLUSTER => Some(&mut cluster),
                _ => None,
            };
            let is_repeated = special.as_ref().is_some_and(|special| special.is_some());
            if is_repeated || bots.iter().any(|column| column.name == name) {
                return refuse(format!("line 1: two columns are called `{name}`"));
            }
            match special {
                Some(special) => *special = Some(index),
                None => bots.push(BotColumn {
                    index,
                    name: name.to_owned(),
                }),
            }
        }
        let Some(block) = block else {
            let columns = hattari_agents::text::quoted(header);
            let other_separator = header.len() == 1 && header[0].contains([';', '\t']);
            let hint = if other_separator {
                " (columns are separated by commas)"
            } else {
                ""
            };
            return refuse(format!(
                "line 1: no column `block`; the columns are {columns}{hint}"
            ));
        };
        if bots.is_empty() {
            return refuse("line 1: no column of scores besides `block`");
        }
        Ok(ScoreColumns {
            block,
            cluster,
            bots,
        })
    }
}

/// Parses a cell. Returns `None` if the bot did not play.
fn score(cell: &str, column: &str, line: u64) -> Result<Option<f64>, ScoresError> {
    if cell.is_empty() || cell == "NA" {
        return Ok(None);
    }
    match cell.parse::<f64>() {
        Ok(score) if score.abs() <= SCORE_MAX => Ok(Some(score)),
        Ok(score) if score.is_finite() => refuse(format!(
            "line {line}, column `{column}`: `{cell}` is too large; scores are between -1e100 and \
            1e100, so divide all scores by the same number"
        )),
        _ => refuse(format!(
            "line {line}, column `{column}`: `{cell}` is not a finite number (leave the cell empty \
            if the bot did not play)"
        )),
    }
}

fn refuse<T>(message: impl Into<String>) -> Result<T, ScoresError> {
    Err(ScoresError(message.into()))
}

fn explain(error: csv::Error) -> ScoresError {
    let line = |position: &Option<csv::Position>| position.as_ref().map_or(0, csv::Position::line);
    ScoresError(match error.kind() {
        csv::ErrorKind::UnequalLengths {
            pos,
            expected_len,
            len,
        } => format!(
            "line {}: {len} cells, but the header has {expected_len}",
            line(pos)
        ),
        csv::ErrorKind::Utf8 { pos, .. } => format!("line {}: not UTF-8 text", line(pos)),
        _ => error.to_string(),
    })
}

struct ScoreRows {
    blocks: Vec<ScoreBlock>,
    /// Scores of each pair of bots in the rows that both played; pairs in row-major order.
    pairs: Vec<PairScores>,
}

/// The scores of two bots in the rows that both played.
#[derive(Clone, Default)]
struct PairScores {
    a: Vec<f64>,
    b: Vec<f64>,
}

/// The sum of a bot's scores in the rows of a block that it played.
#[derive(Clone, Default)]
struct BotSum {
    rows: u64,
    sum: f64,
}

struct ScoreBlock {
    label: String,
    cluster: usize,
    rows: u64,
    bots: Vec<BotSum>,
    /// Number of rows in which the first and the second bot was ahead, by pair. A tie counts one
    /// half for each.
    ahead: Vec<[f64; 2]>,
}

impl ScoreRows {
    fn new(n_bots: usize) -> ScoreRows {
        let n_pairs = n_bots * n_bots.saturating_sub(1) / 2;
        ScoreRows {
            blocks: Vec::new(),
            pairs: vec![PairScores::default(); n_pairs],
        }
    }

    fn new_block(&mut self, label: &str, cluster: usize, n_bots: usize) {
        self.blocks.push(ScoreBlock {
            label: label.to_owned(),
            cluster,
            rows: 0,
            bots: vec![BotSum::default(); n_bots],
            ahead: vec![[0.0; 2]; self.pairs.len()],
        });
    }

    fn add(&mut self, block: usize, scores: &[Option<f64>]) {
        let block = &mut self.blocks[block];
        block.rows += 1;
        for (bot, score) in block.bots.iter_mut().zip(scores) {
            if let Some(score) = score {
                bot.rows += 1;
                bot.sum += score;
            }
        }
        let mut pairs = self.pairs.iter_mut().zip(&mut block.ahead);
        for (a, score_a) in scores.iter().enumerate() {
            for (score_b, (pair, ahead)) in scores[a + 1..].iter().zip(&mut pairs) {
                if let (Some(score_a), Some(score_b)) = (score_a, score_b) {
                    pair.a.push(*score_a);
                    pair.b.push(*score_b);
                    let first = if score_a == score_b {
                        0.5
                    } else {
                        f64::from(u8::from(score_a > score_b))
                    };
                    ahead[0] += first;
                    ahead[1] += 1.0 - first;
                }
            }
        }
    }

    fn finish(self, names: Vec<String>) -> Samples {
        let n_bots = names.len();
        let mean = |bot: &BotSum| (bot.rows > 0).then(|| bot.sum / bot.rows as f64);
        let bots = (0..n_bots).map(|entrant| BotSample {
            entrant,
            copies: 1,
            means: self
                .blocks
                .iter()
                .map(|block| mean(&block.bots[entrant]))
                .collect(),
            luck: SparseList::default(),
            deals: self
                .blocks
                .iter()
                .map(|block| block.bots[entrant].rows)
                .sum(),
            ranks: Vec::new(),
            faults: 0,
            forfeited: SparseList::default(),
            fault_notes: SparseList::default(),
            lag: hattari_stats::dependence::LagSums::default(),
        });
        let bots = bots.collect();
        let pairs = pairs_of(n_bots)
            .zip(self.pairs)
            .enumerate()
            .map(|(pair, ((a, b), scores))| PairSample {
                a,
                b,
                deals: PairDeals::Scores {
                    a: scores.a,
                    b: scores.b,
                },
                ahead: self.blocks.iter().map(|block| block.ahead[pair]).collect(),
            });
        let info = |block: &ScoreBlock| BlockInfo {
            label: BlockLabel::Text(block.label.as_str().into()),
            deals: block.rows,
            cluster: block.cluster,
        };
        let blocks = self.blocks.iter().map(info).collect();
        let line_up = LineUpSample {
            entrants: (0..n_bots).collect(),
            blocks,
            bots,
            pairs: pairs.collect(),
            planned_deals: 0,
        };
        Samples {
            names,
            line_ups: vec![line_up],
            thinking: vec![DecisionTime::default(); n_bots],
            kills: vec![KillCounts::default(); n_bots],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Samples, ScoresError> {
        read_scores(text.as_bytes())
    }

    #[track_caller]
    fn check_error(text: &str, message: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn rows_of_a_block_are_averaged_in_any_order() {
        let samples = read("block,a,b\nx,1,2\ny,5,5\nx,3,0\n").unwrap();
        assert_eq!(samples.names, ["a", "b"]);
        let line_up = &samples.line_ups[0];
        assert_eq!(
            line_up
                .blocks
                .iter()
                .map(|b| (b.label.to_string(), b.deals))
                .collect::<Vec<_>>(),
            [("x".to_owned(), 2), ("y".to_owned(), 1)]
        );
        assert_eq!(line_up.bots[0].means, [Some(2.0), Some(5.0)]);
        assert_eq!(
            line_up.pairs[0].deals,
            PairDeals::Scores {
                a: vec![1.0, 5.0, 3.0],
                b: vec![2.0, 5.0, 0.0]
            }
        );
        assert_eq!(line_up.pairs[0].ahead, [[1.0, 1.0], [0.5, 0.5]]);
    }

    #[test]
    fn an_empty_cell_means_that_the_bot_did_not_play_the_block() {
        let samples = read("block,a,b,c\n1,1,,4\n1,3,5,NA\n2,,7,8\n").unwrap();
        let line_up = &samples.line_ups[0];
        assert_eq!(line_up.bots[0].means, [Some(2.0), None]);
        assert_eq!(
            line_up.bots.iter().map(|bot| bot.deals).collect::<Vec<_>>(),
            [2, 2, 2]
        );
        // a and b both played in the second row only, b and c in the third.
        assert_eq!(
            line_up.pairs[0].deals,
            PairDeals::Scores {
                a: vec![3.0],
                b: vec![5.0]
            }
        );
        assert_eq!(
            line_up.pairs[2].deals,
            PairDeals::Scores {
                a: vec![7.0],
                b: vec![8.0]
            }
        );
    }

    #[test]
    fn blocks_of_a_cluster_count_as_one_observation() {
        let samples = read("block,Cluster,a,b\n1,x,1,2\n2,y,5,5\n3,x,3,0\n1,x,2,2\n").unwrap();
        assert_eq!(samples.line_ups[0].clusters(), [0, 1, 0]);
        assert_eq!(
            read("block,a\n1,1\n2,5\n1,3\n").unwrap().line_ups[0].clusters(),
            [0, 1]
        );
        check_error(
            "block,cluster,a\n1,x,2\n2,,3\n",
            "line 3: the cell of `cluster` is empty",
        );
        check_error(
            "block,cluster,a,cluster\n1,x,2,y\n",
            "line 1: two columns are called `cluster`",
        );
        let two = "line 4: block `1` is in cluster `y` here and in `x` above; a block belongs to \
            one cluster, so give its rows the same cluster";
        check_error("block,cluster,a\n1,x,2\n2,y,3\n1,y,3\n", two);
    }

    #[test]
    fn byte_order_marks_line_ends_quotes_and_spaces_are_ignored() {
        let plain = read("block,a,\"b, the second\"\n1,1.5,-2e-1\n2,0,1\n").unwrap();
        let other =
            read("\u{feff}Block , a ,\"b, the second\"\r\n\"1\", 1.5 ,\"-0.2\"\r\n\r\n2,0,1")
                .unwrap();
        assert_eq!(plain, other);
        assert_eq!(plain.names[1], "b, the second");
    }

    #[test]
    fn errors_name_the_line() {
        let no_header = "the file is empty; the first line must name the columns: block, then one column per bot";
        check_error("", no_header);
        check_error("\u{feff}", no_header);
        check_error("\n\n", no_header);
        check_error("block,a\n", "there are no rows below the header");
        check_error("block\n1\n", "line 1: no column of scores besides `block`");
        check_error(
            "round,a\n1,2\n",
            "line 1: no column `block`; the columns are `round`, `a`",
        );
        check_error(
            "block;a;b\n1;2;3\n",
            "line 1: no column `block`; the columns are `block;a;b` (columns are separated by commas)",
        );
        check_error("block,a,a\n1,2,3\n", "line 1: two columns are called `a`");
        check_error(
            "block,a,Block\n1,2,3\n",
            "line 1: two columns are called `Block`",
        );
        check_error("block,a,\n1,2,3\n", "line 1: column 3 has no name");
        check_error("block,a\n1,2\n,3\n", "line 3: the cell of `block` is empty");
        let not_number = "line 3, column `b`: `x` is not a finite number (leave the cell empty if the bot did not play)";
        check_error("block,a,b\n1,2,3\n1,2,x\n", not_number);
        for cell in ["NaN", "inf", "1e101", "-1.7e308"] {
            let error = read(&format!("block,a\n1,{cell}\n"))
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("line 2, column `a`: "), "{error}");
        }
        read("block,a\n1,-1e100\n").unwrap();
        check_error(
            "block,a,b\n1,2,3\n1,2\n",
            "line 3: 2 cells, but the header has 3",
        );
        check_error(
            "block,a,b\n1,2,3\n1,2,3,4\n",
            "line 3: 4 cells, but the header has 3",
        );
        let not_text: Result<_, _> = read_scores(&b"block,a\n1,2\n1,\xff\n"[..]);
        assert_eq!(not_text.unwrap_err().to_string(), "line 3: not UTF-8 text");
    }
}
