"""``manifest.json``: what a release was made of and with.

It holds no times and no paths, so that the same build gives the same bytes.
"""

from collections.abc import Mapping
from typing import Any

from builder.records import Split
from builder.release.content import ReleaseInput
from builder.release.figures import Figures
from builder.release.funnel import Funnel
from builder.release.packed import FORMAT
from builder.release.rows import CANARY, ENCODING


def manifest(
    content: ReleaseInput,
    content_hashes: Mapping[str, Mapping[Split, str]],
    figures_of: Mapping[Split, Figures],
    funnel: Funnel,
) -> dict[str, Any]:
    """Return the manifest as plain JSON values; the hashes are by config and split."""
    return {
        "format": FORMAT,
        "versions": dict(content.versions),
        "isolation": content.level.value,
        "settings": dict(content.settings),
        "sources": {
            corpus.source.name: {
                "revision": corpus.revision,
                "sha256": corpus.sha256,
                "origin": corpus.origin,
                "home": corpus.source.home,
                "license": corpus.source.license,
                "split": corpus.source.split,
                "rows": len(corpus.rows),
                "kept": funnel.kept(corpus.source.name),
            }
            for corpus in content.corpora
        },
        "splits": {
            split: {
                "rows": figures.rows,
                "exact_in_default": figures.exact_in_default,
                "content_sha256": {config: of[split] for config, of in content_hashes.items()},
            }
            for split, figures in figures_of.items()
        },
        "encoding": ENCODING,
        "canary": CANARY,
    }
