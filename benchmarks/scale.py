"""What a build costs as the corpora grow: CPU time and memory for 1, 4 and 16 times the rows.

    python -m benchmarks.scale --corpus cruxeval=cruxeval.jsonl --rows 25

The corpus is a slice of CruxEval; its copies have other names of variables and other constants, so
that none is a row that is known. Each size is built by ``pau-build`` from nothing. What a build
of one row costs is start-up and taken off.
"""

import argparse
import ast
import ctypes
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.commands.options import corpus_paths

SIZES = (1, 4, 16)
_SET_CHILD_SUBREAPER = 36
SOURCE = "cruxeval"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one build cost."""

    rows: int
    seconds: float
    """CPU time of all processes."""
    mebibytes: float
    """Most memory that a single process held."""


def main() -> None:
    """Build every size and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", required=True, action="append", help=f"{SOURCE}=PATH")
    parser.add_argument("--rows", type=int, default=25, help="rows of the smallest corpus")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    _adopt_orphans()
    (path,) = corpus_paths(tuple(options.corpus))[SOURCE]
    lines = path.read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in random.Random(0).sample(lines, options.rows)]
    start = _build(rows[:1], options.workers)
    print("| corpus | rows | CPU s | CPU s a row beyond start-up | compared with 1x | MiB |")
    print("| --- " + "| ---: " * 5 + "|")
    first = 0.0
    for size in SIZES:
        cost = _build(list(_copies(rows, size)), options.workers)
        each = (cost.seconds - start.seconds) / (cost.rows - 1)
        first = first or each
        cells = [f"{size}x", f"{cost.rows}", f"{cost.seconds:.1f}", f"{each:.3f}"]
        print(
            f"| {' | '.join(cells)} | {each / first - 1:+.1%} | {cost.mebibytes:.0f} |", flush=True
        )


def _copies(rows: Sequence[Mapping[str, Any]], size: int) -> Iterator[dict[str, Any]]:
    """Give ``size`` copies of each row; constants are as large on average, whatever the size."""
    most = max(SIZES)
    for number, row in enumerate(rows):
        for copy in range(number % most, number % most + most, most // size):
            code = _changed(row["code"], copy % most)
            yield {**row, "id": f"{row['id']}_{copy % most}", "code": code}


class _Changer(ast.NodeTransformer):
    """Gives variables other names, and constants other values."""

    def __init__(self, names: set[str], copy: int) -> None:
        self.names = names
        self.copy = copy

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = f"{node.arg}_{self.copy}"
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = f"{node.id}_{self.copy}" if node.id in self.names else node.id
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int and node.value > 1:
            return ast.Constant(node.value + self.copy)
        if type(node.value) is str and node.value:
            return ast.Constant(node.value + "abcdefghijklmnop"[: self.copy])
        return node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node


def _changed(code: str, copy: int) -> str:
    if not copy:
        return code
    tree = ast.parse(code)
    names = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    names |= {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return ast.unparse(_Changer(names, copy).visit(tree))


def _build(rows: Sequence[Mapping[str, Any]], workers: int) -> Cost:
    """Build rows in processes of their own."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Path(folder, "corpus.jsonl")
        corpus.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        start = "from builder.commands.main import main; main()"
        command = [sys.executable, "-c", start, "run", "--source", SOURCE]
        command += ["--corpus", f"{SOURCE}={corpus}", "--output", f"{folder}/release"]
        command += ["--workers", str(workers), "--allow-missing-description"]
        built = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        seconds, kibibytes = _wait_for_all(built)
        if built.returncode:
            raise SystemExit(f"the build of {len(rows)} rows ended with {built.returncode}")
    return Cost(len(rows), seconds, kibibytes / 1024)


def _wait_for_all(built: "subprocess.Popen[bytes]") -> tuple[float, int]:
    """Wait for a process and all that it leaves behind; return CPU seconds and most KiB of one."""
    seconds, kibibytes = 0.0, 0
    while True:
        try:
            process, status, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return seconds, kibibytes
        seconds += usage.ru_utime + usage.ru_stime
        kibibytes = max(kibibytes, usage.ru_maxrss)
        if process == built.pid:
            built.returncode = os.waitstatus_to_exitcode(status)


def _adopt_orphans() -> None:
    """Become the parent of what the processes of a build leave behind, to see what it cost."""
    if ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0):
        raise SystemExit("the CPU time of a build can be measured on Linux only")


if __name__ == "__main__":
    main()
