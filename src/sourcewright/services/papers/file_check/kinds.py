"""Kinds of documents that belong to a paper or are about it, by the labels that head them.

A label is a whole line or the words before or after a title: "Supporting Information", "Erratum",
"Reporting Summary", "Thèse de doctorat". The record says of which kinds a work itself is.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import Work
from sourcewright.references.entry_types import kind_of_type

DocumentKind = Literal[
    "supplement",
    "checklist",
    "peer review",
    "reply to reviewers",
    "protocol",
    "notice",
    "summary",
    "thesis",
    "collection",
    "presentation",
    "book review",
    "companion",
]

_PART = (
    r"information|info|materials?|data|datasets?|files?|appendi(?:x|ces|xes)|contents?|documents?|"
    r"text|methods?|notes?|figures?|figs?|tables?|discussion|results|sections?|only|digital|movies?|"
    r"videos?|resources?|annex(?:es)?|proofs?|analys[ei]s|experiment(?:s|al)|procedures|references|"
    r"legends|online|and|details|evidence|derivations?|package|s[0-9]{1,2}"
)
_MEDIUM = (
    r"electronic|online|on line|web|internet|extended|technical|mathematical|statistical|"
    r"methodological|methods?|data|theoretical|e|si|full|article"
)
_NUMBER = r"(?:s?[0-9]{1,3}[a-z]?|[a-z]|[ivx]{1,4})"
# Matched against folded text: lower case, no accents, no punctuation.
_PATTERNS: Mapping[DocumentKind, str] = MappingProxyType(
    {
        "supplement": (
            rf"(?:(?:{_MEDIUM}) )*supplement(?:s|al|ary)?(?: (?:{_PART}))*"
            rf"|(?:(?:{_MEDIUM}) )*supporting (?:(?:{_MEDIUM}) )?(?:{_PART})(?: (?:{_PART}))*"
            rf"|(?:(?:{_MEDIUM}|si) )*appendi(?:x|ces|xes)(?: {_NUMBER})?(?: \w+){{0,4}}"
            r"|(?:additional|ancillary|accompanying|auxiliary|complementary) "
            rf"(?:{_PART})(?: (?:{_PART}))*"
            r"|extended data(?: (?:figures?|tables?))*|online (?:materials?|only(?: materials?)?|resources?)"
            r"|web (?:extra|only|tables?|figures?)(?: materials?)?|eappendi(?:x|ces)|emethods|esm"
            rf"|(?:data|text|files?|tables?|figures?|figs?|appendix|document|methods?|movie|video|"
            rf"dataset|notes?|protocol) s[0-9]{{1,3}}(?: \w+){{0,8}}"
            r"|s[0-9]{1,3} (?:files?|text|tables?|appendix|data|fig|figure|methods?|dataset|protocol|"
            r"notes?)(?: \w+){0,8}|multimedia appendix|(?:electronic|online) annex(?:es)?"
        ),
        "checklist": (
            r"(?:\w+ ){0,4}reporting (?:summary|checklist)"
            r"|(?:(?:the|completed) )?(?:consort|prisma|strobe|arrive|spirit|tripod|stard|care|moose|"
            r"squire|coreq|srqr|cheers|tidier|entreq|record)(?: \w+){0,4}? "
            r"(?:checklists?|statement|guidelines|essential|flow)(?: \w+){0,14}"
            r"|(?:editorial policy|author|submission|reproducibility|data|materials design analysis "
            r"reporting) checklist|checklist(?: \w+){1,8}|mdar checklist"
            r"|(?:icmje |coi |conflicts? of interests? |financial )*(?:disclosures?|declaration) "
            r"(?:form|of (?:competing )?interests?)"
        ),
        "peer review": (
            r"(?:transparent |open |anonymous )*peer review(?:ers?)?"
            r"(?: (?:files?|reports?|information|history|comments|record|process|correspondence))*"
            r"|review(?:er|ers|ing)? (?:history|comments?|reports?|process file)"
            r"|(?:anonymous )?(?:referees?|reviewers?)(?: (?:no )?[0-9])? (?:reports?|comments?)"
            r"|(?:editorial |editors? )?decision (?:letter|correspondence)s?|prepublication history"
            r"|evaluation (?:report|summary)|editors? (?:evaluation|assessment)"
        ),
        "reply to reviewers": (
            r"(?:\w+ ){0,3}(?:responses?|repl(?:y|ies)|answers?|rebuttals?)(?: letter)? to (?:the )?"
            r"(?:(?:anonymous|editors? and) )?(?:reviewers?|referees?|editors?|reviews?|decision)"
            r"(?: \w+){0,4}"
            r"|point (?:by|to) point (?:response|reply|rebuttal|answer)s?(?: \w+){0,4}"
            r"|rebuttals?(?: letter)?|authors? (?:response|reply|rebuttal|answer)s?(?: \w+){0,4}"
        ),
        "protocol": (
            r"(?:\w+ ){0,3}(?:study|trial|clinical|research|review|intervention|investigation) "
            r"(?:protocol|plan)(?: and (?:\w+ ){0,2}(?:plan|protocol|sap))?"
            r"|protocol|(?:\w+ ){0,2}(?:statistical|pre|data|health economics?|economic)"
            r"(?: (?:and \w+|data))? ?analysis plan(?: sap)?|preanalysis plan|sap"
            r"|(?:study )?pre ?registration"
        ),
        "notice": (
            r"(?:(?:authors?|publishers?|editors?|editorial|partial|formal|article|a|notice of|"
            r"statement of) )*(?:corrections?|errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|"
            r"retractions?|withdrawals?|withdrawn|removal|removed|expressions? of concern|"
            r"note of concern)(?: (?:notes?|notices?|statement|article|and \w+))?"
        ),
        "summary": (
            r"(?:a )?(?:lay(?:persons?|mans?|person friendly)?|plain(?: (?:language|english))?|"
            r"plainlanguage|patient|public|popular|non ?technical|non ?specialist|non ?expert|"
            r"easy (?:read|to read)|policy|policymakers?|significance|editors?|podcast|press|media|"
            r"executive|evidence|readers?|clinical) (?:friendly )?"
            r"(?:summar(?:y|ies)|abstract|synopsis|statement|digest|brief(?:ing)?|release|kit|"
            r"highlights?|notes?)"
            r"|summary for (?:\w+ ){0,3}\w+|research (?:highlights?|spotlight|brief(?:ing)?|snapshot|"
            r"digest|summary|in context)|key (?:points|messages|findings|takeaways?)|highlights?"
            r"|in (?:a nutshell|plain (?:english|language))|(?:graphical|visual|video) abstract"
            r"|infographics?|digest|news release"
        ),
        "thesis": (
            r"(?:(?:ph ?d|doctoral|doctorate|masters?|msc|ma|mphil|mres|bachelors?|bsc|honou?rs|"
            r"diploma|licentiate|undergraduate|graduate|a|inaugural|habilitation|cumulative) )*"
            r"(?:thesis|dissertation)"
        ),
        "collection": (
            r"(?:the )?(?:book|collection|supplement) of (?:\w+ ){0,2}(?:abstracts|contributions)"
            r"|(?:(?:conference|meeting|poster|oral|congress|programme|program|final|and|collected|"
            r"scientific|symposium|selected|session) )*abstracts?(?: (?:book|of|from|presented)\b.{0,80})"
            r"|(?:(?:conference|meeting|poster|oral|congress|collected|symposium|selected|session) )+"
            r"abstracts|abstract book|(?:conference|meeting|scientific|final) programme?"
            r"|programme? and abstracts|abstracts"
        ),
        "presentation": (
            r"(?:(?:conference|lecture|presentation|oral|poster|teaching|seminar|talk|invited|journal "
            r"club) )*(?:slides?|slide deck|poster|posters|presentation|handouts?|lecture notes)"
            r"(?: (?:session|presentation|presented|no|number))*(?: [a-z]?[0-9]{1,4})?"
        ),
        "book review": r"(?:book )?reviews?|reviews? of books|books in review|reviewed by(?: \w+){1,6}",
        "companion": (
            r"(?:(?:data|study|survey|research|the|full) )*(?:codebook|code book|questionnaires?|"
            r"data dictionary|read ?me|interview (?:guide|schedule|protocol)|topic guide|"
            r"survey (?:instrument|questions|form)s?|(?:video |audio |interview )?transcripts?)"
            r"|replication (?:files?|package|materials?|data|code|archive)|cover(?:ing)? letter"
            r"|(?:informed )?consent form|(?:participant )?information sheet|teaching notes?"
            r"|(?:licen[cs]e to publish|copyright transfer)(?: \w+){0,3}|instructors? manual"
            r"|discussion guide"
        ),
    }
)
_WORDS: Mapping[DocumentKind, str] = MappingProxyType(
    {
        "supplement": (
            "Anhang, Anhänge, Anlage, Online-Anhang, Elektronischer Anhang, Zusatzmaterial, "
            "Zusatzmaterialien, Ergänzendes Material, Ergänzende Materialien, "
            "Ergänzende Informationen, Begleitmaterial, Supplementärmaterial, Annexe, Annexes, "
            "Annexe électronique, Annexes en ligne, Matériel supplémentaire, "
            "Matériel complémentaire, Informations supplémentaires, "
            "Informations complémentaires, Données supplémentaires, "
            "Documents supplémentaires, Compléments, Apéndice, Apéndices, Anexo, Anexos, "
            "Material suplementario, Material complementario, Material adicional, "
            "Información suplementaria, Información complementaria, Información adicional, "
            "Información de apoyo, Datos suplementarios, Apêndice, Material suplementar, "
            "Material complementar, Informação suplementar, Informações suplementares, "
            "Appendice, Allegato, Allegati, Materiale supplementare, Materiali supplementari, "
            "Informazioni supplementari, Materiale integrativo, Bijlage, Bijlagen, "
            "Aanvullend materiaal, Aanvullende informatie, Bilaga, Bilagor, Bilag, Vedlegg, "
            "Załącznik, Aneks, Materiały uzupełniające, Materiały dodatkowe, Liite, Příloha, "
            "Ek materyal, Приложение, Приложения, Дополнительные материалы, "
            "Дополнительная информация, Вспомогательная информация, Электронное приложение, "
            "附录, 附件, 附表, 补充材料, 补充信息, 补充资料, 补充数据, 附加材料, 支持信息, 支撑材料, 电子补充材料, "
            "在线补充材料, 附錄, 補充材料, 補充資料, 補充資訊, 支援資訊, 付録, 付属資料, 電子付録, オンライン付録, 補足資料, "
            "補足情報, 補助資料, 別添資料, 別紙, サポーティングインフォメーション, 부록, 보충 자료, 추가 자료, 보조 자료, "
            "ملحق, الملحق, ملاحق, مواد تكميلية, معلومات تكميلية, נספח, נספחים, חומר משלים"
        ),
        "notice": (
            "Berichtigung, Berichtigungen, Korrektur, Korrigendum, Richtigstellung, Rücknahme, "
            "Rückzug, Zurückziehung, Nachtrag, Rectificatif, Correctif, Rectification, "
            "Rétractation, Retrait, Addenda, Fe de erratas, Fe de errores, Corrección, "
            "Correcciones, Rectificación, Retractación, Retracción, Errata corrige, Correzione, "
            "Ritrattazione, Correção, Retratação, Retificação, Rectificatie, Intrekking, "
            "Rättelse, Rettelse, Sprostowanie, Düzeltme, Исправление, Исправления, Поправка, "
            "Поправки, Опечатки, Опечатка, Ретракция, Отзыв статьи, 更正, 更正声明, 勘误, 勘误表, 勘誤, "
            "撤稿, 撤稿声明, 撤稿通知, 撤回, 撤稿聲明, 訂正, 訂正とお詫び, お詫びと訂正, 正誤表, 論文撤回, "
            "論文の撤回, 撤回公告, 정정, 정오표, 논문 철회, تصحيح, سحب المقال, תיקון, תיקון טעות"
        ),
        "thesis": (
            "Inauguraldissertation, Inaugural-Dissertation, Doktorarbeit, Masterarbeit, "
            "Diplomarbeit, Magisterarbeit, Bachelorarbeit, Abschlussarbeit, Masterthesis, "
            "Bachelorthesis, Habilitationsschrift, Habilitation, Thèse, Thèse de doctorat, "
            "Thèse de l'université, Mémoire de master, Mémoire de maîtrise, "
            "Mémoire de fin d'études, Habilitation à diriger des recherches, Tesis, "
            "Tesis doctoral, Tesis de maestría, Tesis de grado, Tesis de licenciatura, "
            "Trabajo de fin de máster, Trabajo fin de máster, Trabajo de fin de grado, "
            "Trabajo fin de grado, Tese, Tese de doutorado, Tese de doutoramento, "
            "Dissertação, Dissertação de mestrado, Trabalho de conclusão de curso, Tesi, "
            "Tesi di dottorato, Tesi di laurea, Tesi di laurea magistrale, Proefschrift, "
            "Doctoraat, Doktorsavhandling, Avhandling, Ph.d.-afhandling, Afhandling, Speciale, "
            "Masteroppgave, Väitöskirja, Rozprawa doktorska, Praca doktorska, "
            "Praca magisterska, Disertační práce, Diplomová práce, Doktori értekezés, "
            "Doktora tezi, Yüksek lisans tezi, Диссертация, Автореферат, "
            "Автореферат диссертации, Дипломная работа, Магистерская диссертация, "
            "学位论文, 博士学位论文, 硕士学位论文, 博士论文, 硕士论文, 毕业论文, 學位論文, 博士論文, 碩士論文, 修士論文, "
            "卒業論文, 박사학위논문, 석사학위논문, 학위논문, رسالة دكتوراه, رسالة ماجستير, أطروحة دكتوراه, "
            "עבודת דוקטור, עבודת גמר"
        ),
        "protocol": (
            "Studienprotokoll, Prüfplan, Statistischer Analyseplan, Protocole d'étude, "
            "Plan d'analyse statistique, Protocolo de estudio, Protocolo del estudio, "
            "Protocolo del ensayo, Plan de análisis estadístico, Протокол исследования, "
            "研究方案, 试验方案, 统计分析计划, 研究計画書, 試験実施計画書, 統計解析計画書"
        ),
        "summary": (
            "Laienverständliche Zusammenfassung, Kurzfassung, Pressemitteilung, "
            "Zusammenfassung in leichter Sprache, Résumé vulgarisé, Résumé grand public, "
            "Communiqué de presse, Résumé en langage clair, Resumen divulgativo, "
            "Resumen en lenguaje sencillo, Nota de prensa, Comunicado de prensa, "
            "Sintesi divulgativa, Пресс-релиз, 通俗摘要, 新闻稿, プレスリリース, 一般向け要約, 一般向け概要"
        ),
        "peer review": (
            "Gutachten, Begutachtung, Rapport d'évaluation, Informe de revisión, "
            "Informe de evaluación, Рецензия, 审稿意见, 審稿意見, 査読報告, 査読コメント"
        ),
        "reply to reviewers": (
            "Antwort an die Gutachter, Réponse aux évaluateurs, Réponse aux rapporteurs, "
            "Respuesta a los revisores, Ответ рецензентам, 审稿意见回复, 回复审稿人, 査読者への回答"
        ),
        "collection": (
            "Tagungsband, Abstractband, Livre des résumés, Recueil des résumés, "
            "Libro de resúmenes, Libro de abstracts, Сборник тезисов, 摘要集, 论文摘要集, 要旨集, "
            "講演要旨集, 予稿集"
        ),
        "presentation": "Folien, Vortragsfolien, Diapositives, Diapositivas, 演示文稿, 発表資料",
        "book review": (
            "Buchbesprechung, Buchbesprechungen, Rezension, Rezensionen, Compte rendu, "
            "Comptes rendus, Reseña, Reseñas, Recensione, Recensioni, Рецензии, 书评, 書評"
        ),
    }
)
"""Labels that are whole phrases, as they are printed."""


def _alternatives(kind: DocumentKind) -> str:
    printed = (fold_text(phrase) for phrase in _WORDS.get(kind, "").split(", "))
    return "|".join([_PATTERNS.get(kind, r"(?!)"), *map(re.escape, filter(None, printed))])


_ENDING = (
    r"(?: (?:version|v|part|no|number|nr|n|vol|sap|esi|si|esm|sdc|final|draft|revised|notice|note|"
    rf"{_NUMBER}))*"
)
_LABELS = "|".join(f"(?P<k{at}>{_alternatives(kind)})" for at, kind in enumerate(_PATTERNS))
_LABEL = re.compile(rf"(?:{_LABELS}){_ENDING}")
_KINDS = tuple(_PATTERNS)
_CONNECTOR = re.compile(
    r"(?: (?:for|to|of|on|about|accompanying|concerning|regarding|from|with|re|fur|zu|zum|zur|von|"
    r"pour|de|du|des|a|al|para|sobre|del|della|per|voor|bij|к|для|по))"
    r"(?: (?:the|l|la|le|el|die|der|das|dem|den|статье))?"
    r"(?: (?:following |original |published )?(?:article|paper|manuscript|work|letter|study|"
    r"publication|artikel|aufsatz|articulo))?(?: (?:by|von|par|por) .{1,120}?)?"
    r"(?: (?:entitled|titled|mit dem titel|intitule|titulado))?$"
)
_MAX_LABEL_LETTERS = 120
_RUNNING_NUMBER = re.compile(r"^(?:page )?[0-9s]{1,4} ")


_LEAD = re.compile(
    rf"(?:{_LABELS}){_ENDING} (?:for|to|of|on|from|accompanying|fur|zu|zum|zur|pour|de|para|del|a)\b"
)
_TITLE_PARTS = re.compile(r"[:.?!()\u2013\u2014]")


def leading_kind(line: str) -> DocumentKind | None:
    """Return the kind that the first words of a folded line name: "Protocol for a trial of …"."""
    match = _LEAD.match(line[: 2 * _MAX_LABEL_LETTERS])
    return _KINDS[int((match.lastgroup or "k0")[1:])] if match else None


def label_kind(line: str) -> DocumentKind | None:
    """Return the kind of document that a whole folded line names; page numbers do not count."""
    line = _RUNNING_NUMBER.sub("", line)
    match = _LABEL.fullmatch(line) if 0 < len(line) <= _MAX_LABEL_LETTERS else None
    return _KINDS[int((match.lastgroup or "k0")[1:])] if match else None


_NOTICE_GROUPS = {
    "correction": re.compile(r"correct|errat|corrigend|addend"),
    "retraction": re.compile(r"retract|withdraw|remov"),
    "concern": re.compile(r"concern"),
}


def notice_group(label: str) -> str:
    """Return which kind of notice a folded label names, if it does: several may be about a work."""
    return next((name for name, one in _NOTICE_GROUPS.items() if one.search(label)), "")


def connected_kind(words: str) -> DocumentKind | None:
    """Return the kind that folded words before a title name: "Supporting Information for"."""
    if len(words) > 2 * _MAX_LABEL_LETTERS:
        return None
    connector = _CONNECTOR.search(words)
    return label_kind(words[: connector.start()]) if connector else None


_OF_TYPE: Mapping[str, tuple[DocumentKind, ...]] = MappingProxyType(
    {
        "thesis": ("thesis",),
        "masters": ("thesis",),
        "review": ("peer review", "reply to reviewers"),
        "dataset": ("supplement", "companion", "presentation"),
        "other": ("supplement", "companion", "presentation", "summary"),
        "proceedings": ("collection",),
        "book": ("collection",),
        "report": ("protocol", "summary", "supplement"),
        "software": ("companion",),
    }
)
_NAMES: Mapping[str, DocumentKind] = MappingProxyType(
    {
        "thesis": "thesis",
        "dissertation": "thesis",
        "component": "supplement",
        "supplement": "supplement",
        "correction": "notice",
        "erratum": "notice",
        "retraction": "notice",
        "presentation": "presentation",
        "poster": "presentation",
        "slide": "presentation",
        "protocol": "protocol",
        "review": "peer review",
    }
)
"""Words in the names of types that sources use."""


def kinds_of(work: Work, title: str) -> frozenset[DocumentKind]:
    """Return the kinds of document that a work is, or may be, according to its record.

    A title says so by a label: "Protocol for …", "…: a lay summary".
    """
    kind = kind_of_type(work.type) or ("other" if work.type else "article")
    kinds = set(_OF_TYPE.get(kind, ()))
    type_name = (work.type or "").lower()
    kinds |= {one for word, one in _NAMES.items() if word in type_name}
    parts = map(fold_text, _TITLE_PARTS.split(title))
    kinds |= {one for part in parts if (one := label_kind(part) or leading_kind(part))}
    if work.notice_for:
        kinds.add("notice")
    if work.arxiv_id and not work.venue:
        kinds |= {"thesis", "presentation"}
    if kind != "book":
        kinds.add("book review")
    return frozenset(kinds)
