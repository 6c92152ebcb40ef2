"""Progress, Ctrl-C, threads, and what is left behind after many calls."""

import fcntl
import gc
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
import types

import numpy as np
import pytest
from conftest import GRID, QUICK, RANGES, plain

import aria_qd as aria


def test_progress_is_told_to_a_function(noisy_archive):
    calls = []
    aria.improve(noisy_archive, plain, progress=lambda *state: calls.append(state), **QUICK)
    assert calls and all(0 <= done <= planned for _, done, planned, _ in calls)
    assert calls[0][0] == "improving"
    calls.clear()
    aria.run("arm", "map-elites", budget=20_000_000, reevaluations=0, progress=lambda *state: calls.append(state))
    done = [done for _, done, _, _ in calls]
    assert done and done == sorted(done)
    with pytest.raises(TypeError, match="progress must be True, False, None"):
        aria.improve(noisy_archive, plain, progress="yes")


def test_a_bar_is_drawn_where_it_is_asked_for(capfd, noisy_archive):
    pytest.importorskip("tqdm")
    aria.correct(noisy_archive, plain, reevaluations=4, progress=True)
    assert "re-evaluating" in capfd.readouterr().err
    aria.correct(noisy_archive, plain, reevaluations=4)
    assert capfd.readouterr().err == ""


def test_a_line_is_drawn_without_tqdm(capfd, noisy_archive, monkeypatch):
    monkeypatch.setattr(aria.progress, "_tqdm_bar", lambda: None)
    aria.correct(noisy_archive, plain, reevaluations=4, progress=True)
    assert "re-evaluating" in capfd.readouterr().err


def test_a_bar_is_drawn_in_a_terminal_without_being_asked_for():
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    code = "import aria_qd as aria; aria.run('arm', 'map-elites', budget=1_000_000, reevaluations=0)"
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=end, check=True)
    shown = os.read(terminal, 1 << 16)
    os.close(end)
    os.close(terminal)
    assert b"MAP-Elites" in shown and done.stdout == b""


def test_a_bar_is_drawn_in_a_notebook_without_being_asked_for(capfd, noisy_archive, monkeypatch):
    monkeypatch.setattr(aria.progress, "_tqdm_bar", lambda: None)
    for kernel, drawn in ((None, False), (object(), True)):
        shell = types.SimpleNamespace(kernel=kernel)  # IPython in a terminal has none
        monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda shell=shell: shell))
        aria.correct(noisy_archive, plain, reevaluations=4)
        assert ("re-evaluating" in capfd.readouterr().err) == drawn


def test_an_exception_in_the_progress_function_ends_the_work(noisy_archive):
    def show(*state):
        raise RuntimeError("no more paper")

    with pytest.raises(RuntimeError, match="no more paper"):
        aria.run("arm", "aria-me", progress=show)


INTERRUPTED = """
import signal, sys, threading, time, os
import aria_qd as aria
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started us without
def later():
    time.sleep(1.0)
    os.kill(os.getpid(), signal.SIGINT)
    global sent
    sent = time.monotonic()
threading.Thread(target=later, daemon=True).start()
try:
    {call}
except KeyboardInterrupt as error:
    print(time.monotonic() - sent)
    print(error.__notes__[0] if getattr(error, "__notes__", None) else "")
"""


@pytest.mark.parametrize("call", [
    "aria.run('arm', 'aria-me', out=sys.argv[1])",
    "aria.run('walker', 'me-sa', batch=1024, samples=64, out=sys.argv[1])",
    "aria.study('arm', ['aria-me'], out=sys.argv[1])",
])
def test_ctrl_c_returns_control_at_once_and_keeps_what_is_done(tmp_path, call):
    done = subprocess.run([sys.executable, "-c", INTERRUPTED.format(call=call), str(tmp_path / "run")],
                          capture_output=True, text=True, check=True, timeout=120)
    lines = done.stdout.splitlines()
    assert float(lines[0]) < 1.5, done.stdout  # a loaded machine included; a step of the walker takes far longer
    if "study" not in call:
        assert "goes on from there" in lines[1]
        assert (tmp_path / "run" / "checkpoint.npz").exists()


def test_ctrl_c_in_a_function_is_raised_there(noisy_archive, tmp_path):
    signal.signal(signal.SIGINT, signal.default_int_handler)
    calls = 0

    def evaluate(solutions):
        nonlocal calls
        calls += 1
        if calls == 5:
            os.kill(os.getpid(), signal.SIGINT)
        return plain(solutions)

    with pytest.raises(KeyboardInterrupt):
        aria.improve(noisy_archive, evaluate, out=tmp_path / "a", batch_size=64, **QUICK)
    assert (tmp_path / "a" / "checkpoint.npz").exists()
    better = aria.improve(noisy_archive, plain, out=tmp_path / "a", **QUICK)
    assert np.array_equal(better.solution, aria.improve(noisy_archive, plain, **QUICK).solution)


def test_other_threads_of_python_go_on_meanwhile():
    ticks, stop = 0, threading.Event()

    def tick():
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    aria.run("arm", "map-elites", budget=30_000_000, reevaluations=0)
    stop.set()
    thread.join()
    assert ticks > 20


def test_threads_can_be_set_and_change_nothing():
    arm = aria.tasks.Arm()
    results = []
    for threads in (1, 2, None):
        aria.set_threads(threads)
        results.append(aria.run(arm, "map-elites", budget=5000, reevaluations=8).archive.solution)
    aria.set_threads()
    assert np.array_equal(results[0], results[1]) and np.array_equal(results[0], results[2])


def memory():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
def test_nothing_leaks_over_ten_thousand_calls():
    arm = aria.tasks.Arm()
    solutions = arm.initial_solutions(256)
    function = aria.tasks.Function(plain, solution_dim=3, grid=GRID, ranges=RANGES)
    small = np.random.default_rng(0).uniform(0, 1, (64, 3)).astype(np.float32)
    archive = aria.Archive(small, small[:, 0], small[:, :2], grid=GRID, ranges=RANGES)

    def calls(n):
        for i in range(n):
            arm.evaluate(solutions, seed=i)
            function.evaluate(small, seed=i)
            if i % 10 == 0:
                aria.correct(archive, plain, reevaluations=2)
                algorithm = aria.Aria(archive, pairs=2, steps=1, mean_evaluations=2)
                algorithm.tell(*plain(algorithm.ask()))
            if i % 50 == 0:
                with pytest.raises(ValueError):
                    arm.evaluate(small)

    calls(1000)
    gc.collect()
    before = memory()
    calls(10_000)
    gc.collect()
    # each call hands out some kilobytes: if one in ten were kept, this would be megabytes
    assert memory() - before < 4 << 20


def test_messages_name_arguments_not_options(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="^out must be a folder"):
        aria.run("arm", "map-elites", budget=1000, batch=100, out=tmp_path / "file")
