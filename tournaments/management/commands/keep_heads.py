"""``manage.py keep_heads``: write the files of the logs' heads from the database. Exit 0."""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.chain.heads import keep_head
from tournaments.models import Event


class Command(BaseCommand):
    """Writes the head of each event unless its file is ahead of the log."""

    help = (
        "Writes the files that hold the last line of each event's log, as after a backup was put "
        "back and the folder of heads was moved aside. Files that are ahead of a log stay."
    )

    def handle(self, *args: object, **options: Any) -> None:
        """Write a file for each event with a log; one query."""
        for event in Event.objects.exclude(head=""):
            keep_head(event)
