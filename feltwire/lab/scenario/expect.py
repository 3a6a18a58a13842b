"""The expectations of a scenario: events, notices, questions, incidents and options, refusals, stacks, the
deal."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from feltwire.lab.scenario.table import TableInMemory
from table_core.messages import (
    AnyEvent,
    Asked,
    BoardDealt,
    BoardRead,
    CardExposed,
    HandTabled,
    Noticed,
    Refused,
    RulingView,
    TableView,
    encode,
    to_text,
)
from table_core.tracker.dealing.deal import deal_of

Words = Sequence[str]


class Mismatch(Exception):
    """What was expected, and what is."""


@dataclass(slots=True)
class Played:
    """A table while a scenario is played; `since` is where the events of the last step begin."""

    table: TableInMemory
    rulebook: str
    since: int = 0

    @property
    def events(self) -> list[AnyEvent]:
        return self.table.events[self.since :]

    def ruling(self) -> RulingView | None:
        """The open incident as the table's own screen shows it."""
        return self.table.open_ruling

    def screen(self) -> TableView:
        return msgspec.json.decode(self.table.screen, type=TableView)


EXPECTATIONS: dict[str, Callable[[Played, Words], None]] = {}


def _expectation(*names: str) -> Callable[[Callable[[Played, Words], None]], Callable[[Played, Words], None]]:
    def register(check: Callable[[Played, Words], None]) -> Callable[[Played, Words], None]:
        EXPECTATIONS.update(dict.fromkeys(names, check))
        return check

    return register


def _same(expected: Any, found: Any) -> None:
    if expected != found:
        raise Mismatch(f"expected {expected}, found {found}")


def _fields(words: Words) -> dict[str, str]:
    """`seat=3 rule=a|b` as a mapping; words without `=` belong to the value before them."""
    fields: dict[str, str] = {}
    name = ""
    for word in words:
        key, equals, value = word.partition("=")
        if equals and key.isidentifier():
            name, fields[key] = key, value
        elif name:
            fields[name] += f" {word}"
        else:
            raise Mismatch(f"expected fields as in `seat=3`, found {word!r}")
    return fields


def _fits(event: AnyEvent, fields: dict[str, str], rulebook: str) -> bool:
    plain = msgspec.to_builtins(event, enc_hook=to_text)
    return all(_value_fits(plain.get(name), wanted, rulebook) for name, wanted in fields.items())


def _value_fits(found: Any, wanted: str, rulebook: str) -> bool:
    """`a|b` is any of them; of several rules the one of the book that is played."""
    choices = wanted.split("|")
    own = [choice for choice in choices if choice.startswith(f"{rulebook}.")]
    return _plain(found) in (own or choices)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return " ".join(_plain(one) for one in value)
    return "none" if value is None else str(value)


def _tag(event: AnyEvent) -> str:
    return str(type(event).__struct_config__.tag)


def _listed(events: Sequence[AnyEvent]) -> str:
    return "; ".join(f"{_tag(event)} {_short(event)}" for event in events[-8:]) or "nothing"


def _short(event: AnyEvent) -> str:
    plain = msgspec.to_builtins(event, enc_hook=to_text)
    kept = ("seat", "kind", "action", "to", "why", "rule", "reason", "text", "option", "incident")
    return " ".join(f"{name}={plain[name]}" for name in kept if plain.get(name) not in (None, ""))


@_expectation("event")
def _event(played: Played, words: Words) -> None:
    """An event of the last step: `expect event acted seat=3 action=call`."""
    _one_of(played, words[0], _fields(words[1:]))


@_expectation("ruled")
def _ruled(played: Played, words: Words) -> None:
    """`expect ruled misdeal rule=ccp.misdeals.1a`: sugar for the event of a ruling."""
    _one_of(played, "ruled", {"option": words[0], **_fields(words[1:])})


def _one_of(played: Played, tag: str, fields: dict[str, str]) -> None:
    events = [event for event in played.events if _tag(event) == tag]
    if not any(_fits(event, fields, played.rulebook) for event in events):
        raise Mismatch(f"expected {tag} with {fields or 'anything'}, found {_listed(events or played.events)}")


@_expectation("no")
def _no(played: Played, words: Words) -> None:
    """`expect no question`, `expect no notice`, `expect no incident`, `expect no acted seat=3`."""
    kind = words[0]
    if kind == "question":
        _same(None, played.table.view.question)
    elif kind == "incident":
        _same(None, played.ruling())
    elif kind == "seen":
        ruling = played.ruling()
        _same((), ruling.seen if ruling is not None else ())
    elif kind == "predicted":
        text = played.screen().predicted
        if text and " ".join(words[1:]).lower() in text.lower():
            raise Mismatch(f"expected no {' '.join(words)}, found {text!r}")
    elif kind == "option":
        ruling = played.ruling()
        if ruling is not None and any(option.option == words[1] for option in ruling.options):
            raise Mismatch(f"expected no option {words[1]}, found it")
    elif kind == "notice":
        said = [event for event in played.events if isinstance(event, Noticed)]
        if [event for event in said if len(words) < 2 or event.kind == words[1]]:
            raise Mismatch(f"expected no such notice, found {_listed(said)}")
    elif kind in ("change", "events"):
        _same([], [_tag(event) for event in played.events])
    else:
        fields = _fields(words[1:])
        found = [e for e in played.events if _tag(e) == kind and _fits(e, fields, played.rulebook)]
        if found:
            raise Mismatch(f"expected no {kind}, found {_listed(found)}")


@_expectation("notice")
def _notice(played: Played, words: Words) -> None:
    """`expect notice burn_missing rule=tda.38`."""
    _one_of(played, "noticed", {"kind": words[0], **_fields(words[1:])})


@_expectation("refused")
def _refused(played: Played, words: Words) -> None:
    """`expect refused rule=ccp.x`, `expect refused too early`: words that the reason holds."""
    refusals = [event for event in played.events if isinstance(event, Refused)]
    if not any(_refused_so(words, refusal, played.rulebook) for refusal in refusals):
        raise Mismatch(f"expected a refusal with {' '.join(words)!r}, found {_listed(refusals or played.events)}")


def said_refused(words: Words, refusal: Refused, rulebook: str) -> bool:
    """Whether `expect` with these words says this refusal."""
    return words[:1] == ("refused",) and _refused_so(words[1:], refusal, rulebook)


def _refused_so(words: Words, refusal: Refused, rulebook: str) -> bool:
    rules = [word for word in words if word.startswith("rule=")]
    text = " ".join(word for word in words if not word.startswith("rule="))
    return text.lower() in refusal.reason.lower() and _fits(refusal, _fields(rules), rulebook)


@_expectation("question")
def _question(played: Played, words: Words) -> None:
    """`expect question missed_actions`: what the screen asks now; `award` is `award-1-6` too."""
    question = played.table.view.question
    kind = None if question is None else question.kind
    _same(words[0], kind if kind is None or "-" in words[0] else kind.partition("-")[0])


@_expectation("incident")
def _incident(played: Played, words: Words) -> None:
    """`expect incident exposed seat=2`: asked on the table's own screen; the public question names nobody."""
    ruling = played.ruling()
    if ruling is None:
        raise Mismatch(f"expected the incident {words[0]}, found none; {_listed(played.events)}")
    _same(words[0], ruling.incident)
    for name, value in _fields(words[1:]).items():
        _same(value, _plain(getattr(ruling, name)))
    asked = [event for event in played.table.events if isinstance(event, Asked)][-1]
    if ruling.incident in asked.text or (ruling.seat is not None and f"seat {ruling.seat}" in asked.text.lower()):
        raise Mismatch("the public question tells what the incident is about")


@_expectation("option")
def _option(played: Played, words: Words) -> None:
    """`expect option misdeal rule=ccp.misdeals.1a default`: the open incident can be ruled so."""
    ruling = played.ruling()
    options = ruling.options if ruling is not None else ()
    option = next((one for one in options if one.option == words[0]), None)
    if option is None:
        raise Mismatch(
            f"expected the option {words[0]}, found {', '.join(one.option for one in options) or 'no incident'}"
        )
    if "default" in words[1:] and option.no != 1:
        raise Mismatch(f"expected {words[0]} as the default, found {options[0].option}")
    rule = _fields([word for word in words[1:] if word != "default"]).get("rule")
    if rule is not None and not _value_fits(option.rule, rule, played.rulebook):
        raise Mismatch(f"expected the rule {rule}, found {option.rule}")


@_expectation("options")
def _options(played: Played, words: Words) -> None:
    """`expect options misdeal replaced`: all of them, the default first."""
    ruling = played.ruling()
    _same(list(words), [option.option for option in ruling.options] if ruling is not None else [])


@_expectation("stacks")
def _stacks(played: Played, words: Words) -> None:
    """Chips behind, in the order of the seats."""
    _same([int(word.replace(",", "")) for word in words], played.table.stacks())


@_expectation("stack")
def _stack(played: Played, words: Words) -> None:
    """`expect stack 3=9400`."""
    by_seat = {str(seat.seat): str(seat.stack) for seat in played.table.view.seats}
    for seat, amount in (word.split("=") for word in words):
        _same((seat, amount), (seat, by_seat.get(seat)))


@_expectation("board")
def _board(played: Played, words: Words) -> None:
    _same([word for word in words if word != "nothing"], list(played.table.view.board))


@_expectation("pot")
def _pot(played: Played, words: Words) -> None:
    """Everything in the middle and in front."""
    _same(int(words[0].replace(",", "")), played.table.view.pot)


@_expectation("turn")
def _turn(played: Played, words: Words) -> None:
    """`expect turn 3`, `expect turn nobody`."""
    legal = played.table.view.legal
    _same(words[0], str(legal.seat) if legal is not None else "nobody")


@_expectation("street")
def _street(played: Played, words: Words) -> None:
    _same(words[0], str(played.table.view.street))


@_expectation("hand")
def _hand(played: Played, words: Words) -> None:
    """`expect hand 2`: its number."""
    _same(int(words[0]), played.table.view.hand)


@_expectation("button")
def _button(played: Played, words: Words) -> None:
    """`expect button 1 blinds 2 3`."""
    view = played.table.view
    found = [view.button, *([view.small_blind, view.big_blind] if "blinds" in words else [])]
    _same([word for word in words if word != "blinds"], [_plain(seat) for seat in found])


@_expectation("live")
def _live(played: Played, words: Words) -> None:
    """`expect live 2 3`: the seats that can still win."""
    hand = played.table.node.table.hand
    _same(sorted(words), sorted(str(seat) for seat in (hand.live_seats if hand is not None else ())))


@_expectation("shows")
def _shows(played: Played, words: Words) -> None:
    """`expect shows 5 2`: who is to show by the dealer screen, the first first; `expect shows nobody`."""
    _same([word for word in words if word != "nobody"], [str(seat) for seat in played.screen().shows])


@_expectation("dealt")
def _dealt(played: Played, words: Words) -> None:
    """`expect dealt seat-2 burn next-burn`: where the cards that left the deck belong, from the first."""
    projection = played.table.node.table
    found = [projection.destination(place).replace(" ", "-") for place in sorted(projection.places)]
    _same(list(words), found)


@_expectation("next")
def _next(played: Played, words: Words) -> None:
    """`expect next burn board`: where the cards go that come out of the deck from now on."""
    _same(list(words), _rest(played)[: len(words)])


@_expectation("rest")
def _all_of_the_rest(played: Played, words: Words) -> None:
    """`expect rest board`: every card that is still to come, and no more."""
    _same([word for word in words if word != "nothing"], _rest(played))


def _rest(played: Played) -> list[str]:
    node = played.table.node
    return [*deal_of(node, node.state).rest]


@_expectation("announced")
def _announced(played: Played, words: Words) -> None:
    """`expect announced Seat 2: raise to 400`: the table's own screen says so, or asks it."""
    screen = played.screen()
    said = [screen.last, *([screen.question.text] if screen.question is not None else [])]
    if not any(" ".join(words).lower() in text.lower() for text in said):
        raise Mismatch(f"expected {' '.join(words)!r}, found {said!r}")


@_expectation("predicted")
def _predicted(played: Played, words: Words) -> None:
    """`expect predicted call 200, change 300`; `expect predicted nothing`."""
    text = played.screen().predicted
    wanted = " ".join(words)
    if (wanted == "nothing") != (not text) or (text and wanted.lower() not in text.lower()):
        raise Mismatch(f"expected {wanted!r}, found {text!r}")


@_expectation("history")
def _history(played: Played, words: Words) -> None:
    """`expect history warning`: earlier rulings about the seat, beside the question."""
    ruling = played.ruling()
    found = ruling.history if ruling is not None else ()
    if not any(" ".join(words) in one for one in found):
        raise Mismatch(f"expected {' '.join(words)!r} among {found}")


@_expectation("seen")
def _seen(played: Played, words: Words) -> None:
    """`expect seen came in 2 motions`: what devices and keys show about the open incident."""
    ruling = played.ruling()
    found = ruling.seen if ruling is not None else ()
    if not any(" ".join(words) in one for one in found):
        raise Mismatch(f"expected {' '.join(words)!r} among {found}")


@_expectation("chips")
def _chips(played: Played, words: Words) -> None:
    """Every chip on the table, impounded and carried ones too."""
    expect_chips([played], words)


def expect_chips(tables: Sequence[Played], words: Words) -> None:
    """Every chip on these tables."""
    _same(int(words[0].replace(",", "")), sum(map(_all_chips, tables)))


def _all_chips(played: Played) -> int:
    projection, view = played.table.node.table, played.table.view
    carried = projection.carried if not projection.in_hand else 0
    return sum(played.table.stacks()) + view.pot + projection.impounded + carried


@_expectation("impounded")
def _impounded(played: Played, words: Words) -> None:
    _same(int(words[0].replace(",", "")), played.table.node.table.impounded)


def says_what_is_next(played: Played) -> None:
    """The table's view says what the dealer does next. Raise `Mismatch` where it does not."""
    if not played.table.view.next_step:
        raise Mismatch("the screen does not say what the dealer does next")


def no_hidden_card(played: Played) -> None:
    """No event of the last step names a card that is not on the board, tabled or exposed.

    Raise `Mismatch` where one does.
    """
    shown: set[str] = set()
    for event in played.table.events:
        if isinstance(event, BoardDealt | BoardRead | HandTabled):
            shown |= set(event.cards)
        elif isinstance(event, CardExposed):
            shown.add(event.card)
    hidden = set(played.table.vault.by_handle.values()) - shown
    for event in played.events:
        raw = encode(event).decode()
        named = [card for card in hidden if re.search(rf"[\" ]{re.escape(card)}\b", raw)]
        if named:
            raise Mismatch(f"a {_tag(event)} event names a card that lies face down")
