"""``manage.py doubtful_players``: players whose name or club may be a cell read wrongly."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from config.wording import translate
from rules.people.person_names import doubts
from tournaments.models import Entry


class Command(BaseCommand):
    """Names players for the organiser to look at; changes nothing."""

    help = (
        "Names the players whose name or club looks as if a table had been read wrongly: an e-mail "
        "address, a “;”, a doubled surname, a spreadsheet's error. Changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the event, by default all."""
        parser.add_argument("event", nargs="?", help="the event's slug; without it all events")

    def handle(self, *args: Any, event: str | None, **options: Any) -> None:
        """Write a line for each doubt, then how many players have any."""
        players = Entry.objects.order_by("event_id", "number").select_related("event")
        if event:
            players = players.filter(event__slug=event)
        found = 0
        for entry in players.iterator():
            reasons = [translate(reason) for reason in doubts(entry.name, entry.club, entry.byes)]
            found += bool(reasons)
            for reason in reasons:
                club = f" ({entry.club})" if entry.club else ""
                self.stdout.write(f"{entry.event.slug} {entry.number} {entry.name}{club}: {reason}")
        self.stdout.write(_("Players to look at: %(count)s.") % {"count": found})
