"""What a draft of tables costs, in the words of its page.

Source: tables, 5 (shown at the draft).
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from rules.drafts.remarks import Remark
from rules.drafts.tables import Price
from rules.point_parts import points_as_text
from tournaments.core.rows import AnyRound


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """``head``: whether pairs meet again; ``small``: who sits at the small tables, "" without."""

    head: str
    small: str
    good: bool


def verdict_on(
    item: AnyRound, remarks: Collection[Remark], *, players: int, small: bool
) -> Verdict:
    """Return the verdict on a round of so many players, ``small`` if it has small tables."""
    proven = bool((item.cost or {}).get("proven"))
    again = sum(remark.code == "rematch" for remark in remarks)
    seated = sum(len(remark.players) for remark in remarks if remark.code == "small_again")
    return Verdict(
        head=_head(again, players, proven=proven),
        small=_small(seated) if small else "",
        good=not again and not seated,
    )


def price_in_words(price: Price) -> str:
    """Return the worst of what a swap costs, as ``draft_tables.js`` says it beside each name."""
    if price.repeats:
        words = ngettext("%(count)s pair meets again", "%(count)s pairs meet again", price.repeats)
        return words % {"count": price.repeats}
    if price.apart:
        return _("were to be kept apart")
    if price.again:
        return _("at a small table again")
    if price.free:
        return _("free swap")
    return _("points further apart: up to %(points)s") % {"points": points_as_text(price.gap)}


def _head(pairs: int, players: int, *, proven: bool) -> str:
    if not pairs:
        return _("No two meet again. Proven best.") if proven else _("No two meet again.")
    if not proven:
        words = ngettext("%(count)s pair meets again.", "%(count)s pairs meet again.", pairs)
        return words % {"count": pairs}
    words = ngettext(
        "%(count)s pair meets again: with %(players)s players nothing less is possible.",
        "%(count)s pairs meet again: with %(players)s players nothing less is possible.",
        pairs,
    )
    return words % {"count": pairs, "players": players}


def _small(seated: int) -> str:
    if not seated:
        return _("The small tables go to players who have not sat at one yet.")
    words = ngettext(
        "%(count)s player sits at a small table again.",
        "%(count)s players sit at a small table again.",
        seated,
    )
    return words % {"count": seated}
