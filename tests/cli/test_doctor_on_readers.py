"""What `sourcewright doctor` says of the readers of particular sites."""

import json


def rows_of(cli, **changes):
    done = cli("doctor", "--json", **changes)
    return {one["subject"]: one for one in json.loads(done.stdout)["findings"]}


def test_one_that_is_turned_off_is_listed_with_the_setting_that_turns_it_on(cli):
    rows = rows_of(cli)

    assert rows["fxtwitter"]["detail"] == "disabled"
    assert rows["fxtwitter"]["advice"] == "set SOURCEWRIGHT_ENABLE_FXTWITTER=1 to use it"
    assert rows["bluesky"]["detail"] == "configured"


def test_one_that_is_turned_on_is_configured(cli):
    rows = rows_of(cli, SOURCEWRIGHT_ENABLE_FXTWITTER="1")

    assert rows["fxtwitter"]["detail"] == "configured"
