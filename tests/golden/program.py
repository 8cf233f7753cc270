"""A program that plays a golden Mutant Chronicles event through the API."""

from typing import Any

from knox.models import AuthToken
from rest_framework.test import APIClient

from tests import factories as make

SETTINGS = {
    "name": "Torneo",
    "format": "doomtrooper-original",
    "formula": "mutant-chronicles",
    "starts_at": "2027-01-09T10:00:00+01:00",
    "decklists": "off",
}


class Program:
    """A client that knows a case by names and the event by numbers."""

    def __init__(self, case: dict[str, Any], settings: dict[str, Any]) -> None:
        self.case = case
        _token, secret = AuthToken.objects.create(user=make.user())
        self.client = APIClient()
        self.client.credentials(HTTP_AUTHORIZATION=f"Token {secret}", HTTP_ACCEPT_LANGUAGE="en")
        made = self.call("post", "/api/v1/events/", SETTINGS | settings)
        self.slug: str = made["slug"]
        self.event = f"/api/v1/events/{self.slug}/"
        self.names = sorted(name for seats in case["groups"].values() for name in seats)
        people = self.call("post", "players/", [{"name": name} for name in self.names])
        self.number = {person["name"]: person["number"] for person in people}
        self.name = {number: name for name, number in self.number.items()}

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Return the response of a call that must succeed."""
        answer = self.ask(method, path, body)
        assert answer.status_code < 300, (path, body, answer.content)
        return answer.json()

    def ask(self, method: str, path: str, body: object = None) -> Any:
        """Return the response of a call."""
        address = path if path.startswith("/") else f"{self.event}{path}"
        return getattr(self.client, method)(address, body, format="json")

    def start(self) -> None:
        """Start with the seats given by the case."""
        groups = [[self.number[name] for name in seats] for seats in self.case["groups"].values()]
        self.call("post", "start/", {"groups": groups})

    def play(self, stage: int, matches: list[dict[str, Any]]) -> None:
        """Play all rounds of a stage."""
        waiting = {(m["round"], frozenset((m["a"], m["b"]))): m for m in matches}
        for number in range(1, max(match["round"] for match in matches) + 1):
            for match in self.call("post", "rounds/")["matches"]:
                a, b = self.name[match["a"]], self.name[match["b"]]
                known = waiting.pop((number, frozenset((a, b))))
                assert (known["a"], known["b"]) == (a, b)
                body = {"version": match["version"], **result_of(known)}
                self.call("put", f"matches/{match['id']}/result/", body)
        assert not waiting
        assert self.ask("post", "rounds/").json()["code"] == "stage_complete", stage

    def close(self, stage: int) -> dict[str, str]:
        """Close a stage, with lots falling as in the case; return who holds which place."""
        closed = self.ask("post", f"stages/{stage}/close/")
        while closed.status_code == 409 and closed.json()["code"] == "lots_needed":
            tied = {self.name[number] for number in closed.json()["tied"][0]}
            order = [self.number[name] for name in self.case["lots"] if name in tied]
            self.call("post", f"stages/{stage}/lots/", {"order": order})
            closed = self.ask("post", f"stages/{stage}/close/")
        assert closed.status_code == 200, closed.content
        return {place: self.name[number] for place, number in closed.json()["places"].items()}

    def ranking(self) -> list[list[str]]:
        """Return the classes of the final ranking."""
        found: dict[int, list[str]] = {}
        for row in self.call("get", "ranking/"):
            found.setdefault(row["rank"], []).append(row["name"])
        return [level for _rank, level in sorted(found.items())]

    def draw_for_ranks(self, stage: int) -> None:
        """Draw lots between players of different groups who share a final rank."""
        for level in [level for level in self.ranking() if len(level) > 1]:
            order = [self.number[name] for name in self.case["lots"] if name in level]
            self.call("post", f"stages/{stage}/lots/", {"order": order})


def result_of(match: dict[str, Any]) -> dict[str, Any]:
    """Return a match of the file as the API takes it."""
    if "games" in match:
        won, lost, drawn = match["games"]
        first, second = ("a", "b") if won > lost else ("b", "a")
        return {"games": [second] * min(won, lost) + ["draw"] * drawn + [first] * max(won, lost)}
    if "score" not in match:
        kinds = {"none": "double_loss"}
        return {"winner": match["winner"], "ended_by": kinds.get(match["winner"], "concession")}
    more = {"winner": match["winner"], "note": "Visto"} if "winner" in match else {}
    return {"score": match["score"], "ended_by": "time", **more}
