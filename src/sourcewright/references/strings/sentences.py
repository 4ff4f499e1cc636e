"""Sentence boundaries in citation strings, where many periods end an abbreviation."""

import re

_STEMS = """
    abstr acad acc acoust adm adv aeronaut aerosp agr agric al algebr allergol am amer anal
    anat anim ann annu anthropol antimicrob antivir appl arch archaeol artif assoc astron
    astronaut astrophys atmos aust austral autom bd behav ber bibl bioch biochem biochim bioeng
    bioinform biol biom biomech biomed biometr biophys biosci biotechnol bot br bras braz brit
    bull can canad cardiol cas cf chap chem chim chin chir civ clim clin co coll colloid comb
    comm commun comp compar comput conf cong congr conserv contemp contrib corp corr crim crit
    cryst crystallogr curr cybern cytol dent dep dept dermatol dev diagn dig dis disc discov
    diss doc dr dyn e.g ecol econ econom ecosyst ed edn eds educ elec electr electroanal
    electrochem electromagn embryol encycl endocrinol energ eng engin engl entomol environ
    enzymol epidemiol equ ergon et ethnol eur europ evol exp exper expl explor fac fam fed fig
    forsch fortschr gastroenterol gaz gen genet geochem geochim geod geogr geol geom geomech
    geophys geosci geotech gerontol ges gov gr gynecol haematol handb hematol hered hist
    histochem histol hortic hosp hum hydrobiol hydrol hyg i.e immunol inc ind industr inf
    infect inform innov inorg inst instr instrum int integr intell intens interdiscip intern
    internat invest ir isr iss ital j jap jour jpn jr lab lang laryngol lat learn lect lett lib libr
    limnol liq lit logist ltd mach magn manag manage manuf mar mat mater math mech med medic
    mem metab metall meteor meteorol meth methodol microb microbiol microchem microelectron
    microsc microw miner mineral misc mo mod mol molec monatsh monogr morphol mt mult nanosci
    nanotechnol nat natl nav nephrol netw neur neurobiol neurochem neurol neuropathol
    neurophysiol neurosci neurosurg no nr nucl num numer nurs nutr obs obstet occup oceanogr
    oncol oper ophthalmol opt optim orch ord org organ organomet ornithol orthop otolaryngol
    oxf pac paediatr palaeontol paleontol parasitol pathol patt pediatr perspect petrol
    pflugers ph.d pharm pharmacol pharmacother phil philos photochem photon phys physik physiol
    phytochem phytopathol pl pol polit poll pollut polym pp pract prelim prep pres prev proc
    prod prof prog progr pros prot psych psychiat psychiatr psychol psychosom psychother pt pub
    publ qual quart quat radiat radiol radiother rec reg regul rehabil rel relat relig rend rep
    repr reprod rept res resp respir rev rheol rheumatol rom roy russ sb scand sch sci scient
    sect secur seism seismol semicond semin sens ser serv simul sitz soc sociol softw sov spec
    spectr spectrom spectrosc sr st statist stereochem stoch strat stratigr struct stud subst
    suppl surf surg surv symb symp syn syst tech techn technol teor theol theor ther therm
    thermochim thermodyn thorac thromb tijdschr topol toxicol trans transf transl transp
    transplant trop u.s u.s.a ultrason uni univ urol usp v vac vasc ver verh vet vib virol vis
    vol vs wash wiss yb z zh zool ztg
"""
"""Stems with which titles of journals are abbreviated (ISO 4), and common ones of citations."""
_ABBREVIATIONS = frozenset(_STEMS.split())
_WORDS_BEFORE = re.compile(r"(?:([^\s(\[]{1,20})\.\s)?([^\s(\[.]{1,40})$")
_WORD_AND_LETTER = re.compile(r"(?<![\w.])([^\W\d_]{1,40})\s[^\W\d_]$")
_INITIAL = re.compile(r"\s{0,2}[^\W\d_]{1,9}\.")
_SHORT_AFTER_STOP = re.compile(r"(?:,\s[A-Z][a-z]{1,2}|\.\s[A-Z][a-z]{1,4})$")
_FOLLOWING = re.compile(r"[\"'\u201d\u2019\u00bb]{0,2}\s{1,3}[\[\"\u201c\u2018'\u00ab]?(\S{1,20})")
_INNER_CAPITAL = re.compile(r"[a-z]{1,6}[A-Z]")
_TITLES_OF_PERSONS = frozenset({"jr", "sr", "dr", "st", "md", "mr", "ms", "prof"})


def is_boundary(text: str, index: int, start: int = 0) -> bool:
    """Whether the period, question or exclamation mark at `index` ends a sentence from `start`."""
    if not _begins_sentence(text, index):
        return False
    if text[index] != ".":
        return True
    words = _WORDS_BEFORE.search(text, max(0, index - 60), index)
    if words is None:
        return True
    before, word = words[1] or "", words[2]
    if len(word) == 1 and (previous := _WORD_AND_LETTER.search(text, max(0, index - 60), index)):
        # `vitamin D. Journal of`, but `Smith, John A. Title` and `J. Phys. A. Title`.
        return len(previous[1]) > 3 and not _INITIAL.match(text, index + 1)
    if _SHORT_AFTER_STOP.search(text, max(start, index - 12), index):
        # `…, Riv. Nuovo Cim.` and `…. Class. Quantum Grav.`: no sentence has one short word.
        return False
    in_run = is_abbreviation(before) and word[:1].isupper() and len(word) <= 7
    return not in_run and not is_abbreviation(word)


def is_boundary_after_name(text: str, index: int) -> bool:
    """Whether the period at `index` ends a sentence, where only initials are abbreviations."""
    words = _WORDS_BEFORE.search(text, max(0, index - 60), index)
    word = words[2].rpartition("-")[2] if words else ""
    is_initial = len(word) == 1 or word.casefold() in _TITLES_OF_PERSONS
    return not is_initial and _begins_sentence(text, index)


def _begins_sentence(text: str, index: int) -> bool:
    """Whether what follows may be the beginning of a sentence, a title or a name."""
    following = _FOLLOWING.match(text, index + 1)
    if following is None:
        return not text[index + 1 :].strip()
    if following[1][0] == "(":
        return False
    return not following[1][0].islower() or _INNER_CAPITAL.match(following[1]) is not None


def is_abbreviation(word: str) -> bool:
    """Whether a word before a period is an abbreviation, as in the names of journals."""
    last = word.rpartition("-")[2].strip("'\"\u2018\u201c")
    if last.casefold() in _ABBREVIATIONS:
        return last[:1].isupper() or last in ("vol", "no", "pp", "p", "et", "al", "vs", "v", "eds")
    return len(last) == 1 and last.isupper()
