"""GDELT's own codes for languages and countries.

Docs: https://data.gdeltproject.org/api/v2/guides/LOOKUP-LANGUAGES.TXT and
https://data.gdeltproject.org/api/v2/guides/LOOKUP-COUNTRIES.TXT
"""

# ISO 639-1 and ISO 639-3.
_LANGUAGES = """
af:afr ar:ara bg:bul bn:ben bo:bod bs:bos ca:cat cs:ces da:dan de:deu el:ell en:eng es:spa et:est
fa:fas fi:fin fr:fra gl:glg gu:guj he:heb hi:hin hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn
ka:kat kk:kaz kn:kan ko:kor lt:lit lv:lav mk:mkd ml:mal mn:mon mr:mar ms:msa nb:nor ne:nep nl:nld
nn:nno no:nor pa:pan pl:pol pt:por ro:ron ru:rus si:sin sk:slk sl:slv so:som sq:sqi sr:srp sv:swe
sw:swa ta:tam te:tel th:tha tr:tur uk:ukr ur:urd vi:vie zh:zho
"""
# ISO 3166-1 and FIPS 10-4, where they differ.
_COUNTRIES = """
ad:an ag:ac ai:av aq:ay as:aq at:au au:as aw:aa az:aj ba:bk bd:bg bf:uv bg:bu bh:ba bi:by bj:bn
bl:tb bm:bd bn:bx bo:bl bs:bf bw:bc by:bo bz:bh cc:ck cd:cg cf:ct cg:cf ch:sz ci:iv ck:cw cl:ci
cn:ch cr:cs cw:uc cx:kt cz:ez de:gm dk:da dm:do do:dr dz:ag ee:en eh:wi es:sp ga:gb gb:uk gd:gj
ge:gg gf:fg gg:gk gm:ga gn:gv gq:ek gs:sx gu:gq gw:pu hn:ho ht:ha ie:ei il:is iq:iz is:ic jp:ja
kh:cb ki:kr km:cn kn:sc kp:kn kr:ks kw:ku ky:cj lb:le lc:st li:ls lk:ce lr:li ls:lt lt:lh lv:lg
ma:mo mc:mn me:mj mf:rn mg:ma mh:rm mm:bm mn:mg mo:mc mp:cq mq:mb ms:mh mu:mp mw:mi na:wa ne:ng
ng:ni ni:nu nu:ne om:mu pa:pm pf:fp pg:pp ph:rp pm:sb pn:pc pr:rq pt:po pw:ps py:pa rs:ri ru:rs
sb:bp sc:se sd:su se:sw sg:sn sj:sv sk:lo sn:sg sr:ns ss:od st:tp sv:es sx:nn sz:wz tc:tk td:cd
tf:fs tg:to tj:ti tk:tl tl:tt tm:tx tn:ts to:tn tr:tu tt:td ua:up va:vt vg:vi vi:vq vn:vm vu:nh
xk:kv ye:ym yt:mf za:sf zm:za zw:zi
"""
_SAME_COUNTRIES = """
ae af al am ao ar bb be br bt bv ca cm co cu cv cy dj ec eg er et fi fj fk fm fo fr gh gi gl gp gr
gt gy hk hm hr hu id im in io ir it je jm jo ke kg kz la lu ly md mk ml mr mt mv mx my mz nc nf nl
no np nr nz pe pk pl qa re ro rw sa sh si sl sm so sy th tv tw tz ug us uy uz vc ve wf ws
"""


def _pairs(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


_IN_THREE_LETTERS = _pairs(_LANGUAGES)
_IN_FIPS = {code: code for code in _SAME_COUNTRIES.split()} | _pairs(_COUNTRIES)


def iso639_3_code(language: str | None) -> str | None:
    """`deu` for `de`; None for a language that GDELT does not index."""
    return _IN_THREE_LETTERS.get(language or "")


def fips_code(country: str | None) -> str | None:
    """`gm` for `de`; None for a country without a single FIPS code."""
    return _IN_FIPS.get(country or "")
