"""The text of the line below the players who advance; no query."""

from django.utils.translation import ngettext

from tournaments.core.event_state import StageFacts
from tournaments.standings.selectors.rank_details import leads_in


def cut_words(stage: StageFacts, group: str, rank: int = 0) -> str:
    """Return the text of the line below the players who advance, or of those on one ``rank``.

    Below a group they tell of the ranks too that are compared with those of other groups.
    """
    leads = leads_in(stage)
    number = leads.compared.get(rank, ((), 0))[1] if rank else len(leads.sure[group])
    if not number:
        return ""
    compared = () if rank else sorted(leads.ranks(group))
    return " · ".join([first_words(number), *(best_words(stage, each) for each in compared)])


def first_words(number: int) -> str:
    """Return the phrase that the first ``number`` players of a group advance."""
    words = ngettext("the first goes on", "the first %(number)s go on", number)
    return words % {"number": number}


def best_words(stage: StageFacts, rank: int) -> str:
    """Return the phrase for those who advance from a rank compared across groups."""
    groups, number = leads_in(stage).compared[rank]
    words = ngettext(
        "on rank %(rank)s the best of %(all)s",
        "on rank %(rank)s the best %(number)s of %(all)s",
        number,
    )
    return words % {"rank": rank, "number": number, "all": len(groups)}
