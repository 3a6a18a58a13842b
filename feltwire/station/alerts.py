"""What the director must know of the station itself: no broker, a full disk, a certificate that ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from feltwire.runtime.certificates.expiry import CertificateExpiry
from feltwire.runtime.node_io import Say
from table_core.messages import HealthColour, MachineReadings, Malformed, decode
from table_core.projections.health import of_machine


class StationAlerts:
    """One text a kind, until it is ended. `texts` are those at the start; an empty one is none."""

    def __init__(self, **texts: str) -> None:
        self._texts = {kind: text for kind, text in texts.items() if text}

    def set(self, kind: str, text: str) -> bool:
        """Whether it is news."""
        news = self._texts.get(kind) != text
        self._texts[kind] = text
        return news

    def warn(self, kind: str, text: str) -> Iterator[Say]:
        """Set it; it goes to the log once."""
        if self.set(kind, text):
            yield Say(text, "warning")

    def end(self, kind: str) -> None:
        self._texts.pop(kind, None)

    def end_expired(self) -> None:
        """The director is there and decides anew."""
        for kind in [kind for kind in self._texts if kind.startswith("expired")]:
            del self._texts[kind]

    def certificate_ends(self, name: str, payload: bytes) -> None:
        """A device reports which of its certificates expires first."""
        kind = f"ends {name}"
        try:
            ends = decode(payload, CertificateExpiry)
        except Malformed:
            return
        if not ends.soon:
            self.end(kind)
        elif (text := ends.words(name)) not in self._texts.values():  # the broker's is said by each device
            self._texts[kind] = text

    def machine(self, readings: MachineReadings) -> Iterator[Say]:
        """What is red of the station's own machine."""
        for fact in of_machine(readings):
            kind = f"machine {fact.what}"
            if fact.colour is HealthColour.RED:
                said = f"{fact.words[0].lower()}{fact.words[1:]}"
                yield from self.warn(kind, f"The station's machine: {said} {fact.do}")
            else:
                self.end(kind)

    def texts(self, without: Collection[str]) -> list[str]:
        """All but the kinds in `without`."""
        return [text for kind, text in self._texts.items() if kind not in without]
