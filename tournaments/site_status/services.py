"""A test mail to the operator, and what the mail server says to it.

It goes past the outbox, which would try again for hours: the operator waits for the answer, so as
to change ``EMAIL_URL`` and ask again.
"""

from dataclasses import dataclass
from smtplib import SMTPException

from django.conf import settings
from django.utils.translation import gettext as _

from accounts.mail import build_mail
from accounts.models import User
from accounts.outbox.mail import LONGEST, parse_smtp_refusal
from config.clients import take_rate_limit_slot
from rules.errors import RuleError
from tournaments.core.permissions import require_permission
from tournaments.site_status.selectors import is_operator

MOST, SECONDS = 5, 600
"""Most test mails of an operator in so many seconds."""


@dataclass(frozen=True, slots=True)
class MailTestResult:
    """The result of a test mail: whether it was ``sent``, and the server's answer.

    ``detail`` is a translated sentence.
    """

    sent: bool
    detail: str


def send_test_mail(*, by: User | None) -> MailTestResult:
    """Send a mail to the operator ``by`` at once; return what the mail server answered.

    Raises PermissionDenied; RuleError ``no_mail``, ``too_many_mails``.
    """
    require_permission(is_operator(by))
    if by is None or not settings.SENDS_MAIL:
        raise RuleError("no_mail", "Set EMAIL_URL first.")
    if not take_rate_limit_slot(f"test mail of {by.pk}", most=MOST, seconds=SECONDS):
        raise RuleError("too_many_mails", "Too many emails. Try again in 10 minutes.")
    made = build_mail(_("Test email"), _("This site can send email."), by.email, button="")
    try:
        made.send()
    except SMTPException as refused:
        said = " ".join(map(str, parse_smtp_refusal(refused) or refused.args)).split()
        words = _("The mail server answered: %(answer)s")
        return MailTestResult(False, words % {"answer": " ".join(said)[:LONGEST]})
    except OSError as fault:
        words = _("The mail server can’t be reached: %(why)s.")
        return MailTestResult(False, words % {"why": fault.strerror or str(fault)})
    words = _("The mail server accepted the email to %(address)s.")
    return MailTestResult(True, words % {"address": by.email})
