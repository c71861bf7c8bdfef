"""A tide gauge and what it measured."""

from typing import NamedTuple


class Reading(NamedTuple):
    """One measurement: minutes since midnight, and the height of the water in centimetres."""

    minute: int
    height: int


class Gauge:
    """A gauge at a harbour wall.

    ``zero`` is the height that the gauge shows at chart datum, in centimetres.
    """

    def __init__(self, name, zero=0):
        self.name = name
        self.zero = zero
        self.readings = []

    def record(self, minute, height):
        """Note one measurement, as the gauge shows it."""
        self.readings.append(Reading(minute, height - self.zero))

    def high_water(self):
        """The highest reading so far; the first of them when there are several. None before the first one."""
        return max(self.readings, key=lambda reading: reading.height, default=None)
