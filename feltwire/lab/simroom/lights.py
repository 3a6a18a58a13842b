"""Light and lenses under which a simulated room can be dealt: what the camera gets to see of the same felt."""

from __future__ import annotations

from vision.synthetic.felt.scene import Light

LIGHTS: dict[str, Light] = {
    "normal": Light(),
    "bright": Light(level=1.15, gradient=0.1, warmth=0.0),
    "dim": Light(level=0.55, noise=3.5),
    "night": Light(level=0.38, noise=5.5),
    "lamp": Light(level=0.9, gradient=0.55, towards_deg=200.0, warmth=0.55),
    "soft": Light(blur_px=1.1),
    "noisy": Light(level=0.8, noise=7.0),
    "shaken": Light(smear_px=2.0, smear_deg=30.0, noise=3.0),
    # Where cards go unread, and the dealer helps.
    "gloom": Light(level=0.2, noise=9.0),
    "mist": Light(level=0.8, noise=3.0, blur_px=2.2),
}
