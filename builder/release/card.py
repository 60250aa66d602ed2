"""The dataset card and the licence file of a release."""

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from builder.records import Split
from builder.release.content import ReleaseInput
from builder.release.duplicates.find import NEAR_ON_TESTS
from builder.release.duplicates.near import SIMILARITY
from builder.release.figures import Figures
from builder.release.funnel import Funnel
from builder.release.licenses import release_license, spdx_page
from builder.release.packed import parquet_path
from builder.release.rows import CANARY, CONFIGS, DEFAULT_COLUMNS, ENCODING, features
from builder.suite.difficulty import RANDOM_INPUTS

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))


FileSizes = Mapping[str, Mapping[Split, tuple[int, int]]]
"""By config and split the bytes of the file, and of its rows in memory."""


def card(
    content: ReleaseInput,
    figures_of: Mapping[Split, Figures],
    funnel: Funnel,
    sizes: FileSizes,
) -> str:
    """Return the text of ``README.md``: YAML head for the Hub, then the card for readers.

    Args:
        content: what the release is made of.
        figures_of: the figures of each split that has rows.
        funnel: what became of the rows.
        sizes: how large the files are.
    """
    head = _head(content, figures_of, sizes)
    body = _template("card.md.jinja").render(
        content=content,
        figures_of=figures_of,
        arities=sorted({n for figures in figures_of.values() for n in figures.arity}),
        suite_sizes=sorted({n for figures in figures_of.values() for n in figures.suite_sizes}),
        funnel=funnel,
        has_several_licenses=len({task.license for task in content.tasks}) > 1,
        spdx_page=spdx_page,
        canary=CANARY,
        encoding=ENCODING,
        default_columns=DEFAULT_COLUMNS,
        random_inputs=RANDOM_INPUTS,
        most_entropy=math.log2(RANDOM_INPUTS),
        near_similarity=SIMILARITY,
        near_on_tests=NEAR_ON_TESTS,
    )
    return f"---\n{_yaml(head)}\n---\n\n{body}\n"


def license_file(content: ReleaseInput, funnel: Funnel) -> str:
    """Return the text of ``LICENSE.md``: the licence and attribution of each source."""
    text = _template("license.md.jinja").render(
        corpora=content.corpora, funnel=funnel, license=content.license, spdx_page=spdx_page
    )
    return text + "\n"


@cache
def _template(name: str) -> Template:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(name)


def _yaml(fields: dict[str, Any]) -> str:
    from huggingface_hub import DatasetCardData

    return str(DatasetCardData(**fields).to_yaml())


def _head(
    content: ReleaseInput, figures_of: Mapping[Split, Figures], sizes: FileSizes
) -> dict[str, Any]:
    rows = sum(figures.rows for figures in figures_of.values())
    used = {task.source for task in content.tasks}
    return {
        "pretty_name": "Python API Understanding",
        **release_license((task.license for task in content.tasks), content.license),
        "language": ["en", "code"],
        "task_categories": ["text-generation"],
        "size_categories": [next((name for most, name in _SIZES if rows < most), "100K<n<1M")],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["found", "machine-generated"],
        "source_datasets": [
            f"extended|{corpus.source.hub_id}"
            for corpus in content.corpora
            if corpus.source.name in used
        ],
        "tags": ["code", "benchmark", "program-understanding"],
        "configs": [
            {
                "config_name": config,
                **({"default": True} if config == "default" else {}),
                "data_files": [
                    {"split": split, "path": parquet_path(config, split)} for split in figures_of
                ],
            }
            for config in CONFIGS
        ],
        "dataset_info": _columns_and_counts(figures_of, sizes),
    }


def _columns_and_counts(
    figures_of: Mapping[Split, Figures], sizes: FileSizes
) -> list[dict[str, Any]]:
    """Return the columns and counts of each config; ``datasets`` checks the counts on loading."""
    from datasets import DatasetInfo
    from datasets.info import DatasetInfosDict
    from huggingface_hub import DatasetCardData

    infos = DatasetInfosDict()
    for config in CONFIGS:
        size_of = sizes[config]
        infos[config] = DatasetInfo(
            features=features(config),
            config_name=config,
            splits={
                split: {"name": split, "num_bytes": size_of[split][1], "num_examples": figures.rows}
                for split, figures in figures_of.items()
            },
            download_size=sum(on_disk for on_disk, _ in size_of.values()),
            dataset_size=sum(in_memory for _, in_memory in size_of.values()),
        )
    data = DatasetCardData()
    infos.to_dataset_card_data(data)
    return list(data["dataset_info"])
