"""Pages of card lists: show and download a version, load a newer one from a file."""

from collections.abc import Iterable
from datetime import date, timedelta
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.mixins import LoginRequiredMixin
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import User
from config.sizes import MEBIBYTE
from config.web import RuleErrorMixin
from config.wording import error_message, translate
from decks.card_lists.selectors import (
    CARD_LISTS,
    card_list_groups,
    change_rows,
    read_card_list_file,
    rows_as_csv,
    version_context,
)
from decks.card_lists.services import load_lists
from decks.labels import format_label
from decks.permissions import can_load_for_site, can_load_lists, signed_in_user
from decks.rulebook import DeckRules, get_rules_or_404, rules_without_cards
from decks.stored_formats import find_organiser_format, is_organiser_format
from rules.deckbuilding.card_lists import (
    CardListRows,
    Row,
    fill_in_missing_columns,
    read_card_lists,
)
from rules.errors import BadInput

EARLIEST = date(1990, 1, 1)
DAYS_AHEAD = 366  # a mistyped year would keep every later list from taking effect


class CardListFileForm(forms.Form):
    """Form for a file of card lists and their date; ``read`` holds its rows once valid.

    The hidden field ``rows`` carries those of a file already previewed, as CSV.
    """

    file = forms.FileField(
        label=gettext_lazy("File"),
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.xlsx,text/csv"}),
    )
    dated = forms.DateField(
        label=gettext_lazy("Date"),
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )
    for_site = forms.BooleanField(label=gettext_lazy("The whole site"), required=False)
    rows = forms.CharField(
        required=False, strip=False, widget=forms.HiddenInput, max_length=CARD_LISTS.characters
    )

    def __init__(self, *args: Any, may_load_for_site: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dated"].initial = timezone.localdate()
        self.fields["file"].required = not self.data.get("rows")
        if not may_load_for_site:
            del self.fields["for_site"]
        self.read: CardListRows | None = None

    def clean_dated(self) -> date:
        """Refuse an implausible date."""
        dated: date = self.cleaned_data["dated"]
        if not EARLIEST <= dated <= timezone.localdate() + timedelta(days=DAYS_AHEAD):
            raise forms.ValidationError(_("Choose a date between 1990 and one year from today."))
        return dated

    def clean(self) -> dict[str, Any]:
        """Read the rows of the file, or those that the preview carries."""
        values = super().clean() or {}
        content, name = self._content_sent(values.get("file"), values.get("rows") or "")
        if content is None:
            return values
        try:
            self.read = read_card_list_file(content, name)
        except BadInput as refused:
            self.add_error("file", error_message(refused))
        return values

    def _content_sent(self, file: UploadedFile | None, rows: str) -> tuple[bytes | None, str]:
        if file is None:
            return (rows.encode("utf-8", "replace"), "") if rows else (None, "")
        return file.read(CARD_LISTS.size + 1), file.name or ""

    @property
    def is_for_site(self) -> bool:
        return bool(self.cleaned_data.get("for_site"))

    def seen(self, rows: Iterable[Row]) -> dict[str, str]:
        """Return the hidden fields that carry the previewed rows to the step that stores them."""
        seen = {"dated": self.cleaned_data["dated"].isoformat(), "rows": rows_as_csv(rows)}
        return seen | ({"for_site": "on"} if self.is_for_site else {})


BOM = "\ufeff"  # spreadsheets read UTF-8 by it


@require_safe
def card_list_version(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Page of one version of a format's card lists."""
    rules, found = _version_or_404(slug, version)
    context = {"slug": slug, "label": format_label(rules.format), "version": found}
    return render(request, "decks/lists_version.html", context)


@require_safe
def download_lists(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Send one version of a format's card lists as a CSV file."""
    _rules, found = _version_or_404(slug, version)
    answer = HttpResponse(BOM + rows_as_csv(found["rows"]), content_type="text/csv; charset=utf-8")
    name = f"{slug}-{found['row'].dated.isoformat()}.csv"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


class LoadCardListsPage(LoginRequiredMixin, RuleErrorMixin):
    """Page that loads newer card lists of a format from a file: preview, then store."""

    user: User
    largest_body = 8 * MEBIBYTE  # the previewed rows are sent as a field

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Raise PermissionDenied unless the user may load lists of the format."""
        user = signed_in_user(request)
        if user is not None:
            if not can_load_lists(user, find_organiser_format(kwargs["slug"])):
                raise PermissionDenied
            self.user = user
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show the form."""
        return self._list_page(slug, self._lists_form(slug))

    def post(self, request: HttpRequest, slug: str) -> HttpResponse:
        """Show what the file changes, or its problems; store what was previewed."""
        form = self._lists_form(slug, request.POST, request.FILES)
        if not form.is_valid() or form.read is None or form.read.problems:
            return self._list_page(slug, form, HTTPStatus.BAD_REQUEST)
        if "store" not in request.POST:
            return self._list_page(slug, form)
        get_rules_or_404(slug)
        loaded = load_lists(
            slug=slug,
            rows=fill_in_missing_columns(form.read, self._present_rules(slug, form).format.lists),
            dated=form.cleaned_data["dated"],
            for_site=form.is_for_site,
            by=self.user,
        )
        holding = rules_without_cards(slug, owner_id=loaded.version.owner_id).card_lists
        if loaded.is_new and holding != loaded.version:
            messages.warning(request, _("Saved, but newer card lists apply."))
        elif loaded.is_new:
            messages.success(request, _("Saved."))
        else:
            messages.info(request, _("These card lists already exist."))
        return redirect("decks:lists_version", slug, loaded.version.pk)

    def _lists_form(self, slug: str, *data: Any) -> CardListFileForm:
        for_site = can_load_for_site(self.user) and not is_organiser_format(slug)
        return CardListFileForm(*data, may_load_for_site=for_site)

    def _list_page(
        self, slug: str, form: CardListFileForm, status: int = HTTPStatus.OK
    ) -> HttpResponse:
        rules = get_rules_or_404(slug)
        context = {"slug": slug, "label": format_label(rules.format), "form": form}
        if form.is_bound and form.is_valid() and form.read is not None:
            context |= self._preview_context(slug, form)
        return render(self.request, "decks/lists_load.html", context, status=status)

    def _preview_context(self, slug: str, form: CardListFileForm) -> dict[str, Any]:
        read = form.read
        if read is None or read.problems:
            problems = read.problems if read else ()
            return {"problems": [(at.line, translate(at.sentence)) for at in problems]}
        present = self._present_rules(slug, form)
        dated = form.cleaned_data["dated"]
        rows = fill_in_missing_columns(read, present.format.lists)
        lists = read_card_lists(rows, dated=dated)
        return {
            "seen": form.seen(rows),
            "dated": dated,
            "present": present.lists_dated,
            "changes": change_rows(present.format.lists, lists),
            "lists": card_list_groups(lists),
            "older": present.lists_dated is not None and present.lists_dated > dated,
        }

    def _present_rules(self, slug: str, form: CardListFileForm) -> DeckRules:
        owner_id = None if form.is_for_site else self.user.pk
        return rules_without_cards(slug, owner_id=owner_id)


def _version_or_404(slug: str, key: str) -> tuple[DeckRules, dict[str, Any]]:
    rules = get_rules_or_404(slug)
    found = version_context(rules, key)
    if found is None:
        raise Http404
    return rules, found
