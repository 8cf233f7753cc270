"""Add and remove pairs that Swiss rounds keep apart."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from config import transaction
from rules.errors import BadInput, RuleError
from tournaments.core.acts import Act, CacheEffect, RowUndo, UndoTiming
from tournaments.core.permissions import Actor, can_manage
from tournaments.log.services import begin_act
from tournaments.models import Entry, Event, KeptApart
from tournaments.undo.services import undoable

act = partial(Act, may=can_manage, undo=RowUndo(), order=UndoTiming.BESIDE, shows=CacheEffect.ADDS)
KEPT_APART = act(key="apart.kept", words=_("Players kept apart"))
ENDED = act(key="apart.ended", words=_("Players may meet again"))


@transaction.atomic
def add_separated_pair(*, event: Event, numbers: tuple[int, int], by: Actor) -> KeptApart:
    """Add a pair of players whom later Swiss rounds avoid pairing, and return it.

    ``numbers``: of the two players. Raises RuleError ``event_finished``, ``apart_already``;
    BadInput ``bad_pair``.
    """
    event = begin_act(event, KEPT_APART, by=by)
    _check_goes_on(event)
    found = list(event.entries.filter(number__in=set(numbers)).order_by("number"))
    if len(found) != 2:
        raise BadInput("bad_pair", "Choose two players.")
    if event.kept_apart.between(*numbers).exists():
        raise RuleError("apart_already", "These two are already kept apart.")
    pair = KeptApart(event=event, a=found[0], b=found[1])
    players = {"players": _numbers_apart(*found)}
    with undoable(event, KEPT_APART, (KeptApart,), by=by, subject=str(pair), after=players):
        pair.save()
    return pair


@transaction.atomic
def remove_separated_pair(*, event: Event, pair_id: int, by: Actor) -> None:
    """Remove a pair of players who should not be paired, so that they may meet again.

    ``pair_id``: its primary key. Raises RuleError ``event_finished``, ``pair_gone``.
    """
    event = begin_act(event, ENDED, by=by)
    _check_goes_on(event)
    pair = event.kept_apart.select_related("a", "b").filter(pk=pair_id).first()
    if pair is None:
        raise RuleError("pair_gone")
    players = {"players": _numbers_apart(*pair.players)}
    with undoable(event, ENDED, (KeptApart,), by=by, subject=str(pair), before=players):
        pair.delete()


def _check_goes_on(event: Event) -> None:
    if event.state == Event.State.FINISHED:
        raise RuleError("event_finished", "The event is finished.")


def _numbers_apart(*entries: Entry) -> list[int]:
    return [entry.number for entry in entries]
