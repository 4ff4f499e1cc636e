"""Languages of OCR in settings, by Tesseract's names, which become an argument of the program."""

import re

from sourcewright.settings.kinds import InvalidValue, Kind, echo, list_items


def read_ocr_languages(value: object) -> tuple[str, ...]:
    """Parse a list of languages."""
    names = tuple(dict.fromkeys(list_items(value)))
    wrong = [name for name in names if not re.fullmatch("[A-Za-z][A-Za-z_]{1,30}", name)]
    if wrong:
        raise InvalidValue(f"must be a list such as `deu, eng`, got {echo(wrong[0])}")
    return names


OCR_LANGUAGES = Kind("list of languages", read_ocr_languages)
