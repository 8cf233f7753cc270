"""Codes that only check a player in, signed so that nobody makes one for another."""

from django.core import signing

from tournaments.models import Entry, Event

SALT = "girone.arrival"


def code_of(entry: Entry) -> str:
    """Return the code of a player; no query, nothing is stored."""
    return signing.Signer(salt=SALT).sign(f"{entry.event_id}-{entry.number}").replace(":", "~")


def entry_of_code(event: Event, code: str) -> Entry | None:
    """Return the player of a code; None for a code of nobody or of another event; one query."""
    try:
        signed = signing.Signer(salt=SALT).unsign(code.replace("~", ":"))
    except signing.BadSignature:
        return None
    key, _dash, number = signed.partition("-")
    return event.entries.filter(number=number).first() if key == str(event.pk) else None
