"""The version of the messages: one number for all of them, in every event, birth and beat.

A change that an older program cannot read has another number. Messages since `OLDEST_VERSION` are read
(`tests/messages`); one of a later version is refused with words that say which program to update.
"""

from __future__ import annotations

MESSAGES_VERSION = 3
OLDEST_VERSION = 2  # 1: events were not signed
