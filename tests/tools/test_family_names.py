"""Family names with particles, in every citation style, against the record that they cite."""

import pytest

pytestmark = pytest.mark.anyio

CROSSREF = "api.crossref.org"
PARTICLES = (
    *(
        "van",
        "van der",
        "van den",
        "van de",
        "van 't",
        "'t",
        "\u2019t",
        "ten",
        "ter",
        "te",
        "op de",
    ),
    *("in 't", "in de", "uit den", "aan de", "den", "der", "von", "von der", "von dem", "vom"),
    *("zu", "zum", "zur", "von und zu", "auf der", "aus dem", "am", "im", "de", "de la", "de los"),
    *(
        "del",
        "d'",
        "d\u2019",
        "D'",
        "du",
        "des",
        "da",
        "das",
        "do",
        "dos",
        "della",
        "dell'",
        "delle",
    ),
    *(
        "dal",
        "degli",
        "dei",
        "di",
        "De",
        "Di",
        "La",
        "Le",
        "Lo",
        "Van",
        "Van der",
        "O'",
        "Ó",
        "Ní",
    ),
    *(
        "Mac",
        "al-",
        "Al-",
        "El-",
        "el",
        "bin",
        "ibn",
        "ben",
        "abu",
        "St.",
        "San",
        "af",
        "av",
        "ap",
    ),
    *(
        "tho",
        "l'",
        "L'",
        "de l'",
        "des",
        "Ter",
        "Dos",
        "Del",
        "das Neves e",
        "z",
        "ze",
        "\u2019s-",
    ),
)
WRONG = {
    "vom": "von",
    "von": "vom",
    "de la": "della",
    "al-": "ben-",
    "d'": "l'",
    "\u2019s-": "'t ",
}
TOGETHER = 8
"""Works in one answer of the index: it sends at most as many as are compared."""
STYLES = {
    "APA": "{inverted}, & Larsson, K. ({year}). {title}. {venue}, 12(3), 45\u201367.",
    "MLA": '{family}, {given}, and Karin Larsson. "{title}." {venue}, vol. 12, no. 3, {year}, pp. 45-67.',
    "Chicago": "{family}, {given}, and Karin Larsson. {year}. “{title}.” {venue} 12 (3): 45\u201367.",
    "Vancouver": "{family} {bare}, Larsson K. {title}. {venue}. {year};12(3):45-67.",
    "IEEE": "{dotted} {family} and K. Larsson, “{title},” {venue}, vol. 12, no. 3, pp. 45\u201367, {year}.",
    "Harvard": "{inverted} and Larsson, K. ({year}) \u2018{title}\u2019, {venue}, 12(3), pp. 45\u201367.",
}
ENTRY = (
    "@article{{k{number}, author={{{names} and Larsson, Karin}}, title={{{title}}},"
    " journal={{{venue}}}, year={{{year}}}, volume={{12}}, number={{3}}, pages={{45--67}}}}"
)
GIVEN, VENUE, YEAR = "Pieter Jan", "Journal of Coastal Dynamics", 2014
PEOPLE = (
    *(("Ortega y Gasset", "José"), ("Puig i Cadafalch", "Josep"), ("Souza e Silva", "Ana Paula")),
    *(("García Márquez", "Gabriel"), ("Lloyd-Jones", "Hugh"), ("O\u2019Neill", "Eugene")),
    *(("Mac Giolla Léith", "Caoimhín"), ("MacDonald", "Ian"), ("Ní Dhomhnaill", "Nuala")),
    *(("Nguyễn", "Văn Ân"), ("Tran", "Thi Bich Ngoc"), ("Le", "Quoc"), ("Lo", "Wai Ming")),
    *(("van den Bergh", "Jeroen Carel Jan Marie"), ("Im Hof", "Ulrich"), ("Op de Beeck", "Hans")),
    *(("Vandenberghe", "Lieven"), ("Saint-Exupéry", "Antoine"), ("de\u2019 Medici", "Lorenzo")),
    *(("Abou El Fadl", "Khaled"), ("Aït-Sahalia", "Yacine"), ("Ben-Gurion", "David")),
    *(
        ("Silva Filho", "Paulo"),
        ("DE LA CRUZ", "JUAN"),
        ("N\u2019Diaye", "Awa"),
        ("Þórðarson", "Jón"),
    ),
)
SUBJECTS = ("barrier islands", "salt marshes", "tidal inlets", "sand waves", "ebb deltas")
PLACES = ("Frisia", "Zeeland", "Jutland", "Brittany", "Galicia", "Liguria", "Istria", "Gotland")


def family_of(particle, name="Hoekstra"):
    is_joined = particle.endswith(("'", "\u2019", "-", " "))
    return f"{particle}{name}" if is_joined else f"{particle} {name}"


def title_of(number):
    subject, place = SUBJECTS[number % 5], PLACES[number % 8]
    return f"Sediment budgets of {subject} along the coast of {place} since {1900 + number}"


def record_of(number, family, given=GIVEN):
    people = [{"family": family, "given": given}, {"family": "Larsson", "given": "Karin"}]
    return {
        "DOI": f"10.5555/inlets-{number}",
        "type": "journal-article",
        "title": [title_of(number)],
        "author": people,
        "issued": {"date-parts": [[YEAR]]},
        "container-title": [VENUE],
        "volume": "12",
        "issue": "3",
        "page": "45-67",
        "update-to": [],
    }


def strings_of(number, family, given=GIVEN):
    initials = [name[0] for name in given.split()]
    dotted = " ".join(f"{one}." for one in initials)
    values = {"family": family, "given": given, "inverted": f"{family}, {dotted}"}
    values |= {"dotted": dotted, "bare": "".join(initials)}
    where = {"title": title_of(number), "venue": VENUE, "year": YEAR}
    return [text.format(**values, **where) for text in STYLES.values()]


def entries_of(number, family, given=GIVEN):
    where = {"title": title_of(number), "venue": VENUE, "year": YEAR}
    names = (f"{family}, {given}", f"{given} {family}")
    return [
        ENTRY.format(names=name, number=f"{number}{at}", **where) for at, name in enumerate(names)
    ]


@pytest.fixture
async def statuses(asking, internet):
    """Checks texts about works that Crossref has; gives the texts with their status."""
    ask = await asking(keys=False)

    async def run(records, texts, joint):
        message = {"total-results": len(records), "items": records}
        answer = {"status": "ok", "message-type": "work-list", "message": message}
        internet.says(CROSSREF, answer, path="/works")
        result = (await ask("audit_bibliography", bibliography=joint.join(texts))).structured
        internet.mends(CROSSREF)
        checked = [one["status"] for one in result["entries"]]
        assert len(checked) == len(texts)
        return list(zip(texts, checked, strict=True))

    return run


@pytest.mark.parametrize("first", range(0, len(PARTICLES), TOGETHER))
@pytest.mark.parametrize(("write", "joint"), [(strings_of, "\n\n"), (entries_of, "\n")])
async def test_a_name_with_a_particle_is_that_of_its_record(statuses, first, write, joint):
    families = {
        first + at: family_of(particle)
        for at, particle in enumerate(PARTICLES[first : first + TOGETHER])
    }
    records = [record_of(number, family) for number, family in families.items()]
    texts = [text for number, family in families.items() for text in write(number, family)]

    outcomes = await statuses(records, texts, joint)

    assert [text for text, status in outcomes if status != "verified"] == []


@pytest.mark.parametrize("first", range(0, len(PEOPLE), TOGETHER))
@pytest.mark.parametrize(("write", "joint"), [(strings_of, "\n\n"), (entries_of, "\n")])
async def test_a_name_of_several_parts_is_that_of_its_record(statuses, first, write, joint):
    people = dict(enumerate(PEOPLE[first : first + TOGETHER], first))
    records = [record_of(number, *person) for number, person in people.items()]
    texts = [text for number, person in people.items() for text in write(number, *person)]

    outcomes = await statuses(records, texts, joint)

    assert [text for text, status in outcomes if status != "verified"] == []


@pytest.mark.parametrize("first", range(0, len(PARTICLES), TOGETHER))
@pytest.mark.parametrize(("write", "joint"), [(strings_of, "\n\n"), (entries_of, "\n")])
async def test_another_particle_or_another_name_is_never_that_of_the_record(
    statuses, first, write, joint
):
    particles = dict(enumerate(PARTICLES[first : first + TOGETHER], first))
    records = [record_of(number, family_of(one)) for number, one in particles.items()]
    texts = []
    for number, one in particles.items():
        other = WRONG.get(one) or next(
            each
            for each in (PARTICLES[(number + 17) % len(PARTICLES)], "von der")
            if each.casefold().strip("'\u2019-.") != one.casefold().strip("'\u2019-.")
        )
        texts += write(number, family_of(other))
        texts += write(number, family_of(one, "Verbeeck"))

    outcomes = await statuses(records, texts, joint)

    assert [text for text, status in outcomes if status == "verified"] == []
