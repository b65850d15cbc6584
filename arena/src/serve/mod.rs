//! A web server for leagues: live reports, replays, and games against the bots.
//!
//! The server listens on the loopback interface unless another address is given; other addresses
//! require a token. Pages are those of `hattari report --html` with additional scripts. A person at
//! a table gets only the view of their seat, as bots do.

mod connections;
mod error;
mod guard;
mod leader;
mod leagues;
mod play;
mod streams;

pub(crate) use guard::{AccessRules, random_token};
pub(crate) use leagues::{ServedLeague, find};

use anyhow::{Context, anyhow};
use axum::extract::{Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse};
use axum::routing::{get, post};
use axum::{Extension, Json, Router, middleware};
use connections::Connection;
use error::{ErrorResponse, run};
use hattari_agents::games;
use hattari_agents::record::JobId;
use hattari_play::prepared::ClientPolicy;
use hattari_report::report::html;
use play::{PersonReply, TableSetting, Tables};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// Interval for checking whether the server has to stop.
const TICK: Duration = Duration::from_millis(50);
/// Total time limit at shutdown for running bots and responses.
const END_TIME: Duration = Duration::from_millis(500);
/// Time limit for reading each league for the list of leagues.
const LIST_TIME: Duration = Duration::from_secs(2);
/// Maximum number of concurrent costly tasks: loading bots, replaying games, and (separately)
/// computing leaders.
const WORK_MAX: usize = 2;
/// Maximum number of threads for blocking work.
const THREADS_MAX: usize = 32;

/// The state of the server.
pub(crate) struct Site {
    /// The leagues. Their indices are their numbers in URLs.
    leagues: Vec<Arc<ServedLeague>>,
    tables: Tables,
    /// Permits for costly requests. A client that disconnects while it waits for a permit causes no
    /// work.
    work: Arc<Semaphore>,
    /// Permits for computing leaders.
    leaders: Arc<Semaphore>,
    /// Permits for event streams of leagues. Streams use at most half of the connections, so that
    /// the other half is available for pages.
    league_streams: Arc<Semaphore>,
    /// Permits for event streams of tables.
    table_streams: Arc<Semaphore>,
}

type Shared = State<Arc<Site>>;

/// Binds the address. Called before any other work, so that errors are reported early.
///
/// # Errors
/// Returns an error with a remedy if the port cannot be used or the address is not local.
pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let (ip, port) = (address.ip(), address.port());
    let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
        ErrorKind::AddrInUse => anyhow!(
            "port {port} is in use, perhaps by another `hattari serve`: stop it, or give another \
             port with --port (0 for any free port)"
        ),
        ErrorKind::AddrNotAvailable => {
            anyhow!("{ip} is not an address of this machine; use for example --address 127.0.0.1")
        }
        ErrorKind::PermissionDenied => anyhow!(
            "port {port} needs special permissions: give a port of 1024 or more with --port"
        ),
        _ => anyhow!("cannot listen on {address}: {error}"),
    })?;
    listener
        .set_nonblocking(true)
        .context("cannot set up the socket")?;
    Ok(listener)
}

/// Serves requests until `stop` is set.
///
/// # Errors
/// Returns an error if the server cannot be started.
pub(crate) fn serve(
    listener: TcpListener,
    leagues: Vec<ServedLeague>,
    guard: AccessRules,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(THREADS_MAX)
        .enable_all()
        .build();
    let runtime = runtime.context("cannot start the threads of the server")?;
    let most = connections::connection_limit();
    let site = Arc::new(Site {
        leagues: leagues.into_iter().map(Arc::new).collect(),
        tables: Tables::default(),
        work: Arc::new(Semaphore::new(WORK_MAX)),
        leaders: Arc::new(Semaphore::new(WORK_MAX)),
        league_streams: Arc::new(Semaphore::new(most / 4)),
        table_streams: Arc::new(Semaphore::new(most / 4)),
    });
    let router = router(Arc::clone(&site), guard);
    let stopped = Arc::clone(stop);
    let served = runtime.block_on(async move {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        // Event streams never end; they are dropped when the server stops.
        tokio::select! {
            () = connections::serve(listener, router, most) => {}
            () = async { while !stopped.load(Ordering::Relaxed) { tokio::time::sleep(TICK).await } } => {}
        }
        anyhow::Ok(())
    });
    let end = Instant::now() + END_TIME;
    site.tables.clear(end);
    runtime.shutdown_timeout(end.saturating_duration_since(Instant::now()));
    served.context("the server failed")
}

fn router(site: Arc<Site>, guard: AccessRules) -> Router {
    Router::new()
        .route("/", get(index))
        .route("/league/{number}", get(league))
        .route("/league/{number}/events", get(league_events))
        .route("/league/{number}/game", get(game))
        .route("/league/{number}/play", get(play_page).post(open_table))
        .route("/rules/{game}", get(rules))
        .route("/table/{id}/events", get(table_events))
        .route("/table/{id}/answer", post(answer))
        .route("/table/{id}/leave", post(leave))
        .fallback(missing)
        .with_state(site)
        .layer(middleware::from_fn(connections::receive))
        .layer(middleware::from_fn_with_state(
            Arc::new(guard),
            guard::check,
        ))
}

impl Site {
    fn league(&self, number: usize) -> Result<Arc<ServedLeague>, ErrorResponse> {
        self.leagues
            .get(number)
            .map(Arc::clone)
            .ok_or_else(|| ErrorResponse::missing(format!("there is no league {number}")))
    }

    /// Runs the work of a costly request, when a permit is available.
    async fn run_costly<T: Send + 'static>(
        self: Arc<Site>,
        work: impl FnOnce(&Site) -> Result<T, ErrorResponse> + Send + 'static,
    ) -> Result<T, ErrorResponse> {
        let permit = Arc::clone(&self.work).acquire_owned().await;
        run(move || {
            let _permit = permit;
            work(&self)
        })
        .await
    }
}

async fn missing() -> impl IntoResponse {
    (
        StatusCode::NOT_FOUND,
        Html(
            "<!doctype html><title>No such page</title><p>There is no such page. <a href=\"/\">All leagues</a>",
        ),
    )
}

async fn index(State(site): Shared) -> impl IntoResponse {
    let rows = site
        .leagues
        .iter()
        .enumerate()
        .map(|(number, league)| row(&site, number, league));
    let mut rows: Vec<(bool, Value)> = futures_util::future::join_all(rows).await;
    // Leagues with results come first.
    rows.sort_by_key(|(is_open, _)| *is_open);
    Html(html::index(
        &rows.into_iter().map(|(_, row)| row).collect::<Vec<_>>(),
    ))
}

/// Returns a row of the list of leagues, and `true` if the league has no results. Waits at most
/// [`LIST_TIME`] for each part of the row.
async fn row(site: &Site, number: usize, league: &Arc<ServedLeague>) -> (bool, Value) {
    let (facts, state) = tokio::join!(
        timeout(LIST_TIME, Arc::clone(league).summary()),
        timeout(LIST_TIME, Arc::clone(league).state())
    );
    let mut row = json!({"number": number, "name": league.name});
    if let Ok(Ok(facts)) = &facts {
        row["facts"] = json!(facts);
    }
    let state = match (facts, state) {
        (Err(_), _) | (_, Err(_)) => Err(format!(
            "This league cannot be read within {} s.",
            LIST_TIME.as_secs()
        )),
        (_, Ok(state)) => state.map_err(|error| error.to_string()),
    };
    row["progress"] = match &state {
        Ok(state) => json!(state.text),
        Err(reason) => json!(reason),
    };
    let is_open = !state.is_ok_and(|state| state.blocks > 0);
    if !is_open {
        match timeout(
            LIST_TIME,
            Arc::clone(league).leader(Arc::clone(&site.leaders)),
        )
        .await
        {
            Ok(Ok(leader)) => row["leader"] = json!(leader),
            Ok(Err(_)) => {}
            Err(_) => row["isLate"] = json!(true),
        }
    }
    (is_open, row)
}

/// Returns the scripts of the page of a league. `can_play` is `true` if a person can play.
fn league_scripts(can_play: bool) -> &'static [&'static str] {
    if can_play {
        &[include_str!("league.js")]
    } else {
        &["var HattariNoTable = true;", include_str!("league.js")]
    }
}

async fn league(
    State(site): Shared,
    Path(number): Path<usize>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let page = site.league(number)?.page(league_scripts).await?;
    Ok(Html(page.to_string()))
}

async fn league_events(
    State(site): Shared,
    Path(number): Path<usize>,
    connection: Option<Extension<Arc<Connection>>>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let permit = streams::take(&site.league_streams, connection)?;
    Ok(streams::progress(site.league(number)?, permit))
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct GameQuery {
    line_up: u32,
    block: u32,
    game: u32,
}

async fn game(
    State(site): Shared,
    Path(number): Path<usize>,
    Query(request): Query<GameQuery>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let job = JobId {
        line_up: request.line_up,
        block: request.block,
    };
    Ok(Json(
        site.run_costly(move |site: &Site| Ok(site.league(number)?.game(job, request.game)?))
            .await?,
    ))
}

async fn play_page(
    State(site): Shared,
    Path(number): Path<usize>,
) -> Result<impl IntoResponse, ErrorResponse> {
    site.run_costly(move |site| {
        let league = site.league(number)?;
        let cannot = |reason: Vec<String>| (StatusCode::UNPROCESSABLE_ENTITY, reason);
        let offers = match league.play_obstacles() {
            Ok(None) => league
                .prepare(ClientPolicy::Absent)
                .map(|prepared| play::offers(&prepared))
                .map_err(|error| cannot(vec![format!("cannot open a table: {error:#}")])),
            Ok(Some(reason)) => Err((StatusCode::OK, reason)),
            Err(error) => Err(cannot(vec![format!("{error:#}")])),
        };
        let offers = match offers {
            Ok(offers) => offers,
            Err((status, lead)) => {
                let body = format!(
                    r#"<p><a href="/league/{number}">Back to the league</a> · <a href="/">All leagues</a></p>"#
                );
                let title = &format!("You cannot play in {}", league.name);
                let page = html::plain(&html::PlainPage {
                    title,
                    kind: "play",
                    heading: title,
                    lead: &lead,
                    body: &body,
                    scripts: &[],
                    data: &[],
                    foot: "",
                });
                return Ok((status, Html(page)));
            }
        };
        let page = html::plain(&html::PlainPage {
            title: &format!("Play {}", league.name),
            kind: "play",
            heading: &format!("Play against the bots of {}", league.name),
            lead: &["You take the place of one entrant and see what a bot in your seat would see.".to_owned()],
            body: &format!(include_str!("play.html"), number = number, game = offers["game"].as_str().unwrap_or_default()),
            scripts: &[include_str!("play.js")],
            data: &[("hattari-offers", html::harmless(&offers))],
            foot: "These games are not recorded and do not count in the league.",
        });
        Ok((StatusCode::OK, Html(page)))
    })
    .await
}

async fn rules(Path(game): Path<String>) -> Result<impl IntoResponse, ErrorResponse> {
    let game = games::named(&game).map_err(|error| ErrorResponse::missing(error.to_string()))?;
    let title = &format!("Rules of {}", game.name());
    Ok(Html(html::plain(&html::PlainPage {
        title,
        kind: "rules",
        heading: title,
        lead: &[],
        body: &html::markdown(game.rules),
        scripts: &[],
        data: &[],
        foot: "Served by Hattari on this machine.",
    })))
}

async fn open_table(
    State(site): Shared,
    Path(number): Path<usize>,
    Json(request): Json<TableSetting>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let id = site
        .run_costly(move |site: &Site| site.tables.open(&*site.league(number)?, request))
        .await?;
    Ok(Json(json!({"table": id})))
}

async fn table_events(
    State(site): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    connection: Option<Extension<Arc<Connection>>>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let session = site.tables.find(&id)?;
    // After a lost connection, the browser sends the number of the last message.
    let seen = headers
        .get("last-event-id")
        .and_then(|id| id.to_str().ok()?.parse::<usize>().ok());
    let permit = streams::take(&site.table_streams, connection)?;
    let first = seen.map_or(0, |seen| seen + 1);
    Ok(streams::table(session, first, permit))
}

#[derive(Deserialize)]
struct AnswerRequest {
    question: u64,
    action: Option<u32>,
    #[serde(default)]
    amount: i64,
}

async fn answer(
    State(site): Shared,
    Path(id): Path<String>,
    Json(given): Json<AnswerRequest>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let answer = match given.action {
        Some(action) => PersonReply::Act {
            action,
            amount: given.amount,
        },
        None => PersonReply::NextGame,
    };
    site.tables.find(&id)?.answer(given.question, answer)?;
    Ok(Json(Value::Bool(true)))
}

async fn leave(
    State(site): Shared,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, ErrorResponse> {
    site.tables.find(&id)?.leave();
    Ok(([(CONTENT_TYPE, "text/plain")], "left"))
}
