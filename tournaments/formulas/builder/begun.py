"""Unsaved drafts of formulas, kept in the session."""

from typing import Any

from django.contrib.sessions.backends.base import SessionBase

from tournaments.formulas.builder.draft import Draft

KEY = "formulas_begun"
NEW = "new"
MOST = 5
"""Most drafts kept: those edited last."""


class UnsavedDraft:
    """The unsaved draft of one formula, by slug or of a new one."""

    def __init__(self, session: SessionBase, slug: str = NEW) -> None:
        self._session, self._slug = session, slug

    def draft(self) -> Draft | None:
        """Return the draft, None if there is none."""
        return _read(self._kept().get("draft"))

    def before(self) -> Draft | None:
        """Return the draft before the last step, if that step removed something."""
        return _read(self._kept().get("before"))

    def keep(self, draft: Draft, before: Draft | None = None) -> None:
        """Store a draft, and the one before a step that removed something."""
        kept = {"draft": draft.to_plain(), "before": before.to_plain() if before else None}
        others = {
            key: value for key, value in self._drafts_in_session().items() if key != self._slug
        }
        latest = dict(list(others.items())[1 - MOST :])
        self._session[KEY] = {**latest, self._slug: kept}

    def drop(self) -> None:
        """Delete the draft."""
        if self._slug in self._drafts_in_session():
            self._session[KEY] = {
                k: v for k, v in self._drafts_in_session().items() if k != self._slug
            }

    def _drafts_in_session(self) -> dict[str, Any]:
        found: dict[str, Any] = self._session.get(KEY, {})
        return found

    def _kept(self) -> dict[str, Any]:
        found: dict[str, Any] = self._drafts_in_session().get(self._slug, {})
        return found


def _read(plain: dict[str, Any] | None) -> Draft | None:
    return Draft.from_plain(plain) if plain else None
