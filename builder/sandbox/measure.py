"""coverage.py inside a server: started once, inherited by every child."""

import os
import sys
from collections.abc import Callable

Measure = Callable[[str], tuple[str, str]]


def start(file_name: str) -> Measure:
    """Start coverage.py for one made-up file.

    Returns:
        What a child calls at its end: it gives the lines ``1 2 5`` and the arcs ``1,2 2,5`` that
        were run in that file.
    """
    sys.path.append(os.environ["PAU_COVERAGE"])
    import coverage

    sys.path.pop()
    measured = coverage.Coverage(
        data_file=None, branch=True, config_file=False, include=[file_name], messages=False
    )
    measured.set_option("run:core", "ctrace")
    measured.set_option("run:disable_warnings", ["no-data-collected", "module-not-measured"])
    measured.start()
    exec(compile("", file_name, "exec"), {})
    measured.stop()
    measured.get_data()
    measured.erase()
    measured.start()

    def finish(name: str) -> tuple[str, str]:
        measured.stop()
        arcs = sorted(measured.get_data().arcs(name) or ())
        lines = sorted({line for arc in arcs for line in arc if line > 0})
        return " ".join(map(str, lines)), " ".join(f"{a},{b}" for a, b in arcs)

    return finish
