"""What the page says of a release as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from builder.records import Split
from builder.release.figures import PUBLISHED_ARITY, figures, value_types
from builder.release.funnel import Funnel
from builder.release.rows import Row


def overview(
    manifest: Mapping[str, Any], rows: Mapping[Split, Sequence[Row]], funnel: Funnel
) -> dict[str, Any]:
    """Return figures, funnel and origin of a release as plain JSON values.

    Args:
        manifest: the manifest of the release.
        rows: its rows in the config ``typed``, by split.
        funnel: what became of the rows of each corpus.
    """
    types_of = {split: value_types(members) for split, members in rows.items()}
    return {
        "figures": {split: asdict(figures(members)) for split, members in rows.items()},
        "publishedArity": PUBLISHED_ARITY,
        "argumentTypes": {split: types[0] for split, types in types_of.items()},
        "outputTypes": {split: types[1] for split, types in types_of.items()},
        "funnel": funnel.to_json(),
        "sources": manifest["sources"],
        "versions": manifest["versions"],
        "isolation": manifest["isolation"],
        "settings": manifest["settings"],
        "hashes": {
            split: members["content_sha256"]["typed"]
            for split, members in manifest["splits"].items()
        },
    }
