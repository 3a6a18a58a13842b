"""Pictures of a poker table, drawn by our own code: a `Scene` in, a picture and its labels out.

Only simulation, tests and scores import this. The card reader never does, and nothing here knows the reader: what
is read from these pictures is read by sight.
"""

from vision.synthetic.felt.renderer import Label, Rendered, Renderer, render
from vision.synthetic.felt.scene import ChipPile, Cover, Disc, LyingCard, Scene, SceneLight

__all__ = [
    "ChipPile",
    "Cover",
    "Disc",
    "Label",
    "LyingCard",
    "Rendered",
    "Renderer",
    "Scene",
    "SceneLight",
    "render",
]
