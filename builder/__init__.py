"""The pipeline, from the rows of corpora to a release."""
