"""Cookie consent texts: recognised by the ideas that they contain, in a dozen languages."""

import re

_COOKIE = re.compile("cookie", re.IGNORECASE)
_IDEAS = (
    _COOKIE,
    *(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            r"\b(?:accept|akzept|acept|aceit|accett|zustimm|accord|akkoord|godk|принять|agree|同意|동의)",
            r"\b(?:reject|refus|ablehn|rechaz|rejeit|rifiut|weiger|avvis|neka|отклон|decline|deny|拒否|拒绝|거부)",
            r"\b(?:partner|parceiro|socio|vendor|third part|anbieter|fournisseur|партн)",
            r"\b(?:consent|einwillig|consenso|toestemming|samtyck|samtykke|согласи)",
            r"\b(?:privacy|datenschutz|confidentialit|privacidad|integritet|конфиденц)|プライバシー|隐私|개인정보",
            r"\b(?:personali[sz]|werbung|publicit|publicidad|advertis|pubblicit|реклам)",
            r"\b(?:manage|settings|preferences|einstellung|paramétr|configur|gestisci|instelling|настро)",
        )
    ),
)
_MIN_IDEAS = 5
"""How many of the ideas a text has that asks for consent."""


def consent_ideas(text: str) -> int:
    """The number of ideas in a text that asks for consent to cookies; 0 if it does not."""
    if not _COOKIE.search(text):
        return 0
    ideas = sum(bool(idea.search(text)) for idea in _IDEAS)
    return ideas if ideas >= _MIN_IDEAS else 0
