"""Enter many players at once, of a list in which some may be there already."""

from collections.abc import Iterable, Mapping, Sequence

from config import transaction
from rules.people.contacts import BroughtContact, brought
from rules.people.person_names import Person
from tournaments.core.permissions import Actor
from tournaments.log.services import begin, record
from tournaments.models import Entry, Event
from tournaments.players.acts import PASTED
from tournaments.players.selectors.pasted import Namesake, Who, namesakes_in
from tournaments.players.services.contacts import complete_contacts, store_brought
from tournaments.players.services.entries import store_entries


@transaction.atomic
def add_entries(
    *,
    event: Event,
    people: Sequence[Person],
    said: Mapping[str, str] | None = None,
    by: Actor,
) -> list[Entry]:
    """Enter people as they were read; all or none.

    Their contacts are stored, without what can't be one; the log does not tell them. With ``said``
    (``Who`` by marks of namesakes) those who have the name of another are entered only if it says
    that they are another person; players of whom it says that they are the same get the contact
    that they lack. Raises BadInput as ``store_brought``.
    """
    event = begin(event, PASTED, by=by)
    if said is not None:
        namesakes = list(zip(people, namesakes_in(event, people), strict=True))
        complete_contacts(event, _same_players(event, namesakes, said), by)
        people = [
            person for person, one in namesakes if one is None or said.get(one.mark) == Who.OTHER
        ]
        if not people:
            return []
    entries = store_entries(event, people)
    contacts = [brought(person.contact) for person in people]
    store_brought(event, list(zip(entries, contacts, strict=True)), by)
    record(
        event,
        PASTED,
        by=by,
        subject=str(len(entries)),
        after={
            "players": [entry.name for entry in entries],
            "numbers": [entry.number for entry in entries],
        },
    )
    return entries


def _same_players(
    event: Event, namesakes: Iterable[tuple[Person, Namesake | None]], said: Mapping[str, str]
) -> list[tuple[Entry, BroughtContact]]:
    """Return the players of whom it was said that they are in a list, with their contacts there.

    One query.
    """
    same = {
        one.number: person
        for person, one in namesakes
        if one is not None and one.number and said.get(one.mark) == Who.SAME
    }
    players = event.entries.filter(number__in=same)
    return [(entry, brought(same[entry.number].contact)) for entry in players]
