"""The clip: the last minutes of a table's camera, kept encrypted and opened for a dispute."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from table_core.messages.base import Frozen, Millis, Name, Number, Text

MOST_CIPHER = 160 * 1024  # bytes of a segment: in Base64 it is within the longest message

_Cipher = Annotated[bytes, Meta(max_length=MOST_CIPHER)]
_Small = Annotated[bytes, Meta(max_length=256)]


class ClipSegment(Frozen, frozen=True):
    """A few seconds of what everybody may see of a table, as they lie on its disk.

    `began` and `ended` are of the table's boot `boot`. `box` opens with the station's private key only and holds
    one half of the key of `cipher`; the other half is the table's, in memory.
    """

    table: Name
    boot: Name
    began: Millis
    ended: Millis
    box: _Small
    cipher: _Cipher


class ClipPart(Frozen, frozen=True):
    """One segment of the answer to the `OpenClip` with the id `answers`, the newest first: number `no` of `of`.

    `share` is the table's half of the key. Without a segment `why` says why there is none. Signed with the key of
    the table's ledger.
    """

    epoch: Number
    answers: Name
    no: Number = 0
    of: Number = 0
    segment: ClipSegment | None = None
    share: _Small = b""
    why: Text = ""
    signature: Name = ""


class ClipShot(Frozen, frozen=True):
    """One picture of an open clip: its name, and when it was taken (wall)."""

    id: Name
    wall: Name


class ClipView(Frozen, frozen=True):
    """The clip of a table that the director `by` has open at the station: `parts` of `of` have come. `shots` are
    its pictures, the oldest first, each at `/clip/<table>/<id>?opening=<opening>`. No `opening`: none is open."""

    opening: Name = ""
    by: Name = ""
    parts: Number = 0
    of: Number = 0
    shots: Annotated[tuple[ClipShot, ...], Meta(max_length=2_000)] = ()
    why: Text = ""
