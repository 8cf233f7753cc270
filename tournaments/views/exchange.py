"""Side boarding at the judge's table: was this exchange allowed?"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from config.web import page
from config.wording import explain
from rules.errors import BadInput
from tournaments.forms.exchange import ExchangeForm
from tournaments.selectors.deck_rules import rules_of_event
from tournaments.selectors.exchange import exchanged_row
from tournaments.views.checks import judged_check


def check_exchange(request: HttpRequest, slug: str, check_id: int) -> HttpResponse:
    """Compare an exchange with the registered list; nothing is stored.

    Without a list, or in a game without exchange, back to the check.
    """
    found, actor = judged_check(request, slug, check_id)
    shape = rules_of_event(found.event).format
    if found.submission is None or shape.exchange is None:
        return redirect("tournaments:check", slug, check_id)
    form = ExchangeForm(request.POST if request.method == "POST" else None)
    answer, status = None, HTTPStatus.OK
    if form.is_bound:
        try:
            if form.is_valid():
                answer = exchanged_row(found, found.submission, **form.cleaned_data)
        except BadInput as error:
            form.add_error(None, explain(error))
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
    context = {
        "event": found.event,
        "actor": actor,
        "check": found,
        "form": form,
        "answer": answer,
        "returns": shape.exchange.returns,
    }
    return page(request, "tournaments/checks/exchange.html", context, status=status)
