"""A claim taken apart, and how one sentence compares with it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sourcewright.domain.claims import Numbers
from sourcewright.logic.claims.clauses import Sign, knows, line_of, negates, points_away, signs_in
from sourcewright.logic.claims.opposites import opposes
from sourcewright.logic.claims.stances import Stance, stance_of
from sourcewright.logic.language.lexicon import language_of
from sourcewright.logic.language.measures import quantities_in, without_quantities
from sourcewright.logic.language.quantities import Quantity, compared
from sourcewright.logic.language.sentences import visible
from sourcewright.logic.language.terms import Vocabulary, vocabulary_of

_ABOUT = 0.5
"""The share of a claim's words that a sentence has which is about it."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a sentence has of a claim, and where it parts from it."""

    mask: int
    """Which of the claim's terms it has; numbers behind the words."""
    numbers: Numbers | None = None
    contrast: bool = False
    turned: bool = False
    """Whether it contrasts without a negation of its own, because it says the opposite."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a claim speaks of, its numbers, and whether it denies."""

    words: Vocabulary
    quantities: list[Quantity]
    negated: bool
    signs: Sequence[Sign]
    stance: Stance | None
    """Which way it points; None where it points nowhere, or only its signs can be told."""

    @property
    def size(self) -> int:
        return self.words.size + len(self.quantities)

    def share_of(self, mask: int) -> float:
        """How many of its words a sentence with these terms has."""
        count = self.words.size
        shared = (mask & ((1 << count) - 1)).bit_count()
        return shared / count if count else 0.0

    def likeness(self, sentence: str, mask: int) -> Likeness:
        """How a sentence with these of its words compares."""
        same, numbers = self._numbers_in(sentence)
        is_about = self.share_of(mask) >= _ABOUT
        mask |= same << self.words.size
        if not is_about:
            numbers = None if numbers == "different" else numbers
        if not (is_about or numbers):
            return Likeness(mask)
        if self.stance is None:
            numbers = self._pointed(numbers, lambda: self._signs_in(sentence))
            return Likeness(mask, numbers, contrast=is_about and self._is_denied_by(sentence))
        other = stance_of(sentence, self.words.language)
        numbers = self._pointed(numbers, lambda: other.signs)
        timely = other.negated or self._is_of_its_years(same)
        contrast = is_about and timely and opposes(other, self.stance)
        return Likeness(mask, numbers, contrast=contrast, turned=contrast and not other.negated)

    def _numbers_in(self, sentence: str) -> tuple[int, Numbers | None]:
        if not self.quantities:
            return 0, None
        return compared(self.quantities, quantities_in(sentence, self.words.language))

    def _signs_in(self, sentence: str) -> Sequence[Sign]:
        return signs_in(line_of(sentence, self.words.language))

    def _pointed(
        self, numbers: Numbers | None, signs: Callable[[], Sequence[Sign]]
    ) -> Numbers | None:
        """A number that fell is not the same as one that rose, and not another one either."""
        if numbers == "same" and self.signs and points_away(signs(), self.signs):
            return None
        return numbers

    def _is_denied_by(self, sentence: str) -> bool:
        return not self.negated and negates(sentence, self.words.language)

    def _is_of_its_years(self, same: int) -> bool:
        """Whether a sentence with these of its numbers has every year that it names."""
        years = [at for at, one in enumerate(self.quantities) if one.kind == "year"]
        return all(same >> at & 1 for at in years)


def claim_of(claim: str, text: str) -> Claim:
    """A claim in its own language, or in that of the text if it could be in more than one."""
    seen = visible(claim)
    language = language_of(seen, text)
    stance = stance_of(seen, language) if knows(language) else None
    signs = stance.signs if stance else signs_in(line_of(seen, language))
    return Claim(
        words=vocabulary_of(without_quantities(seen, language), language),
        quantities=quantities_in(seen, language),
        negated=negates(seen, language),
        signs=signs,
        stance=stance if stance and stance.tells else None,
    )
