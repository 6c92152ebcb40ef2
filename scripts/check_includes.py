#!/usr/bin/env python3
"""Checks that includes follow the rooms: who may include whom, how includes are written, and that none are circular.

    scripts/check_includes.py [ROOT]       one line per fault, exit code 1 if there are any
    scripts/check_includes.py --self-test  checks the checker
"""

import re
import sys
import tempfile
from pathlib import Path

# What each room under aria/ may include, besides itself and `core`.
ROOMS = {
    "core": [],
    "physics": [],
    "policy": ["optim"],
    "optim": [],
    "task": ["physics", "policy"],
    "evaluation": ["task"],
    "archive": [],
    "algorithm": ["archive", "optim", "policy", "evaluation", "task"],
    "metrics": ["archive", "evaluation", "task"],
    "persistence": ["archive"],
    "distributed": ["evaluation", "task"],
    "report": ["metrics", "archive"],
    "run": ["task", "evaluation", "archive", "algorithm", "metrics", "persistence"],
    "sources": ["task", "evaluation", "archive", "metrics", "persistence", "report", "run"],
}
FRONT_DOORS = ["cli", "python"]  # include every room; no room includes them, nor do they include each other
OUTSIDE = ["tests", "benchmarks", "examples", "fuzz"]  # include everything, also a neighbour by its bare name

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]*)"|<([^>]*)>)')
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def sources(root):
    """The C++ files of the project, as paths relative to its root."""
    folders = ["aria"] + FRONT_DOORS + OUTSIDE
    found = (path for folder in folders for path in (root / folder).rglob("*") if path.suffix in (".hpp", ".cpp", ".h"))
    return sorted(path.relative_to(root) for path in found)


def room_of(path):
    """The room of a file or of an include; None where it is in none."""
    parts = Path(path).parts
    if len(parts) >= 3 and parts[0] == "aria":
        return parts[1]
    if len(parts) >= 2 and parts[0] in FRONT_DOORS + OUTSIDE:
        return parts[0]
    return None


def allowed_from(room):
    """The rooms that a room may include, besides itself."""
    if room in OUTSIDE:
        return list(ROOMS) + FRONT_DOORS + OUTSIDE
    if room in FRONT_DOORS:
        return list(ROOMS)
    return ["core"] + ROOMS[room]


def includes(text):
    """(line number, target, whether it is quoted) of each include that is not in a comment."""

    def blank(match):
        kept = match.group() if match.group().startswith('"') else ""
        return kept or "\n" * match.group().count("\n")

    for number, line in enumerate(COMMENT_OR_STRING.sub(blank, text).splitlines(), start=1):
        if match := INCLUDE.match(line):
            quoted, angled = match.groups()
            yield number, quoted if quoted is not None else angled, quoted is not None


def fault_of(room, target, quoted):
    """What is wrong with an include in a file of `room`; None if nothing is."""
    known_top = target.split("/")[0] in ["aria"] + FRONT_DOORS + OUTSIDE
    if not quoted:
        return f'<{target}> is our own: include it as "{target}"' if known_top and room_of(target) in ROOMS else None
    if target.startswith(".") or "/../" in target:
        return f'"{target}": write the path from the root of the project'
    if room in OUTSIDE and "/" not in target:
        return None
    other = room_of(target)
    if not known_top or other is None:
        return f'"{target}" is not in a room: other libraries go in <>, our own files start with aria/<room>/'
    if other not in ROOMS and other not in FRONT_DOORS + OUTSIDE:
        return f"no room '{other}' (rooms: {', '.join(ROOMS)})"
    if other != room and other not in allowed_from(room):
        return f"room '{room}' may not include room '{other}' (allowed: {', '.join(allowed_from(room))})"
    return None


def file_of(path, target):
    """The project's file that a quoted include in `path` means, relative to the root as `path` is."""
    return Path(target) if "/" in target else path.parent / target


def cycles(graph):
    """Every include cycle found by a depth-first walk: [(file, line of the include that closes it, path)]."""
    found, state = [], {}

    def visit(file, trail):
        state[file] = "open"
        for number, target in graph[file]:
            if target not in graph:
                continue
            if state.get(target) == "open":
                start = (trail + [file]).index(target)
                found.append((file, number, (trail + [file])[start:] + [target]))
            elif target not in state:
                visit(target, trail + [file])
        state[file] = "closed"

    for file in graph:
        if file not in state:
            visit(file, [])
    return found


def check(root):
    """All faults of a project, as lines `file:line: message`."""
    faults, graph = [], {}
    for path in sources(root):
        file, room = path.as_posix(), room_of(path)
        graph[file] = []
        if room not in ROOMS and room not in FRONT_DOORS + OUTSIDE:
            faults.append(f"{file}:1: not in a room (rooms: {', '.join(ROOMS)})")
            continue
        for number, target, quoted in includes((root / path).read_text(encoding="utf-8")):
            graph[file].append((number, file_of(path, target).as_posix()))
            if fault := fault_of(room, target, quoted):
                faults.append(f"{file}:{number}: {fault}")
    faults += [f"{file}:{number}: include cycle: {' -> '.join(trail)}" for file, number, trail in cycles(graph)]
    return faults


def self_test():
    """Small projects, each with the faults that must be found in it."""
    cases = [
        ("core is open to all", {"aria/physics/a.hpp": '#include "aria/core/b.hpp"\n#include <vector>\n'}, []),
        ("a room may include itself", {"aria/optim/a.cpp": '#include "aria/optim/a.hpp"\n'}, []),
        ("an allowed room", {"aria/policy/a.hpp": '#include "aria/optim/b.hpp"\n'}, []),
        ("a forbidden room", {"aria/archive/a.hpp": '\n#include "aria/task/b.hpp"\n'},
         ["aria/archive/a.hpp:2: room 'archive' may not include room 'task' (allowed: core)"]),
        ("directions are not transitive", {"aria/evaluation/a-inl.h": '#  include "aria/physics/b.hpp"\n'},
         ["aria/evaluation/a-inl.h:1: room 'evaluation' may not include room 'physics' (allowed: core, task)"]),
        ("core includes nobody", {"aria/core/a.hpp": '#include "aria/optim/b.hpp"\n'},
         ["aria/core/a.hpp:1: room 'core' may not include room 'optim' (allowed: core)"]),
        ("the front door sees every room", {"cli/a.cpp": '#include "cli/b.hpp"\n#include "aria/run/c.hpp"\n'}, []),
        ("nobody includes the front door", {"aria/run/a.cpp": '#include "cli/b.hpp"\n'},
         ["aria/run/a.cpp:1: room 'run' may not include room 'cli'"]),
        ("nor tests", {"cli/a.cpp": '#include "tests/support/b.hpp"\n'},
         ["cli/a.cpp:1: room 'cli' may not include room 'tests'"]),
        ("tests see everything", {"tests/run/a.cpp": '#include "cli/b.hpp"\n#include "tests/support/c.hpp"\n'}, []),
        ("tests name a neighbour", {"tests/run/a.cpp": '#include "a.hpp"\n', "tests/run/a.hpp": "\n"}, []),
        ("a relative path", {"aria/core/a.hpp": '#include "../optim/b.hpp"\n'},
         ['aria/core/a.hpp:1: "../optim/b.hpp": write the path from the root']),
        ("a path without its room", {"aria/core/a.cpp": '#include "a.hpp"\n'},
         ['aria/core/a.cpp:1: "a.hpp" is not in a room']),
        ("another library in quotes", {"aria/core/a.cpp": '#include "hwy/highway.h"\n'},
         ['aria/core/a.cpp:1: "hwy/highway.h" is not in a room']),
        ("our own in angle brackets", {"aria/archive/a.hpp": "#include <aria/task/b.hpp>\n"},
         ["aria/archive/a.hpp:1: <aria/task/b.hpp> is our own"]),
        ("a room that is not in the table", {"aria/attic/a.hpp": "\n", "cli/a.cpp": '#include "aria/attic/a.hpp"\n'},
         ["aria/attic/a.hpp:1: not in a room", "cli/a.cpp:1: no room 'attic'"]),
        ("comments do not count",
         {"aria/core/a.hpp": '// #include "x.hpp"\n/*\n#include "y.hpp"\n*/\nauto s = "/*";\n#include "z.hpp"\n'},
         ['aria/core/a.hpp:6: "z.hpp" is not in a room']),
        ("a cycle of files in one room",
         {"aria/core/a.hpp": '#include "aria/core/b.hpp"\n', "aria/core/b.hpp": '\n#include "aria/core/a.hpp"\n'},
         ["aria/core/b.hpp:2: include cycle: aria/core/a.hpp -> aria/core/b.hpp -> aria/core/a.hpp"]),
        ("two ways to one header are no cycle",
         {"aria/core/a.hpp": '#include "aria/core/b.hpp"\n#include "aria/core/c.hpp"\n',
          "aria/core/b.hpp": '#include "aria/core/c.hpp"\n', "aria/core/c.hpp": "\n"}, []),
    ]
    failed = 0
    for name, files, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            for file, text in files.items():
                path = Path(folder, file)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            got = check(Path(folder))
        as_expected = len(got) == len(expected) and all(g.startswith(e) for g, e in zip(got, expected))
        if not as_expected:
            failed += 1
            print(f"self-test '{name}': expected {expected}, got {got}", file=sys.stderr)
    print(f"check_includes: {len(cases) - failed} of {len(cases)} self-tests passed")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    faults = check(root)
    for fault in faults:
        print(fault, file=sys.stderr)
    if not faults:
        print(f"check_includes: {len(sources(root))} files in order")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
