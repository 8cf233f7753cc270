"""Changes of accounts by the site's administrator."""

from allauth.account.models import EmailAddress

from accounts.models import User
from config import transaction


@transaction.atomic
def change_address(*, user: User, email: str) -> User:
    """Change the e-mail address of an account to one verified by an administrator.

    Raises ValidationError if the address is invalid or belongs to another account. Unverified
    claims of other accounts to it are deleted.
    """
    user = User.objects.select_for_update().get(pk=user.pk)
    user.email = User.objects.normalize_email(email.strip()).lower()
    user.full_clean(exclude=["password", "name", "last_login"])
    same = EmailAddress.objects.filter(email=user.email).exclude(user=user)
    if same.filter(verified=True).exists():
        raise user.unique_error_message(User, ("email",))
    user.save(update_fields=["email"])
    same.delete()
    EmailAddress.objects.filter(user=user).delete()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    return user
