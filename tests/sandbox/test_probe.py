"""How the level is found, on hosts that lack something."""

import sys

import pytest

from builder.sandbox import attempts, layers, probe, seccomp
from builder.sandbox.protocol import Level
from tests.sandbox.programs import python

SHOW = (
    "from builder.sandbox import probe\nfound = probe.isolation()\n"
    "print(found.level)\nprint(found.line)\n"
    "for layer in found.layers:\n    print(layer.name, layer.holds, layer.proof, '|', layer.cure)\n"
)


def show(lacking: str) -> list[str]:
    return python(SHOW, lacking).stdout.splitlines()


needs_everything = pytest.mark.skipif(
    probe.isolation().level is not Level.FULL, reason="this host itself lacks something"
)


@needs_everything
@pytest.mark.parametrize(
    ("lacking", "level"),
    [
        ("", "full"),
        ("namespaces", "strong"),
        ("landlock", "partial"),
        ("namespaces,landlock", "partial"),
        ("seccomp", "process-only"),
        ("namespaces,landlock,seccomp", "process-only"),
    ],
)
def test_the_level_is_what_holds(lacking: str, level: str) -> None:
    assert show(lacking)[0] == level


@needs_everything
def test_one_line_names_what_is_missing_why_and_what_that_means() -> None:
    line = show("namespaces")[1]
    assert line == (
        "Isolation: strong (landlock, seccomp, limits). "
        "Missing: namespaces (unshare: Operation not permitted). "
        "Effect: network and other processes are kept away by seccomp alone."
    )


@needs_everything
def test_a_missing_layer_comes_with_a_cure_and_one_that_holds_with_a_proof() -> None:
    lines = {line.split()[0]: line for line in show("namespaces")[2:]}
    assert "containers block them" in lines["namespaces"] or "here" in lines["namespaces"]
    assert lines["landlock"].startswith("landlock True version")
    assert lines["landlock"].endswith("| ")


def test_a_layer_that_lets_something_through_does_not_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the system claims: the step is there and does nothing."""
    for name in ("enter_namespaces", "forbid_files", "limit_resources"):
        monkeypatch.setattr(layers, name, lambda *_: None)
    monkeypatch.setattr(seccomp, "install", lambda _: None)
    assert not attempts.try_namespaces(9)[0]
    assert not attempts.try_landlock()[0]
    assert not attempts.try_seccomp()[0]
    assert not attempts.try_limits()[0]


@pytest.mark.parametrize(
    ("held", "level"),
    [
        (layers.ALL, Level.FULL),
        (("landlock", "seccomp", "limits"), Level.STRONG),
        (("namespaces", "seccomp", "limits"), Level.PARTIAL),
        (("namespaces", "landlock", "limits"), Level.PROCESS_ONLY),
        (("namespaces", "landlock", "seccomp"), Level.PROCESS_ONLY),
        ((), Level.PROCESS_ONLY),
    ],
)
def test_every_set_of_layers_has_a_level(held: tuple[str, ...], level: Level) -> None:
    found = probe.Isolation(tuple(probe.Layer(name, name in held, "tried") for name in layers.ALL))
    assert found.level is level


@pytest.mark.parametrize(("weaker", "than"), [("partial", "strong"), ("process-only", "full")])
def test_levels_have_an_order(weaker: str, than: str) -> None:
    assert probe.is_weaker(Level(weaker), Level(than))
    assert not probe.is_weaker(Level(than), Level(weaker))
    assert not probe.is_weaker(Level(than), Level(than))


def test_other_systems_are_told_to_use_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(OSError, match="no such thing"):
        layers.enter_namespaces()
    with pytest.raises(OSError, match="no such thing"):
        layers.forbid_files()
    assert "Linux" in probe._cure("seccomp", "")
