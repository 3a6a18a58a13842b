"""Lights and lenses for a simulated room: different pictures of the same felt."""

from __future__ import annotations

from vision.synthetic.felt.scene import SceneLight

LIGHTS: dict[str, SceneLight] = {
    "normal": SceneLight(),
    "bright": SceneLight(level=1.15, gradient=0.1, warmth=0.0),
    "dim": SceneLight(level=0.55, noise=3.5),
    "night": SceneLight(level=0.38, noise=5.5),
    "lamp": SceneLight(level=0.9, gradient=0.55, towards_deg=200.0, warmth=0.55),
    "soft": SceneLight(blur_px=1.1),
    "noisy": SceneLight(level=0.8, noise=7.0),
    "shaken": SceneLight(smear_px=2.0, smear_deg=30.0, noise=3.0),
    # Where cards go unread, and the dealer helps.
    "gloom": SceneLight(level=0.2, noise=9.0),
    "mist": SceneLight(level=0.8, noise=3.0, blur_px=2.2),
}
