"""An organiser's own formulas: the list, files out and in, and away with one."""

import json
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from config.web import rule_errors
from tournaments.builder.begun import Begun
from tournaments.builder.draft import draft_of
from tournaments.builder.shelf import shelf
from tournaments.forms.formulas import ImportForm
from tournaments.services.formulas import delete_formula
from tournaments.views.formula_access import maker, own_formula


@require_safe
@login_required
def formulas(request: HttpRequest) -> HttpResponse:
    """Show the formulas that somebody has saved, and one that is begun."""
    context = {"formulas": shelf(maker(request)), "begun": Begun(request.session).draft()}
    return render(request, "tournaments/formulas/list.html", context)


@require_safe
@login_required
def formula_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Send a formula as a JSON file."""
    row = own_formula(maker(request), slug)
    text = json.dumps(row.definition, ensure_ascii=False, indent=1)
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}.json"'
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def formula_import(request: HttpRequest) -> HttpResponse:
    """Read a file or a pasted text, and show it in the builder; nothing is stored yet."""
    maker(request)
    sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if sent else ImportForm()
    if not sent or not form.is_valid():
        status = HTTPStatus.BAD_REQUEST if sent else HTTPStatus.OK
        context = {"form": form}
        return render(request, "tournaments/formulas/import.html", context, status=status)
    Begun(request.session).keep(draft_of(form.definition))
    messages.info(request, _("The formula is read. Look it over, then save it."))
    return redirect(f"{reverse('tournaments:formula-new')}?go_on=1")


@require_POST
@login_required
@rule_errors
def formula_delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a formula that no event uses."""
    owner: User = maker(request)
    name = own_formula(owner, slug).name
    delete_formula(owner=owner, slug=slug)
    Begun(request.session, slug).drop()
    messages.success(request, _("The formula “%(name)s” is deleted.") % {"name": name})
    return redirect("tournaments:formulas")
