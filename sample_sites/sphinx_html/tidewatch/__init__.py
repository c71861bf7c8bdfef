"""Read tide gauges and say when the water is high."""

from tidewatch.gauge import Gauge, Reading

__all__ = ["Gauge", "Reading"]
