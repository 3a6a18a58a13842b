"""Every waiting time and every limit of the tracker, with its reason. None is measured at a real table yet."""

from __future__ import annotations

# ------------------------------------------------------------------------------------ keys, in milliseconds

BOUNCE_MS = 50  # two presses of one key so close are a bouncing contact
ACT_TWICE_MS = 600  # least time between the action that closes a street and an action on the next
NUMBER_MS = 5_000  # a number, or a seat that was named, is for a key that follows within this time
STREET_TWICE_MS = 1_500  # two STREET presses so close mean one street
LOOKED_MS = 700  # a press sooner after a question appeared was meant for something else
JUST_SETTLED_MS = 1_500  # a press so soon after a question closed was meant for that question
QUEUE_MS = 2_000  # keys in such quick succession: the round was played before it was keyed
STREET_SAID_MS = 3_000  # how long STREET waits for the camera to read the street
STREET_JUST_READ_MS = 3_000  # STREET so soon after a street was read means that street
NEW_HAND_TWICE_MS = 10_000  # no hand is over so soon: a second NEW HAND is a double press
IDLE_PRESS_MS = 10_000  # UNDO so soon behind a press that was refused is about that press
MISSING_KEYS_MS = 2_000  # a board card may leave the shoe this long before the last key of the street

# ------------------------------------------------------------------------------------ cards that are seen

DEAL_STILL_MS = 800  # the camera lags behind the shoe: cards are counted when nothing changed for so long
FOLD_SEEN_MS = 1_200  # cards gone for longer were not only lifted
DEAL_ENDS_MS = 2_000  # longest pause between two cards of a deal
FOLD_JUST_SEEN_MS = 2_000  # a FOLD key follows its fold within this time
UNREAD_STREET_MS = 2_500  # the camera votes over a few still frames first
TABLED_UNSEEN_MS = 2_500  # likewise for a hand that TABLED was pressed for
MUCK_SEEN_MS = 3_000  # at the showdown players pick cards up to look at them: wait longer
SAME_FOLD_MS = 4_000  # a FOLD key within this time belongs to the fold that the camera saw
READINGS_CROSS_MS = 1_000  # readings of two zones may arrive out of order by so much
CARDS_BACK_MS = 5_000  # cards back within this time were not folded
SHOWDOWN_MS = 6_000  # at a showdown a second hand is tabled within this time
ONE_DEAL_MS = 10_000  # longest time between two cards of one deal

CAMERA_LATE_MS = 10_000  # a camera that is late with its pictures is waited for so much longer

# ------------------------------------------------------------------------------------ chips, disc, devices

CHIPS_DIFFER_MS = 3_000  # longest time between an action's chips and its key
BLINDS_MS = 4_000  # time after the first card until the camera has read the blinds
DISC_AFTER_RIFFLE_MS = 8_000  # time after the first riffle in which the disc may still be moved
DISC_AFTER_MOVE_MS = 3_000  # time after a move in which it may be moved once more
LINE_LOST_MS = 1_500  # a line that comes back sooner gets no notice
PASSED_ON_MS = 20_000  # the same between hands, while keypad and shoe go on to the next dealer
KEYS_HELD_UP_MS = 15_000  # a keypad lost for longer is no longer in use
KEYS_COME_MS = 5_000  # a returned keypad resends its presses within this time

# ------------------------------------------------------------------------------------ counts

HIGHEST_SEAT = 11  # of any table
LONGEST_NUMBER = 13  # digits: of the most chips that a stack may have
MOST_TRIED = 1_000  # actions tried in the search for queued keys: 30 ms on a desktop machine
MOST_WAITING = 40  # presses that wait for a street: more than a round of betting has
MOST_IDLE_CARDS = 3  # first cards of the idle deck; one more, and it is the deck in use
MOST_STRAYS = 8  # cards of another deck among the last ones of a deal
MOST_BUSTED = 2  # players who may have been eliminated in a hand with an unobserved end
FLOP_AND_BURNS = 5  # cards of a flop behind two burns
