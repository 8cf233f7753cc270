"""Every call about an event: who may use it, what they send, what a running event answers."""

from tests.callers import CALLERS, STAFF

EVERYBODY = frozenset(CALLERS)
MANAGE = frozenset({"organiser", "manage"})
RUN = MANAGE | {"head_judge", "scorekeeper"}
RULE = MANAGE | {"head_judge"}
JUDGES = MANAGE | {"head_judge", "judge"}
DECKS = JUDGES | {"player"}
EVERY_STAFF = frozenset({*STAFF, "manage"})
TABLE = frozenset({*STAFF, "player", "results", "manage"})
# (call, method): (who may, what they get in a running event); everybody else is refused.
MAY: dict[tuple[str, str], tuple[frozenset[str], int]] = {
    **{
        (name, "get"): (EVERYBODY, 200)
        for name in (
            *("event", "players", "player", "stages", "rounds", "round", "matches", "match"),
            *("standings", "tie-breaks", "scenarios", "ranking", "export", "information"),
            *("standings-csv", "ranking-csv", "matches-csv", "players-csv"),
        )
    },
    ("event", "patch"): (MANAGE, 200),
    ("event", "delete"): (MANAGE, 409),
    ("information", "put"): (MANAGE, 200),
    ("standings-release", "post"): (MANAGE, 409),
    ("lists-release", "post"): (MANAGE, 409),
    ("start", "post"): (MANAGE, 409),
    ("players", "post"): (RUN, 409),
    ("player", "patch"): (RUN, 200),
    ("player", "delete"): (MANAGE, 409),
    ("decklist", "get"): (DECKS, 200),
    ("decklist", "put"): (JUDGES, 200),
    ("stage-close", "post"): (RUN, 409),
    ("stage-second-leg", "post"): (RUN, 200),
    ("stage-lots", "post"): (RULE, 409),
    ("stage-extra-matches", "post"): (RULE, 409),
    ("rounds", "post"): (RUN, 409),
    ("round", "delete"): (RUN, 204),
    ("round-publish", "post"): (RUN, 409),
    ("round-clock", "post"): (RUN | JUDGES, 200),
    ("round-check", "get"): (EVERY_STAFF, 404),
    ("round-changes", "post"): (RUN, 409),
    ("snapshots", "get"): (MANAGE, 200),
    ("snapshot", "get"): (MANAGE, 200),
    ("snapshot-restore", "post"): (MANAGE, 200),
    ("match-result", "put"): (TABLE, 200),
    ("match-confirm", "post"): (frozenset({"player"}), 409),
    ("match-contradict", "post"): (frozenset({"player"}), 409),
    ("match-effects", "post"): (RUN | JUDGES | {"results"}, 200),
    ("match-correction", "post"): (EVERY_STAFF, 200),
    ("match-bye", "post"): (RULE, 200),
    ("draw-correction", "post"): (RULE, 409),
    ("archive", "get"): (MANAGE, 200),
    ("match-extensions", "get"): (EVERY_STAFF, 200),
    ("match-extensions", "post"): (JUDGES, 201),
    ("match-extension", "delete"): (EVERY_STAFF, 404),
    ("player-strike", "post"): (MANAGE, 409),
    ("player-enter", "post"): (RUN, 409),
    ("player-return", "get"): (RUN | {"player"}, 200),
    ("player-return", "post"): (frozenset({"player"}), 409),
    ("player-return", "delete"): (RUN, 409),
    ("apart", "get"): (EVERY_STAFF, 200),
    ("apart", "post"): (MANAGE, 201),
    ("apart-pair", "delete"): (EVERY_STAFF, 404),
    ("undo", "get"): (MANAGE, 200),
    ("undo", "post"): (MANAGE, 409),
    ("redo", "post"): (MANAGE, 409),
}
CODES = {
    ("match-confirm", "post"): "match_not_reported",
    ("match-contradict", "post"): "match_of_two",
    ("decklist", "put"): "deck_locked",
    ("event", "delete"): "event_started",
    ("standings-release", "post"): "nothing_held",
    ("lists-release", "post"): "no_lists_held",
    ("start", "post"): "event_started",
    ("players", "post"): "event_started",
    ("player", "delete"): "event_started",
    ("stage-close", "post"): "results_missing",
    ("stage-lots", "post"): "not_tied",
    ("draw-correction", "post"): "lots_stay",
    ("stage-extra-matches", "post"): "not_tied",
    ("rounds", "post"): "results_missing",
    ("round-publish", "post"): "round_published",
    ("round-check", "get"): "not_found",
    ("round-changes", "post"): "round_published",
    ("match-extension", "delete"): "not_found",
    ("apart-pair", "delete"): "not_found",
    ("player-strike", "post"): "half_played",
    ("player-enter", "post"): "entry_not_waiting",
    ("player-return", "post"): "entry_not_withdrawn",
    ("player-return", "delete"): "return_not_asked",
    ("undo", "post"): "stale",
    ("redo", "post"): "stale",
}
BODIES: dict[tuple[str, str], object] = {
    ("event", "patch"): {"venue": "Altrove"},
    ("information", "put"): {"text": "Premi"},
    ("standings-release", "post"): {"round": 1},
    ("lists-release", "post"): {"stage": 1},
    ("players", "post"): {"name": "Zita"},
    ("player", "patch"): {"club": "Club"},
    ("decklist", "put"): {"text": "1 Carta", "reason": "Errore di copia"},
    ("round-clock", "post"): {"action": "start"},
    ("round-changes", "post"): {"action": "swap", "players": [1, 2]},
    ("match-extensions", "post"): {"minutes": 3, "reason": "Controllo"},
    ("player-strike", "post"): {"reason": "Voto"},
    ("apart", "post"): {"players": [1, 2]},
    ("undo", "post"): {"version": 9999},
    ("redo", "post"): {"version": 9999},
    ("match-result", "put"): {"version": 0, "games": ["a", "a"]},
    ("match-confirm", "post"): {"version": 0},
    ("match-contradict", "post"): {"version": 0},
    ("match-effects", "post"): {"version": 0, "games": ["a", "a"]},
    ("match-correction", "post"): {"version": 0, "games": ["a", "a"]},
    ("match-bye", "post"): {"player": 1},
    ("draw-correction", "post"): {"order": [1]},
}
