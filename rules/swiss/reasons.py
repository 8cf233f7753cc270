"""Why two meet, in words."""

from collections import Counter
from collections.abc import Sequence

from rules.swiss.field import Pair, levels_of
from rules.wording import Sentence
from rules.wording import gettext_noop as _

REMATCH = Sentence(_("They have met before: no pairing of this round avoids every rematch."))
WISH = Sentence(_("They were to be kept apart: this round could not be paired so."))


def reasons(points: Sequence[int], pairs: Sequence[Pair]) -> list[Sentence]:
    """Return a reason for each pair; players are indexes, the most points first.

    Of those who leave a level downwards one does because the level, with those who came into it
    from above, is odd; the others because nobody was left there whom they had not met.
    """
    came = Counter(points[b] for a, b in pairs if points[a] != points[b])
    odd = {
        level.points: (level.end - level.start - came[level.points]) % 2 == 1
        for level in levels_of(points)
    }
    found = []
    for a, b in pairs:
        values = {"points": points[a], "lower": points[b]}
        if points[a] == points[b]:
            template = _("Level on points: %(points)s.")
        elif odd[points[a]]:
            odd[points[a]] = False
            template = _("Floated from %(points)s to %(lower)s: odd number at %(points)s points.")
        else:
            template = _(
                "Floated from %(points)s to %(lower)s: nobody left at %(points)s points whom "
                "they had not met."
            )
        found.append(Sentence(template, values))
    return found
