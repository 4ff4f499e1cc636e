"""Ages of pages in the simulated web stay constant, however long a world runs."""

from datetime import timedelta

from sourcewright.world.corpus import web


def test_items_keep_their_dates_until_they_are_renewed():
    web.renew(after=timedelta(0))
    before = web.items()

    web.renew()
    kept = web.items()
    web.renew(after=timedelta(0))
    renewed = web.items()

    assert kept is before
    assert renewed is not before
    assert renewed[0].published > before[0].published
    assert min(item.age for item in renewed) < timedelta(hours=1)
