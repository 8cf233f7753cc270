"""Phones that ask for a player's personal link."""

from datetime import datetime

from django.db import models
from django.utils import timezone

from rules.events.joining import LASTS, since
from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.tables import CODE, Table


def with_asking(entries: models.QuerySet[Entry]) -> models.QuerySet[Entry]:
    """Annotate each entry with ``asked``: whether a phone waits to be signed in as it."""
    waiting = JoinClaim.objects.filter(entry=models.OuterRef("pk"), state=JoinClaim.State.WAITING)
    waiting = waiting.filter(asked_at__gt=since(timezone.now()))
    return entries.annotate(asked=models.Exists(waiting))  # type: ignore[no-redef]


class JoinClaim(models.Model):
    """A phone that asks to sign in as a player, until the staff confirms or refuses it.

    ``code`` is what people see; it opens nothing. Only the SHA-256 of the secret is stored, which
    the phone alone has, and that of the token that follows from it: once confirmed, this is the
    player's personal link, which the phone fetches once (``FETCHED``). Rows stay some time after
    they have expired, so that their code is not given again (``rules.events.joining``).

    Neither record, archive, snapshot nor undo has them; the lines of the log tell confirmations and
    refusals. They go with the player, and with an erasure.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        CONFIRMED = "confirmed"
        FETCHED = "fetched"
        REFUSED = "refused"
        LEFT = "left"  # the phone asked for somebody else since

    event = models.ForeignKey(Event, models.CASCADE, related_name="join_claims")
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="join_claims")
    code = models.CharField(max_length=4)
    secret_hash = models.CharField(max_length=64, unique=True)
    token_hash = models.CharField(max_length=64)
    state = models.CharField(max_length=9, choices=State, default=State.WAITING)
    asked_at = models.DateTimeField()

    declared = Table(
        {"code secret_hash token_hash": CODE},
        plain="event entry state asked_at",
        unlogged="a request that nobody has answered; the line of the answer tells it",
        deleted_with="entry",
        forgotten=True,
    )

    class Meta:
        ordering = ["event", "asked_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["event", "code"], name="join_code_once"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} {self.state}"

    @property
    def expires_at(self) -> datetime:
        """Return until when it waits."""
        return self.asked_at + LASTS
