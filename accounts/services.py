"""What whoever runs the site does with accounts."""

from allauth.account.models import EmailAddress

from accounts.models import User
from config import transaction


@transaction.atomic
def change_address(*, user: User, email: str) -> User:
    """Give an account another address to sign in with, whose owner an administrator knows.

    Raises ValidationError where it is no address, or somebody else's. Whoever only asked for it,
    and never showed that it is theirs, loses it.
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
