"""Addresses of preview pictures: subject, language, and version of the event."""

import re
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from tournaments.models import Event

NAME = re.compile(r"(event|standings|player-([1-9]\d{0,5}))-([a-z]{2})-(\d{1,9})")


class PictureName(NamedTuple):
    """The parsed name of a picture: of an event, of standings, or of the player ``number``."""

    kind: str
    number: int
    language: str
    version: int

    @property
    def subject(self) -> str:
        """Return the picture's name without language and version."""
        return f"{self.kind}-{self.number}" if self.number else self.kind


def parse_picture_name(name: str) -> PictureName | None:
    """Return the parsed name of a picture; None for an invalid name."""
    found = NAME.fullmatch(name)
    if found is None or found[3] not in dict(settings.LANGUAGES):
        return None
    kind = found[1].partition("-")[0]
    return PictureName(kind, int(found[2] or 0), found[3], int(found[4]))


def picture_address(event: Event, subject: str, language: str = "") -> str:
    """Return the path of a picture of the event's current version."""
    name = f"{subject}-{language or get_language()}-{event.version}"
    return reverse("tournaments:picture", args=[event.slug, name])
