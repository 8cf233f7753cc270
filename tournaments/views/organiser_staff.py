"""Who works on an event."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from config.web import rule_errors
from tournaments.forms.staff import RoleForm
from tournaments.selectors.staff import staff_rows
from tournaments.services.staff import give_role, take_role
from tournaments.views.organiser import organiser_event
from tournaments.views.organiser_form import OrganiserFormView


class Staff(OrganiserFormView):
    """The roles, and a form to give one."""

    template_name, form_class = "tournaments/organiser/staff.html", RoleForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Add the roles given."""
        return super().get_context_data(roles=staff_rows(self.event), **kwargs)

    def act(self, form: Form) -> HttpResponse:
        """Give a role."""
        given = give_role(event=self.event, **form.cleaned_data, by=self.actor)
        words = _("%(name)s has the role: %(role)s.")
        names = {"name": str(given.user), "role": given.get_role_display()}
        messages.success(self.request, words % names)
        return redirect("tournaments:manage-staff", self.event.slug)


@require_POST
@rule_errors
def staff_take(request: HttpRequest, slug: str, role_id: int) -> HttpResponse:
    """Take a role away."""
    event, actor = organiser_event(request, slug)
    take_role(event=event, role_id=role_id, by=actor)
    messages.success(request, _("The role is taken away."))
    return redirect("tournaments:manage-staff", slug)
