"""Settings: the only reader of the environment and of the config file."""

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
