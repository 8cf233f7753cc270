"""Write each published round as a PDF to a folder, where an organiser has switched that on."""

import io
import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _
from pypdf import PdfWriter

from config import systems, transaction
from tournaments.core.acts import Act, CacheEffect, NoUndo, UndoTiming
from tournaments.core.event_state import EventFacts, cached_value, facts_from_rows, load_facts
from tournaments.core.permissions import Actor
from tournaments.core.slugs import event_short_code
from tournaments.log.services import lock_event, record
from tournaments.models import Event, LogLine
from tournaments.paper.contents import rounds, tables
from tournaments.paper.contents.rounds import Content, SlipAddresses
from tournaments.paper.typesetting import PAPERS, typeset
from tournaments.rounds.selectors.pairings import PairingsPage, pairings_page


def round_pdf(
    facts: EventFacts,
    shown: PairingsPage,
    now: datetime,
    addresses: rounds.SlipAddresses,
    paper: str,
) -> bytes:
    """Return a PDF with a round's pairings, earlier standings, match slips and blank sheet.

    It never contains personal links. shown: the round's pairings. paper: "a4" or "letter". No query
    beyond ``facts``; some 50 ms for 128 players.
    """
    whole = PdfWriter()
    for name, content in round_sheets(facts, shown, now, addresses):
        whole.append(io.BytesIO(typeset(name, content, paper)))
    written = io.BytesIO()
    whole.write(written)
    return written.getvalue()


def round_sheets(
    facts: EventFacts, shown: PairingsPage, now: datetime, addresses: rounds.SlipAddresses
) -> Iterator[tuple[str, Content]]:
    """Yield (template name, content) of each sheet printed for a round; no query.

    shown: the round's pairings.
    """
    yield "pairings", rounds.pairings_sheet(facts, shown, now)
    yield "tables", rounds.tables_sheet(facts, shown, now)
    before = facts_before(facts, shown.round.ordinal)
    if (
        before is not None
        and (standings := tables.standings_sheet(before, now, ranked=False))["tables"]
    ):
        yield "standings", standings
    slips = rounds.match_slips_sheet(facts, shown, now, addresses)
    if slips["sheets"]:
        yield "slips", slips
    yield "blank", rounds.blank_results_sheet(facts, shown, now)


def facts_before(facts: EventFacts, ordinal: int) -> EventFacts | None:
    """Return an event's facts without this round and later ones; no query.

    ordinal: number of the round. None for the first round.
    """
    rounds_before = tuple(item for item in facts.rows.rounds if item.ordinal < ordinal)
    if not rounds_before:
        return None
    last = max(rounds_before, key=lambda item: item.ordinal).stage_id
    stages = facts.rows.stages
    begun = stages[: 1 + next(at for at, stage in enumerate(stages) if stage.pk == last)]
    rows = replace(facts.rows, rounds=rounds_before, stages=begun)
    return facts_from_rows(facts.event, rows, drafts=False)


FAILED = Act(
    key="paper.failed",
    words=_("Sheets not saved to the folder"),
    undo=NoUndo(),
    order=UndoTiming.BESIDE,
    shows=CacheEffect.ADDS,
)


logger = logging.getLogger(__name__)


def write_round_pdf_on_commit(event: Event, ordinal: int, *, by: Actor) -> None:
    """Write a published round as PDF once the transaction commits.

    Nothing happens unless the event asks for it and the site has a folder for PDFs.
    """
    if event.prints_rounds and settings.PAPER_FOLDER:
        write = partial(write_round_pdf, event.pk, ordinal, language=get_language() or "", by=by)
        transaction.on_commit(write)


def write_round_pdf(event_key: int, ordinal: int, *, language: str, by: Actor) -> None:
    """Write the PDF of a round to the site's folder; errors are logged and never raised.

    The round is published already. language: of the PDF.
    """
    try:
        event = Event.objects.get(pk=event_key)
        with override(language):
            _write(event, ordinal)
    except Exception as error:
        logger.exception("The sheets of round %s of event %s are not written", ordinal, event_key)
        why = getattr(error, "strerror", "") or type(error).__name__
        _log_failure(event_key, ordinal, why, by=by)


def _write(event: Event, ordinal: int) -> None:
    facts = load_facts(event, for_staff=False)
    shown = pairings_page(facts, ordinal)
    if shown is None:  # taken back since
        return
    content = round_pdf(facts, shown, timezone.now(), _addresses(event), PAPERS[0])
    folder = Path(settings.PAPER_FOLDER) / systems.portable_file_name(event.slug)
    folder.mkdir(parents=True, exist_ok=True)
    unfinished = folder / f".round-{ordinal}.{os.getpid()}"
    unfinished.write_bytes(content)
    systems.replace_file(unfinished, folder / f"round-{ordinal}.pdf")


def _addresses(event: Event) -> SlipAddresses:
    """Return the addresses of slips; without SITE_ADDRESS none, as there is no request here."""
    site = settings.SITE_ADDRESS

    def at_the_desk(match: int) -> str:
        path = reverse("tournaments:match", args=[event.slug, match])
        return f"{site}{path}" if site else ""

    short = f"{site.split('://', 1)[-1]}/e/{event_short_code(event.pk)}" if site else ""
    return SlipAddresses(at_the_desk=at_the_desk, short=short)


def _log_failure(event_key: int, ordinal: int, why: str, *, by: Actor) -> None:
    try:
        with transaction.atomic():
            event = lock_event(Event.objects.get(pk=event_key))
            record(event, FAILED, by=by, subject=str(ordinal), reason=why)
    except Exception:
        logger.exception("That the sheets are not written could not be told either")


def round_write_failure(facts: EventFacts) -> LogLine | None:
    """Return the log line of the error that prevented writing the latest round's PDF.

    None without an error. One query, cached with the facts; none if the event writes no PDFs.
    """
    if not facts.event.prints_rounds or not facts.last_ordinal:
        return None
    return cached_value(facts, "unprinted", lambda: _failure_of_latest_round(facts))


def _failure_of_latest_round(facts: EventFacts) -> LogLine | None:
    published = [item.ordinal for item in facts.rounds if item.published_at]
    failed = facts.event.log.filter(action="paper.failed", subject=str(max(published, default=0)))
    return failed.order_by("-number").first()
