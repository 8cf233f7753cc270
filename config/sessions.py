"""Sessions in the database, as Django keeps them, found by a query whose SQL is made once."""

from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from config.databases.prepared import TEXT, Prepared

ROW = Prepared(lambda: Session.objects.filter(session_key=TEXT))


class SessionStore(db.SessionStore):
    """Django's store of sessions in the database, with a faster query to load one.

    The name of the class is part of what signs a session.
    """

    def _get_session_from_db(self) -> Any:
        """Return the row of the session, None if there is none or it has expired; one query."""
        found = ROW.first(Session, text=self.session_key or "")
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return None
        return found
