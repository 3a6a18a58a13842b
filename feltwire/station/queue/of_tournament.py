"""What the tournament brings into the exception queue: busts, seats, absences, penalties, chips."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from feltwire.runtime.views import Part
from feltwire.station.queue.trouble import NEVER, Item
from feltwire.station.tournament.words import move_asked, named
from table_core.messages import Chips, ItemKind, Millis, Primary, QueueItem, Seat, Severity
from table_core.rulebook import Rulebook
from table_core.tournament.chips.counts import count_items, counts_asked
from table_core.tournament.events import BustReported, Instant, Out, Purchase
from table_core.tournament.field.absences import Absence, absences
from table_core.tournament.field.busts import went_in
from table_core.tournament.field.eliminations import Bust, rank_busts
from table_core.tournament.field.entries import late_penalties, level_now
from table_core.tournament.field.lookup import stack_of
from table_core.tournament.field.rebuys import open_rebuy, rebuy_in_words
from table_core.tournament.penalties import TimeOut, merges_missed, time_outs, would_miss_merge
from table_core.tournament.seats.balance import BreakProposal, MoveProposal, balance, table_to_break
from table_core.tournament.seats.button import buttons_to_draw
from table_core.tournament.state import Facts, State, TableFacts
from table_core.tournament.stops import short_wait

SOON_MS = 5 * 60_000  # an absence that ends within this time
CALLED_MS = 60_000  # a time-out that does
SEVERAL = 3  # so many silent tables are one matter: a fuse, a switch
AS_ITEM = {
    "disk": (ItemKind.DISK, Severity.STOP),
    "silent": (ItemKind.SILENT, Severity.NOW),
    "no_answer": (ItemKind.NO_ANSWER, Severity.NOW),
    "not_arrived": (ItemKind.MOVE, Severity.NOW),
    "not_left": (ItemKind.MOVE, Severity.NOW),
    "dispute": (ItemKind.DISPUTE, Severity.STOP),
    "hand_for_hand": (ItemKind.HAND_FOR_HAND, Severity.KNOW),
    "deck": (ItemKind.DECK, Severity.KNOW),
    "reporting": (ItemKind.OTHER, Severity.KNOW),
}
REASONS = {
    "start": "the start",
    "all_in": "an all-in",
    "departure": "a departure",
    "arrival": "an arrival",
    "colour_up": "the colour-up",
    "break": "the break",
}


def items_of_trouble(found: Iterable[Item], now: Instant) -> Iterator[QueueItem]:
    """What went wrong (`tournament/items.py`)."""
    for item in _gathered(tuple(found)):
        kind, severity = AS_ITEM[item.kind]
        age = Millis(max(0, now.wall - item.since)) if item.since is not None else Millis(0)
        id_ = f"{item.kind}-{item.table}-{item.about}"
        yield QueueItem(id_, kind, severity, item.text, item.table, do=item.do, ms_ago=age, primary=_settles(item))


def _settles(item: Item) -> Primary | None:
    """The press that ends it, where there is one."""
    match item.kind:
        case "dispute":
            return Primary("Decided", "close_dispute", {"dispute": item.about})
        case "not_left":
            return Primary("Withdraw", "withdraw_move", {"move": item.about}, "The player stays?")
        case "not_arrived":
            return Primary("See the move", open="/station/seats?do=Sits")
        case "reporting":
            return Primary("Chips", open="/station/chips")
        case "deck":
            wanted: dict[str, Any] = {"table": item.table, "reason": "rotation"}
            return Primary("Changed", "change_deck", wanted, f"Table {item.table} has another deck?")
        case _:
            return None


def _gathered(found: tuple[Item, ...]) -> tuple[Item, ...]:
    """Several silent tables as one item, which is as old as the first."""
    silent = [item for item in found if item.kind == "silent" and item.table]
    if len(silent) < SEVERAL:
        return found
    tables = ", ".join(item.table for item in silent)
    text = f"{len(silent)} tables are silent: {tables}. They play on; what happens there comes later."
    if all(item.about == NEVER for item in silent):
        text = f"{len(silent)} tables have not been heard since the station was started: {tables}."
    do = "Look at what they share: power, switch, cable. Move nobody to them until they are back."
    since = min(item.since for item in silent if item.since is not None)
    one = Item("silent", text, do, since=since, about="several")
    return (one, *(item for item in found if item not in silent))


def _busts(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> Iterator[QueueItem]:
    later = sum(len(bust.out) for bust in state.field.busts.values())
    by_round = state.hand_for_hand is not None and len(state.field.busts) > 1
    for bust in state.field.busts.values():
        later -= len(bust.out)
        who = " and ".join(named(out.player, names) for out in bust.out)
        rebuys = {out.player: open_rebuy(state, out.player, now, facts) for out in bust.out}
        open_to = " and ".join(named(player, names) for player, kind in rebuys.items() if kind is not None)
        at = state.seats.at.get(bust.out[0].player) if len(bust.out) == 1 else None
        places = _places(bust.out, state, later, names)
        yield QueueItem(
            f"bust-{bust.bust}",
            ItemKind.BUST,
            Severity.NOW,
            f"{who} lost the last chips in hand {bust.hand}. If out: {places}.",
            bust.table,
            at.seat if at is not None else None,
            bust.out[0].player if at is not None else "",
            do=f"{open_to} may rebuy: ask first." if open_to else "",
            rule=state.book.tournament.simultaneous_bust_rank.rule if len(bust.out) > 1 else "",
            primary=_whole_round(state, names)
            if by_round
            else Primary("Confirm", "confirm_bust", {"busts": [bust.bust]}, f"{who}: out of the event? {places}."),
            also=(*_rebuys(rebuys, state, names), *_not_out(bust, names)),
        )


def _not_out_after_all(state: State, facts: Facts, names: Mapping[str, str]) -> Iterator[QueueItem]:
    """Who went out by an award that the dealer took back: the chips are in front of the player again."""
    coming = {move.ordered.to for move in state.seats.moves.values()}
    for player, at in state.field.seats_of_gone.items():
        fact = facts.get(at.table)
        stack = fact.stacks.get(at.seat, 0) if fact is not None else 0
        free = at not in coming and at.seat not in state.seats.tables[at.table].players
        back = fact is not None and went_in(state, player, at.table, fact.back.get(at.seat))
        if free and stack and back:
            yield QueueItem(
                f"not-out-{player}",
                ItemKind.BUST,
                Severity.NOW,
                f"{named(player, names)} is out of the event and has {stack:,}: the award was taken back.",
                at.table,
                at.seat,
                player,
                do="Undo the bust in the log. Nobody else gets the seat until then.",
            )


def _whole_round(state: State, names: Mapping[str, str]) -> Primary:
    """Hand for hand, who goes out in one round ranks together: one press confirms all of them."""
    busts = list(state.field.busts.values())
    everybody = [out for bust in busts for out in bust.out]
    who = " and ".join(named(out.player, names) for out in everybody)
    sure = f"{who}: out of the event in one round? {_places(everybody, state, 0, names)}."
    return Primary("Confirm the round", "confirm_bust", {"busts": [bust.bust for bust in busts]}, sure)


def _places(outs: Sequence[Out], state: State, later: int, names: Mapping[str, str]) -> str:
    """Each player's place if all of them are out, with the stack that decides it."""
    lost = [Bust(out.player, out.start_stack) for out in outs]
    stacks = {one.player: f" ({one.start_stack:,} at the start of the hand)" for one in lost if len(lost) > 1}
    ranked = rank_busts(lost, state.field.playing + later, state.book)
    return "; ".join(
        f"{named(player, names)}{stacks.get(player, '')} place {position.place}"
        for position in ranked
        for player in position.players
    )


def _rebuys(rebuys: Mapping[str, Purchase | None], state: State, names: Mapping[str, str]) -> Iterator[Primary]:
    for player, kind in rebuys.items():
        if kind is not None:
            who = named(player, names)
            label = "Rebuy" if len(rebuys) == 1 else f"Rebuy for {who}"
            sure = f"{who} buys in again: {rebuy_in_words(state, kind)}"
            yield Primary(label, "buy", {"player": player, "kind": kind.value}, sure)


def _not_out(bust: BustReported, names: Mapping[str, str]) -> Iterator[Primary]:
    for out in bust.out:
        who = named(out.player, names)
        label = "Not out" if len(bust.out) == 1 else f"{who} is not out"
        asks = f"/station/players?player={quote(out.player)}&else=still_in"  # with which chips, and from whom
        yield Primary(label, open=asks)


def _moves(state: State, facts: Facts, names: Mapping[str, str]) -> Iterator[QueueItem]:
    for move in balance(state, facts):
        if state.by_hand:
            yield _move_by_hand(state, move)
            continue
        who = named(move.player, names)
        yield QueueItem(
            f"balance-{move.player}",
            ItemKind.IMBALANCE,
            Severity.STOP if short_wait(state, state.seats.tables[move.to.table]) else Severity.SOON,
            f"{who} from {move.start} to {move.to}: {move.why}",
            move.start.table,
            move.start.seat,
            move.player,
            rule=move.rule,
            primary=Primary(
                "Move", "confirm_move", {"player": move.player}, move_asked(move.player, move.to, names)
            ),
        )


def _move_by_hand(state: State, move: MoveProposal) -> QueueItem:
    """By hand the director sees who is due for the big blind, and chooses."""
    halts = short_wait(state, state.seats.tables[move.to.table])
    return QueueItem(
        f"balance-{move.start.table}-{move.to.table}",
        ItemKind.IMBALANCE,
        Severity.STOP if halts else Severity.SOON,
        f"One player from table {move.start.table} to table {move.to.table}: {move.why}",
        move.start.table,
        do="Choose who moves: by most books who is the next big blind.",
        rule=move.rule,
        primary=Primary("Choose who", open=f"/station/seats?balance={move.start.table}"),
    )


def _break(state: State, facts: Facts, names: Mapping[str, str]) -> Iterator[QueueItem]:
    breaks = table_to_break(state, facts)
    if breaks is not None:
        fact = f"Table {breaks.table} breaks: {breaks.left} players are left. {_goes_where(breaks)}"
        away = [named(one.player, names) for one in would_miss_merge(state)]
        warned = f"In a time-out, and out of the event if they miss it: {', '.join(away)}. " if away else ""
        yield QueueItem(
            f"break-{breaks.table}",
            ItemKind.BREAK_TABLE,
            Severity.SOON,
            fact,
            breaks.table,
            do=warned.strip(),
            rule=breaks.rule,
            primary=Primary("Break", "break_table", {"table": breaks.table}, f"{fact} {warned}Break it now?"),
        )


def _buttons(state: State, facts: Facts, names: Mapping[str, str]) -> Iterator[QueueItem]:
    for table in buttons_to_draw(state):
        fact = f"Table {table} draws for the button: newcomers ask for it."
        yield QueueItem(f"button-{table}", ItemKind.OTHER, Severity.SOON, fact, table)


def _goes_where(breaks: BreakProposal) -> str:
    if breaks.redraw is None:
        return "Its players take free seats at the other tables, each after the hand."
    tables = f"table{'s' if len(breaks.keep) > 1 else ''} {' and '.join(breaks.keep)}"
    return f"Everybody draws a new seat at {tables}, when no table is in a hand."


def _absences(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> Iterator[QueueItem]:
    for one in absences(state, now, facts):
        who, at = named(one.player, names), state.seats.at.get(one.player)
        chips = int(facts[at.table].stacks.get(at.seat, 0)) if at is not None and at.table in facts else 0
        over = not one.left_ms
        severity = Severity.NOW if over else Severity.SOON if one.left_ms <= SOON_MS else Severity.KNOW
        takes = Primary(
            "Take the stack",
            "forfeit",
            {"player": one.player, "chips": chips, "why": one.why},
            f"Take {chips:,} chips of {who} out of play? {who} is then out of the event."
            if not state.by_hand
            else f"The stack of {who} leaves play, and {who} is out of the event?",
        )
        yield QueueItem(
            f"absence-{one.player}",
            ItemKind.ABSENCE,
            severity,
            f"{who} {one.why}: {'the time is over' if over else f'{_minutes(one.left_ms)} left'}{_by_clock(one)}.",
            at.table if at is not None else "",
            at.seat if at is not None else None,
            one.player,
            rule=one.rule,
            primary=takes if over else None,
        )


def _late(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> Iterator[QueueItem]:
    """Chips that late players lose as a level begins (ccp.late.4)."""
    level = level_now(state, now)
    if docked := late_penalties(state, level, facts):
        each = ", ".join(f"{named(one.player, names)} {one.chips:,}" for one in docked)
        takes = Primary("Take them", "dock_late_players", {"level": level}, f"Off, for coming late: {each}?")
        fact = f"Late at level {level}: {each} chips off."
        yield QueueItem(f"late-{level}", ItemKind.ABSENCE, Severity.SOON, fact, rule=docked[0].rule, primary=takes)


def _by_clock(one: Absence) -> str:
    """The other way to count, where the clock stood meanwhile: the book does not say which."""
    if one.clock_left_ms is None:
        return ""
    return f"; by the clock, which stood meanwhile, {_minutes(one.clock_left_ms)} left"


def _penalties(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> Iterator[QueueItem]:
    for one in time_outs(state, now, facts):
        who, left = named(one.player, names), [f"{_minutes(one.left_ms)} left"] if one.left_ms else []
        left += [f"{one.hands} hand{'s' if one.hands > 1 else ''} left"] if one.hands else []
        at = state.seats.at.get(one.player)
        back = Primary("Call back", "end_time_out", {"penalty": one.penalty})
        counted = not left or (state.by_hand and bool(one.hands) and not one.left_ms)  # nobody reports hands
        yield QueueItem(
            f"penalty-{one.penalty}",
            ItemKind.PENALTY,
            Severity.NOW if not left else Severity.SOON if _ends(one) else Severity.KNOW,
            f"Time-out of {who}: {', '.join(left) or 'served'}.",
            at.table if at is not None else "",
            at.seat if at is not None else None,
            one.player,
            rule=one.rule,
            primary=back if counted else None,
        )
    for missed in merges_missed(state, now, facts):
        fact = f"{named(missed.player, names)} was in a time-out as the last tables became one."
        who = named(missed.player, names)
        stack = stack_of(state, missed.player, facts) or 0
        why = "missed the merge of the last tables"
        out = Primary(
            "Out",
            "forfeit",
            {"player": missed.player, "chips": stack, "why": why, "rule": missed.rule},
            f"{who} out of the event? The {stack:,} chips leave play.",
        )
        id_ = f"merge-{missed.player}"
        yield QueueItem(
            id_, ItemKind.PENALTY, Severity.NOW, fact, player=missed.player, rule=missed.rule, primary=out
        )


def _chips(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> Iterator[QueueItem]:
    for item in count_items(state, facts):
        differs = f"counted {item.counted:,}, by the records {item.expected:,}"
        yield QueueItem(
            f"chips-{item.player}",
            ItemKind.CHIPS,
            Severity.STOP,
            f"{named(item.player, names)}: {differs}. Look at {item.hands()}.",
            item.table,
            item.seat,
            item.player,
            primary=Primary(
                "Correct",
                "correct_stack",
                {"player": item.player, "stack": item.counted},
                f"{named(item.player, names)} has {item.counted:,} from now on, not {item.expected:,}? "
                "The table is told. Where the difference is stays to be found.",
            ),
        )


def _counts(state: State, facts: Facts, names: Mapping[str, str], now: Instant) -> Iterator[QueueItem]:
    for asked in counts_asked(state, facts, now):
        fact = f"Count {_seats(asked.seats)} of table {asked.table}: {REASONS.get(asked.why, asked.why)}."
        known = "; ".join(_known(facts[asked.table], asked.seats))
        yield QueueItem(
            f"count-{asked.table}-{asked.why}",
            ItemKind.COUNT,
            Severity.KNOW,
            fact,
            asked.table,
            do=f"By the records: {known}.",
            primary=Primary("Count", open=f"/station/chips?table={asked.table}"),
        )


def _known(table: TableFacts, seats: Sequence[Seat]) -> Iterator[str]:
    """What seats should have, by when they were counted last. No figures in a hand: they would never stand."""
    last = {seat: max((one.hand for one in table.counts if one.seat == seat), default=None) for seat in seats}
    for hand in dict.fromkeys(last.values()):
        counted = "not counted yet" if hand is None else f"counted in hand {hand}"
        those = [seat for seat in seats if last[seat] == hand]
        has = [f"seat {seat} {table.stacks.get(seat, 0):,}" for seat in those]
        yield f"{_seats(those) if table.in_hand else ', '.join(has)} {counted}"


def _seats(seats: Sequence[Seat]) -> str:
    """`seats 1 to 9`, `seats 1, 2 and 5`, `seat 4`"""
    if len(seats) == 1:
        return f"seat {seats[0]}"
    if len(seats) > 2 and [*seats] == [*range(seats[0], seats[-1] + 1)]:
        return f"seats {seats[0]} to {seats[-1]}"
    return f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]}"


def _ends(one: TimeOut) -> bool:
    return not one.hands and bool(one.left_ms) and one.left_ms <= CALLED_MS


def missing_chips(missing: int, book: Rulebook) -> Iterator[QueueItem]:
    """Chips that no stack, pot or transit has; less than none: chips too many."""
    if missing:
        fact = f"{abs(missing):,} chips {'are missing' if missing > 0 else 'are too many'} in the room."
        do = "Count the tables whose stacks were counted longest ago."
        account = Primary("See the account", open="/station/chips")
        yield QueueItem(
            "chips-room",
            ItemKind.CHIPS,
            Severity.STOP,
            fact,
            do=f"{_unrecorded(-missing, book)}{do}",
            primary=account,
        )


def _unrecorded(too_many: int, book: Rulebook) -> str:
    """What so many chips too many would be, had somebody forgotten to record it."""
    rules = book.tournament
    for what, rule in (("rebuy", rules.rebuy_chips), ("entry", rules.starting_stack)):
        if rule is not None and rule.value and too_many > 0 and too_many % rule.value == 0:
            times = too_many // rule.value
            return f"That is {f'one {what}' if times == 1 else f'{what} {times} times'}: was one not recorded? "
    return ""


def old_chips(state: State, smallest: Mapping[str, Chips], now: Instant) -> Iterator[QueueItem]:
    """Tables with chips that a break of the schedule takes out of play; `smallest` is the smallest chip that
    each table has been told of, 0 where it is that of the start."""
    clock = state.clock
    if clock is None or state.started is None or clock.mark.boot != now.boot:
        return
    at = clock.read(now.at).index
    gone = [(entry, level.colour_up) for entry, level in enumerate(clock.levels[: at + 1]) if level.colour_up]
    if not gone:
        return
    entry, chip = gone[-1]
    for table in state.seats.open_tables():
        name = table.plan.table
        if table.players and smallest.get(name, 0) <= chip:
            when = "that leave play in this break" if entry == at else "which have left play"
            yield QueueItem(
                f"old-chips-{name}-{chip}",
                ItemKind.CHIPS,
                Severity.SOON if entry == at else Severity.NOW,
                f"Table {name} has chips of {chip:,}, {when}.",
                name,
                primary=Primary("Colour up", open=f"/station/chips?colour={name}&do=Colour+up"),
            )


def old_chips_by_hand(state: State, now: Instant) -> Iterator[QueueItem]:
    """Chips that leave play in the break that is on: nobody reports when they have."""
    clock = state.clock
    if clock is None or state.started is None or clock.mark.boot != now.boot:
        return
    level = clock.level(now.at)
    if level.is_break and level.colour_up:
        fact = f"Chips of {level.colour_up:,} leave play in this break."
        id_ = f"old-chips-{clock.read(now.at).index}"
        yield QueueItem(
            id_, ItemKind.CHIPS, Severity.SOON, fact, do="Race them off at every table.", can_be_done=True
        )


def _minutes(ms: int) -> str:
    """To the next whole minute, so that the queue is sent again once a minute and not every second."""
    return f"{-(-ms // 60_000)} min"


# What the field and the chips ask a person for.
OF_THE_FIELD: Mapping[Part, Callable[[State, Facts, Mapping[str, str], Instant], Iterator[QueueItem]]] = {
    Part("Who is out of chips", page="/station/players", asks=True): _busts,
    Part("Who is not out after all", page="/station/players", asks=True): (
        lambda state, facts, names, now: _not_out_after_all(state, facts, names)
    ),
    Part("Who is away", page="/station/players", asks=True): _absences,
    Part("Who comes late", page="/station/players", asks=True): _late,
    Part("Time-outs that end", page="/station/penalties", asks=True): _penalties,
    Part("Counts that differ", page="/station/chips", asks=True): _chips,
    Part("What is to be counted", page="/station/chips", asks=True): _counts,
}
# Who moves, which table breaks, where the button is drawn for: the same until something happens.
OF_THE_SEATS: Mapping[Part, Callable[[State, Facts, Mapping[str, str]], Iterator[QueueItem]]] = {
    Part("Who is to move", page="/station/seats", asks=True): _moves,
    Part("Which table breaks", page="/station/seats", asks=True): _break,
    Part("Where the button is drawn for", page="/station/seats", asks=True): _buttons,
}
