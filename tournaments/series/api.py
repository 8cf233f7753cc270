"""Series through the API. Contracts, *Added: series*."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from config.web import not_modified_response, version_tag
from rules.numbers import number_to_json
from rules.series.points import PER, TIES
from rules.series.table import SERIES_CRITERIA
from rules.standings.table import Standing
from tournaments.api.request_context import (
    IfMatchMixin,
    check_scope,
    event_creator,
    idempotent_post,
    page_serializer,
    query_parameters,
    request_actor,
)
from tournaments.api.serialization import Json, Serializer, validate_input
from tournaments.core.permissions import Actor, require_permission
from tournaments.models import Series
from tournaments.series.closing import close_series, find_changed_events, reopen_series
from tournaments.series.people import Person
from tournaments.series.selectors import (
    SeriesFacts,
    SeriesTable,
    load_series_people,
    load_series_table,
    read_series,
    tiebreaker_keys,
    visible_series,
)
from tournaments.series.services import (
    change_series,
    create_series,
    decide_different,
    decide_same,
    delete_series,
    split_person,
)


class LimitShape(Serializer):
    """A cap on the results that count: ``count`` per venue, or per month."""

    per = serializers.ChoiceField(PER)
    count = serializers.IntegerField()


class PointsShape(Serializer):
    """How the events of a series give points; numbers may be fractions as text, "1/2".

    ``factor``: multipliers by event slug. ``adjustments``: bonuses and penalties with ``person``,
    ``points`` and ``reason``; if sent, they replace all.
    """

    by_place = serializers.ListField(child=serializers.JSONField(), required=False)
    by_players = serializers.ListField(
        child=serializers.DictField(),
        required=False,
        help_text="Other tables from a number of players on: from, by_place",
    )
    ties = serializers.ChoiceField(TIES, required=False)
    taking_part = serializers.JSONField(required=False)
    match_points = serializers.JSONField(required=False)
    wins = serializers.JSONField(required=False)
    best = serializers.IntegerField(required=False, allow_null=True)
    always_counts = serializers.ListField(child=serializers.CharField(), required=False)
    least_events = serializers.IntegerField(required=False)
    min_players = serializers.IntegerField(required=False)
    at_most = LimitShape(required=False)
    factor = serializers.DictField(required=False)
    adjustments = serializers.ListField(child=serializers.DictField(), required=False)


class SeriesInput(Serializer):
    """Settings of a series; an omitted field keeps its value, or gets the default.

    ``events`` are slugs; ``points`` null means no standings; ``order`` are keys of tiebreakers;
    ``names_are_people``: players with the same name are one person.
    """

    name = serializers.JSONField(required=False)
    events = serializers.JSONField(required=False)
    points = serializers.JSONField(required=False, allow_null=True)
    order = serializers.JSONField(required=False, allow_null=True)
    names_are_people = serializers.JSONField(required=False)


class NewSeriesInput(SeriesInput):
    """A new series; if ``slug`` is omitted, it is made from the name."""

    slug = serializers.SlugField(max_length=80, required=False)


class SeriesOutput(Serializer):
    """A series with its settings.

    ``seed``: of the random draw. ``changed_since``: slugs of events whose results have changed
    since the series was closed.
    """

    slug = serializers.CharField()
    name = serializers.CharField()
    events = serializers.ListField(child=serializers.CharField())
    points = PointsShape(allow_null=True)
    order = serializers.ListField(child=serializers.ChoiceField(SERIES_CRITERIA.keys()))
    names_are_people = serializers.BooleanField()
    seed = serializers.CharField()
    version = serializers.IntegerField()
    closed_at = serializers.DateTimeField(allow_null=True)
    changed_since = serializers.ListField(child=serializers.CharField())


class SeriesResultOutput(Serializer):
    """A person's result in an event; ``number`` is the player's in that event."""

    number = serializers.IntegerField()
    place = serializers.IntegerField()
    points = serializers.JSONField()
    counts = serializers.BooleanField()


class SeriesRowOutput(Serializer):
    """A person's row in the standings of a series.

    ``results`` are by event slug, ``values`` by tiebreaker, ``placed_by`` is the tiebreaker that
    decided the rank. ``short``: the person has played too few events to be ranked.
    """

    rank = serializers.IntegerField()
    person = serializers.IntegerField()
    name = serializers.CharField()
    points = serializers.JSONField()
    results = serializers.DictField(child=SeriesResultOutput())
    values = serializers.DictField()
    placed_by = serializers.CharField(allow_null=True)
    short = serializers.BooleanField(required=False)


class SeriesTableOutput(Serializer):
    """The standings of a series; ``tied``: groups of people whom no tiebreaker separates."""

    table = SeriesRowOutput(many=True)
    tied = serializers.ListField(child=serializers.ListField(child=serializers.IntegerField()))


class SamePlayersInput(Serializer):
    """Players, as [event slug, player number], who are the same person.

    ``same`` false: they are different people.
    """

    entries = serializers.ListField(
        child=serializers.ListField(child=serializers.JSONField(), min_length=2, max_length=2),
        min_length=2,
        max_length=200,
    )
    same = serializers.BooleanField(required=False, default=True)


class PersonOutput(Serializer):
    """The key of a person in a series."""

    person = serializers.IntegerField()


class SeriesPersonOutput(PersonOutput):
    """A person in a series; ``entries`` are their players, as [event slug, player number]."""

    name = serializers.CharField()
    club = serializers.CharField()
    entries = serializers.ListField(child=serializers.JSONField())


class DoubtOutput(Serializer):
    """Two people who may be the same person, and the ``reason``: equal name or membership."""

    people = SeriesPersonOutput(many=True)
    reason = serializers.ChoiceField(["name", "membership"])


class SeriesPeopleOutput(Serializer):
    """The people of a series, and suggestions of pairs that may be the same person."""

    people = SeriesPersonOutput(many=True)
    suggestions = DoubtOutput(many=True)


class SeriesView(IfMatchMixin):
    """Base of API views about one series; 404 unless the caller may see it."""

    facts: SeriesFacts
    actor: Actor

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the series; check the token's scope, which may not be of one event."""
        super().initial(request, *args, **kwargs)
        self.actor = request_actor(request)
        self.facts = read_series(kwargs["slug"], self.actor)
        reads = request.method in SAFE_METHODS
        check_scope(request, None, "read" if reads else "manage")
        self.compare_tags(request)

    @property
    def series(self) -> Series:
        """Return the series."""
        return self.facts.series

    def hold(self) -> None:
        """Lock the series until the end of the transaction."""
        Series.objects.select_for_update().filter(pk=self.series.pk).first()
        self.facts = read_series(self.kwargs["slug"], self.actor)

    def tags(self, request: Request) -> Iterable[str]:
        """Return the current tag of the series, for this address and for the series itself."""
        return [self.tag(request)]

    def tag(self, request: Request) -> str:
        """Return the ETag for the series as this reader sees it."""
        heads = [(one.slug, one.state, one.name, one.head) for one in self.facts.events]
        return version_tag(request, self.series.pk, self.series.version, self.facts.role, heads)

    def answer(self, request: Request, data: object) -> Response:
        """Return a response with the ETag of the series."""
        headers = {"ETag": self.tag(request), "Cache-Control": "private, no-cache"}
        return Response(data, headers=headers)


class SeriesList(IfMatchMixin):
    """API view: list the series that the caller may see, or create one."""

    @extend_schema(
        operation_id="series_list",
        parameters=query_parameters(page=True),
        responses=page_serializer(SeriesOutput),
    )
    def get(self, request: Request) -> Response:
        """Return a page of series with a public event, and the caller's own; latest first."""
        check_scope(request, None, "read")
        pages, actor = PageNumberPagination(), request_actor(request)
        page: Any = pages.paginate_queryset(visible_series(actor), request, self) or []
        shown = [series_json(read_series(one.slug, actor)) for one in page]
        return pages.get_paginated_response(shown)

    @idempotent_post("series_create", NewSeriesInput, {201: SeriesOutput})
    def post(self, request: Request) -> Response:
        """Create a series; whoever may create events. 400 with ``path`` for what can't be."""
        by = Actor(user=event_creator(request))
        made = create_series(values=validate_input(NewSeriesInput, request.data), by=by)
        facts = read_series(made.slug, request_actor(request))
        return Response(series_json(facts), status=201)


class SeriesDetail(SeriesView):
    """API view: read, change or delete a series."""

    @extend_schema(operation_id="series_retrieve", responses=SeriesOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the series; others than its staff don't see drafts among its events."""
        held: Any = not_modified_response(request, self.tag(request))
        return held or self.answer(request, series_json(self.facts))

    @extend_schema(operation_id="series_update", request=SeriesInput, responses=SeriesOutput)
    def patch(self, request: Request, slug: str) -> Response:
        """Change what is sent; organisers of the series, and of each event that is added.

        400 ``invalid_points``, ``invalid_order``, ``invalid_events`` with ``path``; 409
        ``series_closed``.
        """
        sent = validate_input(SeriesInput, request.data)
        change_series(series=self.series, values=sent, by=self.actor)
        self.facts = read_series(slug, self.actor)
        return self.answer(request, series_json(self.facts))

    @extend_schema(operation_id="series_delete", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Delete the series; its events stay."""
        delete_series(series=self.series, by=self.actor)
        return Response(status=204)


class SeriesTableDetail(SeriesView):
    """API view: the standings of a series."""

    @extend_schema(operation_id="series_table", responses=SeriesTableOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the table after the finished events; 404 without points."""
        table = load_series_table(self.facts)
        if table is None:
            raise Http404
        held: Any = not_modified_response(request, self.tag(request))
        return held or self.answer(request, table_json(table))


class SeriesPeopleList(SeriesView):
    """API view: which players of a series are the same person; for its organisers."""

    @extend_schema(operation_id="series_people", responses=SeriesPeopleOutput)
    def get(self, request: Request, slug: str) -> Response:
        """Return the people with their players, and who may be one; organisers."""
        require_permission(self.facts.may_manage)
        found = load_series_people(self.facts)
        slugs = {event.pk: event.slug for event in self.facts.events}
        doubts = [
            {"people": [person_json(one, slugs), person_json(other, slugs)], "reason": reason}
            for one, other, reason in found.doubtful
        ]
        people = [person_json(one, slugs) for one in found.by_key.values()]
        return self.answer(request, {"people": people, "suggestions": doubts})


class PlayersMerge(SeriesView):
    """API view: decide that players are the same person, or different people."""

    @idempotent_post("series_same", SamePlayersInput, {201: PersonOutput})
    def post(self, request: Request, slug: str) -> Response:
        """Decide that players are one person, or with ``same`` false that they are not (204).

        400 ``person_twice`` if two are of one event.
        """
        sent = validate_input(SamePlayersInput, request.data)
        players = [(str(event), number) for event, number in sent["entries"]]
        if not sent["same"]:
            decide_different(series=self.series, players=players, by=self.actor)
            return Response(status=204)
        key = decide_same(series=self.series, players=players, by=self.actor)
        return Response({"person": key}, status=201)


class MergedPerson(SeriesView):
    """API view: split a person made of several players."""

    @extend_schema(operation_id="series_part", responses={204: None})
    def delete(self, request: Request, slug: str, person: int) -> Response:
        """Part a person into their players again; 409 if there is nothing to part."""
        split_person(series=self.series, person=person, by=self.actor)
        return Response(status=204)


class SeriesClosing(SeriesView):
    """API view: close a series, or reopen it."""

    @idempotent_post("series_close", None, SeriesOutput)
    def post(self, request: Request, slug: str) -> Response:
        """Pin the final rows of the finished events; 409 ``event_runs`` while one is played.

        Afterwards an event whose final rows differ is named in ``changed_since``.
        """
        close_series(series=self.series, by=self.actor)
        return self._answer(request, slug)

    @extend_schema(operation_id="series_reopen", responses=SeriesOutput)
    def delete(self, request: Request, slug: str) -> Response:
        """Reopen the series."""
        reopen_series(series=self.series, by=self.actor)
        return self._answer(request, slug)

    def _answer(self, request: Request, slug: str) -> Response:
        self.facts = read_series(slug, self.actor)
        return self.answer(request, series_json(self.facts))


# --- JSON -----------------------------------------------------------------------------------
def series_json(facts: SeriesFacts) -> Json:
    """Return a series as ``SeriesOutput``.

    Four queries with points, and those of ``find_changed_events``.
    """
    series = facts.series
    points = series.points
    if points is not None:
        points = points | {"adjustments": [*_adjustments(facts)]}
    return {
        "slug": series.slug,
        "name": series.name,
        "events": [event.slug for event in facts.events],
        "points": points,
        "order": [*tiebreaker_keys(series)],
        "names_are_people": series.names_are_people,
        "seed": series.seed,
        "version": series.version,
        "closed_at": series.closed_at,
        "changed_since": find_changed_events(facts),
    }


def _adjustments(facts: SeriesFacts) -> Iterable[Json]:
    people = load_series_people(facts)
    for one in facts.series.adjustments.order_by("pk"):
        if one.entry_id in people.of_entry:
            person = people.of_entry[one.entry_id].key
            yield {"person": person, "points": one.points, "reason": one.reason}


def table_json(table: SeriesTable) -> Json:
    """Return the standings of a series as ``SeriesTableOutput``."""
    keys = {event.slug: event.pk for event in table.events}
    return {
        "table": [_row_json(table, row, keys) for row in table.standings.rows],
        "tied": [[*level] for level in table.standings.tied],
    }


def _row_json(table: SeriesTable, row: Standing, keys: Mapping[str, int]) -> Json:
    person = table.person(row.player)
    numbers = {one.event_id: one.number for one in person.entries}
    found: Json = {
        "rank": row.rank,
        "person": row.player,
        "name": person.display_name,
        "points": number_to_json(table.points(row)),
        "results": {
            one.event: {
                "number": numbers[keys[one.event]],
                "place": one.place,
                "points": number_to_json(one.points),
                "counts": one.counts,
            }
            for one in table.results(row.player)
        },
        "values": {key: number_to_json(value) for key, value in row.values.items()},
        "placed_by": row.placed_by,
    }
    return found | ({"short": True} if table.is_short(row.player) else {})


def person_json(person: Person, slugs: Mapping[int, str]) -> Json:
    """Return a person as ``SeriesPersonOutput``; ``slugs`` are event slugs by primary key."""
    return {
        "person": person.key,
        "name": person.display_name,
        "club": person.club,
        "entries": [[slugs[one.event_id], one.number] for one in person.entries],
    }
