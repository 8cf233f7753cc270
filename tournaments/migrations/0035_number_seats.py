"""Seats of the matches there are: ``a`` has seat 1 and ``b`` seat 2; without ``b`` there is one."""

from collections.abc import Iterator

from django.db import migrations
from django.db.migrations.exceptions import IrreversibleError
from django.db.models import F, Max, QuerySet

MATCHES = 5_000  # in one step


def chunks(model, key: str) -> Iterator[QuerySet]:
    """Yield the rows of a model, some thousand matches at a time."""
    last = model.objects.aggregate(last=Max(key))["last"] or 0
    for first in range(1, last + 1, MATCHES):
        yield model.objects.filter(**{f"{key}__gte": first, f"{key}__lt": first + MATCHES})


def number_seats(apps, schema_editor) -> None:
    """Store how many play each match, and who has which seat."""
    for matches in chunks(apps.get_model("tournaments", "Match"), "pk"):
        matches.filter(b=None).update(size=1)
    for seats in chunks(apps.get_model("tournaments", "MatchSeat"), "match_id"):
        seats.filter(entry=F("match__b")).update(number=2)


def refuse_larger(apps, schema_editor) -> None:
    """Raise IrreversibleError where a match of three or more would lose its players' seats."""
    if apps.get_model("tournaments", "Match").objects.filter(size__gte=3).exists():
        words = "Matches of three or more are stored: what came before can't hold them."
        raise IrreversibleError(words)


class Migration(migrations.Migration):

    dependencies = [
        ('tournaments', '0034_seat_numbers'),
    ]

    operations = [migrations.RunPython(number_seats, refuse_larger)]
