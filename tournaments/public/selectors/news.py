"""What the feed of events tells of each."""

from dataclasses import dataclass
from datetime import datetime
from io import StringIO

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.xmlutils import SimplerXMLGenerator

from config.ui_dates import in_words
from tournaments.core.drawing import drawn, readable_rows
from tournaments.events.selectors.events import state_badge
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """An event in the feed, with the path of its page."""

    key: int
    title: str
    words: str
    path: str
    announced: datetime
    updated: datetime


def latest_news(events: QuerySet[Event], most: int) -> list[News]:
    """Return the latest events by start, the most recently announced first; one query."""
    last = drawn(readable_rows(events.order_by("-starts_at")[:most]), news_of)
    return sorted(last, key=lambda news: news.key, reverse=True)


def news_of(event: Event) -> News:
    """Return an event's item of the feed. Raises ValueError for characters XML can't hold."""
    words = (in_words(event.begins, "all"), event.venue, state_badge(event)[0])
    made = News(
        key=event.pk,
        title=event.name,
        words=" · ".join(filter(None, words)),
        path=reverse("tournaments:event", args=[event.slug]),
        announced=event.created_at,
        updated=event.finished_at or event.started_at or event.created_at,
    )
    SimplerXMLGenerator(StringIO()).characters(f"{made.title}{made.words}")
    return made
