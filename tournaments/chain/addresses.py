"""The heads of deleted events by their address, which an event restored there has to continue.

``addresses/SLUG.json`` holds a list of heads. An event that never started leaves none: its
organiser may delete it, and nobody relied on it. Nor does one that was restored without continuing
what was there before.
"""

import logging
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments.chain.files import ADDRESSES, heads_folder, locked_folder, read_json, write_json
from tournaments.chain.heads import Head, head_of, head_path
from tournaments.models import Event, Restoration

logger = logging.getLogger(__name__)

START = "event.start"
"""The action that starts an event."""


def has_started(event: Event) -> bool:
    """Return whether an event has started, taken back or not; at most one query."""
    return event.plan is not None or event.log.filter(action=START).exists()


def keep_head_of_deleted(sender: type[Event], instance: Event, **_signal: Any) -> None:
    """Move the head of an event to the file of its address once its deletion is committed.

    Receiver of ``pre_delete``, so every way to delete an event is covered.
    """
    key, slug, head = instance.pk, instance.slug, None
    marked = Restoration.objects.filter(event=instance, continues=False).exists()
    if instance.head and not marked and has_started(instance):
        head = head_of(instance) | {"deleted": timezone.now().isoformat(timespec="seconds")}
    transaction.on_commit(lambda: _move_head_to_address(key, slug, head), robust=True)


def heads_at(slug: str) -> list[Head]:
    """Return the heads on file of events that were deleted at an address.

    Raises ValueError, OSError.
    """
    path = _path(heads_folder(), slug)
    return [] if path is None else _heads(path, slug)


def continues(heads: Collection[Head], digests: Mapping[int, str]) -> bool:
    """Return whether a log (digests by number) contains the line of one of these heads, if any."""
    return not heads or any(digests.get(head["number"]) == head["digest"] for head in heads)


def carry_heads(old: Path, new: Path, slugs: Collection[str]) -> None:
    """Copy to another folder the heads of all addresses but those that its database has.

    An event of the old folder that the other database lacks counts as deleted. Files that can't
    be read are left out. Raises OSError.
    """
    with locked_folder(new):
        for path in sorted((*old.glob(f"{ADDRESSES}/*.json"), *old.glob("*.json"))):
            try:
                found = read_json(path)
            except ValueError:
                continue
            for head in found if isinstance(found, list) else [found]:
                if _is_head(head) and head["event"] not in slugs:
                    _add_head(new, head["event"], head)


def _move_head_to_address(key: int, slug: str, head: Head | None) -> None:
    """Add a head to its address and drop the event's file; a failure is logged."""
    try:
        with locked_folder() as folder:
            if head is not None:
                _add_head(folder, slug, head)
            head_path(key).unlink(missing_ok=True)
    except (OSError, ValueError) as fault:
        logger.warning("The head of the deleted event %s could not be kept: %s", slug, fault)


def _add_head(folder: Path, slug: str, head: Head) -> None:
    path = _path(folder, slug)
    if path is None:
        return
    others = [each for each in _heads(path) if not _is_same_head(each, head)]
    write_json(path, [*others, head])


def _is_same_head(one: Head, other: Head) -> bool:
    return all(one.get(name) == other.get(name) for name in ("event", "number", "digest"))


def _heads(path: Path, slug: str = "") -> list[Head]:
    """Return the heads in a file; of one slug alone, as some disks know no capitals."""
    found = read_json(path)
    if found is None:
        return []
    if not isinstance(found, list) or not all(map(_is_head, found)):
        raise ValueError(path.name)
    return [head for head in found if slug in ("", head["event"])]


def _is_head(found: object) -> bool:
    return (
        isinstance(found, dict)
        and type(found.get("number")) is int
        and isinstance(found.get("event"), str)
        and isinstance(found.get("digest"), str)
    )


def _path(folder: Path, slug: str) -> Path | None:
    """Return the file of an address, None for what can be no address."""
    return folder / ADDRESSES / f"{slug}.json" if re.fullmatch(r"[-\w]+", slug, re.A) else None
