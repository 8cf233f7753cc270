"""Why a player stands where they stand, in words with the numbers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from config.wording import translate
from rules.extra_matches import EXTRA_MATCH, criterion_named
from rules.results import PlayerId
from rules.standings import Proof, Standing, Standings

Names = Mapping[PlayerId, str]
SHARES = frozenset({"opponents_match_win", "game_win", "opponents_game_win"})


def number(value: Fraction, criterion: str = "") -> str:
    """Return a value as the table shows it; shares in per cent."""
    if criterion in SHARES:
        return f"{number_format(float(value * 100), 1)} %"
    if value.denominator == 1:
        return str(value.numerator).replace("-", "−")
    return number_format(float(value), 2)


def whys(standings: Standings, names: Names) -> dict[PlayerId, str]:
    """Return for each player what separates them from the next better, or the first from the
    next; nothing before a match has been played."""
    rows = standings.rows
    if not any(row.played for row in rows):
        return {}
    found = {}
    for row in rows:
        behind = [other for other in rows if other.rank < row.rank]
        ahead = [other for other in rows if other.rank > row.rank]
        neighbour = behind[-1] if behind else (ahead[0] if ahead else None)
        proof = row.proof or (neighbour.proof if neighbour else None)
        said = [_why(proof, row.player, neighbour.player, names)] if proof and neighbour else []
        said += _shared(row, rows, names)
        found[row.player] = " ".join(said)
    return found


def _why(proof: Proof, own: PlayerId, other: PlayerId, names: Names) -> str:
    values = {
        "criterion": translate(criterion_named(proof.criterion).label),
        "own": _figures(proof, own),
        "other": _figures(proof, other),
        "other_name": names[other],
        "names": listed(proof.level, names),
    }
    if proof.criterion in ("head_to_head", "head_to_head_uefa"):
        return _("%(criterion)s: %(own)s to %(other)s in the matches among %(names)s.") % values
    if proof.criterion == "lots":
        return _("%(criterion)s among %(names)s: place %(own)s in the order drawn.") % values
    if proof.criterion == EXTRA_MATCH.key:
        return (
            _("%(criterion)s among %(names)s: %(own)s won, %(other_name)s won %(other)s.") % values
        )
    if proof.criterion == "points":
        return _("%(criterion)s: %(own)s; %(other_name)s has %(other)s.") % values
    return (
        _("%(criterion)s: %(own)s; %(other_name)s has %(other)s. Level before: %(names)s.") % values
    )


def _figures(proof: Proof, player: PlayerId) -> str:
    figures = proof.figures.get(player) or (proof.values.get(player, Fraction(0)),)
    shown = " / ".join(number(value, proof.criterion) for value in figures)
    if proof.criterion != "head_to_head":
        return shown
    return _("%(points)s points") % {"points": shown} if shown != "1" else _("1 point")


def _shared(row: Standing, rows: Sequence[Standing], names: Names) -> list[str]:
    level = [other.player for other in rows if other.rank == row.rank and other is not row]
    if not level:
        return []
    return [
        _("Level with %(names)s in everything: the rank is shared unless lots are drawn.")
        % {"names": listed(level, names)}
    ]


def listed(players: Sequence[PlayerId], names: Names) -> str:
    """Return names joined by commas."""
    return ", ".join(names[player] for player in players)
