//! Converts a table of scores in CSV format to samples. The table has a column `block`, optionally
//! a column `cluster`, and one column of scores per bot.
//!
//! The unit of observation is the block: rows of a block may be in any order and are averaged. An
//! empty cell or `NA` means that the bot did not play in that row. The score of a block is the mean
//! of the rows that the bot played. Two bots are compared on the blocks that both played. Blocks of
//! the same `cluster` have the same cards and count as one observation; by default, each block has
//! its own cards. If every block has one row, there are no scores of single deals. Spaces around
//! cells, a byte order mark, CRLF and quoted fields are accepted; empty lines are skipped.

use super::{BlockInfo, BlockLabel, LineUpSample, PairDeals, Samples};
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
            "" => refuse(format!("line {line}: the cell of `{column}` is empty")),
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
        if block == rows.line_up.blocks.len() {
            rows.new_block(label, cluster_number.unwrap_or(block));
        } else if let (Some(cluster), Some(number)) = (cluster, cluster_number)
            && number != rows.line_up.blocks[block].cluster
        {
            let earlier = clusters
                .iter()
                .find(|(_, known)| **known == rows.line_up.blocks[block].cluster)
                .map_or_else(String::new, |(text, _)| text.clone());
            return refuse(format!(
                "line {line}: block `{label}` is in cluster `{cluster}` here and in `{earlier}` \
                above; a block belongs to one cluster, so give its rows the same cluster"
            ));
        }
        let scores = columns
            .bots
            .iter()
            .map(|(index, name)| score(&record[*index], name, line));
        rows.add(block, &scores.collect::<Result<Vec<_>, _>>()?);
    }
    if rows.line_up.blocks.is_empty() {
        return refuse("there are no rows below the header");
    }
    Ok(rows.finish(columns.bots.into_iter().map(|(_, name)| name).collect()))
}

/// Indices of the columns, and the names of the bots.
struct ScoreColumns {
    block: usize,
    cluster: Option<usize>,
    /// The columns of scores with their names.
    bots: Vec<(usize, String)>,
}

impl ScoreColumns {
    fn of(header: &csv::StringRecord) -> Result<ScoreColumns, ScoresError> {
        if header.is_empty() || (header.len() == 1 && header[0].is_empty()) {
            return refuse(
                "the file is empty; the first line must name the columns: block, then one column \
                per bot",
            );
        }
        let mut bots: Vec<(usize, String)> = Vec::new();
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
            if is_repeated || bots.iter().any(|(_, known)| known == name) {
                return refuse(format!("line 1: two columns are called `{name}`"));
            }
            match special {
                Some(special) => *special = Some(index),
                None => bots.push((index, name.to_owned())),
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

/// Removes the scores of single deals.
fn clear_deals(line_up: &mut LineUpSample) {
    for pair in &mut line_up.pairs {
        let (a, b) = (Vec::new(), Vec::new());
        pair.deals = PairDeals::Scores { a, b };
    }
}

/// The scores of all rows so far.
struct ScoreRows {
    line_up: LineUpSample,
    /// For each bot and block, the number of rows that the bot played, and the sum of its scores.
    sums: Vec<Vec<(u64, f64)>>,
}

impl ScoreRows {
    fn new(n_bots: usize) -> ScoreRows {
        let entrants: Vec<usize> = (0..n_bots).collect();
        let places: Vec<Vec<usize>> = entrants.iter().map(|&bot| vec![bot]).collect();
        let mut line_up = LineUpSample::new(&entrants, &places);
        line_up
            .bots
            .iter_mut()
            .for_each(|bot| bot.ranks = Vec::new());
        clear_deals(&mut line_up);
        ScoreRows {
            line_up,
            sums: vec![Vec::new(); n_bots],
        }
    }

    fn new_block(&mut self, label: &str, cluster: usize) {
        self.line_up.blocks.push(BlockInfo {
            label: BlockLabel::Text(label.into()),
            deals: 0,
            cluster,
        });
        self.sums.iter_mut().for_each(|sums| sums.push((0, 0.0)));
        self.line_up
            .pairs
            .iter_mut()
            .for_each(|pair| pair.ahead.push([0.0; 2]));
    }

    fn add(&mut self, block: usize, scores: &[Option<f64>]) {
        self.line_up.blocks[block].deals += 1;
        for (sums, score) in self.sums.iter_mut().zip(scores) {
            if let Some(score) = score {
                let (rows, sum) = &mut sums[block];
                *rows += 1;
                *sum += score;
            }
        }
        for pair in &mut self.line_up.pairs {
            if let (Some(score_a), Some(score_b)) = (scores[pair.a], scores[pair.b])
                && let PairDeals::Scores { a, b } = &mut pair.deals
            {
                a.push(score_a);
                b.push(score_b);
                // A tie counts one half for each.
                let first = if score_a == score_b {
                    0.5
                } else {
                    f64::from(u8::from(score_a > score_b))
                };
                let ahead = &mut pair.ahead[block];
                ahead[0] += first;
                ahead[1] += 1.0 - first;
            }
        }
    }

    fn finish(self, names: Vec<String>) -> Samples {
        let mut line_up = self.line_up;
        // A row that is a whole block says nothing about single deals.
        if line_up.blocks.iter().all(|block| block.deals == 1) {
            clear_deals(&mut line_up);
        }
        for (bot, sums) in line_up.bots.iter_mut().zip(&self.sums) {
            bot.means = sums
                .iter()
                .map(|&(rows, sum)| (rows > 0).then(|| sum / rows as f64))
                .collect();
            bot.deals = sums.iter().map(|(rows, _)| rows).sum();
        }
        let n_bots = names.len();
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

    #[track_caller]
    fn check_pair(line_up: &LineUpSample, pair: usize, a: &[f64], b: &[f64]) {
        let (a, b) = (a.to_vec(), b.to_vec());
        assert_eq!(line_up.pairs[pair].deals, PairDeals::Scores { a, b });
    }

    #[test]
    fn rows_of_a_block_are_averaged_in_any_order() {
        let samples = read("block,a,b\nx,1,2\ny,5,5\nx,3,0\n").unwrap();
        assert_eq!(samples.names, ["a", "b"]);
        let line_up = &samples.line_ups[0];
        let blocks = line_up.blocks.iter();
        let blocks = blocks.map(|b| (b.label.to_string(), b.deals));
        let expected = [("x".to_owned(), 2), ("y".to_owned(), 1)];
        assert_eq!(blocks.collect::<Vec<_>>(), expected);
        assert_eq!(line_up.bots[0].means, [Some(2.0), Some(5.0)]);
        check_pair(line_up, 0, &[1.0, 5.0, 3.0], &[2.0, 5.0, 0.0]);
        assert_eq!(line_up.pairs[0].ahead, [[1.0, 1.0], [0.5, 0.5]]);
    }

    #[test]
    fn blocks_of_one_row_say_nothing_about_single_deals() {
        let samples = read("block,a,b\nx,1,2\ny,5,5\n").unwrap();
        check_pair(&samples.line_ups[0], 0, &[], &[]);
        assert_eq!(samples.line_ups[0].pairs[0].ahead, [[0.0, 1.0], [0.5, 0.5]]);
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
        check_pair(line_up, 0, &[3.0], &[5.0]);
        check_pair(line_up, 2, &[7.0], &[8.0]);
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
        for (text, message) in [
            ("", no_header),
            ("\u{feff}", no_header),
            ("\n\n", no_header),
            ("block,a\n", "there are no rows below the header"),
            ("block\n1\n", "line 1: no column of scores besides `block`"),
            (
                "round,a\n1,2\n",
                "line 1: no column `block`; the columns are `round`, `a`",
            ),
            (
                "block;a;b\n1;2;3\n",
                "line 1: no column `block`; the columns are `block;a;b` (columns are separated by commas)",
            ),
            ("block,a,a\n1,2,3\n", "line 1: two columns are called `a`"),
            (
                "block,a,Block\n1,2,3\n",
                "line 1: two columns are called `Block`",
            ),
            ("block,a,\n1,2,3\n", "line 1: column 3 has no name"),
            ("block,a\n1,2\n,3\n", "line 3: the cell of `block` is empty"),
            (
                "block,a,b\n1,2,3\n1,2,x\n",
                "line 3, column `b`: `x` is not a finite number (leave the cell empty if the bot did not play)",
            ),
            (
                "block,a,b\n1,2,3\n1,2\n",
                "line 3: 2 cells, but the header has 3",
            ),
        ] {
            check_error(text, message);
        }
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
