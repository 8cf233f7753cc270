"""Archives as data: taken from an event, in the old form, with more in them."""

import json
from typing import Any

from tournaments.archive.writer import event_archive
from tournaments.core.valid_columns import ARCHIVED
from tournaments.models import Event

FORMAT = "doomtrooper-original"


def taken_out(event: Event) -> dict[str, Any]:
    """Return an event's archive as data, the event itself being gone."""
    document: dict[str, Any] = json.loads(event_archive(event))
    event.delete()
    return document


def old_form(document: dict[str, Any], *addresses: str) -> dict[str, Any]:
    """Return an archive as version 1 wrote it, in which every row names an account."""
    document = json.loads(json.dumps(document))
    (own,) = document["tables"]["events"]
    own["created_by"] = addresses[0]
    document["girone"] = 1
    document["people"] = [
        {"email": each, "name": f"Name of {each.partition('@')[0]}"} for each in addresses
    ]
    document["tables"]["staff"] = [
        {"event": 1, "given_at": own["created_at"], "role": "organiser", "user": each}
        for each in addresses
    ]
    for table in ARCHIVED:
        for row in document["tables"].get(table.key, []):
            for field in table.people:
                row.setdefault(field.name, addresses[0])
                row[field.name] = addresses[-1] if field.name == "by" else row[field.name]
    for row in document["tables"]["entries"]:
        row["user"] = addresses[0] if row["number"] == 1 else None
    for seat in document["tables"].get("match_seats", []):
        match = document["tables"]["matches"][seat["match"] - 1]
        match.setdefault("b", None)
        match["ab"[seat.pop("number") - 1]] = seat["entry"]
    return document


def content(document: dict[str, Any]) -> bytes:
    return json.dumps(document).encode()


def brought(document: dict[str, Any], card: str = "Kohlgrube") -> dict[str, Any]:
    """Give an archive newer card lists of its own."""
    document["tables"]["card_lists"] = [
        {
            "format": FORMAT,
            "dated": "2031-01-01",
            "rows": [{"list": "banned", "card": card}],
            "fingerprint": "f" * 64,
            "loaded_at": "2026-11-01T10:00:00+00:00",
            "loaded_by": None,
        }
    ]
    document["tables"]["events"][0] |= {"card_lists": 1, "lists_dated": None}
    return document
