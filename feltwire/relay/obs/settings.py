"""What the program that switches the scenes of OBS is told. Apart from it: a room is described on systems, too, on
which none can run."""

from __future__ import annotations

from feltwire.relay.obs.moments import Moment
from table_core.messages import Frozen, Name


class ObsConfig(Frozen, frozen=True):
    """Scenes of OBS by moment. `password`: a file that only its user may read; empty: OBS asks for none. `ca`: of
    the relay's certificate; empty: the authorities of this machine."""

    scenes: dict[Moment, Name]
    relay: str = "http://127.0.0.1:8083"
    feed: Name = "feature"
    ca: str = ""
    url: str = "ws://127.0.0.1:4455"
    password: str = ""
