"""``eval.yaml``: by it the Hub knows a dataset as a benchmark."""

from typing import Final

EVALUATION: Final = "eval.yaml"

EVALUATION_TEXT: Final = """\
name: Python API Understanding
description: >-
  Can a model find out what a Python function does when it can only call it? Each task is a small
  function with neutral names, of which a model sees the header and two calls. Further calls, which
  it has not seen, decide whether its answer is right.
evaluation_framework: pau-toolkit
tasks:
  - id: pau
    config: default
    split: test
"""
"""Its text; a release without test rows has none."""
