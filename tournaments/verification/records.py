"""Checks of draws, decklists and the numbers of log lines."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

from django.utils.translation import gettext as _

from decks.checking import check_text
from decks.decklists.mapping import read_as_today
from decks.models import Decklist
from decks.rulebook import DeckRules
from rules.deckbuilding.render import canonical, render
from rules.deckbuilding.text import ABOUT_TEXT
from rules.errors import BadInput
from rules.ties.draws import drawn_order, fingerprint, seeded_order
from tournaments.core.draw_origins import draw_origins
from tournaments.core.event_state import EventFacts
from tournaments.decklists.selectors.rules import (
    may_be_read_differently,
    may_have_changed,
    rules_of_event,
)
from tournaments.models import DeckSubmission, Draw
from tournaments.verification.finding import Finding


def check_draws(facts: EventFacts) -> Iterator[Finding]:
    """Yield draws whose order does not follow from the seed, or whose fingerprint is wrong."""
    for draw in facts.draws:
        if not draw.by_hand and draw.fingerprint != fingerprint(draw.seed):
            words = _("Draw %(number)s: the fingerprint is not that of the seed.")
            yield Finding("fingerprint", words % {"number": draw.number})
        if draw.state == Draw.State.DRAWN and not _follows_from_seed(draw):
            words = _("Draw %(number)s: the stored order %(order)s is not the one drawn.")
            values = {"number": draw.number, "order": draw.order}
            yield Finding("draw", words % values)


def draw_notes(facts: EventFacts) -> Iterator[Finding]:
    """Yield a note on each draw's origin, as far as it is known; queries of `draw_origins`."""
    for number, origin in draw_origins(facts.event, facts.draws).items():
        if origin.words:
            words = _("Draw %(number)s: %(origin)s")
            yield Finding("draw", words % {"number": number, "origin": origin.words})


def _follows_from_seed(draw: Draw) -> bool:
    order = list(draw.order)
    if draw.kind == Draw.Kind.START:
        entrants = [(number, place) for number, place in draw.entrants]
        numbers = [number for number, _place in entrants]
        drawn = list(seeded_order(draw.seed, entrants))
    else:
        numbers = list(draw.entrants)
        drawn = list(drawn_order(draw.seed, numbers))
    return sorted(order) == sorted(numbers) if draw.by_hand else order == drawn


def check_decks(facts: EventFacts) -> Iterator[Finding]:
    """Yield decklists that changed, are judged differently today, or came late; three queries."""
    rules = rules_of_event(facts.event)
    yield from _former_lists(facts)
    found = DeckSubmission.objects.filter(current_of__event=facts.event)
    for submission in found.select_related("decklist", "entry"):
        decklist, name = submission.decklist, submission.entry.name
        if sha256(decklist.text.encode()).hexdigest() != decklist.fingerprint:
            words = _("The list of %(name)s is not the one of its fingerprint.")
            yield Finding("deck_fingerprint", words % {"name": name})
        elif not _same_today(decklist, rules):
            words = _("The list of %(name)s is judged or read differently today.")
            yield Finding("deck_legality", words % {"name": name})
        started = facts.event.started_at
        late = started is not None and submission.submitted_at > started
        if (late and not submission.reason) or (started and submission.locked_at is None):
            words = _("The list of %(name)s changed after the start without a reason.")
            yield Finding("deck_lock", words % {"name": name})


def _former_lists(facts: EventFacts) -> Iterator[Finding]:
    """Yield lists that do not count any more and are not those of their fingerprints."""
    former = DeckSubmission.objects.filter(entry__event=facts.event, current_of=None)
    columns = ("entry__name", "decklist__text", "decklist__fingerprint")
    for name, text, digest in former.values_list(*columns):
        if sha256(text.encode()).hexdigest() != digest:
            words = _("A former list of %(name)s is not the one of its fingerprint.")
            yield Finding("deck_fingerprint", words % {"name": name})


def _same_today(decklist: Decklist, rules: DeckRules) -> bool:
    try:
        checked = check_text(rules, text=decklist.raw)
    except BadInput:
        return False
    same = render(canonical(checked.deck), checked.format) == decklist.text
    if not read_as_today(decklist) and (
        not same or _some_are_about_text(v.code for v in checked.violations)
    ):
        return True  # what was read then in one way is another today, or asked about
    if decklist.raw == decklist.text and _some_are_about_text(
        row["code"] for row in decklist.violations
    ):
        return same  # of an erased player: what could not be read is gone with the text
    judged_alike = checked.legal == decklist.legal or may_have_changed(rules, decklist)
    return judged_alike and (same or may_be_read_differently(rules, decklist))


def _some_are_about_text(codes: Iterable[str]) -> bool:
    """Return whether some of the violations are about the text, not about its cards."""
    return not ABOUT_TEXT.isdisjoint(codes)


def check_log(facts: EventFacts) -> Iterator[Finding]:
    """Yield a log whose numbers are not 1 to the event's version; one query."""
    numbers = list(facts.event.log.order_by("number").values_list("number", flat=True))
    if numbers != list(range(1, facts.event.version + 1)):
        words = _("The log has %(lines)s lines; the event's version is %(version)s.")
        values = {"lines": len(numbers), "version": facts.event.version}
        yield Finding("log", words % values)
