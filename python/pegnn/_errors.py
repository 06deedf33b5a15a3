"""What can go wrong, as exceptions.

`Error` is the family. Those that come of what the caller passed are a `ValueError` too, so that code
written for scikit-learn catches them; Ctrl-C is a `KeyboardInterrupt` as everywhere in Python.
"""


class Error(Exception):
    """Base of everything the engine raises. The message names what was seen and what helps."""


class UsageError(Error, ValueError):
    """An argument or an option is wrong."""


class DataError(Error, ValueError):
    """The data cannot be used as they are: missing values, too few rows, a latitude beyond 90."""


class ModelError(Error):
    """A model file is damaged, truncated or of a newer format."""


class ResourceError(Error, OSError):
    """A file cannot be read or written, or the disk is full."""


class OutOfMemoryError(ResourceError, MemoryError):
    """There is not enough memory, which is found out before the work begins."""


class TrainingError(Error, RuntimeError):
    """Training went wrong at run time; a loss that is no number any more, for instance."""


class PegnnWarning(UserWarning):
    """Something is likely not what the caller meant, but the run goes on."""


class ApplicabilityWarning(PegnnWarning):
    """Predictions were asked for where the model has learned little.

    More than a third of the rows lie outside the area of applicability, or one of them is ten times
    as far from the nearest training point, on the ground or by its features, as any training point
    is. Said once by each model.
    """
