"""Carrying out a push: look, do one thing, look again.

Nothing is remembered between two looks but what was read back. So it makes no difference whether
an answer was lost, a deed was done twice, somebody else wrote meanwhile, or this process was
killed and started anew: the next step follows from what the Hub holds.

The tag comes last, on a commit that was read back: a tagged release is a checked one.
"""

from collections.abc import Callable
from dataclasses import dataclass

from builder.errors import BelowBarError, PauError
from builder.release.hub.client import Hub
from builder.release.hub.plan import Plan
from builder.release.hub.readback import differences
from builder.release.hub.state import Repository
from builder.release.hub.trouble import UnsettledError


@dataclass(frozen=True, slots=True)
class Create:
    """Make the repository."""


@dataclass(frozen=True, slots=True)
class Commit:
    """Bring the files there."""

    parent: str


@dataclass(frozen=True, slots=True)
class ReadBack:
    """Check what the Hub holds."""

    commit: str


@dataclass(frozen=True, slots=True)
class Tag:
    """Name the commit for ever."""

    commit: str


@dataclass(frozen=True, slots=True)
class Done:
    """Nothing is left to do."""

    commit: str
    proposal: int | None = None
    """Number of the pull request."""


Step = Create | Commit | ReadBack | Tag | Done


def carry_out(plan: Plan, hub: Hub, say: Callable[[str], None]) -> Done:
    """Do what is left to do of a plan, and tell each deed.

    Raises:
        BelowBarError: the Hub gives back something else; it was not tagged.
        PauError: the Hub refuses, fails for too long, or somebody else changed the files.
    """
    checked: set[str] = set()
    finished: Step | None = None
    unsure = False
    while True:
        step = _next_step(plan, hub, checked)
        if step == finished:
            hub.patience.wait(UnsettledError("what was done does not show yet"))
            continue
        if unsure and isinstance(step, Commit):
            raise PauError(
                f"{hub.repo}: it is not known whether the pull request was opened; look at"
                f" {hub.page}/discussions, then run the same command again"
            )
        try:
            match step:
                case Done():
                    return step
                case Create():
                    say(f"creating {hub.repo}, private")
                    hub.create()
                case Commit(parent):
                    say(f"sending {_files(plan)} in one commit")
                    _commit(plan, hub, parent)
                case ReadBack(commit):
                    say(f"reading {commit[:12]} back")
                    _read_back(plan, hub, commit)
                    checked.add(commit)
                case Tag(commit):
                    say(f"tagging {commit[:12]} as {plan.target.tag}")
                    hub.tag(plan.target.tag, commit, plan.target.title)
        except UnsettledError as trouble:
            # A second pull request would not be refused as a second commit on one parent is.
            unsure = isinstance(step, Commit) and plan.target.propose and not trouble.had_no_effect
            hub.patience.wait(trouble)
        else:
            finished = step
            hub.patience.recover()


def _next_step(plan: Plan, hub: Hub, checked: set[str]) -> Step:
    """Return what follows from the state of the Hub."""
    state = hub.state()
    if state is None:
        if plan.found is not None:
            raise PauError(f"{hub.repo}: is gone, or your token may no longer see it")
        return Create()
    if plan.private and not state.private:
        raise PauError(f"{hub.repo}: became public meanwhile; nothing more is sent, run it again")
    tagged = hub.commit_of(plan.target.tag) if plan.target.tag in state.tags else None
    if tagged is not None:
        if not plan.is_held_as(hub.files(tagged)):
            raise PauError(
                f"{hub.repo}: somebody else made the tag {plan.target.tag} meanwhile;"
                " choose another"
            )
        return Done(tagged) if tagged in checked else ReadBack(tagged)
    if plan.tagged is not None:
        raise PauError(f"{hub.repo}: the tag {plan.target.tag} is gone; run the command again")
    if plan.is_held_as(state.files):
        if state.head not in checked:
            return ReadBack(state.head)
        return Done(state.head) if plan.target.propose else Tag(state.head)
    if plan.target.propose:
        for number, commit in hub.proposals(plan.target.title):
            if plan.is_held_as(hub.files(commit)):
                return Done(commit, number) if commit in checked else ReadBack(commit)
    _refuse_other_files(plan, hub, state)
    return Commit(state.head)


def _refuse_other_files(plan: Plan, hub: Hub, state: Repository) -> None:
    """Stop if the files are not those that the plan was made for."""
    planned = plan.found.files if plan.found else {}
    if state.files != planned:
        paths = sorted(
            path
            for path in state.files.keys() | planned.keys()
            if state.files.get(path) != planned.get(path)
        )
        raise PauError(
            f"{hub.repo}: somebody else changed {ascii(paths[0])[1:-1]} meanwhile; run the command"
            " again to see a new plan"
        )


def _commit(plan: Plan, hub: Hub, parent: str) -> None:
    found = plan.changes
    hub.commit(
        parent,
        {path: plan.folder / path for path in (*found.added, *found.changed)},
        found.deleted,
        plan.target.title,
        plan.target.propose,
    )


def _read_back(plan: Plan, hub: Hub, commit: str) -> None:
    for line in differences(hub, commit, plan.folder):
        raise BelowBarError(
            f"{hub.repo}: the Hub does not give back what was sent ({line}); the commit"
            f" {commit} has no tag"
        )


def _files(plan: Plan) -> str:
    found = plan.changes
    sent = len(found.added) + len(found.changed)
    deleted = f" and {len(found.deleted)} deletions" if found.deleted else ""
    return f"{sent} files{deleted}"
