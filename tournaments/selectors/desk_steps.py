"""The desk's one next step, and who may take it."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Event, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class Rights:
    """What the reader may do at the desk."""

    run: bool
    rule: bool
    manage: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The one main button: a link, or with ``post`` a form; ``why_not`` greys it out."""

    label: str
    url: str
    post: bool = False
    expected_round: int = 0
    why_not: str = ""


def next_step(facts: EventFacts, stage: StageFacts | None, rights: Rights) -> Step | None:
    """Return the step that the open stage, or without one the event, asks for now."""
    event, slug = facts.event, facts.event.slug
    if event.state != Event.State.RUNNING:
        return None
    if stage is None:
        return Step(
            label=_("Finish the event"),
            url=reverse("tournaments:desk-finish", args=[slug]),
            post=True,
            why_not="" if rights.manage else _("Only the organiser can finish the event."),
        )
    if not rights.run:
        return None
    last = stage.last_round
    if last is not None and last.state == Round.State.DRAFT:
        return Step(
            label=_("Look over round %(number)s") % {"number": last.ordinal},
            url=reverse("tournaments:desk-round", args=[slug, last.ordinal]),
        )
    waiting = ""
    if stage.missing:
        waiting = _("Results still missing: %(count)s.") % {"count": len(stage.missing)}
    if not stage.rounds_done:
        number = facts.last_ordinal + 1
        return Step(
            label=_("Prepare round %(number)s") % {"number": number},
            url=reverse("tournaments:desk-draft", args=[slug]),
            post=True,
            expected_round=number,
            why_not=waiting,
        )
    if stage.outcome.lots_needed:
        return Step(
            label=_("Decide between level players"),
            url=reverse("tournaments:lots", args=[slug]),
            why_not=waiting,
        )
    is_last = stage.stage.number == len(facts.stages)
    return Step(
        label=_("Close the last stage") if is_last else _("See who goes on"),
        url=reverse("tournaments:advance", args=[slug]),
        why_not=waiting,
    )
