"""Check of an event's log against a transcript that somebody else holds.

Whoever computes every later digest again, or cuts the end off, leaves a chain that is right in
itself: only what is held elsewhere contradicts it.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from django.utils.translation import gettext as _

from rules.errors import BadInput
from tournaments.models import Event
from tournaments.verification.finding import Finding


def digests_told(file: Path) -> dict[int, str]:
    """Return the digests of a transcript's log by the number of the line.

    Raises OSError; BadInput ``bad_transcript`` for a file that has none.
    """
    try:
        lines = json.loads(file.read_bytes())["log"]["lines"]
        found = {int(line["number"]): str(line["digest"]) for line in lines}
    except (KeyError, TypeError, ValueError, RecursionError):
        found = {}
    if not found:
        raise BadInput(
            "bad_transcript",
            "This is no transcript of an event. Take the whole file, as it was downloaded.",
        )
    return found


def check_against(event: Event, held: Mapping[int, str]) -> Iterator[Finding]:
    """Yield the first line that is another one than in a transcript, or is missing; one query.

    ``held`` are the transcript's digests by number. Later lines of the log are not compared.
    """
    found = dict(event.log.values_list("number", "digest"))
    for number in sorted(held):
        values = {"line": number, "found": found.get(number, "")[:16], "held": held[number][:16]}
        if number not in found:
            words = _("Line %(line)s of the transcript (%(held)s) is not in the log.")
            yield Finding("against", words % values)
            return
        if found[number] != held[number]:
            words = _(
                "Line %(line)s of the log has the fingerprint %(found)s; the transcript says "
                "%(held)s."
            )
            yield Finding("against", words % values)
            return
