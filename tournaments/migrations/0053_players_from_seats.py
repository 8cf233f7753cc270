"""Going back, the columns of a match are filled in from the rows of its seats.

In chunks, each a transaction of its own: a site may hold a hundred thousand matches.
"""

from django.db import migrations
from django.db.models import Count, Exists, Max, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

CHUNK = 5_000


def fill_in(apps, _editor):
    """Say of each match how many seats it has, and of one or two seats who has them."""
    matches = apps.get_model("tournaments", "Match").objects
    seats = apps.get_model("tournaments", "MatchSeat").objects.order_by()
    own = seats.filter(match=OuterRef("pk"))
    number = own.values("match").annotate(found=Count("pk")).values("found")
    last = matches.aggregate(last=Max("pk"))["last"] or 0
    for first in range(1, last + 1, CHUNK):
        chunk = matches.order_by().filter(pk__range=(first, first + CHUNK - 1))
        chunk.update(size=Coalesce(Subquery(number), 1))
        chunk.filter(~Q(Exists(own.filter(number=3)))).update(
            a=Subquery(own.filter(number=1).values("entry")),
            b=Subquery(own.filter(number=2).values("entry")),
        )


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("tournaments", "0052_seats_have_no_twin")]
    operations = [migrations.RunPython(migrations.RunPython.noop, fill_in)]
