"""The same seed gives the same bytes as the command line."""

import json

import numpy as np
import pytest

import aria_qd as aria

ARM = ["--task", "arm", "--set", "grid=8,8"]


def same_files(a, b, names):
    for name in names:
        assert (a / name).read_bytes() == (b / name).read_bytes(), name


@pytest.mark.parametrize("threads", [1, 2])
def test_run(program, tmp_path, threads):
    program("run", *ARM, "--algorithm", "aria-me", "--preset", "lite", "--seed", 7, "--set", "pairs=8", "--set",
            "steps=3", "--set", "initial_budget=4000", "--reevaluations", 64, "--out", tmp_path / "a")
    result = aria.run("arm", "aria-me", grid=(8, 8), preset="lite", seed=7, pairs=8, steps=3, initial_budget=4000,
                      reevaluations=64, out=tmp_path / "b", threads=threads)
    same_files(tmp_path / "a", tmp_path / "b", ["run.toml", "archive.npz", "corrected.npz", "reevaluations.npz",
                                                "initial.npz", "initial_reevaluations.npz", "progress.csv"])
    summary = json.loads((tmp_path / "a" / "summary.json").read_text())
    assert result.summary["corrected"] == summary["corrected"]
    assert result.p_score == summary["corrected"]["p_score"] and result.cells == summary["corrected"]["cells"]


def test_another_seed_gives_other_bytes(tmp_path):
    for seed in (1, 2):
        aria.run("arm", "map-elites", budget=2000, seed=seed, reevaluations=0, out=tmp_path / str(seed))
    assert (tmp_path / "1" / "archive.npz").read_bytes() != (tmp_path / "2" / "archive.npz").read_bytes()


def test_every_algorithm_that_needs_no_archive_runs_by_its_name(program, tmp_path):
    few = {"budget": 600, "initial_budget": 600, "pairs": 4, "steps": 4, "initial_steps": 2, "mean_evaluations": 8,
           "samples": 2, "batch": 64, "critic_steps": 2, "gradient_steps": 2, "replay_size": 5000, "training_share": 0.002,
           "retarget_samples": 2, "search_samples": 2}
    for name, entry in aria.algorithms().items():
        if entry["needs_archive"]:
            continue
        settings = {key: value for key, value in few.items() if key in entry["settings"]}
        task, own = "arm", {"grid": (4, 4)}
        try:
            ours = aria.run(task, name, reevaluations=8, out=tmp_path / f"{name}-py", **own, **settings)
        except ValueError:
            # some are for robots alone
            task, own = "ant", {"grid": (4, 4), "hidden": (8, 8), "episode_length": 5}
            ours = aria.run(task, name, reevaluations=8, out=tmp_path / f"{name}-py", **own, **settings)
        texts = {key: ",".join(map(str, value)) if isinstance(value, tuple) else value
                 for key, value in {**own, **settings}.items()}
        sets = [part for key, value in texts.items() for part in ("--set", f"{key}={value}")]
        program("run", "--task", task, "--algorithm", name, "--reevaluations", 8, *sets, "--out", tmp_path / name)
        same_files(tmp_path / name, tmp_path / f"{name}-py", ["archive.npz", "run.toml"])
        assert len(ours.archive) >= 1


def test_improve_and_correct(program, tmp_path, arm_archive):
    path = tmp_path / "start.npz"
    arm_archive.save(path)
    program("improve", path, "--set", "pairs=8", "--set", "steps=3", "--seed", 3, "--reevaluations", 64, "--out",
            tmp_path / "a")
    better = aria.improve(path, pairs=8, steps=3, seed=3, reevaluations=64, out=tmp_path / "b")
    same_files(tmp_path / "a", tmp_path / "b", ["run.toml", "archive.npz", "corrected.npz", "reevaluations.npz",
                                                "initial.npz"])
    assert np.array_equal(better.solution, np.load(tmp_path / "a" / "corrected.npz")["solution"])

    for flag, keep in (([], False), (["--keep-samples"], True)):
        program("correct", path, "--reevaluations", 32, *flag, "--out", tmp_path / f"c{keep}")
        report = aria.correct(path, reevaluations=32, keep_samples=keep, out=tmp_path / f"d{keep}")
        same_files(tmp_path / f"c{keep}", tmp_path / f"d{keep}", ["corrected.npz", "reevaluations.npz"])
    told = json.loads(program("correct", path, "--reevaluations", 32, "--json", "--out", tmp_path / "e"))
    assert report.summary["corrected"] == told["corrected"] and report.summary["illusory"] == told["illusory"]


def test_a_run_of_the_program_goes_on_in_python_and_the_other_way_round(program, tmp_path):
    arguments = {"preset": "lite", "budget": 3000, "reevaluations": 16}
    program("run", *ARM, "--algorithm", "map-elites", "--preset", "lite", "--set", "budget=3000", "--reevaluations", 16,
            "--out", tmp_path / "a")
    before = (tmp_path / "a" / "summary.json").read_bytes()
    result = aria.run("arm", "map-elites", grid=(8, 8), out=tmp_path / "a", **arguments)
    assert (tmp_path / "a" / "summary.json").read_bytes() == before and len(result.archive) > 0
    with pytest.raises(ValueError, match="other settings"):
        aria.run("arm", "map-elites", grid=(8, 8), out=tmp_path / "a", **{**arguments, "budget": 4000})


def test_study_and_report(program, tmp_path):
    settings = {"budget": 600, "batch": 64}
    sets = [part for name, value in settings.items() for part in ("--set", f"{name}={value}")]
    program("study", *ARM, "--algorithms", "map-elites,me-sa", "--replications", 2, "--reevaluations", 16, *sets,
            "--out", tmp_path / "a")
    study = aria.study("arm", ["map-elites", "me-sa"], replications=2, reevaluations=16, grid=(8, 8),
                       out=tmp_path / "b", **settings)
    same_files(tmp_path / "a", tmp_path / "b", ["study.toml"])
    figures = [[line for line in (tmp_path / folder / "study.csv").read_text().splitlines() if "seconds" not in line]
               for folder in "ab"]
    assert figures[0] == figures[1] and len(figures[0]) > 20
    assert study.finished == study.runs == 4 and not study.failed and "2 algorithms" in str(study)
    assert study.median("map-elites", "corrected.p_score") > 0

    program("report", tmp_path / "a" / "map-elites" / "seed-1", "--out", tmp_path / "a.html")
    page = aria.report(tmp_path / "b" / "map-elites" / "seed-1", out=tmp_path / "b.html")
    ours, theirs = (tmp_path / "b.html").read_text(), (tmp_path / "a.html").read_text()
    assert page == str(tmp_path / "b.html") and abs(len(ours) - len(theirs)) < 200
    aria.report(study, out=tmp_path / "b.html")  # a page of ours is replaced
    (tmp_path / "mine.html").write_text("precious")
    with pytest.raises(ValueError, match="a new file or a report to replace"):
        aria.report(study, out=tmp_path / "mine.html")


def test_metrics_are_those_of_the_program(program, tmp_path, arm_archive):
    path = tmp_path / "start.npz"
    arm_archive.save(path)
    told = json.loads(program("correct", path, "--reevaluations", 32, "--json", "--out", tmp_path / "a"))
    corrected = aria.Archive.load(tmp_path / "a" / "corrected.npz")
    scores = aria.metrics.corrected_scores(corrected, fitness_range=(-1, 0))
    assert scores.p_score == told["corrected"]["p_score"] and scores.v_score == told["corrected"]["v_score"]
    believed = aria.metrics.illusory_scores(arm_archive, fitness_range=(-1, 0))
    assert believed.qd_score == told["illusory"]["qd_score"] and believed.cells == told["illusory"]["cells"]
    profile = aria.metrics.archive_profile(corrected, [-1, 0.5])
    assert profile.tolist() == [corrected.cells / 64, 0]
    lower, upper = aria.metrics.wilson_interval(50, 100)
    assert lower == pytest.approx(0.4038, abs=1e-4) and upper == pytest.approx(0.5962, abs=1e-4)
    assert aria.metrics.rank_sum_test([1, 2, 3], [4, 5, 6])["p"] == pytest.approx(0.1)
    assert aria.metrics.holm_correction([0.01, 0.04]) == pytest.approx([0.02, 0.04])
