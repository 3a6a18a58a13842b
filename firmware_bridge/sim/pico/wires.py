"""What a pin of the simulated Pico is joined to."""


class Wire:
    """The far end of a wire. `level` is what it drives the pin to; `driven` is told when the Pico drives it."""

    def level(self) -> int:
        return 1  # nothing is there: the pull-up wins

    def driven(self, level: int) -> None:
        """The Pico set its pin."""


class Contact(Wire):
    """A switch or a light barrier: a level that somebody else sets."""

    def __init__(self, level: int = 0) -> None:
        self.now = level

    def level(self) -> int:
        return self.now


class Cable:
    """A serial line. Subclasses move the bytes."""

    def write(self, data: bytes) -> None:
        raise NotImplementedError

    def read(self) -> bytes:
        """What has come; empty for nothing."""
        raise NotImplementedError


class Loose(Cable):
    """A cable whose other end somebody holds: `sent` came from the Pico, `to_pico` goes to it."""

    def __init__(self) -> None:
        self.sent = b""
        self.to_pico = b""

    def write(self, data: bytes) -> None:
        self.sent += data

    def read(self) -> bytes:
        data, self.to_pico = self.to_pico, b""
        return data

    def take(self) -> bytes:
        """What the Pico has sent since the last call."""
        data, self.sent = self.sent, b""
        return data
