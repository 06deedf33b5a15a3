"""What a run says, and how far it is."""

from __future__ import annotations

import math
import sys
import time
import warnings
from collections.abc import Callable
from typing import NamedTuple

from pegnn import _native
from pegnn._errors import PegnnWarning, UsageError

Talk = Callable[[str, str], None]


def warn(text: str, category: type[PegnnWarning] = PegnnWarning) -> None:
    """A warning that points at the line outside the package from which it comes."""
    depth, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("pegnn."):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, category, stacklevel=depth)


def talk_for(verbose: int) -> Talk:
    """A function for the engine's talk: warnings always, notes from 1 on, details from 2 on."""

    def talk(kind: str, text: str) -> None:
        if kind == "warning":
            warn(text)
        elif verbose >= (2 if kind == "detail" else 1):
            print(text, file=sys.stderr, flush=True)

    return talk


class Progress(NamedTuple):
    """Where a training run stands: what callbacks of `fit` are given."""

    step: int  #: taken so far
    steps: int  #: at most
    loss: float = math.nan  #: mean since the last report; NaN: not measured
    main: float = math.nan  #: its part of the prediction
    auxiliary: float = math.nan  #: its part of Moran's I
    validation: float = math.nan  #: error on the rows held back
    seconds: float = math.nan  #: of training so far
    measured: bool = False  #: whether figures are new, not the step alone
    part: str = ""  #: which of several runs it is, such as "member 2 of 8"

    @classmethod
    def of(cls, native: _native.Progress) -> Progress:
        return cls(*(getattr(native, name) for name in cls._fields))


class ProgressBar:
    """A bar for training, on standard error, as a callback of `fit`.

    On a terminal and in a notebook it is one line that moves; elsewhere it prints a line for every
    part of a run that is done. Of parts that run side by side it shows one at a time, and each when
    it is done. `verbose=1` puts one up; make your own for another place or width.

    Parameters
    ----------
    file : file object, optional
        Where to; standard error by default.
    width : int
        Of the bar, in characters.

    Examples
    --------
    >>> import io
    >>> from pegnn import PEGNNRegressor, ProgressBar, sample
    >>> table = sample().head(50)
    >>> paper = io.StringIO()
    >>> model = PEGNNRegressor(preset="paper", steps=20)
    >>> _ = model.fit(table[["longitude", "latitude"]], table["elevation"], callback=ProgressBar(file=paper))
    >>> "20/20" in paper.getvalue()
    True
    """

    def __init__(self, file=None, width: int = 30):
        self.file = file
        self.width = width
        self._drawn = 0
        self._last = 0.0
        self._part = None  # that is shown
        self._heard = 0.0  # of it, last

    def __call__(self, progress) -> None:
        file = self.file or sys.stderr
        done = progress.step >= progress.steps
        now = time.monotonic()
        moving = _moves(file)
        if not done:
            others = progress.part != self._part and now - self._heard < 2.0
            if not moving or others:
                return
            self._part, self._heard = progress.part, now
            if now - self._last < 0.1:
                return
        elif progress.part == self._part:
            self._heard = 0.0  # the next one may be shown
        self._last = now
        text = self._line(progress)
        if moving:
            file.write("\r" + text.ljust(self._drawn) + ("\n" if done else ""))
            self._drawn = 0 if done else len(text)
        else:
            file.write(text + "\n")
        file.flush()

    def close(self) -> None:
        """Ends a line that is still being drawn."""
        if self._drawn:
            (self.file or sys.stderr).write("\n")
            self._drawn = 0

    def _line(self, progress) -> str:
        share = progress.step / max(progress.steps, 1)
        full = int(share * self.width)
        bar = "#" * full + "." * (self.width - full)
        text = f"{progress.part + ': ' if progress.part else ''}|{bar}| "
        text += f"{progress.step}/{progress.steps}"
        if progress.loss == progress.loss:
            text += f"  loss {progress.loss:.4g}"
        if progress.validation == progress.validation:
            text += f"  validation {progress.validation:.4g}"
        return text + f"  {progress.seconds:.0f} s"


def _moves(file) -> bool:
    """Whether a line written to the file can be written over."""
    if getattr(file, "isatty", lambda: False)():
        return True
    return type(file).__module__.startswith("ipykernel")


class Watcher:
    """The callback of a run: the caller's own, a bar where notes are wanted, or none."""

    def __init__(self, callback, verbose: int):
        if callback is not None and not callable(callback):
            raise UsageError(f"callback: {callback!r} is not a function")
        self.bar = ProgressBar() if verbose >= 1 else None
        self.listeners = [one for one in (self.bar, callback) if one is not None]

    def function(self) -> Callable[[_native.Progress], None] | None:
        """For the engine; None where nobody listens."""
        return self._tell if self.listeners else None

    def _tell(self, now: _native.Progress | Progress) -> None:
        progress = now if isinstance(now, Progress) else Progress.of(now)
        for listener in self.listeners:
            listener(progress)

    def __enter__(self) -> Watcher:
        return self

    def __exit__(self, *_) -> None:
        if self.bar is not None:
            self.bar.close()
