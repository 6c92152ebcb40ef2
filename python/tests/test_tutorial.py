"""The page docs/python.md: its code runs from top to bottom and makes its pictures."""

import re

import pytest
from conftest import ROOT

PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def blocks():
    """(language, text) of every block of code."""
    parts = PAGE.split("```")
    return [tuple(part.split("\n", 1)) for part in parts[1::2]]


def layout(text):
    """A text without its figures, which differ from one release of a library to the next."""
    return re.sub(r"\s+", " ", re.sub(r"-?\d+(\.\d+)?(e-?\d+)?", "#", text)).strip()


def test_the_code_of_the_tutorial_runs(tmp_path, monkeypatch, capsys):
    pytest.importorskip("ribs")
    pytest.importorskip("matplotlib").use("Agg")
    (tmp_path / "docs").mkdir()
    monkeypatch.chdir(tmp_path)
    names, printed = {}, ""
    for position, (language, text) in enumerate(blocks()):
        if language == "python":
            exec(text, names)  # noqa: S102 - our own page
            printed = capsys.readouterr().out
        elif position > 0:
            # what the page shows is what comes out
            assert layout(text) == layout(printed)
    pictures = re.findall(r"\]\((python-[a-z]+\.png)\)", PAGE)
    assert len(pictures) == 3
    for picture in pictures:
        assert (tmp_path / "docs" / picture).read_bytes().startswith(b"\x89PNG")
        assert (ROOT / "docs" / picture).exists()
