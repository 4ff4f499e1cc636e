"""Which fields of a query only count visitors, and never choose the page.

Only names that their makers document for this are listed: a short name such as `ref`, `id`
or `source` may choose the page somewhere.
"""

import re

_NAMES = re.compile(
    r"""
    utm_[a-z_]+                                         # Google Analytics, and most others
    | (?:pk|mtm|matomo|piwik)_(?:campaign|kwd|keyword|source|medium|content|cid|group|placement)
    | hsa_[a-z]{2,4} | _hsenc | _hsmi | _hsfp | __hstc | __hssc | hsctatracking     # HubSpot
    | _ga | _gl | gclid | gclsrc | gbraid | wbraid | dclid | srsltid                # Google
    | fbclid | fb_action_(?:ids|types) | fb_source | igshid | igsh                  # Meta
    | msclkid | yclid | ysclid | _openstat | twclid | ttclid | li_fat_id | epik     # advertisers
    | mc_[ce]id | mkt_tok | vero_(?:id|conv) | oly_(?:anon|enc)_id | wickedid       # mailings
    | _branch_match_id | rb_clickid | s_cid | wt[._]mc(?:_id)? | xtor
    | at_(?:medium|campaign|custom[0-9]|link_[a-z]+)
    | ns_(?:mchannel|campaign|source|linkname|fee)
    | guccounter | guce_referrer(?:_sig)? | soc_(?:src|trk)
    | ref_src | __twitter_impression
    """,
    re.IGNORECASE | re.VERBOSE,
)
_AMP = frozenset({("amp", "1"), ("amp", ""), ("amp", "true"), ("outputtype", "amp")})


def counts_visitors(name: str, value: str) -> bool:
    """Whether a field says how somebody came, or asks for the same page as AMP."""
    plain = name.lower()
    while plain.startswith("amp;"):
        plain = plain.removeprefix("amp;")
    return bool(_NAMES.fullmatch(plain)) or (plain, value.lower()) in _AMP
