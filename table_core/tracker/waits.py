"""Every waiting time and every limit of the tracker, with its reason. None is measured at a real table yet."""

from __future__ import annotations

# ------------------------------------------------------------------------------------ keys, in milliseconds

BOUNCE_MS = 50  # no finger presses the same key again so soon; a worn spring does
ACT_TWICE_MS = 600  # nobody acts on a street so soon after the action that closed the one before
STREET_TWICE_MS = 600  # nobody means two streets by two presses so close together
LOOKED_MS = 700  # nobody has read a question that has been in front for less: a finger on its way meant another
JUST_SETTLED_MS = 1_500  # a finger on its way to a question may come after the answer
QUEUE_MS = 2_000  # keys that follow each other so fast were all played before they were keyed
STREET_SAID_MS = 3_000  # STREET may come before the camera has read the street
STREET_JUST_READ_MS = 3_000  # STREET so soon after a street was read means that street
NEW_HAND_TWICE_MS = 10_000  # no hand is dealt, played and over so soon: a second NEW HAND is a doubtful finger
MISSING_KEYS_MS = 2_000  # a board card may well leave the shoe just before the last key is pressed

# ------------------------------------------------------------------------------------ cards that are seen

DEAL_STILL_MS = 800  # the camera lags behind the shoe; so long nothing may change before cards are counted
FOLD_SEEN_MS = 1_200  # a card is lifted and laid down again within a second
DEAL_ENDS_MS = 2_000  # between two cards of a deal less time passes
FOLD_JUST_SEEN_MS = 2_000  # a dealer keys a fold so soon after it
UNREAD_STREET_MS = 2_500  # the camera votes over a few still frames first
TABLED_UNSEEN_MS = 2_500  # likewise for a hand that TABLED was pressed for
MUCK_SEEN_MS = 3_000  # at the showdown cards are picked up to be looked at
SAME_FOLD_MS = 4_000  # a FOLD key so soon after a fold that the camera saw is the key of that fold
READINGS_CROSS_MS = 1_000  # readings of two zones come in another order than what they show, by so much at most
CARDS_BACK_MS = 5_000  # cards that lie there again so soon were never folded
SHOWDOWN_MS = 6_000  # at a showdown a second hand is turned up so soon after the first
ONE_DEAL_MS = 10_000  # between two cards of one deal at most

# ------------------------------------------------------------------------------------ chips, disc, devices

CHIPS_DIFFER_MS = 3_000  # a key may come after its chips, and chips after their key
BLINDS_MS = 4_000  # so long after the first card the camera has seen the blinds
DISC_AFTER_RIFFLE_MS = 8_000  # so long after the first riffle the disc may still be moved on
DISC_AFTER_MOVE_MS = 3_000  # so long after it was moved it may be moved once more
LINE_LOST_MS = 1_500  # a line that comes back sooner gets no notice
KEYS_HELD_UP_MS = 15_000  # a keypad out of reach for longer is used no more
KEYS_COME_MS = 5_000  # within it a keypad that is back has said what was pressed meanwhile

# ------------------------------------------------------------------------------------ counts

HIGHEST_SEAT = 11  # of any table
LONGEST_NUMBER = 13  # digits: of the most chips that a stack may have
MOST_TRIED = 1_000  # acts in looking for the course that explains a queue of keys: 30 ms on a desktop machine
MOST_WAITING = 40  # presses that wait for a street: more than a round of betting has
MOST_IDLE_CARDS = 3  # of the idle deck that pass first; one more, and that deck is dealt
MOST_STRAYS = 8  # cards of another deck among the last ones of a deal
MOST_BUSTED = 2  # players who may have lost their last chips in a hand that nobody saw the end of
FLOP_AND_BURNS = 5  # cards of a flop behind two burns
