"""Parses a claim into terms, quantities and direction, and compares a sentence with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sourcewright.base.language.lexicon import detect_language
from sourcewright.base.language.measures import quantities_in, without_quantities
from sourcewright.base.language.quantities import NumberAgreement, Quantity, compare_quantities
from sourcewright.base.language.sentences import blank_markup
from sourcewright.base.language.terms import Vocabulary, vocabulary_of
from sourcewright.domain.claims.clauses import (
    DirectionWord,
    can_parse_language,
    find_direction_words,
    has_opposite_direction,
    negates,
    tokenise_sentence,
)
from sourcewright.domain.claims.opposites import opposes
from sourcewright.domain.claims.stances import Stance, stance_of

_MIN_SHARE_ABOUT = 0.5
"""Share of a claim's words that a sentence must contain to be about the claim."""


@dataclass(frozen=True, slots=True)
class SentenceComparison:
    """What a sentence shares with a claim, and where it disagrees."""

    mask: int
    """Bit mask of the claim's terms that it contains; the bits of numbers follow those of words."""
    numbers: NumberAgreement | None = None
    contrast: bool = False
    is_reversed: bool = False
    """Whether it contrasts by stating the opposite, without a negation."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A parsed claim: its terms, quantities, negation and direction."""

    words: Vocabulary
    quantities: list[Quantity]
    negated: bool
    signs: Sequence[DirectionWord]
    stance: Stance | None
    """Its direction; None if it has none, or if the language has direction words only."""

    @property
    def size(self) -> int:
        return self.words.size + len(self.quantities)

    def share_of(self, mask: int) -> float:
        """Return the share of the claim's words among these terms."""
        count = self.words.size
        shared = (mask & ((1 << count) - 1)).bit_count()
        return shared / count if count else 0.0

    def comparison(self, sentence: str, mask: int) -> SentenceComparison:
        """Compare a sentence that contains the terms in the mask."""
        same, numbers = self._numbers_in(sentence)
        is_about = self.share_of(mask) >= _MIN_SHARE_ABOUT
        mask |= same << self.words.size
        if not is_about:
            numbers = None if numbers == "different" else numbers
        if not (is_about or numbers):
            return SentenceComparison(mask)
        if self.stance is None:
            numbers = self._checked_direction(numbers, lambda: self._signs_in(sentence))
            return SentenceComparison(
                mask, numbers, contrast=is_about and self._is_denied_by(sentence)
            )
        other = stance_of(sentence, self.words.language)
        numbers = self._checked_direction(numbers, lambda: other.signs)
        is_negated_or_same_years = other.negated or self._is_of_its_years(same)
        contrast = is_about and is_negated_or_same_years and opposes(other, self.stance)
        return SentenceComparison(
            mask, numbers, contrast=contrast, is_reversed=contrast and not other.negated
        )

    def _numbers_in(self, sentence: str) -> tuple[int, NumberAgreement | None]:
        if not self.quantities:
            return 0, None
        return compare_quantities(self.quantities, quantities_in(sentence, self.words.language))

    def _signs_in(self, sentence: str) -> Sequence[DirectionWord]:
        return find_direction_words(tokenise_sentence(sentence, self.words.language))

    def _checked_direction(
        self, numbers: NumberAgreement | None, signs: Callable[[], Sequence[DirectionWord]]
    ) -> NumberAgreement | None:
        """Drop `same` if the directions differ: a number that fell is not one that rose."""
        if numbers == "same" and self.signs and has_opposite_direction(signs(), self.signs):
            return None
        return numbers

    def _is_denied_by(self, sentence: str) -> bool:
        return not self.negated and negates(sentence, self.words.language)

    def _is_of_its_years(self, same: int) -> bool:
        """Whether the matched numbers include every year in the claim."""
        years = [at for at, one in enumerate(self.quantities) if one.kind == "year"]
        return all(same >> at & 1 for at in years)


def parse_claim(claim: str, text: str) -> Claim:
    """Parse a claim in its own language, or in that of the text if the claim leaves it open."""
    visible_text = blank_markup(claim)
    language = detect_language(visible_text, text)
    stance = stance_of(visible_text, language) if can_parse_language(language) else None
    signs = (
        stance.signs if stance else find_direction_words(tokenise_sentence(visible_text, language))
    )
    return Claim(
        words=vocabulary_of(without_quantities(visible_text, language), language),
        quantities=quantities_in(visible_text, language),
        negated=negates(visible_text, language),
        signs=signs,
        stance=stance if stance and stance.is_stated else None,
    )
