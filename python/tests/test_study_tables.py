"""The script that puts the runs of several studies into one table."""

import subprocess
import sys

from conftest import ROOT

SCRIPT = ROOT / "scripts" / "study-tables"


def tables(*paths):
    return subprocess.run([sys.executable, SCRIPT, *paths], capture_output=True, text=True, check=False)


def study(program, folder, seed, replications):
    program("study", "--task", "arm", "--algorithms", "map-elites,me-sa,mome-r", "--set", "budget=4096", "--seed", seed,
            "--replications", replications, "--reevaluations", 16, "--out", folder, "--quiet")
    return (folder / "runs.csv").rename(folder.with_name(f"arm-{folder.name}.csv"))


def test_studies_of_one_seed_each_come_to_the_table_of_a_study_of_all(program, tmp_path):
    together = tables(study(program, tmp_path / "all", 1, 3))
    apart = [study(program, tmp_path / f"seed-{seed}", seed, 1) for seed in (1, 2, 3)]
    assert together.returncode == 0, together.stderr
    assert tables(*apart).stdout == together.stdout
    assert tables(*apart[:2]).stdout != together.stdout


def test_a_run_that_is_there_twice_is_refused(program, tmp_path):
    runs = study(program, tmp_path / "seed-1", 1, 1)
    refused = tables(runs, runs)
    assert refused.returncode != 0
    assert "there once, got map-elites, seed 1, twice" in refused.stderr


def test_runs_of_different_studies_in_one_file_are_refused(program, tmp_path):
    first, second = (study(program, tmp_path / f"seed-{seed}", seed, 1) for seed in (1, 2))
    mixed = tmp_path / "arm-mixed.csv"
    mixed.write_text(first.read_text() + second.read_text().partition("\n")[2])
    assert "of one study" in tables(mixed).stderr
