"""Sentences and labels in six languages, from which the article pages of the bench are made."""

from random import Random
from typing import NamedTuple


class Language(NamedTuple):
    """One language: sentences with gaps for names, places and numbers, and labels of a site."""

    code: str
    joint: str
    """What separates two sentences."""
    names: list[str]
    places: list[str]
    sentences: list[str]
    headlines: list[str]
    labels: dict[str, str]

    def fill(self, draw: Random, sentence: str) -> str:
        return sentence.format(
            who=draw.choice(self.names), where=draw.choice(self.places), n=draw.randint(3, 980)
        )

    def paragraph(self, draw: Random, sentences: int) -> str:
        chosen = draw.sample(self.sentences, sentences)
        return self.joint.join(self.fill(draw, sentence) for sentence in chosen)

    def headline(self, draw: Random) -> str:
        return self.fill(draw, draw.choice(self.headlines))


_LABELS = "by share more related comments newsletter home news photo reply minutes tags ad close"


def _labels(text: str) -> dict[str, str]:
    return dict(zip(_LABELS.split(), text.split("|"), strict=True))


def _lines(text: str) -> list[str]:
    return text.strip().split("\n")


ENGLISH = Language(
    "en",
    " ",
    ["Mara Holt", "Colin Reyes", "Edith Vance", "Tom Arkwright", "Lena Moss"],
    ["Harrow Bay", "Wexley", "the northern docks", "Castle Street", "Dunmore"],
    _lines(
        """
The council of {where} will vote on the repair of the sea wall in {n} days.
{who}, who has run the ferry office for years, said nobody had asked the crews.
Engineers measured the cracks twice and found that {n} of the stones had moved.
In {where} the water reached the doors of the old market before midnight.
The report, which runs to {n} pages, leaves the question of money open.
"We knew about it, and we wrote it down," said {who} on the steps of the town hall.
A second company has offered to do the work for less, but it wants more time.
Fishermen from {where} say that the harbour has become too shallow for their boats.
According to {who}, the plan was changed after the storm of last winter.
About {n} families were taken to the school hall, where they stayed for two nights.
The ministry did not answer a list of questions that was sent on Monday.
Insurance covers only part of the damage, and many owners have none at all.
Work began in spring, stopped in summer and has not been taken up since.
{who} keeps a diary of the tides and has compared it with the official figures.
Teachers in {where} have put the flood on the timetable as a subject of its own.
The bridge was closed for {n} hours while divers looked at its foundations.
Nobody was hurt, but the clean-up will take until the end of the year.
For {who} the matter is simple: the wall is older than the town behind it.
"""
    ),
    _lines(
        """
Why {where} waits for its sea wall
{who} and the night of the flood
What {n} stones say about {where}
{where} looks for money, and for time
"""
    ),
    _labels(
        "By|Share|Read more|More stories|Comments|Sign up for our letter|Home|News|Photo|Reply|min read|Topics|Advertisement|Close"
    ),
)
GERMAN = Language(
    "de",
    " ",
    ["Jutta Brandes", "Karl Feddersen", "Miriam Oltmann", "Uwe Harms", "Anke Thiel"],
    ["Altenhafen", "Westrum", "der Nordmole", "Burgstraße", "Siebeneichen"],
    _lines(
        """
Der Rat von {where} stimmt in {n} Tagen über die Reparatur der Kaimauer ab.
{who}, seit Jahren für die Fähre zuständig, wurde nach eigenen Worten nie gefragt.
Ingenieure haben die Risse zweimal vermessen und {n} verschobene Steine gefunden.
In {where} stand das Wasser schon vor Mitternacht an den Türen der Markthalle.
Der Bericht umfasst {n} Seiten und lässt die Frage nach dem Geld offen.
„Wir haben es gewusst, und wir haben es aufgeschrieben“, sagt {who} vor dem Rathaus.
Eine zweite Firma will die Arbeiten billiger erledigen, verlangt aber mehr Zeit.
Die Fischer aus {where} klagen, dass der Hafen für ihre Boote zu flach geworden ist.
Laut {who} wurde der Plan nach dem Sturm des letzten Winters geändert.
Rund {n} Familien kamen für zwei Nächte in der Turnhalle der Schule unter.
Das Ministerium ließ eine Liste mit Fragen vom Montag bislang unbeantwortet.
Die Versicherung deckt nur einen Teil des Schadens, viele Eigentümer haben gar keine.
Im Frühjahr begannen die Arbeiten, im Sommer ruhten sie, seither geschieht nichts.
{who} führt ein Tagebuch der Gezeiten und vergleicht es mit den amtlichen Zahlen.
Lehrerinnen aus {where} haben die Flut als eigenes Fach in den Stundenplan genommen.
Die Brücke blieb {n} Stunden gesperrt, während Taucher die Fundamente prüften.
Verletzt wurde niemand, doch das Aufräumen dauert bis zum Ende des Jahres.
Für {who} ist die Sache einfach: Die Mauer ist älter als die Stadt dahinter.
"""
    ),
    _lines(
        """
Warum {where} auf seine Kaimauer wartet
{who} und die Nacht der Flut
Was {n} Steine über {where} sagen
{where} sucht Geld und Zeit
"""
    ),
    _labels(
        "Von|Teilen|Lesen Sie auch|Mehr zum Thema|Kommentare|Unser Brief am Morgen|Startseite|Nachrichten|Foto|Antworten|Min. Lesezeit|Themen|Anzeige|Schließen"
    ),
)
FRENCH = Language(
    "fr",
    " ",
    ["Claire Morvan", "Étienne Le Goff", "Nadia Perrot", "Yann Kerbrat", "Odile Tanguy"],
    ["Port-Ancien", "Kermoël", "la jetée du nord", "Saint-Brivel", "Lestrade"],
    _lines(
        """
Le conseil de {where} votera dans {n} jours sur la réparation de la digue.
{who}, qui dirige le bureau du bac depuis des années, affirme que personne n'a consulté les équipages.
Les ingénieurs ont mesuré deux fois les fissures et compté {n} pierres déplacées.
À {where}, l'eau avait atteint les portes des halles avant minuit.
Le rapport compte {n} pages et laisse ouverte la question de l'argent.
« Nous le savions, et nous l'avions écrit », a déclaré {who} devant la mairie.
Une deuxième entreprise propose un prix plus bas, mais demande plus de temps.
Les pêcheurs de {where} jugent que le port n'est plus assez profond pour leurs bateaux.
Selon {who}, le projet a été modifié après la tempête de l'hiver dernier.
Environ {n} familles ont passé deux nuits dans le gymnase de l'école.
Le ministère n'a pas répondu aux questions envoyées lundi par la rédaction.
Les assurances ne couvrent qu'une partie des dégâts, et beaucoup n'en ont aucune.
Les travaux, commencés au printemps, se sont arrêtés en été et n'ont pas repris.
{who} tient un journal des marées et le compare aux chiffres officiels.
Des enseignantes de {where} ont fait de l'inondation une matière à part entière.
Le pont est resté fermé {n} heures, le temps d'examiner ses fondations.
Personne n'a été blessé, mais le nettoyage durera jusqu'à la fin de l'année.
Pour {who}, l'affaire est simple : la digue est plus vieille que la ville.
"""
    ),
    _lines(
        """
Pourquoi {where} attend sa digue
{who} et la nuit de l'inondation
Ce que {n} pierres disent de {where}
{where} cherche de l'argent et du temps
"""
    ),
    _labels(
        "Par|Partager|Lire aussi|À lire ensuite|Commentaires|Notre lettre du matin|Accueil|Actualités|Photo|Répondre|min de lecture|Thèmes|Publicité|Fermer"
    ),
)
SPANISH = Language(
    "es",
    " ",
    ["Inés Robledo", "Mateo Salcedo", "Pilar Ventosa", "Andrés Lucero", "Berta Cano"],
    ["Puerto Viejo", "Valdemar", "el muelle norte", "Santa Olaya", "Torremora"],
    _lines(
        """
El concejo de {where} votará dentro de {n} días la reparación del dique.
{who}, que dirige desde hace años la oficina del transbordador, dice que nadie preguntó a las tripulaciones.
Los ingenieros midieron dos veces las grietas y contaron {n} piedras desplazadas.
En {where} el agua llegó a las puertas del mercado antes de la medianoche.
El informe tiene {n} páginas y deja abierta la cuestión del dinero.
«Lo sabíamos, y lo dejamos por escrito», afirmó {who} ante el ayuntamiento.
Una segunda empresa ofrece un precio más bajo, pero pide más tiempo.
Los pescadores de {where} aseguran que el puerto ya no tiene fondo para sus barcos.
Según {who}, el proyecto cambió después del temporal del invierno pasado.
Unas {n} familias pasaron dos noches en el gimnasio de la escuela.
El ministerio no respondió a las preguntas que se le enviaron el lunes.
El seguro cubre solo una parte de los daños, y muchos dueños no tienen ninguno.
Las obras empezaron en primavera, se detuvieron en verano y no se han reanudado.
{who} lleva un diario de las mareas y lo compara con las cifras oficiales.
Las maestras de {where} han convertido la inundación en una asignatura.
El puente estuvo cerrado {n} horas mientras los buzos revisaban los cimientos.
Nadie resultó herido, pero la limpieza durará hasta el final del año.
Para {who} el asunto es sencillo: el dique es más viejo que la ciudad.
"""
    ),
    _lines(
        """
Por qué {where} espera su dique
{who} y la noche de la inundación
Lo que {n} piedras dicen de {where}
{where} busca dinero y tiempo
"""
    ),
    _labels(
        "Por|Compartir|Lea también|Más historias|Comentarios|Nuestra carta diaria|Inicio|Noticias|Foto|Responder|min de lectura|Temas|Publicidad|Cerrar"
    ),
)
JAPANESE = Language(
    "ja",
    "",
    ["佐々木美穂", "高橋健一", "藤田沙織", "小林正夫", "石井遥"],
    ["北浜町", "旧港地区", "白波市", "城下通り", "三崎村"],
    _lines(
        """
{where}の議会は{n}日後に護岸の修復について採決する予定だ。
長年フェリーの窓口を預かってきた{who}さんは、乗組員は誰も意見を求められなかったと話す。
技術者たちは亀裂を二度にわたって測り、{n}個の石が動いていることを確かめた。
{where}では日付が変わる前に水が古い市場の戸口まで達していた。
報告書は{n}ページに及ぶが、費用の問題には答えていない。
「私たちは知っていたし、記録にも残していた」と{who}さんは役場の前で語った。
別の会社がより安く請け負うと申し出たが、工期は長くなるという。
{where}の漁師たちは、港が浅くなりすぎて船が入れないと訴えている。
{who}さんによると、計画は去年の冬の嵐のあとで変更された。
およそ{n}世帯が学校の体育館に避難し、二晩をそこで過ごした。
省庁は月曜日に送られた質問状にまだ回答していない。
保険は被害の一部しか補償せず、加入していない持ち主も少なくない。
工事は春に始まり、夏に止まったまま、いまも再開されていない。
{who}さんは潮の記録を日記につけ、公式の数字と比べ続けている。
{where}の教師たちは水害を一つの科目として時間割に加えた。
潜水士が土台を調べるあいだ、橋は{n}時間にわたって通行止めになった。
けが人は出なかったが、片付けは年末までかかる見通しだ。
{who}さんにとって話は単純で、壁は町そのものより古いのだという。
"""
    ),
    _lines(
        """
{where}が護岸を待ち続ける理由
{who}さんと水害の夜
{n}個の石が語る{where}の今
{where}、費用と時間を探す
"""
    ),
    _labels(
        "文|共有|あわせて読む|ほかの記事|コメント|朝のメール配信|ホーム|ニュース|写真|返信|分で読めます|話題|広告|閉じる"
    ),
)
RUSSIAN = Language(
    "ru",
    " ",
    ["Вера Лазарева", "Олег Синицын", "Марина Головина", "Пётр Жданов", "Анна Бережная"],
    ["Старогавань", "Северный причал", "Крепостная улица", "Белозерье", "Залесск"],
    _lines(
        """
Совет посёлка {where} через {n} дней проголосует за ремонт набережной.
{who}, много лет отвечающая за переправу, говорит, что экипажи никто не спрашивал.
Инженеры дважды измерили трещины и насчитали {n} сдвинутых камней.
В районе {where} вода ещё до полуночи подошла к дверям старого рынка.
В отчёте {n} страниц, но вопрос о деньгах остаётся открытым.
«Мы знали об этом и всё записали», — сказала {who} у входа в администрацию.
Вторая компания готова сделать работу дешевле, однако просит больше времени.
Рыбаки из посёлка {where} жалуются, что гавань стала слишком мелкой для их лодок.
По словам {who}, проект изменили после шторма прошлой зимой.
Около {n} семей провели две ночи в спортивном зале школы.
Министерство не ответило на вопросы, отправленные в понедельник.
Страховка покрывает лишь часть ущерба, а у многих хозяев её нет вовсе.
Работы начались весной, остановились летом и с тех пор не возобновлялись.
{who} ведёт дневник приливов и сравнивает его с официальными данными.
Учителя школы {where} сделали наводнение отдельным предметом в расписании.
Мост был закрыт {n} часов, пока водолазы осматривали его опоры.
Никто не пострадал, но уборка продлится до конца года.
Для {who} всё просто: стена старше города, который она защищает.
"""
    ),
    _lines(
        """
Почему {where} ждёт свою набережную
{who} и ночь наводнения
О чём говорят {n} камней: {where}
{where} ищет деньги и время
"""
    ),
    _labels(
        "Автор|Поделиться|Читайте также|Другие материалы|Комментарии|Наша утренняя рассылка|Главная|Новости|Фото|Ответить|мин. чтения|Темы|Реклама|Закрыть"
    ),
)
LANGUAGES = (ENGLISH, GERMAN, FRENCH, SPANISH, JAPANESE, RUSSIAN)
