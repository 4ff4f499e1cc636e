"""What `sourcewright doctor` says of the Python that runs it."""

import pytest

from sourcewright.services.instance.doctor import examine_python


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 11, 2), (3, 11, 4)])
def test_one_whose_regular_expressions_are_defective_is_a_problem(version):
    [finding] = examine_python(version)

    assert finding.grade == "problem"
    assert ".".join(map(str, version)) in finding.detail
    assert "3.11.5" in finding.advice


@pytest.mark.parametrize("version", [(3, 11, 5), (3, 11, 13), (3, 12, 0), (3, 14, 1)])
def test_any_other_is_not_mentioned(version):
    assert examine_python(version) == []
