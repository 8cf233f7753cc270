"""Copies of ready-made rules from before these said which names are of one card."""

from io import StringIO

import pytest
from django.core.management import call_command

from decks.house_formats.services import begin_with
from decks.models import FormatVersion, HouseFormat
from decks.own_formats.services import OwnFormat, make_own_format
from decks.stored_formats import own_shape
from rules.deckbuilding.data.files import ready_made
from rules.deckbuilding.data.json import rules_to_json
from rules.deckbuilding.text import parse
from tests import factories as make

pytestmark = pytest.mark.django_db
READY = {one.key: one for one in ready_made()}
TWO = {
    "magic-constructed": "3 Fire // Ice\n3 Fire",
    "magic-commander": "1 Fire // Ice\n1 Fire",
    "pokemon-standard": "3 Boss's Orders\n3 Ordini del Capo",
}


def copy_of(key, *, older=True, **columns):
    """Return a format made of ready-made rules, as it was stored before if ``older``."""
    ready = READY[key]
    content = OwnFormat(
        game=columns.pop("game", ready.game),
        name=f"Copia {key}",
        lists="counted",
        rules=rules_to_json(ready.rules),
    )
    house = make_own_format(content, by=make.organiser().user)
    if older:
        for name in ("faces", "same_cards"):
            del house.rules["notation"][name]
    for name, value in columns.items():
        house.rules[name] = value
    house.save()
    return house


def run(*options):
    out = StringIO()
    call_command("update_notation", *options, stdout=out)
    return out.getvalue()


def copies_are_counted_together(slug, text):
    deck_format = own_shape(slug)
    return "copies.too_many" in {
        each.code for each in deck_format.validate(parse(text, deck_format))
    }


@pytest.mark.parametrize("key", TWO)
def test_a_copy_gets_what_its_ready_made_rules_say_by_now(key):
    house = copy_of(key)
    assert not copies_are_counted_together(house.slug, TWO[key])
    assert house.slug in run()
    assert not copies_are_counted_together(house.slug, TWO[key])
    assert house.slug in run("--write")
    assert copies_are_counted_together(house.slug, TWO[key])
    assert HouseFormat.objects.get(pk=house.pk).rules == rules_to_json(READY[key].rules)
    assert house.slug not in run("--write")


def test_an_event_keeps_what_it_began_with():
    house = copy_of("magic-constructed")
    began = f"{house.slug}@{begin_with(house.slug)}"
    run("--write")
    assert FormatVersion.objects.get(format=house.slug).rules == house.rules
    assert not copies_are_counted_together(began, TWO["magic-constructed"])
    assert copies_are_counted_together(house.slug, TWO["magic-constructed"])


@pytest.mark.parametrize(
    ("key", "changed"),
    [
        ("magic-constructed", {"older": False}),
        ("magic-constructed", {"game": "Magia Nostra"}),
        ("magic-constructed", {"zones": [{"key": "mazzo", "name": "Mazzo", "min": 40}]}),
        ("yugioh-advanced", {}),
        ("lorcana", {}),
    ],
)
def test_what_has_the_keys_or_was_made_from_other_rules_stays(key, changed):
    house = copy_of(key, **changed)
    assert house.slug not in run("--write")
    assert HouseFormat.objects.get(pk=house.pk).version == 1
