"""Scenes that OBS imports (*Scene Collection*, *Import*): graphics of a feed over the video, at 1920 × 1080.

The scene `Video` is empty: there the producer puts the delayed picture, once, and every other scene has it below
its graphics. A browser source stays loaded while its scene is off: graphics that load anew come late.
"""

from __future__ import annotations

from typing import Any

NAME = "Feltwire"
WIDTH, HEIGHT = 1920, 1080
VIDEO, SAFE = "Video", "Cut-safe"
# What OBS gives a new browser source, so that nothing but the graphics is painted.
TRANSPARENT = "body { background-color: rgba(0, 0, 0, 0); margin: 0px auto; overflow: hidden; }"
OVER_ALL = "lower-third,ticker"
# Each scene's graphics: what stands behind `/air/FEED`.
GRAPHICS = {
    "Table": "",
    "Heads-up": "?layout=heads-up",
    "Break": f"?show=break,clock,leaderboard,{OVER_ALL}",
    "Payouts": f"?show=payouts,icm,{OVER_ALL}",
}
BLACK, OPAQUE = 0x000000, 0xFF000000


def scene_collection(address: str, feed: str) -> dict[str, Any]:
    """`address`: of the relay's pages (`http://relay:8083`); `feed`: a table or `feature`.

    >>> [scene["name"] for scene in scene_collection("http://relay:8083", "feature")["scene_order"]]
    ['Table', 'Heads-up', 'Break', 'Payouts', 'Cut-safe', 'Video']
    """
    names = [*GRAPHICS, SAFE, VIDEO]
    sources = [_browser(scene, f"{address}/air/{feed}{query}") for scene, query in GRAPHICS.items()]
    ground = {"color": OPAQUE | BLACK, "width": WIDTH, "height": HEIGHT}
    sources.append(_source("color_source", "Feltwire: ground", ground, versioned="color_source_v3"))
    scenes = [_scene(scene, VIDEO, _graphics(scene)) for scene in GRAPHICS]
    scenes += [_scene(SAFE, "Feltwire: ground"), _scene(VIDEO)]
    return {
        "name": NAME,
        "current_scene": SAFE,
        "current_program_scene": SAFE,
        "scene_order": [{"name": name} for name in names],
        "sources": [*sources, *scenes],
        "groups": [],
        "transitions": [],
        "current_transition": "Cut",
        "transition_duration": 300,
    }


def _graphics(scene: str) -> str:
    return f"Feltwire: {scene}"


def _browser(scene: str, url: str) -> dict[str, Any]:
    settings = {
        "url": url,
        "width": WIDTH,
        "height": HEIGHT,
        "css": TRANSPARENT,
        "fps_custom": False,  # as many frames as the stream has
        "shutdown": False,
        "restart_when_active": False,
        "reroute_audio": False,
        "webpage_control_level": 0,  # the page controls nothing of OBS
    }
    return _source("browser_source", _graphics(scene), settings)


def _source(kind: str, name: str, settings: dict[str, Any], *, versioned: str = "") -> dict[str, Any]:
    return {"id": kind, "versioned_id": versioned or kind, "name": name, "settings": settings}


def _scene(name: str, *sources: str) -> dict[str, Any]:
    items = [_item(source, no) for no, source in enumerate(sources, 1)]
    return _source("scene", name, {"custom_size": False, "id_counter": len(items), "items": items})


def _item(source: str, no: int) -> dict[str, Any]:
    """The last of a scene's items lies on top."""
    return {
        "name": source,
        "id": no,
        "visible": True,
        "locked": True,
        "pos": {"x": 0.0, "y": 0.0},
        "scale": {"x": 1.0, "y": 1.0},
        "rot": 0.0,
        "align": 5,
        "bounds_type": 0,
    }
