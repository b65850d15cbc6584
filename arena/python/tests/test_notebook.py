"""The notebooks and the guide, executed as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest
from conftest import PACKAGE

NOTEBOOKS = sorted((PACKAGE / "notebooks").glob("*.ipynb"))


@pytest.mark.usefixtures("serves")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    notebook = nbformat.read(path, as_version=4)
    assert all(cell.cell_type != "code" or not cell.outputs for cell in notebook.cells), "notebooks are kept without outputs"
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "stream" and output.name == "stderr"]
    shown = [output.data["text/html"] for output in outputs if "text/html" in output.get("data", {})]
    frames = [html for html in shown if "<iframe" in html]
    assert len(frames) == 3 and len(shown) >= 6
    told = "".join(output.text for output in outputs if output.output_type == "stream")
    assert re.search(r"loose and honest|honest and loose", told) and "payoffs:" in told
    (tmp_path / "executed.ipynb").write_text(nbformat.writes(notebook))


def test_the_guide_does_what_it_says() -> None:
    pytest.importorskip("pyarrow")
    guide = (PACKAGE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    here = [block for block in blocks if "__main__" not in block and "client" not in block]
    assert len(here) == len(blocks) - 2 == 2
    known: Dict[str, Any] = {"__name__": "guide"}
    for block in here:
        exec(compile(block, "README.md", "exec"), known)
    told = re.findall(r"`(hattari\.\w+\(league[^`]*)`", guide)
    found = {expression: eval(expression, known) for expression in told if "block=3" in expression or "," not in expression}
    assert len(found) == 7 and [value.num_rows for value in found.values() if hasattr(value, "num_rows")][0] == 4


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
