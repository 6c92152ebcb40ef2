"""The examples run, and print what they promise."""

import importlib
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "examples"


def run(name, folder):
    done = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py"), "--quick"], capture_output=True, text=True,
                          cwd=folder, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pyribs_noisy_function(tmp_path):
    pytest.importorskip("ribs")
    pytest.importorskip("matplotlib")
    out = run("pyribs_noisy_function", tmp_path)
    assert "really (corrected)" in out and "GridArchive with" in out
    assert (tmp_path / "pyribs_noisy_function.png").read_bytes().startswith(b"\x89PNG")


def test_pyribs_arm(tmp_path):
    pytest.importorskip("ribs")
    assert "P-Score from pyribs' archive" in run("pyribs_arm", tmp_path)


@pytest.mark.slow
def test_an_archive_of_pyribs_comes_within_2_percent_of_aria_me(monkeypatch):
    pytest.importorskip("ribs")
    monkeypatch.syspath_prepend(str(EXAMPLES))
    report, better, started_by_us = importlib.import_module("pyribs_arm").main()
    assert report.p_score < 350 and started_by_us.p_score > 640
    assert abs(better.p_score / started_by_us.p_score - 1) < 0.02


def test_resume_after_crash(tmp_path):
    out = run("resume_after_crash", tmp_path)
    assert "the simulator is gone" in out and "goes on from there" in out
    assert "the same as without a crash: True" in out


@pytest.mark.interop
def test_qdax_repertoire(tmp_path):
    pytest.importorskip("qdax")
    assert "MapElitesRepertoire with" in run("qdax_repertoire", tmp_path)


@pytest.mark.interop
def test_gymnasium_pool(tmp_path):
    pytest.importorskip("gymnasium")
    assert "aria on function" in run("gymnasium_pool", tmp_path)


@pytest.mark.interop
def test_dask_pool(tmp_path):
    pytest.importorskip("distributed")
    assert "the same as on this machine alone: True" in run("dask_pool", tmp_path)
