"""Why a player stands behind the one before, in words and with the numbers."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial

from rules.extra_matches import criterion_named
from rules.results import PlayerId
from rules.standings import Proof, Standing
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def why(standing: Standing, names: Mapping[PlayerId, str]) -> Sentence | None:
    """Return the sentence for one row; None for the first row, which is behind nobody.

    Names what separated the player from the one before and what everybody who was level had,
    the best first.
    """
    proof = standing.proof
    if proof is None:
        return None
    criterion = criterion_named(proof.criterion)
    best_first = sorted(
        proof.level, key=partial(_numbers, proof), reverse=not criterion.lowest_first
    )
    return Sentence(
        _("Behind the one before by %(criterion)s: %(figures)s."),
        {
            "criterion": criterion.label,
            "figures": tuple(_figures(proof, player, names) for player in best_first),
        },
    )


def _numbers(proof: Proof, player: PlayerId) -> tuple[Fraction, ...]:
    return proof.figures.get(player) or (proof.values[player],)


def _figures(proof: Proof, player: PlayerId, names: Mapping[PlayerId, str]) -> Sentence:
    numbers = " / ".join(str(number) for number in _numbers(proof, player))
    return Sentence(_("%(name)s %(numbers)s"), {"name": names[player], "numbers": numbers})
