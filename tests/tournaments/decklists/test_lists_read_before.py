"""Lists that were handed in when lists were read in another way, or whose text is gone."""

import pytest

from decks.models import Decklist
from tests import factories as make
from tournaments.core.permissions import Actor
from tournaments.decklists.selectors.rules import is_legal, rules_of_event
from tournaments.decklists.services import submit_decklist
from tournaments.erasing.services.rows import strip_decklist
from tournaments.models import Entry, Event
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
MAIN = "\n".join(f"2 Mostro {letter} {{Mostro}}" for letter in "abcdefghijklmnopqrst")
SPLIT = f"{MAIN}\n\n3 Buca {{Trappola}}"


@pytest.fixture
def event(by: Actor) -> Event:
    return make.open_event(by, format="yugioh-2009", decklists="required")


def handed_in(event: Event, text: str, by: Actor) -> Entry:
    (entry,) = make.players(event, 1, by)
    submit_decklist(entry=entry, text=text, by=by)
    return Entry.objects.select_related("submission__decklist").get(pk=entry.pk)


def of_before(entry: Entry, **values: object) -> Decklist:
    """Return a list as it was stored before lists had the version of their reading."""
    decklist = entry.submission.decklist
    del decklist.deck["reading"]
    for name, value in values.items():
        setattr(decklist, name, value)
    decklist.save()
    return decklist


def found(event: Event) -> list[str]:
    return [finding.check for finding in verify_event(event) if finding.check == "deck_legality"]


def test_a_list_that_is_asked_about_today_verifies_as_it_was_read(event: Event, by: Actor) -> None:
    entry = handed_in(event, SPLIT, by)
    decklist = entry.submission.decklist
    assert (decklist.legal, found(event)) == (False, [])
    decklist = of_before(entry, legal=True, violations=[])
    assert found(event) == []
    assert not is_legal(rules_of_event(event), decklist)


def test_a_list_that_is_read_alike_is_judged_alike(event: Event, by: Actor) -> None:
    entry = handed_in(event, f"Main\n{MAIN}", by)
    decklist = of_before(entry)
    assert found(event) == []
    assert is_legal(rules_of_event(event), decklist)
    of_before_again = Decklist.objects.filter(pk=decklist.pk)
    of_before_again.update(legal=False)
    assert found(event) == ["deck_legality"]


def test_a_list_that_was_asked_about_verifies_without_its_text(event: Event, by: Actor) -> None:
    entry = handed_in(event, SPLIT, by)
    strip_decklist(entry.submission.decklist)
    decklist = Decklist.objects.get(pk=entry.submission.decklist_id)
    assert (decklist.raw, decklist.legal) == (decklist.text, False)
    assert found(event) == []
