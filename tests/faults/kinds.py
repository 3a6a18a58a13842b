"""The faults that are staged: what each one is, and what a table that understands it has in its ledger."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class Kind(StrEnum):
    CLEAN = "clean"
    # the deal
    READ_FAILED = "read_failed"
    READ_SKIPPED = "read_skipped"
    DOUBLE_READ = "double_read"
    EXTRA_CARD = "extra_card"
    MISSING_BURN = "missing_burn"
    DOUBLE_BURN = "double_burn"
    PREMATURE_STREET = "premature_street"
    EXPOSED_DEALING = "exposed_dealing"
    FLASHED = "flashed"
    FOREIGN_CARD = "foreign_card"
    WRONG_SEAT = "wrong_seat"
    EMPTY_SEAT = "empty_seat"
    BUTTON_FORGOTTEN = "button_forgotten"
    # the betting
    OUT_OF_TURN = "out_of_turn"
    WRONG_AMOUNT = "wrong_amount"
    STRING_BET = "string_bet"
    SINGLE_CHIP = "single_chip"
    # devices
    BOUNCE = "bounce"
    WORN_KEY = "worn_key"
    CAMERA_BLOCKED = "camera_blocked"
    SHOE_PULLED = "shoe_pulled"
    KEYPAD_PULLED = "keypad_pulled"
    # people
    FORGOTTEN_FOLD = "forgotten_fold"
    FORGOTTEN_CALL = "forgotten_call"
    FORGOTTEN_LAST = "forgotten_last"
    FORGOTTEN_NEW_HAND = "forgotten_new_hand"
    FORGOTTEN_MUCK = "forgotten_muck"
    LATE_KEYS = "late_keys"
    BATCHED_KEYS = "batched_keys"
    WRONG_KEY = "wrong_key"
    WRONG_SEAT_KEY = "wrong_seat_key"
    UNKEYED = "unkeyed"


class Fault(msgspec.Struct, frozen=True):
    """What a kind is, and what of the ledger belongs to it.

    `named` is what classifies it and `also` what may come with it: `notice:…`, `asked:…`, `ruled:…` (an incident
    that the table raised), `raised:…` (one that a person did), `seen:…` (what the camera alone said), `refused`
    (a press that was not taken; `refused:seat` in words about a seat), `undone` (one that was taken back). A kind
    with nothing in `named` is one that the table should take without a word. `by_person`: only somebody at the
    table can see it, who raises it in two presses and a seat. `hands` it lasts.
    """

    group: str
    words: str
    named: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    by_person: bool = False
    hands: int = 1


def _fault(
    group: str, words: str, named: str = "", also: str = "", *, by_person: bool = False, hands: int = 1
) -> Fault:
    return Fault(group, words, frozenset(named.split()), frozenset(also.split()), by_person, hands)


FAULTS: dict[Kind, Fault] = {
    Kind.CLEAN: _fault("none", "nothing goes wrong"),
    Kind.READ_FAILED: _fault("deal", "a card passes and its tag does not answer", "notice:unread_card"),
    Kind.READ_SKIPPED: _fault("deal", "a card passes and the reader says nothing at all", "notice:card_not_read"),
    Kind.DOUBLE_READ: _fault("deal", "a card is read twice", "notice:double_read"),
    Kind.EXTRA_CARD: _fault("deal", "one card more than the hands take, to the first seat", "ruled:extra_card"),
    Kind.MISSING_BURN: _fault("deal", "a street without its burn", "notice:burn_missing"),
    # Two burns that came in one motion: a card has left the shoe, lies not on the board, and is asked for.
    Kind.DOUBLE_BURN: _fault(
        "deal", "two burns before a street", "notice:burn_double ruled:burn_double", "asked:board_unread"
    ),
    Kind.PREMATURE_STREET: _fault(
        "deal",
        "a street is dealt while a player is still to act",
        "asked:missed_actions ruled:board_premature",
        "raised:board_premature notice:redeal",
    ),
    Kind.EXPOSED_DEALING: _fault(
        "deal", "the dealer turns a hole card over", "ruled:exposed", "notice:card_exposed"
    ),
    Kind.FLASHED: _fault("deal", "a player shows a card in the middle of the hand", "notice:card_exposed"),
    Kind.FOREIGN_CARD: _fault(
        "deal", "a card of the other deck is dealt", "ruled:foreign_card", "notice:deck_check"
    ),
    Kind.WRONG_SEAT: _fault("deal", "a hole card goes to the neighbour and stays there", "ruled:out_of_sequence"),
    Kind.EMPTY_SEAT: _fault("deal", "an empty seat is dealt in", "ruled:no_right_to_cards"),
    Kind.BUTTON_FORGOTTEN: _fault("deal", "the button disc is not moved on", "notice:button_elsewhere"),
    Kind.OUT_OF_TURN: _fault(
        "betting",
        "a player checks or calls out of turn",
        "notice:out_of_turn_press",
        "raised:out_of_turn refused:seat asked:missed_before",
    ),
    Kind.WRONG_AMOUNT: _fault("betting", "a raise of too little, keyed as it was made", "refused"),
    Kind.STRING_BET: _fault("betting", "a raise in two motions", "raised:string_bet", by_person=True),
    Kind.SINGLE_CHIP: _fault(
        "betting", "one silent chip facing a bet, keyed as a raise", "raised:declared", by_person=True
    ),
    Kind.BOUNCE: _fault("device", "a key's contact bounces as good ones do"),
    Kind.WORN_KEY: _fault("device", "a worn key comes through twice", "notice:key_bounced"),
    Kind.CAMERA_BLOCKED: _fault(
        "device",
        "somebody leans over the table",
        "notice:camera_blocked",
        # What lay there meanwhile is unknown until it is read (decision 18), or who wins is asked.
        "notice:camera_back notice:board_read_later asked:board_unread asked:tabled asked:award",
    ),
    Kind.SHOE_PULLED: _fault("device", "the shoe's cable is out", "notice:shoe_lost", "notice:shoe_back"),
    Kind.KEYPAD_PULLED: _fault("device", "the keypad's cable is out", "notice:keypad_lost", "notice:keypad_back"),
    Kind.FORGOTTEN_FOLD: _fault("people", "a fold is not keyed", "notice:fold_not_keyed seen:fold"),
    Kind.FORGOTTEN_CALL: _fault(
        "people",
        "a check or call is not keyed, and the next player's is",
        "asked:missed_actions asked:missed_before notice:raise_shifted seen:call seen:check",
        "undone refused refused:seat notice:fold_not_keyed notice:keys_late",
    ),
    Kind.FORGOTTEN_LAST: _fault(
        "people",
        "the last check or call of a street is not keyed",
        "asked:missed_actions seen:call seen:check",
    ),
    Kind.FORGOTTEN_NEW_HAND: _fault("people", "NEW HAND is not pressed", "notice:new_hand_not_keyed seen:deal"),
    Kind.FORGOTTEN_MUCK: _fault(
        "people", "neither MUCK nor POT PUSHED is pressed", "seen:muck notice:muck_not_keyed"
    ),
    Kind.LATE_KEYS: _fault(
        "people",
        "a street's last key comes when the next street is out",
        "notice:keys_late asked:missed_actions",
    ),
    Kind.BATCHED_KEYS: _fault("people", "a round is keyed at once when it is over"),
    Kind.WRONG_KEY: _fault(
        "people",
        "a wrong key, noticed and taken back",
        "undone refused",
        "notice:fold_not_keyed notice:chips_differ",
    ),
    Kind.WRONG_SEAT_KEY: _fault(
        "people",
        "a key for the wrong seat",
        "notice:out_of_turn_press refused:seat",
        "asked:missed_before notice:fold_not_keyed",
    ),
    # The button of hands that nobody saw to their ends may be behind the disc that the players moved on.
    Kind.UNKEYED: _fault(
        "people",
        "five hands without a key",
        "seen:deal notice:hand_not_observed",
        "asked:missed_actions notice:button_elsewhere",
        hands=5,
    ),
}
