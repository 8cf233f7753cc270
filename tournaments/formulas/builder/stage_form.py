"""The form of a stage in the builder, and a summary of its settings."""

from django.utils.translation import gettext as _

from config.wording import translate
from rules.stages.kind import StageKind
from tournaments.formulas.builder.draft import Draft, StageDraft, number_typed
from tournaments.formulas.builder.filling import filling_numbers
from tournaments.formulas.builder.typed import CHOSEN, EVERYBODY, MIXED
from tournaments.formulas.builder.words import stage_words
from tournaments.formulas.forms import StageForm

FILL_FIELDS = ("fill_from", "fill_each", "fill_best")


def enters_of(stage: StageDraft) -> str:
    """Return the kind of a stage's entrants: everybody, chosen places, or both."""
    spread = [group.everybody for group in stage.groups]
    return EVERYBODY if all(spread) else MIXED if any(spread) else CHOSEN


def stage_form(draft: Draft, stage: StageDraft, at: int) -> StageForm:
    """Return the form of a stage with typed values, defaults for fields not submitted."""
    shown = {"timed", *(setting.key for setting in stage.shape.settings)}
    if stage.shape.several_groups:
        shown.add("groups")
    if number_typed(stage.values.get("survivors", ""), 1) > 1 and "third_place" not in stage.values:
        shown.discard("third_place")
    if at == 1:
        shown.add("enters")
    else:
        shown |= {*FILL_FIELDS}
    prefix = f"stage-{at}"
    typed = {f"{prefix}-{key}": text for key, text in stage.values.items()}
    typed.setdefault(f"{prefix}-groups", str(len(stage.groups)))
    typed[f"{prefix}-enters"] = enters_of(stage)
    choices = [(EVERYBODY, _("everybody who starts")), (CHOSEN, _("places chosen one by one"))]
    if enters_of(stage) == MIXED:
        choices.append((MIXED, _("some groups everybody, some chosen places")))
    earlier = [(str(before), stage_words(draft, before)) for before in range(at - 1, 0, -1)]
    if at > 1:
        for key, count in zip(FILL_FIELDS, filling_numbers(draft, at), strict=True):
            typed.setdefault(f"{prefix}-{key}", str(count))
    return StageForm(
        typed,
        prefix=prefix,
        shown=shown,
        games=_games(stage.shape, sum(key.startswith("games_") for key in stage.values)),
        own=stage.shape.own_settings,
        choices={"enters": choices, "fill_from": earlier},
    )


def _games(kind: StageKind, asked_for: int) -> list[str]:
    """Return the label of the games of a match, in a bracket by round, the last one first."""
    parts = [translate(part) for part in kind.game_parts(asked_for)]
    if not parts:
        return [_("Games in a match")]
    return [_("Games in a match: %(round)s") % {"round": words} for words in parts]


def settings_in_words(form: StageForm) -> str:
    """Return a summary of the settings that are folded away."""
    chosen = []
    if "legs" in form.fields:
        chosen.append(f"{form['legs'].label}: {_chosen_label(form, 'legs')}")
    games = {name: _chosen_label(form, name) for name in form.game_names}
    if len(set(games.values())) == 1:
        chosen.append(_("Games in a match: %(round)s") % {"round": games["games_0"]})
    else:
        chosen += [f"{form[name].label}: {words}" for name, words in games.items()]
    chosen.append(_("with a time limit") if form["timed"].value() else _("no time limit"))
    return "; ".join(chosen)


def _chosen_label(form: StageForm, name: str) -> str:
    offered = getattr(form.fields[name], "choices", ())
    return next((str(words) for key, words in offered if key == str(form[name].value())), "")
