"""Start of a bare interpreter: makes the few modules it needs importable, without the package.

Run as a script (``zygote`` or ``attempts``) where neither site-packages nor this project can be
found. Stand-ins for the two packages on the way let ``import builder.sandbox.zygote`` find its
file and run nothing else; ``zygote`` removes them before anything foreign runs.
"""

import os
import sys
from pathlib import Path
from types import ModuleType

if __name__ == "__main__":
    # Some modules ask to be called after a fork, to mend what other threads may have held. There
    # is one thread here, and the calls would cost each child half a millisecond.
    os.register_at_fork = lambda **_: None
    folder = Path(__file__).resolve().parent
    for name, path in (("builder", folder.parent), ("builder.sandbox", folder)):
        package = ModuleType(name)
        package.__path__ = [str(path)]
        sys.modules[name] = package
    if sys.argv[1] == "zygote":
        from builder.sandbox import zygote

        zygote.main(sys.argv[2:])
    else:
        from builder.sandbox import attempts

        attempts.main(sys.argv[2:])
