"""What the sandbox answers to jobs."""

import pytest

from builder.errors import PauError
from builder.sandbox import probe
from builder.sandbox.protocol import Call, Job, Level, Limits, Probe, Verdict
from builder.sandbox.supervisor import Sandbox
from tests.sandbox.programs import outcomes, values


class TestCalls:
    def test_a_call_gives_the_canonical_literal_of_its_value(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return {x: [x, (x,)], 'set': {3, 1}, 'nan': float('nan')}\n"
        assert values(sandbox, code, "(1,)") == [
            "{1: [1, (1,)], 'set': {1, 3}, 'nan': float('nan')}"
        ]

    def test_calls_are_answered_in_order(self, sandbox: Sandbox) -> None:
        calls = [f"({number},)" for number in range(500)]
        expected = [str(number * 2) for number in range(500)]
        assert values(sandbox, "def f(x):\n    return x * 2\n", *calls) == expected

    def test_keywords_reach_the_function(self, sandbox: Sandbox) -> None:
        job = Job("def f(a, *, b):\n    return [a, b]\n", "f", (Call("(1,)", "{'b': [2]}"),))
        assert sandbox.run(job).outcomes[0].value == "[1, [2]]"

    def test_an_exception_is_named_by_its_type(self, sandbox: Sandbox) -> None:
        code = "class Odd(Exception):\n    pass\ndef f(x):\n    raise Odd('text')\n"
        (outcome,) = outcomes(sandbox, code, "(1,)")
        assert (outcome.verdict, outcome.exception, outcome.value) == (Verdict.ERROR, "Odd", "")

    @pytest.mark.parametrize("name", ["SystemExit", "KeyboardInterrupt", "GeneratorExit"])
    def test_exceptions_that_end_programs_are_errors_like_others(
        self, sandbox: Sandbox, name: str
    ) -> None:
        (outcome,) = outcomes(sandbox, f"def f(x):\n    raise {name}\n", "(1,)")
        assert (outcome.verdict, outcome.exception) == (Verdict.ERROR, name)

    def test_the_arguments_afterwards_are_given_if_they_changed(self, sandbox: Sandbox) -> None:
        code = "def f(x, y):\n    x.append(y)\n    return len(x)\n"
        (outcome,) = outcomes(sandbox, code, "([1], 2)")
        assert (outcome.value, outcome.arguments_after) == ("2", "([1, 2], 2)")

    @pytest.mark.parametrize(
        "arguments", ["([1], 'a')", "({'k': (1, 2)}, {3})", "([b'a'], deque([1]))", "(1, None)"]
    )
    def test_arguments_that_did_not_change_are_not_given(
        self, sandbox: Sandbox, arguments: str
    ) -> None:
        (outcome,) = outcomes(sandbox, "def f(x, y):\n    return 1\n", arguments)
        assert outcome.arguments_after is None

    def test_a_changed_type_counts_as_changed(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    x[0] = bytearray(x[0])\n"
        assert outcomes(sandbox, code, "([b'a'],)")[0].arguments_after == "([bytearray(b'a')],)"

    def test_every_call_gets_fresh_arguments(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    x.append(0)\n    return x\n"
        assert values(sandbox, code, "([],)", "([],)") == ["[0]", "[0]"]

    def test_cpu_time_is_measured(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return sum(i * i for i in range(x))\n"
        short, long = outcomes(sandbox, code, "(10,)", "(300000,)")
        assert 0 < short.cpu_seconds < long.cpu_seconds < 0.3

    def test_results_that_fill_the_board_are_all_kept(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return str(x % 10) * 90_000\n"
        found = values(sandbox, code, *(f"({number},)" for number in range(100)))
        assert [(len(text), text[1]) for text in found] == [
            (90_002, str(number % 10)) for number in range(100)
        ]


class TestLoading:
    def test_a_module_that_raises_answers_no_call(self, sandbox: Sandbox) -> None:
        report = sandbox.run(Job("1 / 0\n", "f", (Call("(1,)"),)))
        assert (report.loaded.verdict, report.loaded.exception) == (
            Verdict.ERROR,
            "ZeroDivisionError",
        )
        assert report.outcomes == ()

    def test_a_text_that_is_not_python_is_an_error(self, sandbox: Sandbox) -> None:
        report = sandbox.run(Job("def f(:\n", "f"))
        assert (report.loaded.verdict, report.loaded.exception) == (Verdict.ERROR, "SyntaxError")

    @pytest.mark.parametrize("code", ["g = 1\n", "f = 1\n"])
    def test_a_module_without_the_function_is_an_error(self, sandbox: Sandbox, code: str) -> None:
        assert sandbox.run(Job(code, "f")).loaded.exception == "NameError"

    def test_a_module_that_never_ends_is_late(self, sandbox: Sandbox) -> None:
        report = sandbox.run(Job("while True:\n    pass\n", "f"))
        assert report.loaded.verdict is Verdict.TIMEOUT

    def test_dataclasses_enums_and_named_tuples_can_be_made(self, sandbox: Sandbox) -> None:
        code = (
            "from __future__ import annotations\nfrom collections import namedtuple\n"
            "from dataclasses import dataclass\nfrom enum import Enum\n"
            "from typing import NamedTuple\n"
            "P = namedtuple('P', 'x y')\nE = Enum('E', 'one two')\n"
            "class N(NamedTuple):\n    a: int\n"
            "@dataclass\nclass D:\n    b: int = 4\n"
            "def f(x):\n    return [P(x, 1).x, E.two.value, N(x).a, D().b]\n"
        )
        assert values(sandbox, code, "(7,)") == ["[7, 2, 7, 4]"]

    def test_the_main_block_does_not_run(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return x\nif __name__ == '__main__':\n    f = None\n"
        assert values(sandbox, code, "(1,)") == ["1"]


class TestVerdicts:
    def test_a_loop_is_late_and_the_calls_behind_it_are_made(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    while x:\n        pass\n    return x\n"
        assert values(sandbox, code, "(0,)", "(1,)", "(0,)") == ["0", "timeout", "0"]

    def test_one_call_into_c_is_ended_from_outside(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return sum(range(x))\n"
        assert values(sandbox, code, "(100000000000000,)", "(3,)") == ["timeout", "3"]

    def test_code_that_swallows_the_end_is_late_all_the_same(self, sandbox: Sandbox) -> None:
        code = (
            "def f(x):\n    try:\n        while True:\n            pass\n"
            "    except BaseException:\n        return 'calm'\n"
        )
        assert values(sandbox, code, "(1,)") == ["timeout"]

    @pytest.mark.parametrize("nap", ["3600", "0.001"])
    def test_a_sleeper_is_late_by_the_clock_on_the_wall(self, sandbox: Sandbox, nap: str) -> None:
        code = f"import time\ndef f(x):\n    while True:\n        time.sleep({nap})\n"
        assert values(sandbox, code, "(1,)") == ["timeout"]

    def test_a_late_call_is_made_once_more_alone(self, sandbox: Sandbox) -> None:
        code = "seen = []\ndef f(x):\n    seen.append(x)\n    while len(seen) > 1:\n        pass\n"
        assert values(sandbox, f"{code}    return x\n", "(1,)", "(2,)") == ["1", "2"]

    def test_after_three_late_calls_no_more_are_made(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    while x:\n        pass\n    return x\n"
        late = ["(1,)"] * 3
        assert values(sandbox, code, "(0,)", *late, "(0,)") == ["0", *["timeout"] * 4]

    def test_one_big_allocation_is_a_matter_of_memory(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return len([0] * x)\n"
        assert values(sandbox, code, "(100000000000,)", "(2,)") == ["memory", "2"]

    def test_a_value_beyond_the_limit_is_too_large(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return ['ab' * x]\n"
        assert values(sandbox, code, "(60000,)", "(1,)") == ["too_large", "['ab']"]

    def test_bytes_count_as_printed_too(self, sandbox: Sandbox) -> None:
        code = "import sys\ndef f(x):\n    sys.stdout.buffer.write(b'y' * x)\n    return 1\n"
        assert values(sandbox, code, "(2000000,)", "(1,)") == ["too_large", "1"]

    @pytest.mark.parametrize("stream", ["stdout", "stderr"])
    def test_printing_beyond_the_limit_is_too_large(self, sandbox: Sandbox, stream: str) -> None:
        code = (
            "import sys\ndef f(x):\n    try:\n        for _ in range(x):\n"
            f"            print('y' * 100_000, file=sys.{stream})\n"
            "    except BaseException:\n        pass\n    return 1\n"
        )
        assert values(sandbox, code, "(100,)", "(1,)") == ["too_large", "1"]

    @pytest.mark.parametrize(
        "value", ["object()", "lambda: 1", "(i for i in ())", "f", "type('Odd', (int,), {})(7)"]
    )
    def test_a_value_without_literal_form_is_unserialisable(
        self, sandbox: Sandbox, value: str
    ) -> None:
        assert values(sandbox, f"def f(x):\n    return [{value}]\n", "(1,)") == ["unserialisable"]

    @pytest.mark.parametrize("end", ["os._exit(0)", "os._exit(101)", "os.abort()"])
    def test_an_early_end_is_a_crash_and_costs_only_its_call(
        self, sandbox: Sandbox, end: str
    ) -> None:
        code = f"import os\ndef f(x):\n    if x:\n        {end}\n    return x\n"
        assert values(sandbox, code, "(0,)", "(1,)", "(0,)") == ["0", "crash", "0"]

    def test_a_crash_is_not_blamed_on_an_earlier_attempt(self, sandbox: Sandbox) -> None:
        code = (
            "import os\ndef f(x):\n    try:\n        input()\n    except OSError:\n"
            "        return 1\ndef f(x, ask=f):\n    return ask(x) if x else os._exit(1)\n"
        )
        assert values(sandbox, code, "(1,)", "(0,)") == ["forbidden", "crash"]

    def test_a_crash_after_an_attempt_is_forbidden(self, sandbox: Sandbox) -> None:
        code = (
            "import os\ndef f(x):\n    try:\n        input()\n    except OSError:\n"
            "        os._exit(0)\n"
        )
        assert values(sandbox, code, "(1,)") == ["forbidden"]

    def test_an_exit_while_loading_is_no_fault_of_the_sandbox(self, sandbox: Sandbox) -> None:
        report = sandbox.run(Job("import os\nos._exit(102)\n", "f"))
        assert report.loaded.verdict is Verdict.CRASH

    @pytest.mark.parametrize(
        "attempt",
        [
            "open('/etc/passwd').read()",
            "__import__('os').listdir('/')",
            "__import__('os').path.exists('/etc')",
            "__import__('os').fork()",
            "__import__('os').kill(1, 0)",
            "__import__('os').getpid()",
            "__import__('socket')",
            "__import__('subprocess')",
            "__import__('threading').Thread(target=print).start()",
            "input()",
            "__import__('sys').stdin.read()",
            "__import__('signal').alarm(1)",
            "__import__('sys')._getframe(0)",
            "__import__('inspect').currentframe()",
            "__import__('gc').get_objects()",
            "__import__('traceback').format_stack()",
            "__import__('ctypes')",
            "__import__('resource')",
            "__import__('mmap').mmap(-1, 4096, prot=7)",
            "__import__('os').write(1, b'x')",
        ],
    )
    def test_a_hidden_attempt_is_still_forbidden(self, sandbox: Sandbox, attempt: str) -> None:
        code = f"def f(x):\n    try:\n        {attempt}\n    except BaseException:\n        pass\n"
        code += "    return 'nothing happened'\n"
        assert values(sandbox, code, "(1,)") == ["forbidden"]

    def test_a_module_that_nobody_has_is_an_ordinary_error(self, sandbox: Sandbox) -> None:
        code = "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n"
        assert values(sandbox, code + "def f(x):\n    return numpy\n", "(1,)") == ["None"]

    @pytest.mark.parametrize(
        "code",
        [
            "eval('1 +')",
            "exec('x y')",
            "warnings.warn('odd')",
            "logging.warning('odd')",
            "'x'.encode('shift_jis')",
            "datetime.datetime.strptime('2020', '%Y')",
            "traceback.format_exc()",
            "uuid.uuid5(uuid.NAMESPACE_DNS, 'x')",
        ],
    )
    def test_pure_work_of_the_standard_library_is_not_forbidden(
        self, sandbox: Sandbox, code: str
    ) -> None:
        imports = "import datetime, logging, traceback, uuid, warnings\n"
        body = f"    try:\n        {code}\n    except SyntaxError:\n        pass\n    return 1\n"
        assert values(sandbox, f"{imports}def f(x):\n{body}", "(1,)") == ["1"]


class TestRepeat:
    def repeat(self, sandbox: Sandbox, code: str) -> Verdict:
        return sandbox.run(Job(code, "f", (Call("([1],)"),), repeat=True)).outcomes[0].verdict

    def test_a_function_that_remembers_is_stateful(self, sandbox: Sandbox) -> None:
        code = "seen = []\ndef f(x):\n    seen.append(x)\n    return len(seen)\n"
        assert self.repeat(sandbox, code) is Verdict.STATEFUL

    def test_a_function_that_changes_its_arguments_is_not(self, sandbox: Sandbox) -> None:
        assert self.repeat(sandbox, "def f(x):\n    x.append(2)\n    return x\n") is Verdict.OK

    def test_a_draw_without_seed_shows_even_if_both_draws_agree(self, sandbox: Sandbox) -> None:
        code = "import random\ndef f(x):\n    random.random()\n    return 1\n"
        assert self.repeat(sandbox, code) is Verdict.NONDETERMINISTIC

    def test_a_draw_with_seed_is_fine(self, sandbox: Sandbox) -> None:
        code = "import random\ndef f(x):\n    random.seed(3)\n    return random.random()\n"
        assert self.repeat(sandbox, code) is Verdict.OK


class TestSurroundings:
    @pytest.mark.parametrize(
        "expression",
        [
            "list({'ash', 'oak', 'elm', 'fir', 'yew'})",
            "str(object())",
            "__import__('datetime').date.today().year",
            "__import__('time').localtime(0).tm_hour",
            "int(__import__('time').monotonic())",
            "__import__('time').strftime('%Y')",
            "__import__('random').random()",
        ],
    )
    def test_what_depends_on_the_machine_differs(self, sandbox: Sandbox, expression: str) -> None:
        code = f"def f(x):\n    return {expression}\n"
        here, there = (values(sandbox, code, "(1,)", surroundings=n) for n in (0, 1))
        assert here != there

    def test_the_stack_is_deeper_in_the_second(self, sandbox: Sandbox) -> None:
        code = (
            "def f(x):\n    try:\n        return f(x + 1)\n"
            "    except RecursionError:\n        return x\n"
        )
        here, there = (values(sandbox, code, "(0,)", surroundings=n) for n in (0, 1))
        assert here != there

    def test_what_depends_on_the_arguments_alone_agrees(self, sandbox: Sandbox) -> None:
        code = (
            "import datetime\ndef f(x):\n    d = datetime.date(2024, 2, x)\n"
            "    return [d.isoformat(), (d + datetime.timedelta(1)).strftime('%A'), {x: {x}}]\n"
        )
        calls = ["(1,)", "(29,)", "(31,)"]
        here, there = (values(sandbox, code, *calls, surroundings=n) for n in (0, 1))
        assert here == there


class TestProbes:
    CODE = (
        "def f(n):\n    while n:\n        tick()\n"
        "        hit(n % 2)\n        n -= 1\n    return n\n"
    )

    def test_each_call_has_its_own_hits(self, sandbox: Sandbox) -> None:
        calls = (Call("(1,)"), Call("(3,)"), Call("(0,)"))
        report = sandbox.run(Job(self.CODE, "f", calls, probe=Probe("hit", "tick", "weigh")))
        assert [outcome.hits for outcome in report.outcomes] == [(1,), (0, 1), ()]

    def test_the_budget_counts_ticks_of_one_call(self, sandbox: Sandbox) -> None:
        calls = (Call("(10,)"), Call("(11,)"), Call("(10,)"))
        report = sandbox.run(
            Job(self.CODE, "f", calls, probe=Probe("hit", "tick", "weigh", budget=10))
        )
        assert [str(outcome.verdict) for outcome in report.outcomes] == ["ok", "timeout", "ok"]

    def test_swallowing_the_end_of_the_budget_does_not_help(self, sandbox: Sandbox) -> None:
        code = "def f(n):\n    try:\n        while True:\n            tick()\n"
        code += "    except BaseException:\n        return 1\n"
        report = sandbox.run(
            Job(code, "f", (Call("(1,)"),), probe=Probe("hit", "tick", "weigh", budget=9))
        )
        assert report.outcomes[0].verdict is Verdict.TIMEOUT


class TestDrivers:
    CODE = "def f(n, step=1):\n    return 0 if n <= 0 else f(n - step)\n"

    def recorded(self, sandbox: Sandbox, *drivers: str, code: str = CODE) -> list[tuple[str, str]]:
        calls = sandbox.run(Job(code, "f", drivers=drivers)).recorded
        return [(call.arguments, call.keywords) for call in calls]

    def test_calls_are_recorded_once_and_recursion_is_not(self, sandbox: Sandbox) -> None:
        found = self.recorded(sandbox, "f(3)\nf(3)\nf(2, step=2)", "candidate(n=1)")
        assert found == [("(3,)", "{}"), ("(2,)", "{'step': 2}"), ("()", "{'n': 1}")]

    def test_arguments_are_noted_before_the_call_changes_them(self, sandbox: Sandbox) -> None:
        code = "def f(xs):\n    xs.clear()\n"
        assert self.recorded(sandbox, "f([1, 2])", code=code) == [("([1, 2],)", "{}")]

    def test_values_are_what_the_expressions_give(self, sandbox: Sandbox) -> None:
        found = self.recorded(sandbox, "for i in range(3):\n    f(sum(range(i)))")
        assert found == [("(0,)", "{}"), ("(1,)", "{}")]

    def test_an_exception_or_a_loop_ends_only_its_driver(self, sandbox: Sandbox) -> None:
        drivers = ("f(1)\n1 / 0\nf(2)", "while True:\n    pass", "import os\nos._exit(0)", "f(4)")
        assert self.recorded(sandbox, *drivers) == [("(1,)", "{}"), ("(4,)", "{}")]

    def test_arguments_without_literal_form_are_skipped(self, sandbox: Sandbox) -> None:
        code = "def f(x):\n    return 1\n"
        assert self.recorded(sandbox, "f(object())\nf(1)", code=code) == [("(1,)", "{}")]

    def test_at_most_two_hundred_calls_are_kept(self, sandbox: Sandbox) -> None:
        assert len(self.recorded(sandbox, "for i in range(500):\n    f(i % 300)")) == 200


class TestCoverage:
    CODE = (
        "def f(x):\n    if x > 1:\n        return 'big'\n"
        "    for _ in range(x):\n        pass\n    return x\n"
    )

    def run(self, sandbox: Sandbox, *arguments: str) -> tuple[set[int], set[tuple[int, int]]]:
        calls = tuple(Call(text) for text in arguments)
        report = sandbox.run(Job(self.CODE, "f", calls, coverage=True))
        plain = sandbox.run(Job(self.CODE, "f", calls))
        assert [o.comparable for o in report.outcomes] == [o.comparable for o in plain.outcomes]
        return set(report.executed_lines), set(report.executed_arcs)

    def test_lines_and_arcs_are_those_that_ran(self, sandbox: Sandbox) -> None:
        lines, arcs = self.run(sandbox, "(2,)")
        assert lines == {1, 2, 3}
        assert {(2, 3), (3, -1)} <= arcs and (2, 4) not in arcs

    def test_they_are_those_of_all_calls_together(self, sandbox: Sandbox) -> None:
        lines, arcs = self.run(sandbox, "(2,)", "(1,)")
        assert lines == {1, 2, 3, 4, 5, 6}
        assert {(2, 3), (2, 4), (4, 5), (5, 4), (4, 6)} <= arcs

    def test_no_job_sees_the_lines_of_an_earlier_one(self, sandbox: Sandbox) -> None:
        self.run(sandbox, "(1,)")
        lines, _ = self.run(sandbox, "(2,)")
        assert lines == {1, 2, 3}

    def test_calls_into_the_standard_library_are_no_trouble(self, sandbox: Sandbox) -> None:
        code = (
            "import json, textwrap\ndef f(x):\n    return [json.dumps(x), textwrap.fill('a b')]\n"
        )
        report = sandbox.run(Job(code, "f", (Call("([1],)"),), coverage=True))
        assert report.outcomes[0].value == "['[1]', 'a b']"
        assert set(report.executed_lines) == {1, 2, 3}


class TestNothingStays:
    @pytest.mark.parametrize(
        "harm",
        [
            "import builtins; builtins.len = lambda x: 666",
            "import random; random.Random.random = lambda self: 0.5",
            "import json; json.JSONEncoder.encode = lambda self, o: '[666]'",
            "import sys; sys.modules.clear()",
            "import sys; sys.setrecursionlimit(10 ** 8)",
            "import os; os.environ['A'] = 'b'",
        ],
    )
    def test_the_next_job_does_not_see_what_one_did(self, sandbox: Sandbox, harm: str) -> None:
        control = (
            "import json, random, sys, os\ndef f(x):\n    random.seed(1)\n"
            "    return [len(x), json.dumps(x), random.random(), sys.getrecursionlimit(),"
            " os.environ.get('A')]\n"
        )
        before = values(sandbox, control, "([1],)")
        values(sandbox, f"def f(x):\n    {harm}\n    return 1\n", "(1,)")
        assert values(sandbox, control, "([1],)") == before


def test_a_level_below_the_wanted_one_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    weak = probe.Isolation((probe.Layer("namespaces", False, "unshare: not permitted"),))
    monkeypatch.setattr(probe, "isolation", lambda: weak)
    with pytest.raises(PauError, match=r"Missing: namespaces \(unshare.*--isolation process-only"):
        Sandbox(Limits(), allow=Level.STRONG)
