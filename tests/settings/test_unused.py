"""Variables of comparable servers that have no effect here."""

import re

from sourcewright import manifest
from sourcewright.settings import TABLE
from sourcewright.settings.unused import UNUSED, unused_variables


def names():
    """Every name that a setting or an option of a provider has."""
    options = (name for option in manifest.load()["options"] for name in option["env"])
    return {name for setting in TABLE for name in setting.names} | {*options}


def test_none_of_them_is_a_setting():
    assert not UNUSED.keys() & names()


def test_what_to_use_instead_is_a_setting():
    mentioned = {
        word for why in UNUSED.values() for word in re.findall(r"[A-Z]+(?:_[A-Z]+)+", why)
    }

    assert mentioned
    assert mentioned <= names()


def test_only_those_that_are_set_are_named():
    environment = {"LOG_FORMAT": "json", "DOIGET_COLOR": " ", "LOG_LEVEL": "info"}

    assert unused_variables(environment).keys() == {"LOG_FORMAT"}
