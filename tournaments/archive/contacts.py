"""Restore of the contacts of players, which an archive has only where they were asked for."""

from collections.abc import Mapping
from typing import Any

from rules.json_reader import Whole, by_key, list_of, text
from rules.people.contacts import (
    LONGEST_ADDRESS,
    LONGEST_NUMBER,
    BroughtContact,
    clean_email,
    clean_memberships,
)
from rules.wording import Sentence
from tournaments.archive.checking import check_value, invalid, refusing
from tournaments.archive.writer import CONTACTS
from tournaments.core.column_values import record
from tournaments.models import Event
from tournaments.players.services.contacts import store_rows

ROWS = list_of(
    record(
        {
            "player": Whole(1, 10**6),
            "email": text(LONGEST_ADDRESS),
            "memberships": by_key(text(LONGEST_NUMBER)),
        }
    )
)


def restore_contacts(event: Event, document: Mapping[str, Any]) -> None:
    """Store the contacts of an archive, if it has any; two queries.

    Raises BadInput ``archive_invalid``.
    """
    rows = document.get(CONTACTS, [])
    check_value(CONTACTS, ROWS, rows)
    entries = {entry.number: entry for entry in event.entries.all()} if rows else {}
    contacts = []
    for at, row in enumerate(rows):
        entry = entries.pop(row["player"], None)
        if entry is None:
            raise invalid(
                f"{CONTACTS}[{at}].player", Sentence("There is no such player, or twice.")
            )
        with refusing(f"{CONTACTS}[{at}]"):
            email, known = clean_email(row["email"]), clean_memberships(row["memberships"])
        contacts.append((entry, BroughtContact(email=email, memberships=known)))
    with refusing(CONTACTS):
        store_rows(event, contacts)
