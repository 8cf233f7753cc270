"""Two entries of one table that differ."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from rules.results import Outcome
from tournaments.core.mapping import report_of
from tournaments.core.permissions import Actor
from tournaments.core.rows import AnyMatch
from tournaments.matches.selectors import names_of, table_in_words
from tournaments.matches.words import reporter_name, with_names
from tournaments.models import Match


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """A result stored meanwhile and the one submitted; ``own`` if by the same person.

    ``table`` is that of the match, with its round once others sit there.
    """

    match: AnyMatch
    table: str
    stored: str
    stored_by: str
    stored_at: datetime | None
    typed: str
    own: bool

    @property
    def sentence(self) -> str:
        """Return the sentence about both results and the choice between them."""
        words = (
            _("%(table)s: you have entered another result. Nothing was stored: choose one.")
            if self.own
            else _("%(table)s: another result has come in. Nothing was stored: choose one.")
        )
        return words % {"table": self.table}


def conflict_of(match: Match, wanted: Outcome, by: Actor) -> Conflict:
    """Return the stored and the submitted result of a match; two queries."""
    names = names_of(match)
    last = match.reports.select_related("by", "by_entry").order_by("-version").first()
    return Conflict(
        match=match,
        table=table_in_words(match),
        stored=with_names(last, *names) if last else "",
        stored_by=reporter_name(last) if last else "",
        stored_at=last.at if last else None,
        typed=with_names(report_of(wanted), *names),
        own=last is not None and last.by_id is not None and last.by == by.user,
    )
