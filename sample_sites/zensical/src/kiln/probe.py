"""The thermocouple."""


def read() -> float:
    """The temperature in °C."""
    return 20.0
