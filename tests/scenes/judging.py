"""Acts of judges: penalties, extra time, rulings and notes."""

from tests.scenes.base import SCENES, entry, first_match, going, scene
from tournaments.clock import services as extensions
from tournaments.judging import services as notes
from tournaments.penalties import services as penalties


@scene("penalty.given")
def _(by):
    event = going(by)
    return event, lambda: penalties.give_penalty(
        entry=entry(event, 1), level="warning", infraction="Ritardo", by=by
    )


@scene("penalty.match_lost")
def _(by):
    event = going(by)
    return event, lambda: penalties.give_penalty(
        entry=entry(event, 1), level="match_loss", infraction="Ritardo", by=by
    )


@scene("penalty.taken_back")
def _(by):
    event, act = SCENES["penalty.given"](by)
    given = act()
    return event, lambda: penalties.remove_penalty(event=event, penalty_id=given.pk, by=by)


@scene("extension.given")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: extensions.extend_time(match=match, minutes=5, reason="Controllo", by=by)


@scene("extension.taken_back")
def _(by):
    event, act = SCENES["extension.given"](by)
    given = act()
    return event, lambda: extensions.delete_extension(event=event, extension_id=given.pk, by=by)


@scene("match.ruled")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: notes.add_ruling(match=match, text="Vale", by=by)


@scene("match.noted")
def _(by):
    event = going(by)
    match = first_match(event)
    return event, lambda: notes.add_staff_note(match=match, text="Nervosi", by=by)
