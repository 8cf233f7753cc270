"""A result in the words of a correction: what was played, and whose win counts no more."""

from django.utils.translation import gettext as _

from rules.results import Result
from rules.stages.knockout import loser_of, winner_of
from tournaments.core.labels import OF_WHOM
from tournaments.corrections.selectors.names import ShortNames
from tournaments.matches import table_words


def lost_win(was: Result, names: ShortNames) -> str:
    """Return who loses a win that counts no more, against whom; "" if nobody won, or at a table."""
    winner, loser = winner_of(was), loser_of(was)
    if winner is None or loser is None or len(was.seats) > 2:
        return ""
    figures = was.score or (was.games_won or ())[:2]
    own = figures if was.seats[0] == winner else figures[::-1]
    values = {"winner": names.of(winner), "loser": names.of(loser)}
    if not own:
        return _("%(winner)s loses the win against %(loser)s") % values
    values["score"] = "–".join(map(str, own))
    return _("%(winner)s loses the win against %(loser)s (%(score)s)") % values


def result_in_words(was: Result, names: ShortNames) -> str:
    """Return a result as "Zoë lost 12–40 to Ugo", seen by the player of seat 1.

    A match that was not played to its end says what happened: "Ugo is absent, Zoë wins".
    """
    players = [names.of(one) for one in was.seats]
    if len(players) > 2 and was.outcome is not None:
        return table_words.table_with_names(was.outcome, players)
    one, other = players
    figures = was.score or (was.games_won or ())[:2]
    values = {"one": one, "other": other, "score": "–".join(map(str, figures))}
    ways: dict[tuple[int | None, ...], str] = {
        (1, 2): _("%(one)s beat %(other)s %(score)s"),
        (2, 1): _("%(one)s lost %(score)s to %(other)s"),
        (1, 1): _("%(one)s drew %(score)s with %(other)s"),
        (2, 2): _("%(one)s–%(other)s: both lose"),
    }
    places = was.places or ()
    words = ways.get(places, _("%(one)s–%(other)s: counts for nothing"))
    ended_by = was.ended_by
    if ended_by is not None and ended_by in OF_WHOM and 2 in places and 1 in places:
        first = places == (1, 2)
        values = {
            "told": str(OF_WHOM[ended_by]) % {"loser": other if first else one},
            "winner": one if first else other,
            "score": "–".join(map(str, figures if first else figures[::-1])),
        }
        words = _("%(told)s, %(winner)s wins %(score)s")
    return " ".join((words % values).split())
