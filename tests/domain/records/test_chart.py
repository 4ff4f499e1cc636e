"""The chart of a series in text."""

import pytest

from sourcewright.domain.records.chart import chart_lines


def test_figures_rise_from_the_least_to_the_greatest():
    points = [("2021", "1.0"), ("2022", None), ("2023", "2.0"), ("2024", "3.0")]

    assert chart_lines(points, width=40) == [
        "3.0 │   █",
        "    │   █",
        "    │  ▅█",
        "    │  ██",
        "1.0 │▁ ██",
        "     2021 2024",
    ]


def test_a_terminal_without_blocks_gets_plain_signs():
    lines = chart_lines([("a", "1"), ("b", "2")], width=40, ascii_only=True)

    assert all(line.isascii() for line in lines)


@pytest.mark.parametrize("points", [[], [("2021", "1")], [("2021", None), ("2022", "5")]])
def test_there_is_no_chart_of_fewer_than_two_figures(points):
    assert chart_lines(points, width=40) == []


def test_many_points_fit_the_width_and_equal_ones_are_level():
    points = [(str(year), "7.25") for year in range(1000, 2000)]

    lines = chart_lines(points, width=40)

    assert max(map(len, lines)) <= 40
    assert lines[-1].split() == ["1000", "1999"]


def test_extreme_figures_are_drawn():
    assert len(chart_lines([("a", "-1e308"), ("b", "1e308"), ("c", "0")], width=30)) == 6
