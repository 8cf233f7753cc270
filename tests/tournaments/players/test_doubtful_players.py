"""The command that names players whose cells may have been read wrongly, and changes nothing."""

from io import StringIO

import pytest
from django.core.management import call_command

from tests import factories as make
from tournaments.models import Entry

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("in_english")]


def told(*args: str) -> list[str]:
    out = StringIO()
    call_command("doubtful_players", *args, stdout=out)
    return out.getvalue().splitlines()


def test_players_to_look_at_are_named_with_the_reason(by):
    first, second = make.open_event(by), make.open_event(by)
    make.players_more(first, ["Ada", "Bea; Lupi"], by)
    make.players_more(second, ["Ugo"], by)
    first.entries.filter(name="Ada").update(club="Drago; ada@example.org", byes=2)
    second.entries.update(name="Ugo Bo Bo")
    before = list(Entry.objects.order_by("pk").values())
    assert told() == [
        f"{first.slug} 1 Ada (Drago; ada@example.org): "
        "The club, which is public, holds an e-mail address.",
        f"{first.slug} 1 Ada (Drago; ada@example.org): A “;” stands in the name or the club.",
        f"{first.slug} 1 Ada (Drago; ada@example.org): The byes may come from a “;” in the club.",
        f"{second.slug} 1 Ugo Bo Bo: The surname may stand twice in the name.",
        "Players to look at: 2.",
    ]
    assert told(second.slug)[-1] == "Players to look at: 1."
    assert list(Entry.objects.order_by("pk").values()) == before
