"""What answers tell a window that stays open and asks again every few seconds."""

from django.http import HttpResponse

from tournaments.models import Event
from tournaments.selectors.clock import clock_header

CLOCK = "X-Clock"


def with_clock(response: HttpResponse, event: Event) -> HttpResponse:
    """Say what is left of the round, also where the page itself is unchanged; one query."""
    if told := clock_header(event):
        response[CLOCK] = told
    return response
