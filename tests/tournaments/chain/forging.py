"""Archives that were changed, with their chain computed again and signed by some key."""

import json
from copy import deepcopy
from io import StringIO
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings
from django.utils.dateparse import parse_datetime

from rules.events.log_chain import FIRST
from tournaments.chain.lines import chain_to
from tournaments.models import LogLine

INVENTED = "a key that somebody invented"

Document = dict[str, Any]


def signed_again(document: Document, secret: str = "", *, after: int = 0) -> Document:
    """Return an archive whose lines after number ``after`` are chained and signed anew.

    ``secret`` stands for the SECRET_KEY of the site that signs; empty, it is this one's.
    """
    document, before = deepcopy(document), FIRST
    with override_settings(SECRET_KEY=secret or settings.SECRET_KEY):
        for row in document["tables"]["log"]:
            if row["number"] > after:
                names = ("number", "action", "player", "facts", "closed_digest")
                line = LogLine(**{name: row[name] for name in names}, at=parse_datetime(row["at"]))
                chain_to(line, before)
                row |= {"digest": line.digest, "signature": line.signature}
            before = row["digest"]
    document["tables"]["events"][0]["head"] = before
    return document


def winners_exchanged(document: Document) -> Document:
    """Return an archive in which every first match ended the other way, in rows and log alike."""
    document = deepcopy(document)
    tables = document["tables"]
    reports = [
        report
        for line in tables["log"]
        for row in line["facts"].get("rows", {}).values()
        for report in row.get("reports", [])
    ]
    for report in (*tables["reports"], *reports):
        report["winner"] = {"a": "b", "b": "a"}.get(report["winner"], report["winner"])
        report["score_a"], report["score_b"] = report["score_b"], report["score_a"]
    return document


def verified(slug: str) -> tuple[object, str]:
    """Return the exit code of ``verify`` and what it says."""
    out = StringIO()
    try:
        call_command("verify", slug, stdout=out)
    except SystemExit as ended:
        return ended.code, out.getvalue()
    return 0, out.getvalue()


def content(document: Document) -> bytes:
    """Return an archive as a file holds it."""
    return json.dumps(document).encode()
