"""Labels of the keys and values in the log's lines, those of its acts included."""

from django.utils.translation import gettext_lazy

from tournaments.core.acts import acts
from tournaments.core.labels import ENDINGS
from tournaments.models import DeckCheck, Entry, Event, Match, Penalty, StaffRole, TokenScope

KEYS = {
    "version": gettext_lazy("version"),
    "name": gettext_lazy("name"),
    "surname": gettext_lazy("surname"),
    "here_minutes": gettext_lazy("minutes before the start"),
    "ends_by": gettext_lazy("must end by, in minutes of the day"),
    "prints_rounds": gettext_lazy("rounds are written as PDF"),
    "contact_terms": gettext_lazy("contact asked for"),
    "table_points": gettext_lazy("points at tables"),
    "questions": gettext_lazy("questions"),
    "club": gettext_lazy("club"),
    "seed": gettext_lazy("seed"),
    "seeds": gettext_lazy("seeds, by player’s number"),
    "comes": gettext_lazy("who has the place, by number"),
    "fixed_table": gettext_lazy("fixed table"),
    "byes": gettext_lazy("byes"),
    "status": gettext_lazy("status"),
    "state": gettext_lazy("state"),
    "number": gettext_lazy("number"),
    "role": gettext_lazy("role"),
    "rights": gettext_lazy("rights"),
    "players": gettext_lazy("players"),
    "player": gettext_lazy("player"),
    "winner": gettext_lazy("winner"),
    "score": gettext_lazy("score"),
    "games": gettext_lazy("games"),
    "ended_by": gettext_lazy("ended by"),
    "order": gettext_lazy("order"),
    "witnesses": gettext_lazy("witnesses"),
    "fingerprint": gettext_lazy("fingerprint"),
    "legal": gettext_lazy("legal"),
    "places": gettext_lazy("places"),
    "next": gettext_lazy("next"),
    "open": gettext_lazy("open again"),
    "draw": gettext_lazy("draw"),
    "group": gettext_lazy("group"),
    "missed": gettext_lazy("rounds missed count as"),
    "rounds": gettext_lazy("rounds"),
    "forfeited": gettext_lazy("forfeited tables"),
    "absent": gettext_lazy("absent"),
    "agreed": gettext_lazy("tables on whose result those who stay agree"),
    "pairings": gettext_lazy("pairings"),
    "results": gettext_lazy("results"),
    "legs": gettext_lazy("legs"),
    "until": gettext_lazy("until"),
    "override": gettext_lazy("in spite of the lists of"),
    "options": gettext_lazy("options"),
    "criteria": gettext_lazy("criteria"),
    "table": gettext_lazy("table"),
    "tables": gettext_lazy("tables"),
    "outcome": gettext_lazy("outcome"),
    "level": gettext_lazy("penalty"),
    "minutes": gettext_lazy("minutes"),
    "match": gettext_lazy("match"),
    "left": gettext_lazy("time left"),
    "departure": gettext_lazy("how they left"),
    "text": gettext_lazy("words"),
    "lines": gettext_lazy("lines of the log changed"),
    "open_lists": gettext_lazy("open lists"),
    "hides": gettext_lazy("no longer public"),
    "kept": gettext_lazy("places left as they were, against the standings"),
    "kept_before": gettext_lazy("kept before the log told digests"),
    "round": gettext_lazy("round"),
    "stage": gettext_lazy("stage"),
    "places_of": gettext_lazy("stage whose places changed"),
    "seats": gettext_lazy("seats given to others, by player’s number"),
    "matches": gettext_lazy("matches given to others"),
}
TERMS = {
    "email": gettext_lazy("e-mail address"),
    "memberships": gettext_lazy("membership numbers"),
    "why": gettext_lazy("reason"),
    "days": gettext_lazy("days kept after the event"),
}
"""The parts of what contact an event asks for."""
FATES = {
    "passes": gettext_lazy("changes hands"),
    "again": gettext_lazy("to be played again"),
    "void": gettext_lazy("void"),
    "forfeit": gettext_lazy("won by forfeit"),
    "rests": gettext_lazy("bye"),
}
"""What becomes of matches that are given to others (``rules.corrections.followed.Fate``)."""
KINDS = (
    Event.State,
    Entry.Status,
    Entry.Left,
    StaffRole.Role,
    DeckCheck.Outcome,
    Penalty.Level,
    TokenScope.Level,
    Match.State,
)
VALUES = {
    **{act.key: act.words for act in acts().values()},
    **{key: label for kind in KINDS for key, label in kind.choices},
    "final": gettext_lazy("counts"),  # "Final" names a stage
    "void": gettext_lazy("void"),
    "none": gettext_lazy("both lose"),
    "loss": gettext_lazy("a loss each"),
    "bye": gettext_lazy("a bye each"),
    "half_bye": gettext_lazy("half a bye each"),
    "a": gettext_lazy("first player"),
    "b": gettext_lazy("second player"),
    "draw": gettext_lazy("draw"),
}
VALUES_OF = {
    "ended_by": {str(key): label for key, label in ENDINGS.items()},
    "hides": {
        "event": gettext_lazy("the event"),
        "transcript": gettext_lazy("podium and transcript"),
        "lists": gettext_lazy("published lists"),
        "standings": gettext_lazy("standings that were shown"),
        "open_lists": gettext_lazy("lists open to the players of the stage"),
    },
}
"""Labels of values whose meaning depends on the key, such as a bye."""
