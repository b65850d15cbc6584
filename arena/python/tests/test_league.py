"""Leagues: given in every way, read as tables and pages."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, Dict

import pytest
from conftest import SMALL

import hattari
from hattari import keys

TEXT = """
game: tanhinmin
options: {cards: 3}
entrants: [eager, boss, random]
format: {kind: line-ups, size: 3}
blocks: 12
deals: 5
"""


def test_a_dict_a_text_and_a_file_are_the_same_league() -> None:
    Path("x.yaml").write_text(TEXT)
    played = [hattari.run(league) for league in (SMALL, TEXT, "x.yaml", Path("x.yaml"))]
    assert len({league.digest() for league in played}) == 1 and played[0].digest()[1] == 12
    assert Path("x.sqlite").exists() and not Path("x.html").exists()
    # A league of its own folder goes with its object.
    place = played[0].path
    assert place.exists()
    del played[0]
    assert not place.exists()


def test_a_path_is_no_option_of_the_program() -> None:
    for name in ("--help", "-", "--version.yaml"):
        for act in (hattari.run, hattari.report, hattari.replay, lambda league: hattari.League(league).digest()):
            with pytest.raises(hattari.Error, match=r"\./" + name.split(".")[0]):
                act(name)
        Path(name).write_text(TEXT)
        league = hattari.run(name)
        assert league.digest()[1] == 12 and hattari.replay(name).text
        os.remove(name)
    hattari.run(SMALL, path="x.yaml")
    for ask in (lambda: hattari.replay("x.yaml", line_up="--help"), lambda: hattari.run("x.yaml", bots=["--help"])):
        with pytest.raises(hattari.Error, match="--help"):
            ask()


def test_a_league_that_is_kept_goes_on_another_time() -> None:
    hattari.run(SMALL, path="kept.yaml")
    league = hattari.run({**SMALL, "blocks": 20}, path="kept.yaml")
    assert league.digest()[1] == 20 and league.store == Path("kept.sqlite")
    assert hattari.standings("kept.yaml").equals(hattari.standings("kept.sqlite"))
    elsewhere = hattari.run("kept.yaml", store="other.sqlite", blocks=20, jobs=1)
    assert elsewhere.digest() == league.digest()


def test_paths_of_a_dict_start_from_here() -> None:
    Path("bots").mkdir()
    Path("bots/low.lua").write_text("return {act = function(view, legal) return 1 end}")
    Path("bots/low.py").write_text("raise SystemExit('it was started')")
    entrants: Any = [{"name": "low", "bot": "bots/low.lua"}, "boss", "random"]
    assert hattari.run({**SMALL, "entrants": entrants}).digest()[1] == 12
    entrants[0] = {"name": "low", "command": ["python3", "bots/low.py"]}
    with pytest.raises(hattari.Error, match="it was started"):
        hattari.run({**SMALL, "entrants": entrants}, trust=True)
    with pytest.raises(hattari.Error, match="if you trust it, pass `trust=True` once"):
        hattari.run({**SMALL, "entrants": [{"name": "low", "command": ["./other"]}, *entrants[1:]]})


def test_errors_of_a_dict_name_its_keys() -> None:
    with pytest.raises(hattari.Error) as raised:
        hattari.run({**SMALL, "entrants": ["eager", {"name": "x", "bot": "bos"}, "random"], "blocks": 0})
    words = str(raised.value)
    assert 'league["entrants"][1]' in words and 'league["blocks"]: ' in words and "did you mean `boss`?" in words, words
    assert "league.yaml" not in words, words


def test_every_line_of_a_dict_has_its_keys() -> None:
    text = json.dumps({"a": [1, {"b": "x {"}, [2]], "c": {}, "d": []}, indent=2)
    places = dict(zip((line.strip() for line in text.splitlines()), keys.of_lines(text)))
    assert places['"b": "x {"'] == 'league["a"][1]["b"]' and places["2"] == 'league["a"][2][0]'
    assert places['"c": {},'] == 'league["c"]' and places['"d": []'] == 'league["d"]' and places["1,"] == 'league["a"][0]'


def test_numbers_of_others_stand_in_a_league() -> None:
    numpy = pytest.importorskip("numpy")
    league = hattari.run({**SMALL, "blocks": numpy.int64(2), "entrants": ("eager", "boss", "random")})
    assert league.digest()[1] == 2


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> hattari.League:
    folder = tmp_path_factory.mktemp("played")
    return hattari.run({**SMALL, "entrants": ["eager", "boss", "random", "saver"]}, path=folder / "x.yaml")


def test_tables_hold_what_the_report_says(played: hattari.League) -> None:
    report: Dict[str, Any] = played.data()
    standings = hattari.standings(played).to_pylist()
    assert [(row["bot"], row["points"], row["low"]) for row in standings] == [
        (bot["name"], bot["mean"], bot["estimate"]["tested"]["low"]) for bot in report["bots"]
    ]
    pairs = hattari.pairs(played).to_pylist()
    assert [(row["a"], row["b"], row["in_words"]) for row in pairs] == [
        (pair["a"], pair["b"], pair["verdict"]["text"]) for pair in report["pairs"]
    ]
    assert [row["p"] for row in pairs] == [pair["pooled"]["tested"]["p"] for pair in report["pairs"]]
    # A place for what is not there.
    assert all(row["sequential_first"] is None and row["equivalence_p"] is None for row in pairs)


def test_wishes_are_heard(played: hattari.League) -> None:
    wide, narrow = (hattari.standings(played, confidence=level).to_pylist() for level in (0.99, 0.8))
    assert all(a["low"] < b["low"] and a["points"] == b["points"] for a, b in zip(wide, narrow))
    equal = hattari.pairs(played, equal_within=5, correction="holm").to_pylist()
    assert all(row["equivalence_p"] is not None for row in equal) and {row["verdict"] for row in equal} >= {"equal"}
    with pytest.raises(TypeError, match="no `level` to wish for"):
        hattari.standings(played, level=0.9)
    with pytest.raises(hattari.Error, match="from 0.5 to below 1"):
        hattari.report(played, confidence=3)


def test_samples_blocks_and_deals_are_the_same_games(played: hattari.League) -> None:
    samples = {(row["line_up"], row["block"], row["bot"]): row for row in hattari.samples(played).to_pylist()}
    blocks = hattari.blocks(played).to_pylist()
    won: Dict[Any, list[int]] = {}
    for row in hattari.deals(played).to_pylist():
        won.setdefault((row["line_up"], row["block"], row["place"], row["bot"]), []).append(row["payoff"])
    assert len(blocks) == len(samples) == len(won) == 4 * 12 * 3
    for row in blocks:
        payoffs = won[row["line_up"], row["block"], row["place"], row["bot"]]
        assert (row["deals"], row["sum"]) == (len(payoffs), sum(payoffs))
        assert row["sum_of_squares"] == sum(payoff * payoff for payoff in payoffs)
        sample = samples[row["line_up"], row["block"], row["bot"]]
        assert math.isclose(sample["mean"], row["sum"] / row["deals"])
        assert row["forfeited"] is sample["forfeited"] is False
    digests = {(row["line_up"], row["block"]): row["digest"] for row in blocks}
    records = {(record["job"]["line_up"], record["job"]["block"]): record["digest"] for record in played.records()}
    assert digests == {job: f"{digest:016x}" for job, digest in records.items()}
    some = hattari.deals(played, line_up="eager,boss,random", block=3)
    assert {(row["line_up"], row["block"]) for row in some.to_pylist()} == {(0, 3)} and some.num_rows == 5 * 3


def test_deals_of_a_store_that_is_another_leagues_are_refused(played: hattari.League) -> None:
    other = hattari.League.of({**SMALL, "seed": 5}, path="other.yaml", store=played.store)
    with pytest.raises(hattari.Error, match="seed"):
        other.deals()


def test_every_table_has_its_name(played: hattari.League) -> None:
    for name in ("standings", "pairs", "lineups", "faults", "samples", "congeniality", "blocks", "deals"):
        assert played.table(name).num_columns > 5, name
    assert played.table("samples").equals(played.samples())
    with pytest.raises(hattari.Error, match="lineups"):
        played.table("line-ups")


def test_data_frames_take_tables(played: hattari.League) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = hattari.samples(played)
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    by_bot = frame.groupby("bot")["mean"].mean()
    other = polars.from_arrow(table).group_by("bot").agg(polars.col("mean").mean())
    assert by_bot.to_dict() == pytest.approx(dict(other.iter_rows()))
    # The numbers are Arrow's own, where they lie.
    column = frame["mean"].array.__arrow_array__().chunk(0)
    assert column.buffers()[1].address == table["mean"].chunk(0).buffers()[1].address


def test_other_readers_read_the_files(played: hattari.League) -> None:
    """Whole groups of rows, and more than one; by Arrow and by a reader that has nothing of it."""
    polars = pytest.importorskip("polars")
    many = hattari.run({**SMALL, "entrants": ["eager", "boss", "random", "saver"], "blocks": 11_000, "deals": 1})
    from hattari.program import call

    call(["export", "parquet", many.path, "--output", "tables"])
    assert sorted(path.name for path in Path("tables").iterdir()) == [
        f"{name}.parquet" for name in ("blocks", "pairs", "samples", "standings")
    ]
    for name in ("standings", "pairs", "samples", "blocks"):
        ours = getattr(hattari, name)(many)
        read = polars.read_parquet(f"tables/{name}.parquet")
        assert read.equals(polars.from_arrow(ours)), name
        assert read.to_arrow().cast(ours.schema).equals(ours), name
    assert hattari.samples(many).num_rows == 4 * 3 * 11_000 > 1 << 17


def test_what_a_table_needs_is_told(played: hattari.League, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        hattari.standings(played)


def test_a_report_and_a_replay_show_themselves(played: hattari.League) -> None:
    page = hattari.report(played)
    assert page.html.lstrip().lower().startswith("<!doctype html>") and "eager" in page.html
    frame = page._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts"') and frame.count("<") == 2
    game = hattari.replay(played, "eager,boss,random", block=3, game=1)
    assert "line-up 0, block 3, game 1 of 5" in str(game) and game._repr_html_().count("<") == 2
    deals = hattari.deals(played, line_up=0, block=3).to_pylist()
    assert game.payoffs == {row["bot"]: row["payoff"] for row in deals if row["deal"] == 1}
    assert page.save("page.html").read_text() == page.html
    with pytest.raises(hattari.Error, match="no block 99"):
        hattari.replay(played, block=99)


def test_everything_that_is_offered_has_words() -> None:
    for name in hattari.__all__:
        assert getattr(hattari, name).__doc__, name
    assert set(hattari.__all__) <= set(dir(hattari))
    with pytest.raises(AttributeError, match="no attribute 'plays'"):
        hattari.plays  # noqa: B018
