"""Programs of ours that run in the sandbox beside a method, put together into one module."""

import marshal
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType


def program_text(programs: Sequence[ModuleType], values: Mapping[str, str]) -> str:
    """Return the text of a module in which some programs run one after the other.

    Each program stands in the namespace of all of them, so none may import another but for types.

    Args:
        programs: modules that import nothing of ours when they run.
        values: texts of values that the programs look up, given names behind them.
    """
    lines = ["import marshal"]
    lines += [f"exec(marshal.loads({_compiled(program)!r}))" for program in programs]
    lines += [f"{name} = {value}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=16)
def _compiled(program: ModuleType) -> bytes:
    path = Path(str(program.__file__))
    return marshal.dumps(compile(path.read_text(encoding="utf-8"), path.name, "exec"))
