"""List of erasures, in the database and in a file beside it that a restored backup lacks.

It holds no names: slug and creation time of the event with the player's number; of an account the
HMAC of its address with the site's secret key.
"""

import json
import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.crypto import salted_hmac

from config import transaction
from tournaments.models import ErasedAccount, ErasedPlayer, Event

logger = logging.getLogger(__name__)
SALT = "girone.erased-accounts"


def list_player(event: Event, number: int, at: datetime) -> None:
    """Add a player to the list."""
    where = {"slug": event.slug, "made": event.created_at, "number": number}
    ErasedPlayer.objects.get_or_create(**where, defaults={"at": at})
    made, moment = event.created_at.isoformat(), at.isoformat()
    _append({"slug": event.slug, "made": made, "number": number, "at": moment})


def list_account(email: str, at: datetime) -> None:
    """Add an account to the list; for an address erased before, update the time."""
    hashed = hashes_of(email)[0]
    ErasedAccount.objects.update_or_create(address_hash=hashed, defaults={"at": at})
    _append({"account": hashed, "at": at.isoformat()})


def hashes_of(email: str) -> list[str]:
    """Return the HMACs of an address with the present secret key and its fallbacks."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    found = [salted_hmac(SALT, email.lower(), secret=key, algorithm="sha256") for key in keys]
    return [one.hexdigest() for one in found]


def import_file() -> None:
    """Add the rows of the file that the database lacks. Malformed lines are logged and skipped."""
    players = set(ErasedPlayer.objects.values_list("slug", "made", "number"))
    for row in _lines():
        try:
            at = datetime.fromisoformat(row["at"])
            if "account" in row:
                _keep_latest(str(row["account"]), at)
                continue
            made = datetime.fromisoformat(row["made"])
            where = {"slug": str(row["slug"]), "made": made, "number": int(row["number"])}
            if tuple(where.values()) not in players:
                ErasedPlayer.objects.get_or_create(**where, defaults={"at": at})
        except (KeyError, TypeError, ValueError):
            logger.warning("A line of %s can't be read and is passed over.", settings.ERASURES_FILE)


def _keep_latest(hashed: str, at: datetime) -> None:
    known, is_new = ErasedAccount.objects.get_or_create(address_hash=hashed, defaults={"at": at})
    if not is_new and known.at < at:
        known.at = at
        known.save(update_fields=["at"])


def _lines() -> Iterator[dict[str, Any]]:
    path = Path(settings.ERASURES_FILE)
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        yield row if isinstance(row, dict) else {}


def _append(row: dict[str, Any]) -> None:
    """Append a line to the file after the commit; a failure is logged."""
    transaction.on_commit(lambda: _write(row))


def _write(row: dict[str, Any]) -> None:
    path = Path(settings.ERASURES_FILE)
    try:
        path.touch(mode=0o600, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, sort_keys=True) + "\n")
    except OSError as fault:
        logger.warning("The erasure could not be written to %s: %s", path, fault)
