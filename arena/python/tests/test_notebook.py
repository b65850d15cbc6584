"""Runs the notebooks and the code blocks of README.md."""

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
    code_cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert not any(cell.outputs for cell in code_cells), "save notebooks without outputs"
    resources = {"metadata": {"path": str(tmp_path)}}
    client = nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources=resources
    )
    client.execute()
    outputs = [
        output
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    ]
    streams = [output for output in outputs if output.output_type == "stream"]
    assert not [stream for stream in streams if stream.name == "stderr"]
    data = [output.get("data", {}) for output in outputs]
    pages = [formats["text/html"] for formats in data if "text/html" in formats]
    frames = [html for html in pages if "<iframe" in html]
    assert len(frames) == 3 and len(pages) >= 6
    printed = "".join(stream.text for stream in streams)
    assert re.search(r"loose and honest|honest and loose", printed) and "payoffs:" in printed
    (tmp_path / "executed.ipynb").write_text(nbformat.writes(notebook))


def test_the_code_in_the_guide_runs() -> None:
    pytest.importorskip("pyarrow")
    guide = (PACKAGE / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", guide, re.DOTALL)
    # The other two blocks need a cluster, or are the end of a bot's file.
    executable = [block for block in blocks if "__main__" not in block and "client" not in block]
    assert len(executable) == len(blocks) - 2 == 2
    variables: Dict[str, Any] = {"__name__": "guide"}
    for block in executable:
        exec(compile(block, "README.md", "exec"), variables)
    expressions = [
        expression
        for expression in re.findall(r"`(hattari\.\w+\(league[^`]*)`", guide)
        if "block=3" in expression or "," not in expression
    ]
    values = {expression: eval(expression, variables) for expression in expressions}
    tables = [value for value in values.values() if hasattr(value, "num_rows")]
    assert len(values) == 7 and tables[0].num_rows == 4


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
