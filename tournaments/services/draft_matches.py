"""Matches of a drafted round put in the place of others, and why their players are paired."""

from decks.decklists.mapping import sentence_to_json
from rules.drafts.draft import Change, Seated
from rules.results import EndedBy, Winner
from rules.stages.base import StageState, forfeit
from rules.wording import Sentence
from rules.wording import gettext_noop as _
from tournaments.core.permissions import Actor
from tournaments.models import Match, MatchSeat, Round
from tournaments.services.draft_acts import Drafted
from tournaments.services.matches import settle_match


def move_matches(item: Round, change: Change) -> None:
    """Seat matches at their new tables; no two are at one table on the way."""
    item.matches.filter(number__in=[match.number for match in change.gone]).update(table=None)
    for match in change.made:
        item.matches.filter(number=match.number).update(table=match.table)


def replace_matches(drafted: Drafted, change: Change, note: str) -> None:
    """Store new matches in the place of those that go: a match keeps its two players."""
    item = drafted.item
    gone = item.matches.filter(number__in=[match.number for match in change.gone])
    # Byes and forfeits are final; Django lets go of their reports before it deletes the matches.
    gone.update(state=Match.State.OPEN, decision=None)
    gone.delete()
    (group,) = drafted.stage.groups
    keys = {number: entry.pk for number, entry in drafted.facts.entries.items()}
    for seat in change.made:
        match = Match.objects.create(
            round=item,
            group=group,
            number=seat.number,
            table=seat.table,
            a_id=keys[seat.a],
            b_id=None if seat.b is None else keys[seat.b],
            best_of=drafted.stage.plan.best_of[0],
            reason=sentence_to_json(_reason(seat, note)) | {"by_hand": True},
        )
        MatchSeat.objects.bulk_create(
            MatchSeat(round=item, match=match, entry_id=keys[player]) for player in seat.players
        )
        settled = _settled(seat, drafted.before)
        if settled is not None:
            settle_match(match, *settled, by=Actor())


def _settled(seat: Seated, before: StageState) -> tuple[Winner, EndedBy] | None:
    if seat.b is None:
        return Winner.A, EndedBy.BYE
    return forfeit(seat.a, seat.b, before.withdrawn)


def _reason(seat: Seated, note: str) -> Sentence:
    """Return why two meet who were put together by hand; everybody may read it."""
    if seat.reason is not None:
        template = (
            _("Paired again among chosen players (%(note)s): %(reason)s")
            if note
            else _("Paired again among chosen players: %(reason)s")
        )
        values = {"note": note, "reason": seat.reason} if note else {"reason": seat.reason}
        return Sentence(template, values)
    if seat.b is None:
        template = (
            _("Bye given by hand by the organiser: %(note)s")
            if note
            else _("Bye given by hand by the organiser.")
        )
    else:
        template = (
            _("Paired by hand by the organiser: %(note)s")
            if note
            else _("Paired by hand by the organiser.")
        )
    return Sentence(template, {"note": note} if note else {})
