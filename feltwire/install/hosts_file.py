"""The names of a venue's machines in /etc/hosts, where no router knows them."""

from __future__ import annotations

from collections.abc import Mapping

_BEGIN, _END = "# feltwire: the venue's machines", "# feltwire: end"


def lines_of(addresses: Mapping[str, str]) -> str:
    """`addresses`: address of each whole name.

    >>> lines_of({"station.hall.lan": "10.0.0.2"})
    '10.0.0.2 station.hall.lan\\n'
    """
    return "".join(f"{address} {name}\n" for name, address in addresses.items())


def with_names(text: str, lines: str) -> str:
    """The text of a hosts file with these lines, in place of those of an earlier time.

    >>> print(with_names("127.0.0.1 localhost", "10.0.0.2 station.hall.lan\\n"), end="")
    127.0.0.1 localhost
    # feltwire: the venue's machines
    10.0.0.2 station.hall.lan
    # feltwire: end
    """
    before, begin, rest = text.partition(f"{_BEGIN}\n")
    after = rest.partition(f"{_END}\n")[2] if begin else ""
    kept = before if not before or before.endswith("\n") else f"{before}\n"
    return f"{kept}{_BEGIN}\n{lines}{_END}\n{after}"
