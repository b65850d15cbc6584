//! The part of a check that plays games: faults, determinism and speed.

#[cfg(test)]
mod tests;

use super::speed::{DealTracker, Stopwatch};
use super::time_allowance::{CHECK_ENDED, CheckedAgent, ExceededLimit, TimeAllowance, add_time};
use super::{Check, CheckPlan, Grade};
use hattari_agents::agent::output::{self, OutputCapture};
use hattari_agents::agent::{Agent, AgentError, AgentFactory, AgentResult, lock};
use hattari_agents::record::{Fault, FaultKind, JobId, Record};
use hattari_agents::seeds::Seeds;
use hattari_agents::table::{AnyGame, BlockPlan, FaultPolicy};
use hattari_agents::text::{counted, joined};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Number of deals of the pilot block, which measures the time per deal.
const PILOT_DEALS: u32 = 3;
/// Number of times that every block is played: timed, in reverse order, and on each of two threads.
const PASSES: u32 = 4;
/// Maximum number of deals per block, even if there is time for more.
const DEALS_MAX: u32 = 1000;
/// Maximum number of listed faults per line-up; each message is listed once per check.
const FAULTS_LISTED_MAX: usize = 3;

/// A player: the tested bot, or an agent of the host.
#[derive(Clone, Copy, PartialEq)]
enum CheckPlayer {
    Bot,
    Random,
    First,
}

struct CheckLineUp {
    name: &'static str,
    players: Vec<CheckPlayer>,
}

impl CheckLineUp {
    fn new(name: &'static str, size: usize, player: fn(usize) -> CheckPlayer) -> CheckLineUp {
        let players = (0..size).map(player).collect();
        CheckLineUp { name, players }
    }
}

fn is_of_bot(fault: &Fault, players: &[CheckPlayer]) -> bool {
    players[usize::from(fault.entrant)] == CheckPlayer::Bot
}

impl Check<'_> {
    /// Plays the bot against itself and against the host's agents, at the smallest and the largest
    /// table.
    pub(super) fn play(&mut self, game: &dyn AnyGame) {
        let mut early = Vec::new();
        let allowance = Arc::new(TimeAllowance::new(self.plan));
        if let Err(agent_error) = self.play_stages(game, &allowance, &mut early) {
            let verdict = grade_end(&allowance, &agent_error);
            self.add("play", verdict, agent_error.message);
        }
        self.report_early_faults(&early);
    }

    /// Plays the games of a check. Adds the faults before the measured games to `early`.
    ///
    /// # Errors
    /// Returns an error if the bot cannot be played.
    fn play_stages(
        &mut self,
        game: &dyn AnyGame,
        allowance: &Arc<TimeAllowance>,
        early: &mut Vec<EarlyFault>,
    ) -> AgentResult {
        let Check {
            bot,
            plan,
            factory,
            stage,
            ..
        } = *self;
        let new_run = |line_ups, deals| CheckRun {
            game,
            factory,
            plan,
            line_ups,
            deals,
            budget_us: plan.budget_us,
            start_time: Arc::default(),
            allowance: allowance.clone(),
        };
        let all_sizes = new_run(line_ups_of_every_size(game), 1);
        let Some(sizes) = self.check_sizes(&all_sizes, early)? else {
            return Ok(());
        };
        let mut run = new_run(line_ups(sizes), PILOT_DEALS);
        let (lines, records) = run.play_pilot(stage)?;
        for (line_up, record) in run.line_ups.iter().zip(&records) {
            add_early_faults(early, line_up.name, record, &line_up.players);
        }
        let watch = Rc::new(Stopwatch::default());
        let what = format!("playing blocks of {}", counted(run.deals.into(), "deal"));
        let jobs = run.jobs(plan.blocks);
        let records = run.blocks(&jobs, Some(&watch), stage, &what)?;
        self.report_faults(&run, &records);
        self.report_output(&lines);
        self.report.speed = watch.figures();
        // Replay without a time limit, because a decision that is late in one pass may be in time
        // in the next. Programs are not expected to be deterministic, and restarting their
        // processes would take too long.
        if bot.started.is_some() {
            return Ok(());
        }
        run.budget_us = 0;
        let records = if plan.budget_us == 0 {
            Ok(records)
        } else {
            run.blocks(&jobs, None, stage, "replaying without a time limit")
        };
        let compared = records.and_then(|records| self.check_determinism(&run, &records));
        if let Err(agent_error) = compared {
            let verdict = grade_end(allowance, &agent_error);
            let text = "not compared, because the games were not all played twice";
            let text = format!("{text}\n{}", agent_error.message);
            self.add("determinism", verdict, text);
        }
        Ok(())
    }

    /// Reports the early faults whose messages are not in the report. Most faults also occur in the
    /// measured games.
    fn report_early_faults(&mut self, early: &[EarlyFault]) {
        let mut lines = Vec::new();
        let mut messages = BTreeSet::new();
        for (place, fault) in early {
            let message = name_fault(fault);
            if !self
                .report
                .findings
                .iter()
                .any(|finding| finding.text.contains(&message))
                && messages.insert(message)
            {
                lines.push(describe_fault(place, fault));
            }
        }
        if !lines.is_empty() {
            lines.truncate(FAULTS_LISTED_MAX);
            let text = format!(
                "faults in the games before the measured ones\n{}",
                lines.join("\n")
            );
            self.add("first deals", Grade::Wrong, text);
        }
    }

    fn report_faults(&mut self, run: &CheckRun<'_>, records: &[Record]) {
        let mut already_listed = BTreeSet::new();
        for (number, CheckLineUp { name, players }) in (0..).zip(&run.line_ups) {
            let line_up_records: Vec<&Record> = records
                .iter()
                .filter(|record| record.job.line_up == number)
                .collect();
            let (verdict, text) = describe_faults(&line_up_records, players, &mut already_listed);
            self.add(name, verdict, text);
        }
    }

    /// Reports the lines that the bot printed in the pilot block.
    fn report_output(&mut self, lines: &[String]) {
        if let Some(first) = lines.first() {
            let deals = counted(u64::from(PILOT_DEALS), "deal");
            let count = counted(lines.len() as u64, "line");
            // A replay does not run programs, and does not show what a script prints while it
            // loads.
            let shown = if self.bot.started.is_some() {
                "`hattari watch` shows the first of them"
            } else {
                "`hattari replay` and `watch` show those that are printed during a deal"
            };
            let text = format!("{count} in blocks of {deals}: {shown}. The first:\n{first}");
            self.add("prints", Grade::Ok, text);
        }
    }

    /// Returns the sizes of the smallest and the largest table at which the bot plays. A bot may
    /// refuse a size when a block starts. Returns `None` after reporting a bot that refuses all
    /// sizes.
    fn check_sizes(
        &mut self,
        run: &CheckRun<'_>,
        early: &mut Vec<EarlyFault>,
    ) -> AgentResult<Option<(usize, usize)>> {
        let what = "playing a deal at tables of every size";
        let records = run.blocks(&run.jobs(1), None, self.stage, what)?;
        let (mut accepted, mut refused) = (Vec::new(), Vec::new());
        let mut first_refusal = None;
        for (line_up, record) in run.line_ups.iter().zip(&records) {
            let size = line_up.players.len();
            if let Some(fault) = record
                .faults
                .iter()
                .find(|fault| fault.entrant == 0 && fault.kind == FaultKind::Refused)
            {
                first_refusal.get_or_insert((size, &fault.message));
                refused.push(size);
            } else {
                let place = format!("with {size} players");
                add_early_faults(early, &place, record, &line_up.players);
                accepted.push(size);
            }
        }
        let sizes = accepted.first().copied().zip(accepted.last().copied());
        if let Some((first, message)) = first_refusal {
            let list = |sizes: &[usize]| joined(sizes.iter().map(usize::to_string), ", ");
            let (verdict, text) = if accepted.is_empty() {
                let text = format!(
                    "refuses {} with these options at tables of every size\n{message}",
                    run.game.id()
                );
                (Grade::Wrong, text)
            } else {
                let text = format!(
                    "plays at tables of {}, refuses tables of {}\nwith {first} players: {message}",
                    list(&accepted),
                    list(&refused)
                );
                (Grade::Ok, text)
            };
            self.add("tables", verdict, text);
        }
        Ok(sizes)
    }

    /// Replays all blocks in reverse order and on two threads, and compares the records.
    ///
    /// # Errors
    /// Returns an error if the bot could not be played to the end, and no record differs.
    fn check_determinism(&mut self, run: &CheckRun<'_>, records: &[Record]) -> AgentResult {
        let jobs = run.jobs(run.plan.blocks);
        let reversed: Vec<JobId> = jobs.iter().rev().copied().collect();
        let what = "replaying in reverse order";
        let mut reversed = run.blocks(&reversed, None, self.stage, what)?;
        reversed.sort_by_key(|record| record.job);
        (self.stage)("replaying on two threads at once");
        let replay = || run.blocks(&jobs, None, &|_| {}, "");
        let [first, second] = thread::scope(|scope| {
            let threads = [scope.spawn(replay), scope.spawn(replay)];
            threads.map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|_| Err(AgentError::new(FaultKind::Panic, "the host panicked")))
            })
        });
        let mut differences = Vec::new();
        let mut unfinished = None;
        for (condition, outcome) in [
            ("in reverse order", Ok(reversed)),
            ("on the first of two threads", first),
            ("on the second of two threads", second),
        ] {
            let replayed = match outcome {
                Ok(replayed) => replayed,
                Err(agent_error) => {
                    unfinished = Some(agent_error);
                    continue;
                }
            };
            let mut different = records
                .iter()
                .zip(&replayed)
                .filter(|(record, other)| record != other);
            if let Some((first, _)) = different.next() {
                let (count, blocks) = (1 + different.count(), records.len());
                differences.push(format!(
                    "{condition}: {count} of {blocks} blocks differ; the first is block {} of the \
                    games {}",
                    first.job.block, run.line_ups[first.job.line_up as usize].name
                ));
            }
        }
        let list = differences.join("\n");
        let (verdict, text) = match unfinished {
            Some(agent_error) if differences.is_empty() => return Err(agent_error),
            _ if differences.is_empty() => {
                let text = format!(
                    "{} blocks replayed in reverse order and on two threads at once: identical \
                    records",
                    records.len()
                );
                (Grade::Ok, text)
            }
            _ if self.bot.nondeterministic => {
                let text = format!("nondeterministic, as the bot declares; {list}");
                (Grade::Ok, text)
            }
            _ => {
                let text = format!("plays differently with the same seed\n{list}");
                (Grade::Wrong, text)
            }
        };
        self.add("determinism", verdict, text);
        Ok(())
    }
}

/// Returns the grade of a check that `agent_error` ended early: a warning if the bot was only slow,
/// without a fault.
fn grade_end(allowance: &TimeAllowance, agent_error: &AgentError) -> Grade {
    match allowance.exceeded() {
        Some(slow @ ExceededLimit::Slow(_)) if agent_error.message == slow.to_string() => {
            Grade::Warning
        }
        _ => Grade::Wrong,
    }
}

/// A fault of the bot in the games before the measured ones, with its place.
type EarlyFault = (String, Fault);

/// Adds the faults of the bot in a record.
fn add_early_faults(
    early: &mut Vec<EarlyFault>,
    place: &str,
    record: &Record,
    players: &[CheckPlayer],
) {
    let faults = record
        .faults
        .iter()
        .filter(|fault| is_of_bot(fault, players));
    early.extend(faults.map(|fault| (place.to_owned(), fault.clone())));
}

/// Returns one line-up per table size: the bot in the first place, and agents of the host in the
/// others.
fn line_ups_of_every_size(game: &dyn AnyGame) -> Vec<CheckLineUp> {
    let (fewest, most) = game.players();
    let player = |place: usize| match place {
        0 => CheckPlayer::Bot,
        _ => CheckPlayer::First,
    };
    (fewest..=most)
        .map(|size| CheckLineUp::new("tables", size, player))
        .collect()
}

/// Returns the number of deals that the time allows, given the time of the pilot block.
fn affordable_deals(pilot: Duration, plan: &CheckPlan) -> u32 {
    let blocks = f64::from(plan.blocks * PASSES);
    let deals =
        f64::from(PILOT_DEALS) * plan.time.as_secs_f64() / (pilot.as_secs_f64().max(1e-6) * blocks);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded"
    )]
    {
        deals.clamp(1.0, f64::from(DEALS_MAX)) as u32
    }
}

fn line_ups((fewest, most): (usize, usize)) -> Vec<CheckLineUp> {
    use CheckPlayer::{Bot, First, Random};
    let mut line_ups = vec![
        CheckLineUp::new("against itself", most, |_| Bot),
        CheckLineUp::new("against random play", most, |place| match place {
            0 => Bot,
            _ => Random,
        }),
        CheckLineUp::new("with mixed opponents", most, |place| {
            [First, Bot, Random][place % 3]
        }),
    ];
    if fewest < most {
        line_ups.push(CheckLineUp::new("at the smallest table", fewest, |_| Bot));
    }
    line_ups
}

/// Describes the bot's faults in a line-up, each kind and message only once. `already_listed`
/// contains the kinds and messages of earlier line-ups.
fn describe_faults(
    records: &[&Record],
    players: &[CheckPlayer],
    already_listed: &mut BTreeSet<String>,
) -> (Grade, String) {
    let deals: u32 = records.iter().map(|record| record.deals).sum();
    let blocks = records.len();
    let mut count = 0;
    let mut new_faults = Vec::new();
    for record in records {
        count += record
            .fault_counts
            .iter()
            .zip(players)
            .filter(|(_, player)| **player == CheckPlayer::Bot)
            .map(|(count, _)| u64::from(*count))
            .sum::<u64>();
        let place = format!("block {}", record.job.block);
        for fault in &record.faults {
            if is_of_bot(fault, players) && already_listed.insert(name_fault(fault)) {
                new_faults.push(format!("\n{}", describe_fault(&place, fault)));
            }
        }
    }
    let played = format!("{deals} deals in {blocks} blocks");
    if count == 0 {
        return (Grade::Ok, format!("{played}, no faults"));
    }
    let mut text = format!("{played}, {}", counted(count, "fault"));
    match new_faults.len() {
        0 => text += ", all with messages listed above",
        _ => text.extend(new_faults.into_iter().take(FAULTS_LISTED_MAX)),
    }
    (Grade::Wrong, text)
}

fn describe_fault(place: &str, fault: &Fault) -> String {
    let (deal, decision) = (fault.deal, fault.decision);
    format!(
        "{place}, deal {deal}, decision {decision}: {}",
        name_fault(fault)
    )
}

/// Returns the kind and the message of a fault.
fn name_fault(fault: &Fault) -> String {
    format!("{}: {}", fault.kind.name(), fault.message)
}

/// Describes the bot's first fault in a block as a line of text. The text is empty if there is no
/// fault before the end of the check.
fn first_fault(record: &Record) -> String {
    let place = format!("block {}", record.job.block);
    record
        .faults
        .iter()
        .find(|fault| fault.message != CHECK_ENDED)
        .map(|fault| describe_fault(&place, fault) + "\n")
        .unwrap_or_default()
}

struct CheckRun<'a> {
    game: &'a dyn AnyGame,
    factory: &'a dyn AgentFactory,
    plan: &'a CheckPlan,
    line_ups: Vec<CheckLineUp>,
    deals: u32,
    budget_us: i64,
    /// Time spent on opening bots and on starting and ending their blocks, which does not depend on
    /// the number of deals.
    start_time: Arc<Mutex<Duration>>,
    allowance: Arc<TimeAllowance>,
}

impl CheckRun<'_> {
    /// Returns the first `blocks` blocks of all line-ups.
    fn jobs(&self, blocks: u32) -> Vec<JobId> {
        (0..)
            .zip(&self.line_ups)
            .flat_map(|(line_up, _)| (0..blocks).map(move |block| JobId { line_up, block }))
            .collect()
    }

    /// Plays the pilot block, and sets the number of deals of the following blocks. Returns the
    /// lines that the bot printed, and the records.
    fn play_pilot(&mut self, stage: &dyn Fn(&str)) -> AgentResult<(Vec<String>, Vec<Record>)> {
        let start = Instant::now();
        let capture = OutputCapture::begin();
        let records = self.blocks(&self.jobs(1), None, stage, "playing a few deals");
        let lines = output::take();
        drop(capture);
        let time = start.elapsed().saturating_sub(*lock(&self.start_time));
        let plan = self.plan;
        self.deals = plan.deals.unwrap_or_else(|| affordable_deals(time, plan));
        Ok((lines, records?))
    }

    /// Plays jobs in the given order on this thread. As in a league, agents are reused for several
    /// blocks. `what` is the name of the stage in the progress output.
    fn blocks(
        &self,
        jobs: &[JobId],
        watch: Option<&Rc<Stopwatch>>,
        stage: &dyn Fn(&str),
        what: &str,
    ) -> AgentResult<Vec<Record>> {
        let block_plan = BlockPlan {
            deals: self.deals,
            faults: FaultPolicy::Substitute,
            budget_us: self.budget_us,
            luck: false,
            ..BlockPlan::default()
        };
        let mut table = self.game.table();
        let mut tables: Vec<Option<Vec<Box<dyn Agent>>>> =
            self.line_ups.iter().map(|_| None).collect();
        let mut records = Vec::new();
        for (number, &job) in jobs.iter().enumerate() {
            let JobId { line_up, block } = job;
            stage(&format!("{what}: block {} of {}", number + 1, jobs.len()));
            let agents = match &mut tables[line_up as usize] {
                Some(agents) => agents,
                empty => empty
                    .insert(self.open_players(&self.line_ups[line_up as usize].players, watch)?),
            };
            let chance = Seeds::league(self.plan.seed).line_up([line_up.to_string().as_str()]);
            let outcome = match watch {
                Some(watch) => {
                    watch.start_block(line_up, block);
                    table.play_block(job, block_plan, &chance, agents, &mut DealTracker(watch))
                }
                None => table.play_block(job, block_plan, &chance, agents, &mut ()),
            };
            let (record, _) = outcome.map_err(|unfinished| {
                AgentError::new(unfinished.fault().kind, &*unfinished.fault().message)
            })?;
            records.push(record);
            if let Some(reason) = self.allowance.exceeded() {
                let fault = records
                    .iter()
                    .map(first_fault)
                    .find(|text| !text.is_empty());
                let message = format!("{}{reason}", fault.unwrap_or_default());
                return Err(AgentError::new(FaultKind::Time, message));
            }
        }
        Ok(records)
    }

    fn open_players(
        &self,
        players: &[CheckPlayer],
        watch: Option<&Rc<Stopwatch>>,
    ) -> AgentResult<Vec<Box<dyn Agent>>> {
        let open = |player: &CheckPlayer| -> AgentResult<Box<dyn Agent>> {
            let agent = match player {
                CheckPlayer::Bot => self.factory.open(&self.plan.config_json)?,
                CheckPlayer::Random => self.game.random(),
                CheckPlayer::First => self.game.first(),
            };
            Ok(Box::new(CheckedAgent {
                agent,
                allowance: (*player == CheckPlayer::Bot).then(|| self.allowance.clone()),
                watch: watch.cloned(),
                start_time: Arc::clone(&self.start_time),
            }))
        };
        let start = Instant::now();
        let agents = players.iter().map(open).collect();
        add_time(&self.start_time, start.elapsed());
        agents
    }
}
