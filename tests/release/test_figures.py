"""Figures of rows are counts over the rows."""

from builder.records import Task
from builder.release.figures import figures, value_types
from builder.release.rows import typed_row


def test_figures_count_over_the_rows(first_large: Task, extremes: Task, appended: Task) -> None:
    result = figures([typed_row(task) for task in (first_large, extremes, appended)])
    assert result.rows == 3
    assert result.arity == {1: 2, 2: 1}
    assert result.suite_sizes == {4: 3}
    assert result.mean_branch_coverage == (1 + 0.5 + 1) / 3
    assert result.all_arcs_covered == 2
    assert result.exact_in_default == 2
    assert result.mutating == 1
    assert result.without_description == 1
    assert result.median_outcome_entropy == 1.5
    assert result.median_rarest_branch_rate == 0.25
    assert result.fitted_by_rivals == 1


def test_what_was_measured_of_no_row_has_no_median(extremes: Task) -> None:
    assert figures([typed_row(extremes)]).median_outcome_entropy is None


def test_a_type_counts_once_for_a_row(first_large: Task, extremes: Task) -> None:
    arguments, outputs = value_types([typed_row(task) for task in (first_large, extremes)])
    assert arguments == {"list": 2, "int": 1, "frozenset": 1, "str": 1, "dict": 1, "tuple": 1}
    assert outputs == {"int": 1, "NoneType": 1, "tuple": 1}
