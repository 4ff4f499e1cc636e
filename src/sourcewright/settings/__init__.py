"""Settings: the only package that reads the environment and the config file."""

from sourcewright.settings.declared import TABLE, Settings
from sourcewright.settings.draft import MASK, Row
from sourcewright.settings.layers import Problem, SettingsError, config_path
from sourcewright.settings.topics.tools import TOOLSETS

__all__ = [
    "MASK",
    "TABLE",
    "TOOLSETS",
    "Problem",
    "Row",
    "Settings",
    "SettingsError",
    "config_path",
]
