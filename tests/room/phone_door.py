"""The station's door as a director with a phone uses it: each command by touches on the pages, none by HTTP.

What the director looks at is read from the station's channels, as by the simulated director; what is pressed, and
whether the page sent what was meant, is the phone's.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Error as PageError
from playwright.sync_api import Locator, Page, Response
from playwright.sync_api import TimeoutError as PageTimeout

from feltwire.lab.demo.night.door import Answer, Door
from tests.display.station.jobs.hands import PATIENCE_MS, Phone

ANSWER_MS = 15_000
LOOK_MS = 20
TAP_MS = 5_000  # a finger is on the way to what is in sight
BAR = ("Queue", "Tables", "Clock", "Players", "Seats")
Way = Callable[[dict[str, Any], dict[str, Any]], None]  # what is asked for, the night as it is
WHOM = ("player", "table", "busts", "record", "kind", "on", "amount")  # what a command is about


@dataclass
class Touches:
    """`wrong`: presses that sent something else than was meant; `missing`: commands for which the page had nothing
    to press; `by_command`: how often, and how many steps."""

    wrong: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    by_command: dict[str, list[int]] = field(default_factory=dict)


def overtaken(command: str, arguments: dict[str, Any], night: dict[str, Any]) -> bool:
    """Whether the matter has ended between the look and the touch, so that the page rightly has it no more."""
    if command == "confirm_move":
        return all(move["player"] != arguments["player"] for move in night["proposals"]["moves"])
    if command == "confirm_bust":
        return not {bust["bust"] for bust in night["busts"]} >= set(arguments["busts"])
    if command == "leave":
        return any(one["player"] == arguments["player"] and one["status"] != "playing" for one in night["field"])
    if command == "buy":
        return all(arguments["player"] != out["player"] for bust in night["busts"] for out in bust["out"])
    if command == "break_table":
        proposed = night["proposals"]["break"]
        return proposed is None or proposed["table"] != arguments["table"]
    if command == "end_time_out":
        return all(one["penalty"] != arguments["penalty"] for one in night["time_outs"])
    return False


def has_its_button(table: str, night: dict[str, Any]) -> bool:
    seated = next(one for one in night["tables"] if one["table"] == table)
    return seated["button"] is not None and table not in night["proposals"]["buttons"]


class NotOffered(Exception):
    """The page has everything else of the matter and not this: the director sees it and does not press."""


class Changed(Exception):
    """The open question says that it would be another one now: the director cancels and looks again."""


def pending(night: dict[str, Any], about: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The bust that waits to be decided; a table may have corrected its hand since the director looked."""
    for bust in night["busts"]:
        if about(bust):
            return dict(bust)
    raise NotOffered("no longer asked for")


class PhoneDoor(Door):
    """`page` is a phone's, signed in as the director. Ids of `people` (id, name) are the director's own; the
    station gives its own. `tell` hears at once what went wrong."""

    def __init__(
        self, host: str, port: int, page: Page, people: dict[str, str], tell: Callable[[str], None]
    ) -> None:
        super().__init__(host, port, Path())
        self._cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
        self._tell = tell
        self._people = people
        self._page = page
        self._at = "Queue"
        self._ticked = False
        self._answers: list[Response] = []
        self._pressing: tuple[str, dict[str, Any]] = ("", {})
        self.hand = Phone(page)
        self.hand.tap_ms = TAP_MS
        self.touches = Touches()
        page.on("response", self._answered)

    def _answered(self, response: Response) -> None:
        if response.request.method == "POST" and response.url.endswith("/director"):
            self._answers.append(response)

    def _once(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes]:
        assert method == "GET", f"{method} {path} past the phone"
        return super()._once(method, path, body, headers)

    # ------------------------------------------------------------------------------------------ a command

    def press(self, command: str, **arguments: Any) -> Answer:
        night, before = self.night(), self.hand.steps
        if command == "set_button" and has_its_button(arguments["table"], night):
            return Answer(
                False, ""
            )  # the draw gave it: the page has nothing to press, and the person presses nothing
        if "player" in arguments:
            arguments["player"] = self._id(str(arguments["player"]), night)
        way: Way | None = getattr(self, f"_{command}", None)
        try:
            if command not in ("enter", "seat_player"):  # those the page sends by itself, with *Paid*
                self._answers.clear()
                if way is None:
                    raise AssertionError("the phone's hand does not know it")
                self._pressing = command, arguments
                self._touch(way, arguments, night)
            answer = self._answer(command, arguments)
        except (NotOffered, Changed) as closed:
            self._leave_dialogs()
            return Answer(True, str(closed))
        except (AssertionError, PageError) as error:
            said = str(error).partition("\n")[0]
            if overtaken(command, arguments, self.night()):
                self._leave_dialogs()
                return Answer(True, "no longer asked for")
            self.touches.missing.append(f"{command} {arguments}: {said}")
            self._tell(f"NOTHING TO PRESS: {self.touches.missing[-1]}")
            self._leave_dialogs()
            return Answer(True, said)
        self._leave_dialogs()
        if answer.refused:
            self.touches.refused.append(f"{command} {arguments}: {answer.text}")
            self._tell(f"REFUSED: {self.touches.refused[-1]}")
        done = self.touches.by_command.setdefault(command, [0, 0])
        done[0] += 1
        done[1] += self.hand.steps - before
        return answer

    def _touch(self, way: Way, arguments: dict[str, Any], night: dict[str, Any]) -> None:
        """Once more where what was to be touched was drawn anew in that moment."""
        try:
            way(arguments, night)
        except PageError as error:
            if "not attached" not in str(error):
                raise
            self._leave_dialogs()
            way(arguments, night)

    def _answer(self, command: str, meant: dict[str, Any]) -> Answer:
        """The station's answer to what the page sent for the last press."""
        for _ in range(ANSWER_MS // LOOK_MS):
            for response in self._answers:
                sent = json.loads(response.request.post_data or "{}")
                if sent["command"] != command:
                    continue
                self._answers.remove(response)
                self._compare(command, meant, sent["arguments"])
                said = response.json()
                text = str(said.get("text", said.get("error", "")))
                return Answer(response.status != 200, text, str(said.get("rule", "")))
            self._page.wait_for_timeout(LOOK_MS)
        sent = [json.loads(one.request.post_data or "{}") for one in self._answers]
        raise AssertionError(f"no answer; the page sent {sent}")

    def _compare(self, command: str, meant: dict[str, Any], sent: dict[str, Any]) -> None:
        for name in WHOM:
            if name in meant and name in sent and meant[name] != sent[name]:
                self.touches.wrong.append(f"{command}: {name} {meant[name]!r} was meant, {sent[name]!r} sent")

    def _leave_dialogs(self) -> None:
        """A dialog that is still open is closed by its own button."""
        for words in ("Cancel", "Close"):
            if self._page.locator("dialog[open]").count():
                found = self._page.locator("dialog[open]").last.get_by_role("button", name=words, exact=True)
                if found.count():
                    found.first.tap()
                    self.hand.steps += 1

    def _id(self, player: str, night: dict[str, Any]) -> str:
        name = self._people.get(player, "")
        return next((one for one, known in night.get("names", {}).items() if known == name), player)

    def page_of(self, name: str) -> None:
        if self._at == name:
            return
        if name in BAR:
            bar = self._page.get_by_role("navigation", name="Pages on a phone")
            bar.get_by_role("link", name=name).tap()
            self.hand.steps += 1
        else:
            self.hand.press("More")
            self.hand.press(name)
        path = "/station" if name == "Queue" else f"/station/{name.lower()}"
        self._page.wait_for_url(f"**{path}*")
        self._at, self._ticked = name, False

    # ------------------------------------------------------------------------------------------ before the start

    def _open(self, given: dict[str, Any], _night: dict[str, Any]) -> None:
        self.page_of("Start")
        house = given["house"]
        self.hand.fill(
            {
                "Name of the event": given["name"],
                "Rulebook": given["rulebook"],
                "Starting stack": str(house["starting_stack"]),
                "Seats at a table": str(house["seats_per_table"]),
                "Buy-in": str(house["buy_in"]),
                "Places pay": ", ".join(map(str, house["payouts"])),
            }
        )
        self.hand.press("Open the event")

    def _register_new(self, given: dict[str, Any], _night: dict[str, Any]) -> None:
        self.page_of("Players")
        if not self._ticked:
            self.hand.press("Paid")
            self.hand.press("Member")
            self._ticked = True
        self.hand.fill({"Register: a name": given["name"]})
        self.hand.press("Register")

    def _draw_seats(self, _given: dict[str, Any], _night: dict[str, Any]) -> None:
        """A book may have a seat drawn with each entry: then the page asks whether all are to be drawn again."""
        self.page_of("Seats")
        self.hand.press("Draw seats")
        if self._page.locator("dialog[open]").count():
            self.hand.press("Draw seats")

    def _set_button(self, given: dict[str, Any], _night: dict[str, Any]) -> None:
        self.page_of("Seats")
        self.hand.press(f"Draw the button: table {given['table']}")

    def _start(self, _given: dict[str, Any], _night: dict[str, Any]) -> None:
        self.hand.press("Cards in the air")
        self.hand.press("Cards in the air")  # yes

    # ------------------------------------------------------------------------------------------ the queue

    def _item(self, label: str, words: str) -> None:
        """A button of the item whose line begins with `words`, and yes."""
        self.page_of("Queue")
        self._press(f"{label}: {words}")
        self._press(label)

    def _press(self, name: str) -> None:
        """Where it ends or is greyed before the finger is there, the person looks again."""
        try:
            self.hand.press_on(self._await(name))
        except PageTimeout:
            self.hand.press_on(self._await(name))

    def _await(self, name: str) -> Locator:
        """The control, once it can be pressed. Raise `NotOffered` where the matter has ended meanwhile, and
        `Changed` where the open question says that it has changed: nobody stares at it for a minute."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while time.monotonic() < until:
            found = self.hand.found(name)
            if found is not None:
                return found
            if overtaken(*self._pressing, self.night()):
                raise NotOffered("no longer asked for")
            if self._page.locator("dialog[open] #confirm-fault").filter(has_text="changed").count():
                raise Changed("asked about something else by now")
            self._page.wait_for_timeout(LOOK_MS)
        raise AssertionError(f"nothing to press is called {name!r}")

    def _confirm_bust(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        bust = pending(night, lambda one: one["bust"] == given["busts"][0])
        label = "Confirm the round" if len(given["busts"]) > 1 else "Confirm"
        self._item(label, " and ".join(bust["names"]))

    def _buy(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        name = night["names"][given["player"]]
        bust = pending(night, lambda one: given["player"] in [out["player"] for out in one["out"]])
        label = "Rebuy" if len(bust["names"]) == 1 else f"Rebuy for {name}"
        self.page_of("Queue")
        by_round = night["control"]["hand_for_hand"] is not None and len(night["busts"]) > 1
        self._await(f"Confirm{' the round' if by_round else ''}: {' and '.join(bust['names'])}")
        if not self._page.get_by_role("button", name=re.compile(f"^{re.escape(label)}")).count():
            raise NotOffered(f"the book has no rebuy open for {name}")
        self._press(label)
        self._press(label)

    def _decide_places(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        called = ", ".join(night["names"][player] for player in given["players"])
        self.page_of("Queue")
        self._page.get_by_role("button", name=re.compile(f"^As shown: .*{re.escape(called)}")).first.tap()
        self.hand.steps += 1
        self.hand.press("As shown")

    def _break_table(self, given: dict[str, Any], _night: dict[str, Any]) -> None:
        self._item("Break", f"Table {given['table']} ")

    def _confirm_move(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self._item("Move", night["names"][given["player"]])

    def _end_time_out(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        one = next(one for one in night["time_outs"] if one["penalty"] == given["penalty"])
        self.page_of("Penalties")
        self.hand.press(f"Call back: {night['names'][one['player']]}")

    # ------------------------------------------------------------------------------------------ other pages

    def _undo(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        text = next(one["text"] for one in night["log"] if one["no"] == given["record"])
        self.page_of("Log")
        self.hand.press(f"Undo: {text}")
        self._page.locator("dialog[open]").wait_for()  # it says first what goes with it
        self.hand.press("Undo")

    def _set_hand_for_hand(self, given: dict[str, Any], _night: dict[str, Any]) -> None:
        self.page_of("Clock")
        self.hand.press("Hand for hand" if given["on"] else "End hand for hand")

    def _give_penalty(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self.page_of("Penalties")
        fields = {
            "Player": night["names"][given["player"]],
            "Reason": given["reason"],
            "Penalty": given["kind"].replace("_", " "),
        }
        self.hand.fill(fields | ({"Hands": str(given["hands"])} if "hands" in given else {}))
        self.hand.press("Give")

    def _of_player(self, words: str, given: dict[str, Any], night: dict[str, Any]) -> None:
        name = night["names"][given["player"]]
        self.page_of("Players")
        self.hand.fill({"Filter": name})
        self.hand.press(name)
        self.hand.press(words)

    def _leave(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self._of_player("Away", given, night)

    def _return(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self._of_player("Back", given, night)

    def _cancel(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self._of_player("Off the list", given, night)
        self.hand.press("Off the list")

    def _colour_up(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self.page_of("Chips")
        table = next(one for one in night["tables"] if one["table"] == given["table"])
        names = {one["seat"]: one["name"] for one in table["seats"]}
        self.hand.fill({"Table": given["table"], "Chips of": str(given["old"]), "become": str(given["new"])})
        odd = {f"{one['seat']} {names[one['seat']]}": str(one["stack"]) for one in given["odd"]}
        if odd:
            self.hand.fill(odd)
        self.hand.press("Colour up")

    def _pay_prize(self, given: dict[str, Any], night: dict[str, Any]) -> None:
        self.page_of("Prizes")
        self.hand.press(f"Pay: {night['names'][given['player']]}")

    def _count_cash(self, given: dict[str, Any], _night: dict[str, Any]) -> None:
        self.page_of("Prizes")
        self.hand.fill({"Counted": f"{given['amount'] / 100:.2f}"})
        self.hand.press("Record")
