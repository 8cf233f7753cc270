"""Read a draft from the builder's form.

``stage-2-name`` is a field of the second stage, ``stage-2-group-1-seat-3`` the third seat of its
first group. A stage exists if its kind is submitted, a group if its name is.
"""

from collections.abc import Mapping

from rules.formulas.custom.definition import MOST_GROUPS, MOST_STAGES
from rules.formulas.custom.json import MOST_GAMES
from rules.plans.plan import ROUND_ROBIN
from rules.stages.kind import STAGE_KINDS
from tournaments.formulas.builder.draft import (
    FLAGS,
    MOST_SEATS,
    NUMBERS,
    Draft,
    GroupDraft,
    StageDraft,
    number_typed,
)
from tournaments.formulas.builder.filling import set_groups

OWN_FIELDS = ("name", "about", "lowest", "highest")
STAGE_FIELDS = (
    *("name", *NUMBERS, *FLAGS, "fill_from", "fill_each", "fill_best"),
    *(f"games_{at}" for at in range(MOST_GAMES)),
)
"""Those of every kind; a kind has its own settings beside them."""
EVERYBODY, CHOSEN, MIXED = "everybody", "chosen", "mixed"
"""Who enters the first stage: everybody in all of its groups, chosen places, some of each."""
LONGEST = 2_000


def read_draft(sent: Mapping[str, str]) -> Draft:
    """Return the draft in a form; values above the limits of length and number are cut off."""
    draft = Draft(
        values={key: sent[key][:LONGEST] for key in OWN_FIELDS if key in sent},
        version=number_typed(sent.get("version", ""), 0),
    )
    for at in range(1, MOST_STAGES + 1):
        kind = sent.get(f"stage-{at}-kind")
        if kind is None:
            break
        draft.stages.append(_stage(sent, at, kind if kind in STAGE_KINDS else ROUND_ROBIN))
    return draft


def _stage(sent: Mapping[str, str], at: int, kind: str) -> StageDraft:
    prefix = f"stage-{at}"
    fields = (*STAGE_FIELDS, *(each.key for each in STAGE_KINDS.get(kind).own_settings))
    values = {key: sent[f"{prefix}-{key}"][:LONGEST] for key in fields if f"{prefix}-{key}" in sent}
    for key in ("fill_each", "fill_best"):
        if values.get(key) == sent.get(f"{prefix}-{key}_usual"):
            values.pop(key, None)  # what was offered, not chosen: it follows the other fields
    if number_typed(values.get("survivors", ""), 1) > 1:
        values.pop("third_place", None)  # ticked as usual; where several are left there is none
    stage = StageDraft(kind=kind, values=values)
    for group in range(1, MOST_GROUPS + 1):
        found = _group(sent, f"{prefix}-group-{group}")
        if found is None:
            break
        stage.groups.append(found)
    _set_groups(stage, sent.get(f"{prefix}-groups"))
    enters = sent.get(f"{prefix}-enters")
    if enters in (EVERYBODY, CHOSEN):
        for entered in stage.groups:
            entered.everybody = enters == EVERYBODY
    return stage


def _set_groups(stage: StageDraft, typed: str | None) -> None:
    """Apply the typed number of groups; keep the text if invalid."""
    count = len(stage.groups)
    if typed is not None and stage.shape.several_groups:
        count = number_typed(typed, 0)
        if not 0 < count <= MOST_GROUPS:
            stage.values["groups"], count = typed[:LONGEST], len(stage.groups)
    set_groups(stage, count)


def _group(sent: Mapping[str, str], prefix: str) -> GroupDraft | None:
    if f"{prefix}-name" not in sent:
        return None
    seats = []
    for seat in range(1, MOST_SEATS + 1):
        token = sent.get(f"{prefix}-seat-{seat}")
        if token is None:
            break
        seats.append(token[:LONGEST])
    return GroupDraft(
        name=sent[f"{prefix}-name"][:LONGEST],
        everybody=f"{prefix}-everybody" in sent,
        seats=seats,
    )
