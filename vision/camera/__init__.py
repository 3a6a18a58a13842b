"""The table's camera: the newest picture from wherever it comes, never an old one.

    with open_camera("v4l2:/dev/video0") as camera:
        frame = camera.read(timeout=1.0)

| source | what |
|---|---|
| `v4l2:/dev/video0` | a USB camera |
| `csi:0` | a Pi camera on the ribbon, through picamera2 |
| `stream:FILE` | a telephone, over HTTP (`vision.camera.stream`); its address is in the file |
| `socket:PATH` | a camera process (see `vision.camera.frame_socket`); the simulated room is one |
| `file:PATH` | a picture, again and again; the pictures of a folder or of a video, each once |

Behind a device stand its settings: `csi:0?size=4056x3040` (`vision.camera.settings`).

A camera that disconnects is opened again; `read` gives None meanwhile and `trouble` says why.
"""

from __future__ import annotations

from collections.abc import Callable

from vision.camera.base import Camera
from vision.camera.csi import CsiCamera
from vision.camera.errors import CameraError
from vision.camera.files import file_camera
from vision.camera.frames import SocketCamera
from vision.camera.stream import StreamCamera
from vision.camera.v4l2 import V4l2Camera

__all__ = ["Camera", "CameraError", "open_camera"]

_KINDS: dict[str, Callable[[str, str], Camera]] = {
    "socket": SocketCamera,
    "file": file_camera,
    "v4l2": V4l2Camera,
    "csi": CsiCamera,
    "stream": StreamCamera,
}


def open_camera(source: str) -> Camera:
    """The camera that `source` names; raise `CameraError` when the name means nothing or the file is not there.

    A socket or device that is not there *yet* is waited for by `read`.
    """
    kind, _, where = source.partition(":")
    if kind not in _KINDS or not where:
        raise CameraError(
            f"camera {source!r}: expected socket:PATH, file:PATH, stream:FILE, v4l2:/dev/video0 or csi:0 in the "
            "configuration"
        )
    return _KINDS[kind](source, where)
