"""Journals by abbreviation, acronym, section and subtitle: the same one, or another."""

import pytest

from sourcewright.references.comparison.venues import same_venue


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ApJ", "The Astrophysical Journal"),
        ("Ann NY Acad Sci", "Annals of the New York Academy of Sciences"),
        ("Ann. N.Y. Acad. Sci.", "Annals of the New York Academy of Sciences"),
        ("U.S. Geol. Surv. Bull.", "United States Geological Survey Bulletin"),
        ("J.R. Stat. Soc. B", "Journal of the Royal Statistical Society: Series B"),
        ("ApJL", "The Astrophysical Journal Letters"),
        ("A&A", "Astronomy & Astrophysics"),
        ("ARA&A", "Annual Review of Astronomy and Astrophysics"),
        ("MNRAS", "Monthly Notices of the Royal Astronomical Society"),
        ("PRL", "Physical Review Letters"),
        ("JHEP", "Journal of High Energy Physics"),
        ("Phys. Rev. D", "Physical Review D - Particles, Fields, Gravitation and Cosmology"),
        ("Phys. Rev. B Condens. Matter", "Physical Review B"),
        (
            "NIM A",
            "Nuclear Instruments and Methods in Physics Research Section A: Accelerators, Spectrometers, Detectors and Associated Equipment",
        ),
        (
            "PNAS",
            "Proceedings of the National Academy of Sciences of the United States of America",
        ),
        (
            "Proc Natl Acad Sci USA",
            "Proceedings of the National Academy of Sciences of the United States of America",
        ),
        ("J. Am. Chem. Soc.", "Journal of the American Chemical Society"),
        ("Angew. Chem., Int. Ed.", "Angewandte Chemie International Edition"),
        ("Phys. Chem. Chem. Phys.", "Physical Chemistry Chemical Physics"),
        ("Biochim. Biophys. Acta", "Biochimica et Biophysica Acta (BBA) - Biomembranes"),
        ("BMJ", "British Medical Journal"),
        ("Proc. IEEE", "Proceedings of the IEEE"),
        ("CACM", "Communications of the ACM"),
        ("LNCS", "Lecture Notes in Computer Science"),
        ("JRSSB", "Journal of the Royal Statistical Society Series B: Statistical Methodology"),
        ("Acta Cryst. A", "Acta Crystallographica Section A Foundations and Advances"),
        ("J. Geophys. Res.", "Journal of Geophysical Research: Solid Earth"),
        ("Ann. Inst. Fourier", "Annales de l'Institut Fourier"),
        ("C. R. Acad. Sci. Paris", "Comptes Rendus de l'Académie des Sciences"),
        ("Rev. Esp. Cardiol.", "Revista Española de Cardiología"),
        ("Dtsch Arztebl Int", "Deutsches Aerzteblatt Online"),
        ("Dtsch. Med. Wochenschr.", "DMW - Deutsche Medizinische Wochenschrift"),
        ("KZfSS", "Kölner Zeitschrift für Soziologie und Sozialpsychologie"),
        ("Tijdschr. Econ. Soc. Geogr.", "Tijdschrift voor Economische en Sociale Geografie"),
        ("Nuovo Cim.", "Il Nuovo Cimento"),
        ("Журн. эксп. теор. физ.", "Журнал экспериментальной и теоретической физики"),
        ("Ann. Phys. (N.Y.)", "Annals of Physics"),
        ("Yale L.J.", "The Yale Law Journal"),
        ("HARV. L. REV.", "Harvard Law Review"),
        ("Am. J. Int\u2019l L.", "American Journal of International Law"),
        ("Meta", "Meta: Journal des traducteurs"),
    ],
)
def test_one_journal_is_abbreviated_in_many_ways(one, other):
    assert same_venue(one, other)
    assert same_venue(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ApJ", "The Astronomical Journal"),
        ("AJ", "The Astrophysical Journal"),
        ("A&A", "Astronomy & Geophysics"),
        ("PRL", "Physical Review D"),
        ("J. Am. Chem. Soc.", "Journal of the Chemical Society"),
        ("J. Chem. Phys.", "The Journal of Physical Chemistry"),
        ("J. Phys. Chem. A", "The Journal of Physical Chemistry B"),
        ("Eur. Phys. J. A", "The European Physical Journal C"),
        ("BMJ", "BMJ Open"),
        ("JAMA", "JAMA Internal Medicine"),
        ("Ann. Math.", "Mathematische Annalen"),
        ("J. Biol. Chem.", "Journal of Chemical Biology"),
        ("Am. J. Phys.", "American Journal of Physiology"),
        ("J. Geophys. Res. Atmos.", "Journal of Geophysical Research: Oceans"),
        ("J. Pers. Soc. Psychol.", "Journal of Social Psychology"),
        ("Minn. L. Rev.", "Michigan Law Review"),
        ("Yale L.J.", "Yale Journal on Regulation"),
        ("Journal of Physics", "Journal of Physics: Condensed Matter"),
        ("Gene", "Genetics"),
        ("Cancer", "Cancers"),
        ("科学", "科学通报"),
        ("Успехи физ. наук", "Успехи математических наук"),
        ("Rev. Fr. Sociol.", "Revue française de science politique"),
    ],
)
def test_similar_abbreviations_are_those_of_different_journals(one, other):
    assert not same_venue(one, other)
    assert not same_venue(other, one)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("12th International Workshop on Tides", "20th International Workshop on Tides", False),
        ("Proceedings of the 2018 Workshop on Tides", "2019 Workshop on Tides", False),
        ("Proc. 12th Int. Workshop on Tides", "12th International Workshop on Tides 2018", True),
        ("Workshop on Tides", "12th International Workshop on Tides", True),
        ("12th Workshop on Tides", "International Workshop on Tides 2018", True),
        (
            "57th Annual Meeting on Tides and 9th Conference on Foam",
            "Proceedings of the 9th Conference on Foam and Annual Meeting on Tides",
            True,
        ),
    ],
)
def test_meetings_of_a_series_are_told_apart_by_number_and_year(one, other, is_same):
    assert same_venue(one, other) == is_same
    assert same_venue(other, one) == is_same
