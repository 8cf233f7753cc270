"""Which formula fits: a page for everybody."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.views.decorators.http import require_safe

from config.web import page
from tournaments.core.access import actor_of
from tournaments.core.permissions import can_create_events
from tournaments.forms.advice import AdviceForm
from tournaments.selectors.advice import AdvicePage, advice_page
from tournaments.selectors.formulas import formulas_offered


@require_safe
def advice(request: HttpRequest) -> HttpResponse:
    """Ask what there is, and show which formulas fit."""
    form, shown = asked_advice(request)
    actor = actor_of(request)
    context = {
        "form": form,
        "advice": shown,
        "may_take": actor.user is None or can_create_events(actor),
    }
    return page(request, "tournaments/public/advice.html", context)


def usual(query: QueryDict) -> QueryDict:
    """Return what is asked, with the usual minutes where the address names none."""
    asked = query.copy()
    for name in ("minutes", "turn_round"):
        if not asked.get(name):
            asked[name] = str(AdviceForm.base_fields[name].initial)
    return asked


def asked_advice(
    request: HttpRequest, *, template: str = ""
) -> tuple[AdviceForm, AdvicePage | None]:
    """Return the form as the address fills it, and the advice; None before anything is asked."""
    form = AdviceForm(usual(request.GET) if "players" in request.GET else None)
    if not form.is_bound or not form.is_valid():
        return form, None
    formulas = formulas_offered(request.user.pk)
    return form, advice_page(form.asked(), template=template, formulas=formulas)
