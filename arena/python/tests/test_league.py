"""Tests of leagues: all ways to give them, their tables and their pages."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any, Dict

import pytest
from conftest import SMALL

import hattari
from hattari import League, keys

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
    # The temporary folder of a league is deleted with its object.
    path = played[0].path
    assert path.exists()
    del played[0]
    assert not path.exists()


def test_a_path_is_never_taken_for_an_option() -> None:
    def digest(league: str) -> Any:
        return hattari.League(league).digest()

    for name in ("--help", "-", "--version.yaml"):
        for function in (hattari.run, hattari.report, hattari.replay, digest):
            with pytest.raises(hattari.Error, match=r"\./" + name.split(".")[0]):
                function(name)
        Path(name).write_text(TEXT)
        league = hattari.run(name)
        assert league.digest()[1] == 12 and hattari.replay(name).text
        os.remove(name)
    hattari.run(SMALL, path="x.yaml")
    with pytest.raises(hattari.Error, match="--help"):
        hattari.replay("x.yaml", line_up="--help")
    with pytest.raises(hattari.Error, match="--help"):
        hattari.run("x.yaml", bots=["--help"])


def test_a_saved_league_continues_in_another_run() -> None:
    hattari.run(SMALL, path="kept.yaml")
    league = hattari.run({**SMALL, "blocks": 20}, path="kept.yaml")
    assert league.digest()[1] == 20 and league.store == Path("kept.sqlite")
    assert hattari.standings("kept.yaml").equals(hattari.standings("kept.sqlite"))
    elsewhere = hattari.run("kept.yaml", store="other.sqlite", blocks=20, jobs=1)
    assert elsewhere.digest() == league.digest()


def test_paths_of_a_dict_start_from_the_current_folder() -> None:
    Path("bots").mkdir()
    Path("bots/low.lua").write_text("return {act = function(view, legal) return 1 end}")
    Path("bots/low.py").write_text("raise SystemExit('it was started')")
    entrants: Any = [{"name": "low", "bot": "bots/low.lua"}, "boss", "random"]
    assert hattari.run({**SMALL, "entrants": entrants}).digest()[1] == 12
    entrants[0] = {"name": "low", "command": ["python3", "bots/low.py"]}
    with pytest.raises(hattari.Error, match="it was started"):
        hattari.run({**SMALL, "entrants": entrants}, trust=True)
    entrants[0] = {"name": "low", "command": ["./other"]}
    with pytest.raises(hattari.Error, match="if you trust it, pass `trust=True` once"):
        hattari.run({**SMALL, "entrants": entrants})


def test_errors_of_a_dict_name_its_keys() -> None:
    entrants = ["eager", {"name": "x", "bot": "bos"}, "random"]
    with pytest.raises(hattari.Error) as raised:
        hattari.run({**SMALL, "entrants": entrants, "blocks": 0})
    message = str(raised.value)
    assert 'league["entrants"][1]' in message and 'league["blocks"]: ' in message, message
    assert "did you mean `boss`?" in message, message
    assert "league.yaml" not in message, message


def test_every_line_of_a_dict_is_converted_to_keys() -> None:
    league = {"a": [1, {"b": "x {", "e": "\u2028"}, [2]], "c": {}, "d": []}
    text = json.dumps(league, indent=2, ensure_ascii=False)
    lines = [line.strip() for line in text.split("\n")]
    found = dict(zip(lines, keys.keys_of_lines(text)))
    assert found['"b": "x {",'] == 'league["a"][1]["b"]' and found["2"] == 'league["a"][2][0]'
    assert found['"c": {},'] == 'league["c"]' and found['"d": []'] == 'league["d"]'
    assert found["1,"] == 'league["a"][0]'


def test_a_league_can_contain_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    entrants = ("eager", "boss", "random")
    league = hattari.run({**SMALL, "blocks": numpy.int64(2), "entrants": entrants})
    assert league.digest()[1] == 2
    swept = {"bot": "eager", "sweep": {"weight": numpy.array([1, 2])}}
    league = League.of({**SMALL, "entrants": [swept]})
    assert json.loads(league.path.read_text())["entrants"][0]["sweep"] == {"weight": [1, 2]}


def test_a_league_in_a_temporary_folder_can_have_another_store() -> None:
    Path("bots/tanhinmin").mkdir(parents=True)
    Path("bots/tanhinmin/own.lua").write_text("return {act = function() return 1 end}")
    first = hattari.run({**SMALL, "entrants": ["eager", "boss", "own"]}, bots="bots")
    other = hattari.run(hattari.run(first), store="other.sqlite", restart=True)
    del first
    assert other.deals().num_rows > 0 and other.store == Path("other.sqlite")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> hattari.League:
    folder = tmp_path_factory.mktemp("played")
    entrants = ["eager", "boss", "random", "saver"]
    return hattari.run({**SMALL, "entrants": entrants}, path=folder / "x.yaml")


def test_tables_contain_the_values_of_the_report(played: hattari.League) -> None:
    report: Dict[str, Any] = played.data()
    standings = hattari.standings(played).to_pylist()
    assert [(row["bot"], row["points"], row["low"]) for row in standings] == [
        (bot["name"], bot["mean"], bot["estimate"]["tested"]["low"]) for bot in report["bots"]
    ]
    pairs = hattari.pairs(played).to_pylist()
    assert [(row["a"], row["b"], row["in_words"]) for row in pairs] == [
        (pair["a"], pair["b"], pair["verdict"]["text"]) for pair in report["pairs"]
    ]
    p_values = [pair["pooled"]["tested"]["p"] for pair in report["pairs"]]
    assert [row["p"] for row in pairs] == p_values
    # Columns without a value are null.
    assert all(row["sequential_first"] is None and row["equivalence_p"] is None for row in pairs)


def test_options_change_tables_and_reports(played: hattari.League) -> None:
    wide = hattari.standings(played, confidence=0.99).to_pylist()
    narrow = hattari.standings(played, confidence=0.8).to_pylist()
    assert all(a["low"] < b["low"] and a["points"] == b["points"] for a, b in zip(wide, narrow))
    equal = hattari.pairs(played, equal_within=5, correction="holm").to_pylist()
    assert all(row["equivalence_p"] is not None for row in equal)
    assert {row["verdict"] for row in equal} >= {"equal"}
    with pytest.raises(TypeError, match="unknown option `level`"):
        hattari.standings(played, level=0.9)
    with pytest.raises(hattari.Error, match="above 0.5 and below 1"):
        hattari.report(played, confidence=3)


def test_samples_blocks_and_deals_describe_the_same_games(played: hattari.League) -> None:
    rows = hattari.samples(played).to_pylist()
    samples = {(row["line_up"], row["block"], row["bot"]): row for row in rows}
    blocks = hattari.blocks(played).to_pylist()
    payoffs: Dict[Any, list[int]] = {}
    for row in hattari.deals(played).to_pylist():
        key = (row["line_up"], row["block"], row["place"], row["bot"])
        payoffs.setdefault(key, []).append(row["payoff"])
    assert len(blocks) == len(samples) == len(payoffs) == 4 * 12 * 3
    for row in blocks:
        won = payoffs[row["line_up"], row["block"], row["place"], row["bot"]]
        assert (row["deals"], row["sum"]) == (len(won), sum(won))
        assert row["sum_of_squares"] == sum(payoff * payoff for payoff in won)
        sample = samples[row["line_up"], row["block"], row["bot"]]
        assert math.isclose(sample["mean"], row["sum"] / row["deals"])
        assert row["forfeited"] is sample["forfeited"] is False
    digests = {(row["line_up"], row["block"]): row["digest"] for row in blocks}
    jobs = [(record["job"], record["digest"]) for record in played.records()]
    assert digests == {(job["line_up"], job["block"]): f"{digest:016x}" for job, digest in jobs}
    some = hattari.deals(played, line_up="eager,boss,random", block=3)
    assert {(row["line_up"], row["block"]) for row in some.to_pylist()} == {(0, 3)}
    assert some.num_rows == 5 * 3


def test_deals_are_refused_if_the_store_belongs_to_another_league(played: hattari.League) -> None:
    other = hattari.League.of({**SMALL, "seed": 5}, path="other.yaml", store=played.store)
    with pytest.raises(hattari.Error, match="seed"):
        other.deals()


def test_every_table_can_be_read_by_name(played: hattari.League) -> None:
    of_report = ("standings", "pairs", "lineups", "faults", "congeniality")
    for name in (*of_report, "samples", "blocks", "deals"):
        assert played.table(name).num_columns > 5, name
    assert played.table("samples").equals(played.samples())
    with pytest.raises(hattari.Error, match="lineups"):
        played.table("line-ups")


def test_a_review_is_a_table_of_classes() -> None:
    entrants = ["eager", "boss", "random"]
    league = hattari.run({**SMALL, "entrants": entrants, "blocks": 8})
    table = league.review("random", "boss", deals=40)
    classes, review = table.to_pylist(), json.loads(table.schema.metadata[b"review"])
    assert classes[0]["conditions"] == "" and classes[0]["parent"] is None
    assert classes[0]["value"] == review["classes"][0]["value"]
    assert review["of"] == "random" and review["by"] == "boss"
    with pytest.raises(hattari.Error, match="there is no entrant `rando`"):
        league.review("rando", "boss")
    with pytest.raises(hattari.Error, match="`by` must be the name of an entrant, not 'all'"):
        league.review("random", "all", deals=40)


def test_tables_convert_to_data_frames(played: hattari.League) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    table = hattari.samples(played)
    frame = table.to_pandas(types_mapper=pandas.ArrowDtype)
    by_bot = frame.groupby("bot")["mean"].mean()
    other = polars.from_arrow(table).group_by("bot").agg(polars.col("mean").mean())
    assert by_bot.to_dict() == pytest.approx(dict(other.iter_rows()))
    # The data frame uses the memory of the Arrow table: nothing is copied.
    column = frame["mean"].array.__arrow_array__().chunk(0)
    assert column.buffers()[1].address == table["mean"].chunk(0).buffers()[1].address


def test_another_reader_reads_the_files(played: hattari.League) -> None:
    """Reads files with several full row groups, with pyarrow and with polars."""
    polars = pytest.importorskip("polars")
    entrants = ["eager", "boss", "random", "saver"]
    many = hattari.run({**SMALL, "entrants": entrants, "blocks": 11_000, "deals": 1})
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


def test_a_table_without_pyarrow_is_an_import_error(
    played: hattari.League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(ImportError, match="pip install pyarrow"):
        hattari.standings(played)


def test_a_report_and_a_replay_are_pages(played: hattari.League) -> None:
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


def test_every_public_name_has_a_docstring() -> None:
    for name in hattari.__all__:
        assert getattr(hattari, name).__doc__, name
    assert set(hattari.__all__) <= set(dir(hattari))
    with pytest.raises(AttributeError, match="no attribute 'plays'"):
        hattari.plays  # noqa: B018
