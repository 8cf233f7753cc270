"""Tables of ``decks`` of which an event names rows, as its archive brings them."""

from decks.models import CardListVersion, Decklist, FormatVersion, HouseFormat
from tournaments.models.tables import BY_HAND, CODE, OWN, Column, Table

Table(
    {
        "format fingerprint": CODE,
        "rows": Column(words="names of cards"),
        "owner loaded_by archived": Column(archived=False),
    },
    plain="dated loaded_at",
    key="card_lists",
    named=lambda event: CardListVersion.objects.filter(events=event),
).contribute_to_class(CardListVersion)
Table(
    {
        "name game": BY_HAND,
        "slug base": CODE,
        "changes rules": Column(words="sizes, limits and kinds of cards"),
        "archived_as": Column(words=CODE, archived=False),
    },
    plain="owner lists version dated locked_at created_at",
    key="house_formats",
    named=lambda event: HouseFormat.objects.filter(slug=event.format),
).contribute_to_class(HouseFormat)
Table(
    {
        "name game": BY_HAND,
        "format": CODE,
        "changes rules": Column(words="sizes, limits and kinds of cards"),
    },
    plain="lists version dated",
    key="format_versions",
    named=lambda event: FormatVersion.objects.filter(
        format=event.format, version=event.format_version
    ),
).contribute_to_class(FormatVersion)
Table(
    {
        "format fingerprint": CODE,
        "name raw upload_name": OWN,
        "upload": Column(words=OWN, archived=False),
        "text deck counts violations": Column(words="names of cards"),
    },
    plain="legal created_at",
    key="decklists",
    named=lambda event: (
        Decklist.objects.filter(submissions__entry__event=event).distinct().order_by("pk")
    ),
).contribute_to_class(Decklist)
