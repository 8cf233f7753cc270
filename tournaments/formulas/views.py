"""Pages of the formula builder, saved formulas, export and import."""

import json
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.generic import View

from accounts.models import User
from config.web import handle_rule_errors, redirect_with_message, render_page
from config.wording import error_message, translate
from rules.errors import BadInput, RuleError
from rules.formulas import FORMULAS
from rules.formulas.custom import read_definition
from rules.formulas.starting_points import EXAMPLES, definition_from_formula
from tournaments.core.permissions import can_create_events
from tournaments.formulas.builder.draft import (
    NEW,
    FormulaDraft,
    UnsavedDraft,
    definition_from_draft,
    draft_from_definition,
)
from tournaments.formulas.builder.page import builder_context, events_by_formula, saved_formula_rows
from tournaments.formulas.builder.steps import StepResult, apply_step, read_draft
from tournaments.formulas.forms import ImportForm, NewFormulaForm
from tournaments.formulas.services import delete_formula, save_formula
from tournaments.models import SavedFormula
from tournaments.pages.access import find_actor


def formula_author(request: HttpRequest) -> User:
    """Return the user; raises PermissionDenied unless they may create events."""
    actor = find_actor(request)
    if actor.user is None or not can_create_events(actor):
        raise PermissionDenied
    return actor.user


def find_own_formula(owner: User, slug: str) -> SavedFormula:
    """Return the owner's saved formula. Raises Http404, also for somebody else's."""
    return get_object_or_404(SavedFormula, owner=owner, slug=slug)


NOTHING = {"lowest": "8", "highest": "16"}


class FormulaBuilderView(LoginRequiredMixin, View):
    """Base view of the pages that create and change a formula."""

    user: User
    row: SavedFormula | None = None

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Check the right to create formulas, and find the formula."""
        if request.user.is_authenticated:
            self.user = formula_author(request)
            slug = kwargs.pop("slug", None)
            self.row = find_own_formula(self.user, slug) if slug else None
            self.begun = UnsavedDraft(request.session, slug or NEW)
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest) -> HttpResponse:
        """Apply a step, or save the formula."""
        draft, act = read_draft(request.POST), request.POST.get("act", "")
        if act == "save":
            return self.save(draft)
        if act == "overwrite":
            return self.save(draft, seen=request.POST.get("newest", ""))
        before = self.begun.before()
        if act == "back" and before is not None:
            stepped = StepResult(draft=before, note=_("Undone."))
        else:
            before = draft.copy()
            stepped = apply_step(draft, act)
        self.begun.keep(stepped.draft, before if stepped.loses else None)
        return self.show(stepped)

    def save(self, draft: FormulaDraft, *, seen: str = "") -> HttpResponse:
        """Save the formula, or show its errors and keep the draft."""
        self.begun.keep(draft, self.begun.before())
        if not builder_context(draft, naming=True)["ready"]:
            return self.show(StepResult(draft=draft), HTTPStatus.BAD_REQUEST, naming=True)
        if seen.isascii() and seen.isdigit():
            draft.version = int(seen[:9])
        try:
            save_formula(
                owner=self.user,
                data=definition_from_draft(draft),
                slug=self.row.slug if self.row else None,
                expected_version=draft.version if self.row else None,
            )
        except RuleError as refused:
            return self.refused(draft, refused)
        self.begun.drop()
        words = _("Saved.")
        return redirect_with_message(self.request, words, "tournaments:formulas")

    def refused(self, draft: FormulaDraft, refused: RuleError) -> HttpResponse:
        """Show the form with the error."""
        if refused.code == "stale":
            self.row = find_own_formula(self.user, self.row.slug) if self.row else None
            return self.show(StepResult(draft=draft), HTTPStatus.CONFLICT, conflict=True)
        bad = isinstance(refused, BadInput)
        status = HTTPStatus.BAD_REQUEST if bad else HTTPStatus.CONFLICT
        return self.show(StepResult(draft=draft, note=error_message(refused)), status)

    def show(
        self,
        stepped: StepResult,
        status: int = HTTPStatus.OK,
        *,
        naming: bool = False,
        conflict: bool = False,
        unsaved: bool = False,
    ) -> HttpResponse:
        """Show the builder after a step."""
        events = events_by_formula([self.row.slug]).get(self.row.slug, []) if self.row else []
        context = {
            "page": builder_context(stepped.draft, naming=naming),
            "draft": stepped.draft,
            "focus": stepped.focus,
            "note": stepped.note,
            "row": self.row,
            "events": events,
            "conflict": conflict,
            "asked": naming,
            "unsaved": unsaved,
            "may_go_back": self.begun.before() is not None,
        }
        template = "tournaments/formulas/builder.html"
        fragment = "tournaments/formulas/_builder.html"
        return render_page(self.request, template, context, fragment=fragment, status=status)


class NewTournamentFormat(FormulaBuilderView):
    """Page that builds a new formula."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the choice of a start, or the unsaved draft."""
        begun = self.begun.draft()
        if "go_on" in request.GET and begun is not None:
            return self.show(StepResult(draft=begun))
        if "empty" in request.GET:
            return self.show(StepResult(draft=FormulaDraft(values=dict(NOTHING)), focus="id_name"))
        if "copy" in request.GET:
            return self.show(StepResult(draft=self.copied(request.GET["copy"]), focus="id_name"))
        if "example" in request.GET:
            return self.show(
                StepResult(draft=draft_from_example(request.GET["example"]), focus="id_name")
            )
        form = NewFormulaForm(request.GET if "begin" in request.GET else None)
        if form.is_bound and form.is_valid():
            try:
                return self.show(
                    StepResult(draft=draft_of_built_in(**form.cleaned_data), focus="id_name")
                )
            except BadInput as refused:
                form.add_error("players", error_message(refused))
        status = HTTPStatus.BAD_REQUEST if form.errors else HTTPStatus.OK
        own = SavedFormula.objects.made_here().filter(owner=self.user)
        context = {"form": form, "begun": begun, "own": own, "examples": example_rows()}
        return render(request, "tournaments/formulas/begin.html", context, status=status)

    def copied(self, slug: str) -> FormulaDraft:
        draft = draft_from_definition(read_definition(find_own_formula(self.user, slug).definition))
        draft.values["name"] = _("Copy of %(name)s") % {"name": draft.values["name"]}
        return draft


class ChangeTournamentFormat(FormulaBuilderView):
    """Page that changes a saved formula."""

    def get(self, request: HttpRequest) -> HttpResponse:
        """Show the saved formula, or its unsaved draft."""
        if self.row is None:
            raise Http404
        if "stored" in request.GET:
            self.begun.drop()
        stored = draft_from_definition(
            read_definition(self.row.definition), version=self.row.version
        )
        begun = self.begun.draft()
        unsaved = begun is not None and (
            begun.miscounted or definition_from_draft(begun) != definition_from_draft(stored)
        )
        draft = begun if begun is not None and unsaved else stored
        return self.show(StepResult(draft=draft), unsaved=unsaved)


def draft_of_built_in(*, begin: str, players: int) -> FormulaDraft:
    """Return a draft of a built-in formula for a number of players."""
    definition = definition_from_formula(FORMULAS.get(begin), players, translate)
    draft = draft_from_definition(definition)
    draft.values["name"] = ""
    return draft


def draft_from_example(key: str) -> FormulaDraft:
    """Return a draft of an example formula; raises Http404."""
    if key not in EXAMPLES:
        raise Http404
    return draft_from_definition(EXAMPLES.get(key).definition(translate))


def example_rows() -> list[tuple[str, str, str]]:
    """Return (key, name, description) of the example formulas."""
    return [(one.key, translate(one.label), translate(one.about)) for one in EXAMPLES]


@require_safe
@login_required
def formulas_page(request: HttpRequest) -> HttpResponse:
    """Show the user's saved formulas and unsaved draft."""
    context = {
        "formulas": saved_formula_rows(formula_author(request)),
        "begun": UnsavedDraft(request.session).draft(),
    }
    return render(request, "tournaments/formulas/list.html", context)


@require_safe
@login_required
def download_formula(request: HttpRequest, slug: str) -> HttpResponse:
    """Download a formula as JSON."""
    row = find_own_formula(formula_author(request), slug)
    text = json.dumps(row.definition, ensure_ascii=False, indent=1)
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}.json"'
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def import_formula(request: HttpRequest) -> HttpResponse:
    """Open an uploaded or pasted definition in the builder, unsaved."""
    formula_author(request)
    sent = request.method == "POST"
    form = ImportForm(request.POST, request.FILES) if sent else ImportForm()
    if not sent or not form.is_valid():
        status = HTTPStatus.BAD_REQUEST if sent else HTTPStatus.OK
        context = {"form": form}
        return render(request, "tournaments/formulas/import.html", context, status=status)
    UnsavedDraft(request.session).keep(draft_from_definition(form.definition))
    messages.info(request, _("Not saved yet."))
    return redirect(f"{reverse('tournaments:formula-new')}?go_on=1")


@require_POST
@login_required
@handle_rule_errors
def formula_delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a formula unless an event uses it."""
    owner: User = formula_author(request)
    name = find_own_formula(owner, slug).name
    delete_formula(owner=owner, slug=slug)
    UnsavedDraft(request.session, slug).drop()
    words = _("Deleted: %(name)s") % {"name": name}
    return redirect_with_message(request, words, "tournaments:formulas")


urlpatterns = [
    path("formulas/", formulas_page, name="formulas"),
    path("formulas/new/", NewTournamentFormat.as_view(), name="formula-new"),
    path("formulas/import/", import_formula, name="formula-import"),
    path("formulas/<slug:slug>/", ChangeTournamentFormat.as_view(), name="formula-change"),
    path("formulas/<slug:slug>/formula.json", download_formula, name="formula-file"),
    path("formulas/<slug:slug>/delete/", formula_delete, name="formula-delete"),
]
