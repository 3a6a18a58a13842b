"""The message in which a device reports when its certificates expire."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from table_core.messages import Frozen


class CertificateExpiry(Frozen, frozen=True):
    """Which certificate of a device expires first, and when. It carries no text: the station words the alert, so a
    stolen certificate writes nothing of its own on the director's page."""

    what: Literal["own", "pages", "authority", "broker"]
    on: Annotated[str, Meta(pattern=r"^\d{4}-\d\d-\d\d$", max_length=10)]
    soon: bool

    def words(self, name: str) -> str:
        whose = {
            "own": f"of {name}",
            "pages": f"of the pages of {name}",
            "authority": "of the venue's authority",
            "broker": "of the broker",
        }[self.what]
        return f"The certificate {whose} expires on {self.on}; see `feltwire provision renew`."
