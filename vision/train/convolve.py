"""Fits the network of the corner with PyTorch and writes it as ONNX.

PyTorch is needed to train and for nothing else: `pip install torch onnx`. The same seed, samples and versions give
the same network on one machine; on others the scores agree within what the recipe states.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from vision.cards.corner import RANK_CLASSES, SUIT_CLASSES, WINDOW_SIZE
from vision.train.drawn import UNKNOWN, Drawn

BATCH = 128
RATE = 4e-3
MOVED_PX = 1  # half a millimetre of the card
DECAY = 1e-3
CHANNELS = (16, 32, 48, 64)
HIDDEN = 128
OPSET = 13  # what onnxruntime of 2023 and OpenCV 4.11 read


def network() -> nn.Sequential:
    """Four convolutions, two layers; scores of 14 ranks, then of 5 suits."""
    first, second, third, fourth = CHANNELS
    width, height = WINDOW_SIZE
    return nn.Sequential(
        nn.Conv2d(3, first, 5, 2, 2, bias=False), nn.BatchNorm2d(first), nn.ReLU(),
        nn.Conv2d(first, second, 3, 1, 1, bias=False), nn.BatchNorm2d(second), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(second, third, 3, 1, 1, bias=False), nn.BatchNorm2d(third), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(third, fourth, 3, 1, 1, bias=False), nn.BatchNorm2d(fourth), nn.ReLU(),
        nn.Flatten(), nn.Dropout(0.25),
        nn.Linear(fourth * (height // 8) * (width // 8), HIDDEN), nn.ReLU(), nn.Dropout(0.2),
        nn.Linear(HIDDEN, len(RANK_CLASSES) + len(SUIT_CLASSES)),
    )  # fmt: skip


def fit_corner(learn: Drawn, epochs: float, seed: int, path: Path, say: Callable[[str], None]) -> None:
    """Fit a network to drawn corners and write it to `path`."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    net = network().to(memory_format=torch.channels_last)
    loss = nn.CrossEntropyLoss(ignore_index=UNKNOWN)
    windows, ranks, suits = (torch.from_numpy(part) for part in (learn.windows, learn.ranks, learn.suits))
    steps = int(epochs * len(windows) // BATCH)
    adam = torch.optim.AdamW(net.parameters(), RATE, weight_decay=DECAY)
    rate = torch.optim.lr_scheduler.OneCycleLR(adam, RATE, total_steps=steps, pct_start=0.1)
    order = torch.Generator().manual_seed(seed)
    for step, chosen in enumerate(_batches(len(windows), steps, order)):
        ink = windows[chosen].float() / 255 * (0.85 + 0.3 * torch.rand(BATCH, 3, 1, 1, generator=order))
        ink = _moved(ink, order).contiguous(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):  # half the time where the processor knows it
            scores = net(ink)
        scores = scores.float()
        wrong = loss(scores[:, : len(RANK_CLASSES)], ranks[chosen])
        wrong = wrong + loss(scores[:, len(RANK_CLASSES) :], suits[chosen])
        adam.zero_grad()
        wrong.backward()
        adam.step()
        rate.step()
        if step % 500 == 0:
            say(f"corner: step {step} of {steps}, loss {wrong.item():.3f}")
    _write(net, path)


def _moved(ink: torch.Tensor, order: torch.Generator) -> torch.Tensor:
    """A batch moved by up to `MOVED_PX` either way: a corner is never cut out twice at quite the same place."""
    down, right = (int(v) for v in torch.randint(2 * MOVED_PX + 1, (2,), generator=order))
    height, width = ink.shape[2:]
    wider = nn.functional.pad(ink, (MOVED_PX,) * 4, mode="replicate")
    return wider[:, :, down : down + height, right : right + width]


def _batches(count: int, steps: int, order: torch.Generator) -> list[torch.Tensor]:
    """Numbers of samples for each step, every sample once an epoch."""
    an_epoch = count // BATCH
    rounds = [torch.randperm(count, generator=order) for _ in range(-(-steps // an_epoch))]
    return [rounds[i // an_epoch][(i % an_epoch) * BATCH :][:BATCH] for i in range(steps)]


def _write(net: nn.Sequential, path: Path) -> None:
    net.to(memory_format=torch.contiguous_format).eval()
    width, height = WINDOW_SIZE
    path.parent.mkdir(parents=True, exist_ok=True)
    free = {"ink": {0: "n"}, "scores": {0: "n"}}
    example = torch.zeros(1, 3, height, width)
    torch.onnx.export(
        net, (example,), str(path), input_names=["ink"], output_names=["scores"], dynamic_axes=free,
        opset_version=OPSET, dynamo=False,
    )  # fmt: skip


def scores_of(path: Path, held: Drawn) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What the written network says of corners that it has not learned from.

    Odds of ranks, shape (n, 14), and of suits, shape (n, 5).
    """
    from vision.cards.corner import CornerClassifier

    classifier = CornerClassifier(path)
    parts = [classifier(list(held.windows[i : i + 500])) for i in range(0, len(held.windows), 500)]
    return np.vstack([ranks for ranks, _ in parts]), np.vstack([suits for _, suits in parts])
