"""The simulated camera over the felt: renders what lies there and serves the pictures to the table's camera."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from feltwire.lab.simroom.felt.felt import PhysicalFelt
from feltwire.lab.simroom.felt.scene import scene_of
from vision.camera.frame_server import FrameServer
from vision.camera.frame_socket import Format
from vision.geometry.pixels import Image
from vision.synthetic.felt.hung_view import HungView
from vision.synthetic.felt.renderer import Renderer
from vision.synthetic.felt.scene import Scene, SceneLight

GLANCE_S = 0.25
MOST_FPS = 10.0  # of a hung camera: as often as a table looks at a live one
VARIANTS = 3  # pictures of one scene, each with noise of its own
LONGEST_LOOK_S = 20.0  # nobody fetches pictures: the table is down, and the game goes on


class SocketEye:
    """Shows the felt on the frame socket at `path`, at most `fps` pictures a second.

    `seen`: by a camera over the table, whose pictures travel as JPEG; or the felt itself is the picture.
    `still_frames` is how many pictures of the same scene a watcher needs before it believes it. `light` is what
    the camera gets to see; where it is given, no two pictures in a row have the same noise. `deck_style` is how
    the cards are printed.
    """

    def __init__(
        self,
        path: str | Path,
        seen: HungView | Renderer,
        *,
        fps: float,
        still_frames: int,
        light: SceneLight | None = None,
        deck_style: str = "house",
    ) -> None:
        self._light = light
        self._deck_style = deck_style
        self._felt = seen.felt
        self._seen = seen
        self._still_frames = still_frames
        if isinstance(seen, HungView):
            fps, quality = min(fps, MOST_FPS), seen.sensor.quality
            self._server = FrameServer(path, fps=fps, format=Format.CODED, quality=quality)
        else:
            self._server = FrameServer(path, fps=fps)
        self._shown = 0
        self._last: tuple[int, bool] | None = None
        self._seed = 0

    def show(self, felt: PhysicalFelt, *, covered: bool = False) -> None:
        """Render the felt as it lies; nothing to do when neither it nor the arm over it moved."""
        state = (felt.changes, covered)
        if state == self._last:
            return
        self._last = state
        self._seed += 1
        scene = replace(scene_of(felt, self._felt, covered=covered, seed=self._seed), deck=self._deck_style)
        if self._light is None:
            self._shown = self._server.show(self._taken(scene))
            return
        first, *noise = (
            self._taken(replace(scene, light=self._light, seed=self._seed * VARIANTS + i)) for i in range(VARIANTS)
        )
        self._shown = self._server.show(first, noise=noise)

    def _taken(self, scene: Scene) -> Image:
        return self._seen.take(scene) if isinstance(self._seen, HungView) else self._seen.render(scene).image

    def wait_seen(self, check: Callable[[], None]) -> None:
        """Wait until the still picture was fetched often enough to be read; not forever when nobody fetches."""
        for _ in range(round(LONGEST_LOOK_S / GLANCE_S)):
            check()
            if self._server.wait_delivered(self._shown, timeout=GLANCE_S, frames=self._still_frames):
                return

    def close(self) -> None:
        self._server.close()
