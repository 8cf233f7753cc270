"""Pages of a round at the desk: its draft, publishing, discarding."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.api import status_of
from config.web import done, page
from config.wording import explain
from rules.errors import RuleError
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.facts_cache import read_facts
from tournaments.core.permissions import can_manage, rights_of
from tournaments.core.round_words import the_round_made
from tournaments.core.rows import RoundRow
from tournaments.desk.views.desk import desk
from tournaments.drafts.selectors import draft_page
from tournaments.drafts.services.acts import ChangeRequest
from tournaments.drafts.services.drafts import change_draft, price_of_swap
from tournaments.drafts.verdicts import price_in_words
from tournaments.models import Event, Round
from tournaments.pages.access import staff_event, staff_only
from tournaments.pages.acting import acts, posted_number, unreadable_request
from tournaments.pages.addresses import ROUND
from tournaments.rounds.acts import PUBLISHED
from tournaments.rounds.selectors.discards import DiscardLoss, discard_loss
from tournaments.rounds.selectors.round_page import round_page
from tournaments.rounds.services import discard_round, publish_round
from tournaments.screen.selectors import pin_note
from tournaments.undo.selectors import last_act

LONGEST_LIST = 2_000
PRICE = "price"
"""What the button says that shows the cost of a swap, where no script does."""


def render_round(request: HttpRequest, slug: str, ordinal: int, *, price: str = "") -> HttpResponse:
    """Render a round at the desk; a draft with its check list and the forms that change it.

    ``price`` is what a swap would cost, in words, if that was asked.
    """
    event, actor = staff_event(request, slug)
    facts = read_facts(event, drafts=True)
    stage, item = _round_or_404(facts, ordinal)
    is_draft = item.state == Round.State.DRAFT
    rights = rights_of(actor, event)
    context = {
        "event": event,
        "actor": actor,
        "rights": rights,
        "shown": round_page(facts, stage, item),
        "is_draft": is_draft,
        "timed": stage.plan.timed,
        "pinned": is_draft and _hides_pairings(event),
        "the_round": the_round_made(stage, item),
        "draft": draft_page(facts, stage, item) if is_draft else None,
        "publication": _publication_line(event, item) if rights.manage and not is_draft else None,
        "chosen": _submitted_values(request),
        "price": price,
    }
    return page(request, "tournaments/rounds/round.html", context)


def _hides_pairings(event: Event) -> bool:
    """Return whether the desk has pinned something else on the screen of the hall."""
    if event.screen_view in (Event.ScreenView.AUTOMATIC, Event.ScreenView.NAMES):
        return False
    return not pin_note(read_facts(event))


def _render_after_refusal(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Render the round again after a refusal, or the desk if the round no longer exists."""
    event, _actor = staff_event(request, slug)
    if event.rounds.filter(ordinal=ordinal).exists():
        return render_round(request, slug, ordinal)
    return desk(request, slug)


def _round_or_404(facts: EventFacts, ordinal: int) -> tuple[StageFacts, RoundRow]:
    found = facts.round_at(ordinal)
    if found is None:
        raise Http404
    return found


def _publication_line(event: Event, item: RoundRow) -> int | None:
    """Return the log line of this publication if it is the last act; one query."""
    act = last_act(event)
    if act is None or act.why_not is not None or act.line.action != PUBLISHED.key:
        return None
    return act.line.number if act.line.subject == str(item.ordinal) else None


def _submitted_values(request: HttpRequest) -> dict[str, Any]:
    """Return the submitted values, with which a refused form is shown again."""
    return {
        "players": set(_numbers_posted(request, "player")),
        "matches": set(_numbers_posted(request, "match")),
        "note": request.POST.get("note", "")[:200],
        "table": request.POST.get("table", "")[:5],
    }


def _numbers_posted(request: HttpRequest, name: str) -> tuple[int, ...]:
    sent = request.POST.getlist(name)[:LONGEST_LIST]
    return tuple(int(one) for one in sent if one.isascii() and one.isdigit() and len(one) < 16)


def _all_numbers(request: HttpRequest, name: str) -> tuple[int, ...]:
    """Return the ticked numbers; raises BadInput if one of them is unreadable."""
    found = _numbers_posted(request, name)
    if len(found) != len(request.POST.getlist(name)):
        raise unreadable_request()
    return found


@acts(_render_after_refusal, "ordinal")
def desk_change(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Apply the pressed button to the ticked players and tables of a draft."""
    event, actor = staff_event(request, slug)
    if request.POST.get("action") == PRICE:
        players = _all_numbers(request, "player")
        price = price_of_swap(event=event, ordinal=ordinal, players=players)
        return render_round(request, slug, ordinal, price=price_in_words(price))
    asked = ChangeRequest(
        action=request.POST.get("action", ""),
        players=_all_numbers(request, "player"),
        matches=_all_numbers(request, "match"),
        table=posted_number(request, "table") if request.POST.get("table") else None,
        note=request.POST.get("note", "").replace("\x00", ""),
    )
    expected = posted_number(request, "expected")
    change_draft(event=event, ordinal=ordinal, expected=expected, asked=asked, by=actor)
    words = _("The draft is changed. Look at the check list again.")
    return done(request, words, "tournaments:desk-round", slug, ordinal)


@acts(_render_after_refusal, "ordinal")
def desk_publish(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Publish a drafted round."""
    event, actor = staff_event(request, slug)
    seen = posted_number(request, "expected") if request.POST.get("expected") else None
    publish_round(event=event, ordinal=ordinal, expected=seen, by=actor)
    stage, item = _round_or_404(read_facts(event, drafts=True), ordinal)
    words = _("Round %(number)s is published.") % {"number": ordinal}
    if stage.kind.has_bracket:
        words = _("Published: %(round)s.") % {"round": the_round_made(stage, item)}
    return done(request, words, "tournaments:desk", slug)


def desk_discard(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Show what discarding a round would delete; discard it once its name is typed."""
    event, actor = staff_event(request, slug)
    staff_only(can_manage, actor, event)
    stage, item = _round_or_404(read_facts(event, drafts=True), ordinal)
    error, status = None, 200
    if request.method == "POST":
        typed = request.POST.get("confirm", "")
        try:
            discard_round(event=event, ordinal=ordinal, confirm=typed, by=actor)
        except RuleError as refused:
            error, status = explain(refused), status_of(refused)
        else:
            note = _("Round %(number)s was thrown away. It can be brought back: see the snapshots.")
            return done(request, note % {"number": ordinal}, "tournaments:desk", slug)
    facts = read_facts(event, drafts=True)
    loss: DiscardLoss = discard_loss(facts, stage, item)
    context = {"event": event, "actor": actor, "loss": loss, "error": error}
    return page(request, "tournaments/rounds/discard.html", context, status=status)


urlpatterns = [
    path(ROUND, require_safe(render_round), name="desk-round"),
    path(f"{ROUND}change/", desk_change, name="desk-change"),
    path(f"{ROUND}publish/", desk_publish, name="desk-publish"),
    path(f"{ROUND}discard/", desk_discard, name="desk-discard"),
]
