"""What our model stage costs beside the calls themselves, and what it loses under faults.

Run it from the checkout: ``python -m benchmarks.model``. It needs no model and no network.
"""

import asyncio
import multiprocessing
import os
import random
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path

import openai

from builder.model.client import Answer, WaitingForModelError
from builder.model.endpoint import Endpoint
from builder.model.ledger import summary
from builder.model.live import Patience
from builder.model.settings import ModelSettings, models_by_task, open_model, spending
from builder.model.store import Store
from prompts.answers import Description
from prompts.ask import question
from tests.model.server import Ask, ModelServer, Raw, Reaction, Reset, Say, Stall

CALLS, CONCURRENT = 5000, 64
KILLS = 20
ROWS = 500
ANSWER = Say('{"description": "Adds one to a number."}')
CODE = "def test_func(arg0):\n    return arg0 + {number}\n"


def main() -> None:
    """Measure everything and print one line for each figure."""
    with tempfile.TemporaryDirectory() as folder, quick_server() as address:
        store = Path(folder) / "record.sqlite"
        bare, bare_work = timed(lambda: ask_bare(address))
        ours, our_work = timed(lambda: ask_ours(address, store))
        again, _ = timed(lambda: ask_ours(address, store))
        print(f"{CALLS} calls, {CONCURRENT} at a time, bare openai client: {bare:.1f} s")
        print(f"the same recorded by our stage: {ours:.1f} s (bar: 60 s)")
        print(f"the same from the store: {again:.1f} s")
        print(
            f"overhead: {(our_work - bare_work) / CALLS * 1000:.2f} ms of processor time a call"
            f" (bar: 2 ms), {(ours - bare) / CALLS * 1000:.2f} ms by the clock, which other"
            " programs disturb"
        )
    with tempfile.TemporaryDirectory() as folder:
        killed(Path(folder))
        faults(Path(folder))


def settings_for(address: str, store: Path) -> ModelSettings:
    """Return the settings of a run against a server."""
    return ModelSettings(
        models_by_task("some-model", {}),
        store,
        Endpoint("none", address),
        concurrency=CONCURRENT,
        patience=Patience(sending=1.0, tries=60, first_wait=0.01, longest_wait=0.1),
    )


def ask_all(settings: ModelSettings, count: int) -> list[str]:
    """Ask for ``count`` descriptions; return what became of each."""

    def ask(number: int) -> str:
        code = CODE.format(number=number)
        asked = question(Description, "describe", code=code, examples=[], earlier=[])
        try:
            answer = model.ask(asked)
        except WaitingForModelError:
            return "waits"
        return "answered" if isinstance(answer, Answer) else "failed"

    with open_model(settings) as model, ThreadPoolExecutor(CONCURRENT) as pool:
        return list(pool.map(ask, range(count)))


def timed(work: Callable[[], None]) -> tuple[float, float]:
    """Return the seconds that work takes by the clock, and those of processor time."""
    clock, processor = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - clock, time.process_time() - processor


def ask_ours(address: str, store: Path) -> None:
    """Ask through our stage."""
    found = ask_all(settings_for(address, store), CALLS)
    assert found == ["answered"] * CALLS, set(found)


def ask_bare(address: str) -> None:
    """Ask by the client alone: the same questions, and nothing is kept."""

    async def run() -> None:
        client = openai.AsyncOpenAI(api_key="none", base_url=address, max_retries=0)
        slots = asyncio.Semaphore(CONCURRENT)

        async def ask(number: int) -> None:
            code = CODE.format(number=number)
            asked = question(Description, "describe", code=code, examples=[], earlier=[])
            async with slots:
                system, user = asked.messages
                reply = await client.chat.completions.create(
                    model="some-model",
                    messages=[
                        {"role": "system", "content": system.content},
                        {"role": "user", "content": user.content},
                    ],
                    response_format={
                        "type": "json_schema",
                        "json_schema": {"name": "describe", "schema": asked.schema or {}},
                    },
                    max_tokens=asked.sampling.max_tokens,
                    temperature=0,
                    seed=0,
                )
                Description.read(reply.choices[0].message.content or "")

        await asyncio.gather(*(ask(number) for number in range(CALLS)))
        await client.close()

    asyncio.run(run())


@contextmanager
def quick_server() -> Iterator[str]:
    """Serve answers at once from a process of its own; yield the address."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    yield ours.recv()
    process.terminate()
    process.join()


def serve(pipe: Connection) -> None:
    """Answer every request with the same completion."""
    body = ANSWER.body()
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    reply = head.encode() + body

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                request = await reader.readuntil(b"\r\n\r\n")
                length = request.lower().split(b"content-length: ")[1].split(b"\r\n")[0]
                await reader.readexactly(int(length))
                writer.write(reply)
        except (asyncio.IncompleteReadError, OSError):
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=256)
        port = server.sockets[0].getsockname()[1]
        pipe.send(f"http://127.0.0.1:{port}/v1")
        await server.serve_forever()

    asyncio.run(run())


def killed(folder: Path) -> None:
    """Kill a recording run at random moments and go on, until it is done."""
    rows, store = 300, folder / "killed.sqlite"
    dice = random.Random(1)

    def react(ask: Ask) -> Reaction:
        time.sleep(0.2)
        return ANSWER

    with ModelServer(react) as server:
        context = multiprocessing.get_context("spawn")
        settings = settings_for(server.base_url, store)
        repeated = 0
        for _ in range(KILLS):
            recorded, before = keys(store), len(server.asks)
            process = context.Process(target=ask_all, args=(settings, rows))
            process.start()
            process.join(dice.uniform(1.0, 3.0))
            if process.pid and process.exitcode is None:
                os.kill(process.pid, signal.SIGKILL)
            process.join()
            asked = {
                ask.headers["idempotency-key"].partition("-")[0] for ask in server.asks[before:]
            }
            repeated += len(asked & recorded)
        found = ask_all(settings, rows)
        sent = len(server.asks)
    print(
        f"killed {KILLS} times while recording {rows} answers, then finished:"
        f" {found.count('answered')} answered, {repeated} asked again that had been recorded"
        f" (bar: 0), {sent - rows} in flight when it was killed and sent again"
    )


def keys(store: Path) -> set[str]:
    """Return the keys of what is recorded."""
    if not store.exists():
        return set()
    with Store(store) as opened:
        return {key for (key,) in opened.read("SELECT key FROM replies")}


def faults(folder: Path) -> None:
    """Ask for 500 rows while every fault strikes a tenth of the replies."""
    dice = random.Random(1)
    kinds: list[Reaction] = [
        Raw(b"{}", 429, {"Retry-After": "0.05"}),
        Raw(b"", 500),
        Raw(b"", 503),
        Reset(),
        Reset(halfway=True),
        Stall(),
        Raw(ANSWER.body()[:70]),
        Raw(b'{"choices": []}'),
        Say('{"summary": "wrong schema"}'),
        Say("and then " * 10_000, "length"),
    ]
    struck: dict[str, int] = {}

    def react(ask: Ask) -> Reaction:
        for kind in kinds:
            if dice.random() < 0.1:
                struck[type(kind).__name__] = struck.get(type(kind).__name__, 0) + 1
                return kind
        return ANSWER

    with ModelServer(react) as server:
        settings = settings_for(server.base_url, folder / "faults.sqlite")
        start = time.perf_counter()
        found = ask_all(settings, ROWS)
        seconds = time.perf_counter() - start
        lost = ROWS - found.count("answered")
        print(
            f"every fault at 10 %, {ROWS} rows: {lost} lost (bar: 0), {len(server.asks)} calls,"
            f" {sum(struck.values())} of them struck, {seconds:.0f} s"
        )
    for line in summary(spending(settings)):
        print(f"    {line}")


if __name__ == "__main__":
    main()
