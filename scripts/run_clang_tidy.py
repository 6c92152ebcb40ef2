#!/usr/bin/env python3
"""Runs clang-tidy on every source in a compile database, in parallel, and skips what has not changed since it passed.

    scripts/run_clang_tidy.py [--quick] BUILD_DIR

A source counts as unchanged while it, the project's headers it includes, its compile command, the .clang-tidy files and
clang-tidy itself are the same. Stamps of sources that passed are kept in BUILD_DIR/clang-tidy.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from check_includes import file_of, includes

ROOT = Path(__file__).resolve().parent.parent
EXTRA = [
    # Highway compiles a kernel once per instruction set; one of them is enough to analyse.
    "-DHWY_COMPILE_ONLY_STATIC",
    # Follows fewer calls: a third of the time, and deep paths are what the sanitizers are for.
    *("-Xclang", "-analyzer-config", "-Xclang", "mode=shallow"),
    # Part of -Wconversion in Clang but not in GCC, whose meaning of it we follow.
    "-Wno-sign-conversion",
    "-Wno-unknown-warning-option",
]


ANALYSED = ("aria", "cli", "benchmarks", "python")


def with_own_headers(source):
    """A source and every file of the project that it includes, directly or not."""
    seen, waiting = {source}, [source]
    while waiting:
        file = waiting.pop()
        for _, target, quoted in includes(file.read_text(encoding="utf-8")):
            header = ROOT / file_of(file.relative_to(ROOT), target)
            if quoted and header not in seen and header.is_file():
                seen.add(header)
                waiting.append(header)
    return sorted(seen)


def key_of(source, command, common):
    key = hashlib.sha256(common)
    key.update(command.encode())
    for file in with_own_headers(source):
        key.update(f"{file.relative_to(ROOT)}\n".encode())
        key.update(file.read_bytes())
    return key.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build_dir", type=Path, help="folder with compile_commands.json")
    parser.add_argument("--clang-tidy", default="clang-tidy-14")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--quick", action="store_true", help="without the analysis of paths, which takes half the time")
    arguments = parser.parse_args()

    version = subprocess.run([arguments.clang_tidy, "--version"], check=True, capture_output=True).stdout
    configs = [ROOT / ".clang-tidy", *sorted(ROOT.glob("*/.clang-tidy"))]
    checks = ["--checks=-clang-analyzer-*"] if arguments.quick else []
    common = version + b"".join(file.read_bytes() for file in configs) + " ".join(EXTRA + checks).encode()

    commands = {}
    for entry in json.loads((arguments.build_dir / "compile_commands.json").read_text(encoding="utf-8")):
        source = Path(entry["directory"], entry["file"]).resolve()
        # Tests are left out: their precompiled header is GCC's, which Clang cannot read.
        if source.is_file() and source.relative_to(ROOT).parts[0] in ANALYSED:
            commands.setdefault(source, entry["command"])
    stamps = arguments.build_dir / "clang-tidy"
    stamps.mkdir(exist_ok=True)
    keys = {source: key_of(source, command, common) for source, command in commands.items()}
    todo = sorted(source for source, key in keys.items() if not (stamps / key).exists())
    print(f"clang-tidy: {len(commands)} files, {len(commands) - len(todo)} unchanged since they passed", flush=True)

    def analyse(source):
        start = time.monotonic()
        command = [arguments.clang_tidy, "--quiet", "-p", str(arguments.build_dir)]
        command += checks + [f"--extra-arg={extra}" for extra in EXTRA]
        done = subprocess.run(command + [str(source)], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            (stamps / keys[source]).touch()
        return source, done, time.monotonic() - start

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for source, done, seconds in pool.map(analyse, todo):
            verdict = "ok" if done.returncode == 0 else "FAILED"
            print(f"  {source.relative_to(ROOT)}  {seconds:.0f} s  {verdict}", flush=True)
            if done.returncode != 0:
                failed += 1
                errors = [line for line in done.stderr.splitlines() if not line.endswith("warnings generated.")]
                print(done.stdout, *errors, sep="\n", flush=True)

    for stamp in stamps.iterdir():
        if stamp.name not in keys.values():
            stamp.unlink()
    if failed:
        print(f"clang-tidy: {failed} of {len(todo)} files failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
