"""``make measure-wheel`` at its smallest: by pip, for the Python that runs the tests."""

import sys
from pathlib import Path

import pytest

from tests.packages import wheel


@pytest.mark.deep
@pytest.mark.processes
def test_a_wheel_is_installed_played_upgraded_and_taken_back(tmp_path, capsys):
    own = wheel.python_version(Path(sys.executable))
    try:
        missed = wheel.measured(tmp_path, [own], ["pip"])
    except wheel.UnreachableError as why:
        pytest.skip(f"the package index can't be reached: {why}")
    assert missed == []
    rows = capsys.readouterr().out
    assert "| wheel |" in rows
    assert f"pip, Python {own}" in rows


def test_a_row_beyond_its_goal_is_missed(capsys):
    report = wheel.Report()
    report.row("wheel", 2.0, 3, "MB")
    report.row("site", 3.1, 3, "MB")
    assert report.missed == ["| site | 3.1 MB | ≤ 3 MB |"]
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_the_figures_say_the_same_goals():
    goals = f"| {wheel.WHEEL_MEGABYTES} MB; {wheel.SITE_MEGABYTES} MB | `make measure-wheel` |"
    assert goals in (wheel.ROOT / "docs/figures.md").read_text()


def test_a_wheel_with_other_names_is_refused(tmp_path):
    named = tmp_path / f"girone-{wheel.VERSION}-py3-none-any.whl"
    with wheel.zipfile.ZipFile(named, "w") as written:
        written.writestr("girone/site/config/__init__.py", "")
        written.writestr("config/__init__.py", "")
    with pytest.raises(AssertionError, match="config"):
        wheel.require_one_name(named)
