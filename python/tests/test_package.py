"""The package as it is installed: its files, its types, its version, how long its import takes."""

import ast
import importlib.metadata
import inspect
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy
import pytest
from conftest import ROOT

import aria_qd as aria
from aria_qd import _core

PACKAGE = Path(aria.__file__).parent


def test_it_is_installed_as_a_wheel_with_types():
    files = {file.name for file in PACKAGE.iterdir()}
    assert {"py.typed", "_core.pyi", "__init__.py"} <= files
    assert importlib.metadata.version("aria-qd") == aria.__version__
    assert "site-packages" in str(PACKAGE)


def test_numpy_is_the_only_dependency_at_run_time():
    needs = importlib.metadata.requires("aria-qd") or []
    assert [need for need in needs if "extra ==" not in need] == ["numpy>=1.23"]


def test_the_wheel_works_where_there_is_only_numpy(tmp_path):
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    wheels = sorted((ROOT / "build" / "wheels").glob(f"aria_qd-*-{python}-*.whl"))
    if not wheels:
        pytest.skip("no wheel for this Python in build/wheels")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    site = next((tmp_path / "env" / "lib").glob("python*/site-packages"))
    with zipfile.ZipFile(wheels[-1]) as wheel:
        wheel.extractall(site)
    for folder in Path(numpy.__file__).parent.parent.glob("numpy*"):
        (site / folder.name).symlink_to(folder)
    code = "import aria_qd as aria; print(len(aria.run('arm', 'map-elites', budget=2000, reevaluations=8).archive))"
    done = subprocess.run([tmp_path / "env" / "bin" / "python", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and int(done.stdout) > 100, done.stderr


def test_the_stub_has_every_name_of_the_module_and_no_other():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text(encoding="utf-8"))
    stub = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            stub.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            stub.add(node.target.id)
    assert stub == {name for name in dir(_core) if not name.startswith("_")}


def test_a_type_checker_follows_the_package_and_finds_a_mistake_in_its_use(tmp_path, monkeypatch):
    mypy = pytest.importorskip("mypy.api")
    # a copy, since in site-packages its own mistakes would be passed over
    shutil.copytree(PACKAGE, tmp_path / "aria_qd")
    (tmp_path / "sample.py").write_text("""
import aria_qd as aria

task: aria.tasks.Task = aria.tasks.Arm(joints=8)
report: aria.Report = aria.correct("archive.npz", task, reevaluations=16)
score: float | None = report.corrected.p_score
archive: aria.Archive = report.archive
aria.run(task, 3)
""", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    out, _, _ = mypy.run(["aria_qd", "sample.py", "--no-error-summary", "--hide-error-context"])
    assert len(out.splitlines()) == 1 and "sample.py:8" in out and 'expected "str"' in out, out


def test_the_import_is_quick():
    code = "import time; a = time.process_time(); import numpy; b = time.process_time(); import aria_qd; " \
           "print(b - a, time.process_time() - b)"

    def is_quick():
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        numpy_alone, ours = map(float, done.stdout.split())
        # on a busy machine everything is slow, NumPy too
        return numpy_alone + ours < 0.2 or ours < 0.75 * numpy_alone

    assert any(is_quick() for _ in range(10))


def test_the_import_does_not_bring_other_libraries_along():
    code = "import aria_qd, sys; print(*(name for name in ('matplotlib', 'pandas', 'ribs', 'jax', 'tqdm') " \
           "if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_the_help_of_improve_has_every_setting():
    for name in aria.algorithms()["aria"]["settings"]:
        assert f"{name}: " in aria.improve.__doc__, name


def test_everything_public_has_a_docstring():
    pytest.importorskip("matplotlib")
    for name in aria.__all__:
        thing = getattr(aria, name)
        if name == "__version__":
            continue
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing) or inspect.ismodule(thing):
            for member, value in vars(thing).items():
                ours = getattr(value, "__module__", "").startswith("aria_qd") or isinstance(value, property)
                if not member.startswith("_") and ours and (callable(value) or isinstance(value, property)):
                    assert inspect.getdoc(value), f"{name}.{member}"
