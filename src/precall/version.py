"""The version, said once; the build reads it here."""

__version__ = "0.9.0"
