"""The release that lies at the station for the room: found, checked and given to machines that fetch it."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

from feltwire.errors import UsageError
from feltwire.install.places import FOR_THE_ROOM
from feltwire.install.program_file import check_whole, read_release
from feltwire.install.release_keys import check_signature, trusted_keys
from feltwire.station.station_io import ReleaseSeen

_MOST_WORDS = 300


class RoomRelease:
    """`data` is the station's folder. The file is read when it was put there or changed; a machine that fetches it
    names a word that this station drew and says on the bus, so nobody else loads the station with it."""

    def __init__(self, data: Path) -> None:
        self.path = data / FOR_THE_ROOM
        self._word = secrets.token_urlsafe(16)
        self._mark: tuple[int, int, int] | None = None
        self._seen = ReleaseSeen()

    @property
    def route(self) -> str:
        return "/release/{word}"

    def look(self, address: str) -> ReleaseSeen | None:
        """What lies there, where that has changed; machines fetch it at `address`."""
        mark = self._mark_of()
        if mark == self._mark:
            return None
        self._mark = mark
        try:
            self._seen = ReleaseSeen() if mark is None else self._read(f"{address}/release/{self._word}")
        except UsageError as error:
            self._seen = ReleaseSeen(why=str(error)[:_MOST_WORDS])
        except OSError as error:
            self._seen = ReleaseSeen(why=f"{self.path} cannot be read ({error.strerror})")
        return self._seen

    def _mark_of(self) -> tuple[int, int, int] | None:
        try:
            found = self.path.lstat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _read(self, url: str) -> ReleaseSeen:
        release = read_release(self.path)
        check_signature(release, trusted_keys())
        check_whole(self.path, release)
        with self.path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        return ReleaseSeen(release.version, size, digest, url)

    async def given(self, request: Request) -> Response:
        """The file, to a machine that was sent it."""
        if not secrets.compare_digest(request.path_params["word"].encode(), self._word.encode()):
            return PlainTextResponse("no such page\n", 404)
        if not self._seen.version or self._mark_of() != self._mark:
            return PlainTextResponse("no release lies here\n", 404)
        return FileResponse(self.path, media_type="application/octet-stream")
