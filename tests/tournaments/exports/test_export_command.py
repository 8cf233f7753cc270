"""The command that writes the workbook."""

import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook

from tests import factories as make

pytestmark = pytest.mark.django_db


def test_it_writes_the_file(tmp_path, capsys):
    event = make.started(make.organiser(), 5)
    file = tmp_path / "event.xlsx"
    call_command("export", event.slug, str(file))
    assert load_workbook(file).sheetnames
    assert str(file) in capsys.readouterr().out


@pytest.mark.parametrize("slug", ["no-such-event", None])
def test_it_leaves_with_2_where_it_cannot(tmp_path, slug):
    event = make.event(make.organiser())
    target = tmp_path / "event.xlsx" if slug else tmp_path / "nowhere" / "event.xlsx"
    with pytest.raises(CommandError) as caught:
        call_command("export", slug or event.slug, str(target))
    assert caught.value.returncode == 2
    assert not target.exists()
