"""Why a player stands behind the one before, in words and with the numbers."""

from collections.abc import Mapping

from rules.extra_matches import criterion_named
from rules.results import PlayerId
from rules.standings import Proof, Standing
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def why(standing: Standing, names: Mapping[PlayerId, str]) -> Sentence | None:
    """Return the sentence for one row; None for the first row, which is behind nobody.

    Names what separated the player from the one before and what everybody who was level had.
    """
    proof = standing.proof
    if proof is None:
        return None
    return Sentence(
        _("Behind the one before by %(criterion)s: %(figures)s."),
        {
            "criterion": criterion_named(proof.criterion).label,
            "figures": tuple(_figures(proof, player, names) for player in proof.level),
        },
    )


def _figures(proof: Proof, player: PlayerId, names: Mapping[PlayerId, str]) -> Sentence:
    numbers = proof.figures.get(player) or (proof.values[player],)
    return Sentence(
        _("%(name)s %(numbers)s"),
        {"name": names[player], "numbers": " / ".join(str(number) for number in numbers)},
    )
