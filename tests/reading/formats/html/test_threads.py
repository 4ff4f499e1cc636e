"""Threads of forums and question-and-answer pages, written as posts in one form."""

import pytest

from sourcewright.reading.formats.html import read_html

TEXTS = [
    "My boat leaks where the old oak planks meet the keel, and I do not know which caulking holds in salt water. What do you use on yours?",
    "Cotton driven in dry, then red lead putty. Mine has been tight for eleven years, and I sail her hard in every month but January.",
    "Cotton is fine above the water line. Below it I would use a polysulphide sealant, because it moves with the wood in the sun.",
]
NAMES = ["ada", "bo.vik", "Cy North"]
DATES = ["2024-03-09", "2024-03-10", "2024-03-12"]
POSTS = list(zip(NAMES, DATES, TEXTS, strict=True))
SHOWN = ["Mar 9, 2024", "Mar 10, 2024", "Mar 12, 2024"]


def page(inner: str, head: str = "") -> str:
    return (
        f"<!doctype html><html><head><title>Leaks - Boats</title>{head}</head><body><nav><ul>"
        "<li><a href=/>Home</a><li><a href=/new>New posts</a></ul></nav>"
        f"<div id=wrap><h1>Which caulking holds?</h1>{inner}</div>"
        "<aside><h3>Similar threads</h3><ul><li><a href=/t/2>Sails</a></ul></aside>"
        "<footer><a href=/privacy>Privacy</a></footer></body></html>"
    )


def each(shape: str) -> str:
    return "".join(
        shape.format(n=n, name=name, day=day, shown=SHOWN[n - 1], text=text)
        for n, (name, day, text) in enumerate(POSTS, 1)
    )


SHAPES = {
    "XenForo": each(
        "<article class='message message--post js-post' data-author='{name}' id=js-post-{n}>"
        "<div class=message-cell--user><h4 class=message-name><a class=username>{name}</a></h4>"
        "<dl class=pairs><dt>Joined</dt><dd>Jan 1, 2010</dd><dt>Messages</dt><dd>512</dd></dl></div>"
        "<div class=message-cell--main><header class=message-attribution><time datetime={day}T08:00:00Z>"
        "{shown}</time></header><div class=message-body><div class=bbWrapper>{text}</div></div>"
        "<aside class=message-signature>Fair winds</aside></div></article>"
    ),
    "Discourse": each(
        "<div id=post_{n} itemprop=comment itemscope itemtype='http://schema.org/Comment' "
        "class='topic-body crawler-post'><div class=crawler-post-meta><span class=creator "
        "itemprop=author itemscope itemtype='http://schema.org/Person'><a itemprop=url href=/u/x>"
        "<span itemprop=name>{name}</span></a></span><time itemprop=datePublished "
        "datetime={day}T08:00:00Z>{shown}</time><span itemprop=position>{n}</span></div>"
        "<div class=post itemprop=text><p>{text}</p></div></div>"
    ),
    "phpBB": each(
        "<div id=p{n} class='post has-profile bg2'><dl class=postprofile><dt><a class=username "
        "href='./memberlist.php?u=2'>{name}</a></dt><dd>Posts: 12</dd></dl><div class=postbody>"
        "<h3><a href=#p{n}>Re: caulking</a></h3><p class=author>by <a class=username>{name}</a> » "
        "<time datetime={day}T08:00:00+00:00>{shown}</time></p><div class=content>{text}</div></div></div>"
    ),
    "vBulletin 4": "<ol id=posts>"
    + each(
        "<li class='postbit postcontainer' id=post_{n}><div class=posthead><span class=date>{shown}"
        "</span></div><div class=postdetails><a class='username offline' href='member.php?{n}'>"
        "<strong>{name}</strong></a><dl class=userstats><dt>Posts</dt><dd>9</dd></dl></div>"
        "<div class=postbody><div class=content><div id=post_message_{n}><blockquote "
        "class='postcontent restore'>{text}</blockquote></div></div></div></li>"
    )
    + "</ol>",
    "vBulletin 3": each(
        "<table id=post{n} class='tborder postbit'><tr><td class=thead><span class=date>{shown}</span>"
        "</td></tr><tr><td class=alt2><a class=bigusername href='member.php?u={n}'>{name}</a><div>"
        "Join Date: Jan 2010</div></td></tr><tr><td class=alt1><div id=post_message_{n}>{text}</div></td></tr></table>"
    ),
    "SMF": each(
        "<div class=windowbg id=msg{n}><div class=post_wrapper><div class=poster><h4><a "
        "href='?action=profile;u=1'>{name}</a></h4></div><div class=postarea><div class=smalltext>"
        "{shown}</div><div class=post><div class=inner id=msg_{n}>{text}</div></div></div></div></div>"
    ),
    "MyBB": each(
        "<div class='post classic' id=post_{n}><div class=post_author><div class=author_information>"
        "<span class=largetext><a href='member.php?uid=2'>{name}</a></span></div></div><div "
        "class=post_content><div class=post_head><span class=post_date>{shown}</span></div><div "
        "class='post_body scaleimages'>{text}</div></div></div>"
    ),
    "FluxBB": each(
        "<div id=p{n} class='blockpost rowodd'><h2><span><a class=posted href=#p{n}>{shown}</a></span>"
        "</h2><div class=box><div class=postleft><dl><dt><strong class=username>{name}</strong></dt>"
        "<dd>Member</dd></dl></div><div class=postright><div class=postmsg><p>{text}</p></div></div></div></div>"
    ),
    "Invision": each(
        "<article id=elComment_{n} class='cPost ipsBox ipsComment'><aside class=cAuthorPane><h3 "
        "class=cAuthorPane_author><a href=/profile/2-x/>{name}</a></h3><ul><li>Members</li></ul></aside>"
        "<div class=ipsColumn><div class=ipsComment_meta>Posted <time datetime={day}T08:00:00Z>{shown}"
        "</time></div><div data-role=commentContent class=ipsType_richText><p>{text}</p></div></div></article>"
    ),
    "NodeBB": "<ul component=topic>"
    + each(
        "<li component=post class=posts-list-post data-username='{name}' data-timestamp=x><a "
        "class=author href=/user/x>{name}</a><span class=timeago title='{day}T08:00:00.000Z'></span>"
        "<div component='post/content' class=content><p>{text}</p></div></li>"
    )
    + "</ul>",
    "GitHub issues": each(
        "<div class='TimelineItem js-comment-container'><div class='timeline-comment comment'><h3><a "
        "class=author href=/x>{name}</a> commented <relative-time datetime={day}T08:00:00Z>{shown}"
        "</relative-time></h3><div class='comment-body markdown-body js-comment-body'><p>{text}</p></div></div></div>"
    ),
    "no names for parts": each(
        "<div class='comment js-comment'><div class=c-info><a href='/user/{n}/x/'>{name}</a> <i "
        "title='{shown} 10:22 a.m.'>2y</i></div><div class=c-words><p>{text}</p></div><ul class=c-foot>"
        "<li><a href=#>Reply</a></ul></div>"
    ),
    "dates in titles": each(
        "<div id=r_{n} class=cell><table><tr><td><img src=/a.png></td><td><div class=fr><a href=#>"
        "Hide</a></div><b><a href='/member/{n}'>{name}</a></b> <i title='{day} 10:22:00 +08:00'>"
        "2 years</i><div class=reply_words>{text}</div></td></tr></table></div>"
    ),
    "microblog": each(
        "<div class='entry e-{n}'><div class=status><div class=info><a href='/@u/{n}'><time "
        "datetime={day}T08:00:00Z>2y</time></a><a class=display-name href='/@u{n}'><strong>{name}"
        "</strong></a></div><div class=status__words><p>{text}</p></div></div></div>"
    ),
    "days in order": each(
        "<div id=post_{n}><table class=plhin><tr><td><a href='space-uid-{n}.html'>{name}</a><p>Joined "
        "201{n}-0{n}-0{n}</p></td><td><div><em>\u53d1\u8868\u4e8e {day} 10:22:33</em></div><div class=pct>"
        "<div class=t_f>{text}</div></div></td></tr></table></div>"
    ).replace("2011-", "2015-"),
    "camel case": each(
        "<div class=react-issue-comment><div><a class='Header-module__AuthorLink--x' href='/u{n}'>{name}"
        "</a> on <relative-time datetime={day}T08:00:00Z>{shown}</relative-time></div><div class='x-y'>"
        "<div class=markdown-body><p>{text}</p></div></div></div>"
    ),
    "microdata": each(
        "<div itemscope itemtype='https://schema.org/Comment'><b itemprop=author>{name}</b><meta "
        "itemprop=datePublished content={day}><div itemprop=text><p>{text}</p></div></div>"
    ),
}


@pytest.mark.parametrize("software", SHAPES)
def test_a_thread_of_each_software_has_one_form(software):
    content = read_html(page(SHAPES[software]), url="https://boats.example/t/1").content

    assert content.partition("- **ada**")[0].strip() in ("", "# Which caulking holds?")
    assert "- **ada**" + content.partition("- **ada**")[2] == "\n\n".join(
        f"- **{name}**, {day}\n\n  {text}" for name, day, text in POSTS
    )


STACK_EXCHANGE = (
    "<div itemscope itemtype='https://schema.org/QAPage'><div itemprop=mainEntity itemscope "
    "itemtype='https://schema.org/Question'><div class=question data-score=14><div itemprop=upvoteCount "
    "data-value=14>14</div><div class=s-prose itemprop=text><p>{0}</p></div><div class=post-signature>"
    "<a href=/users/9/editor>editor</a></div><div itemprop=author itemscope><a href=/users/1/ada>"
    "<span itemprop=name>ada</span></a></div><time itemprop=dateCreated datetime=2024-03-09T08:00:00>"
    "</time></div><div id=answers><div class='answer accepted-answer' itemprop=acceptedAnswer itemscope "
    "itemtype='https://schema.org/Answer' data-score=1467><div class=s-prose itemprop=text><p>{1}</p>"
    "<pre class='lang-py'><code>drive(cotton)</code></pre></div><div itemprop=author><span itemprop=name>"
    "bo.vik</span></div><time itemprop=dateCreated datetime=2024-03-10T08:00:00></time></div>"
    "<div class=answer itemprop=suggestedAnswer itemscope itemtype='https://schema.org/Answer' "
    "data-score=-1><div class=s-prose itemprop=text><p>{2}</p></div><div itemprop=author>"
    "<span itemprop=name>Cy North</span></div><time itemprop=dateCreated datetime=2024-03-12T08:00:00>"
    "</time></div></div></div></div>"
)


def test_answers_have_votes_and_the_mark_of_the_accepted_one():
    content = read_html(page(STACK_EXCHANGE.format(*TEXTS)), url="https://qa.example/q/1").content

    opening, _, thread = content.partition("- **")
    question, accepted, other = thread.split("\n\n- **")
    assert opening.strip() in ("", "# Which caulking holds?")
    assert question == f"ada**, 2024-03-09, 14 points\n\n  {TEXTS[0]}"
    assert accepted == (
        f"bo.vik**, 2024-03-10, 1467 points, accepted answer\n\n  {TEXTS[1]}\n\n"
        "  ```py\n  drive(cotton)\n  ```"
    )
    assert other == f"Cy North**, 2024-03-12, -1 points\n\n  {TEXTS[2]}"


def test_the_headline_and_the_accepted_mark_of_answers_with_names_for_scripts_are_read():
    posts = "".join(
        f"<div class='js-post {name}'>{title}<div class=post-body><p>{text}</p></div><a href=/users/{who}/>"
        f"{who}</a><abbr title='2024-03-09 08:00'>March</abbr></div>"
        for name, who, title, text in (
            ("js-question", "ada", "<h1><div>Which caulking holds?</div></h1>", TEXTS[0]),
            ("js-answer js-accepted-answer", "bo", "", TEXTS[1]),
            ("js-answer", "cy", "", TEXTS[2]),
        )
    )
    content = read_html(
        f"<html><body><main>{posts}</main></body></html>", url="https://qa.example/q/1"
    ).content

    assert content.startswith("# Which caulking holds?\n\n- **ada**, 2024-03-09\n\n")
    assert f"- **bo**, 2024-03-09, accepted answer\n\n  {TEXTS[1]}" in content


def test_short_posts_beside_long_profiles_are_a_thread():
    facts = "".join(
        f"<dd><strong>{name}:</strong> {'of the harbour ' * 4}</dd>"
        for name in ("Rank", "Joined", "Boat", "Location")
    )
    posts = "".join(
        f"<div id=p{n} class='post bg2'><dl class=postprofile><dt><a class=username "
        f"href='./memberlist.php?u={n}'>{name}</a></dt>{facts}</dl><div class=postbody><p class=author>"
        f"<time datetime={day}T08:00:00+00:00>{day}</time></p><div class=content>Mine leaks too, at "
        f"plank {n}.</div></div></div>"
        for n, (name, day, _) in enumerate(POSTS, 1)
    )

    content = read_html(page(posts), url="https://boats.example/t/1").content

    assert "- **ada**" + content.partition("- **ada**")[2] == "\n\n".join(
        f"- **{name}**, {day}\n\n  Mine leaks too, at plank {n}."
        for n, (name, day, _) in enumerate(POSTS, 1)
    )


def test_a_first_post_around_the_others_has_its_likes_and_no_line_of_its_own():
    def post(n: int, kind: str) -> str:
        return (
            f"<div {kind} class='topic-body crawler-post'><div class=crawler-post-meta><span class="
            f"creator itemprop=author itemscope><a href=/u/x><span itemprop=name>{NAMES[n]}</span></a>"
            f"({NAMES[n]} of the port)</span><time itemprop=datePublished datetime={DATES[n]}T08:00:00Z>"
            f"{SHOWN[n]}</time></div><div class=post itemprop=text><p>{TEXTS[n]}</p></div>"
            f"<span class=post-likes>{n + 3} Likes</span></div>"
        )

    typed = "itemprop=comment itemscope itemtype='http://schema.org/Comment'"
    first = "<div itemscope itemtype='http://schema.org/DiscussionForumPosting'>"
    posts = f"{first}{post(0, '')}{post(1, typed)}{post(2, typed)}</div>"

    content = read_html(page(posts), url="https://boats.example/t/1").content

    assert "of the port" not in content
    assert [line for line in content.split("\n") if line.startswith("- **")] == [
        f"- **{name}**, {day}, {n + 3} points" for n, (name, day, _) in enumerate(POSTS)
    ]


@pytest.mark.parametrize(
    ("shown", "written"),
    [
        (
            "<span class=time>answered <i class=relativetime title='2020-05-06 07:08:09Z'>May 6 at 7:08</i></span>",
            "2020-05-06",
        ),
        ("<span class=postdate>June 04, 2024, 11:23:55 AM</span>", "2024-06-04"),
        ("<span class=postdate>Posted 3 hours ago</span>", "3 hours ago"),
    ],
)
def test_the_day_of_a_post_is_found_in_what_is_shown(shown, written):
    posts = "".join(
        f"<div class=post><a class=username>{name}</a>{shown}<div class=content>{text}</div></div>"
        for name, _, text in POSTS
    )

    content = read_html(page(posts), url="https://boats.example/t/1").content

    assert content.count(f"**, {written}\n") == 3


@pytest.mark.parametrize(
    "quote",
    [
        "<blockquote class=bbCodeBlock--quote><a href=/p/1>ada said:</a><div>It leaks.</div></blockquote>",
        (
            "<div class=bbcode_container><div class=bbcode_quote><div class=quote_container><div>ada "
            "said:</div><div class=message>It leaks.</div></div></div></div>"
        ),
    ],
)
def test_a_quotation_before_an_answer_is_one_quotation(quote):
    posts = "".join(
        f"<article class=message data-author='{name}'><div class=message-body><div class=bbWrapper>"
        f"{quote}{text}</div></div></article>"
        for name, _, text in POSTS
    )

    content = read_html(page(posts), url="https://boats.example/t/1").content

    assert f"  > It leaks.\n\n  {TEXTS[2]}" in content
    assert "> >" not in content


def test_json_ld_completes_what_the_posts_do_not_show():
    answer = (
        f'{{"@type": "Answer", "text": "{TEXTS[1]}", "upvoteCount": 7, "dateCreated": "2024-03-10",'
        ' "author": {"@type": "Person", "name": "Bo Vik"}}'
    )
    script = (
        '<script type="application/ld+json">{"@type": "QAPage", "mainEntity": {"@type": "Question",'
        f' "text": "{TEXTS[0]}", "acceptedAnswer": {answer}}}}}</script>'
    )
    posts = each(
        "<div class=post><a class=username>{name}</a><div class=cooked><p>{text}</p></div></div>"
    )

    content = read_html(page(posts, script), url="https://boats.example/t/1").content

    assert "- **bo.vik**, 2024-03-10, 7 points, accepted answer" in content


NESTED = {
    "Reddit": (
        "<div class='thing comment'><p class=tagline><a class=author href=/user/ada>ada</a> <span "
        "class='score unvoted' title=189>189 points</span> <time datetime=2024-03-09T08:00:00Z></time>"
        "</p><div class=usertext-body><div class=md><p>{0}</p></div></div><div class=child><div "
        "class='thing comment'><p class=tagline><a class=author href=/user/b>bo.vik</a> <span "
        "class='score unvoted' title=40>40 points</span> <time datetime=2024-03-10T08:00:00Z></time>"
        "</p><div class=usertext-body><div class=md><p>{1}</p></div></div></div></div></div>"
    ),
    "Hacker News": (
        "<table class=comment-tree><tr class='athing comtr'><td><table><tr><td class=ind indent=0></td>"
        "<td><div><span class=comhead><a class=hnuser href='user?id=ada'>ada</a> <span class=age "
        "title='2024-03-09T08:00:00'>2 years ago</span></span><span class=score>189 points</span></div>"
        "<div class=comment><div class=commtext>{0}</div></div></td></tr></table></td></tr>"
        "<tr class='athing comtr'><td><table><tr><td class=ind indent=1></td><td><div><span class=comhead>"
        "<a class=hnuser href='user?id=b'>bo.vik</a> <span class=age title='2024-03-10T08:00:00'>x</span>"
        "</span><span class=score>40 points</span></div><div class=comment><div class=commtext>{1}</div>"
        "</div></td></tr></table></td></tr></table>"
    ),
    "Lobsters": (
        "<ol><li class=comments_subtree><div class=comment><div class=byline><a href='/~ada' class=author>"
        "ada</a> <time datetime=2024-03-09>x</time><div class=score>189</div></div><div class=comment_text>"
        "<p>{0}</p></div></div><ol><li class=comments_subtree><div class=comment><div class=byline>"
        "<a class=author>bo.vik</a> <time datetime=2024-03-10>x</time><div class=score>40</div></div>"
        "<div class=comment_text><p>{1}</p></div></div></li></ol></li></ol>"
    ),
}


@pytest.mark.parametrize("site", NESTED)
def test_replies_stand_under_what_they_reply_to(site):
    content = read_html(page(NESTED[site].format(*TEXTS)), url="https://x.example/1").content

    assert content.partition("- **ada**")[2] == (
        f", 2024-03-09, 189 points\n\n  {TEXTS[0]}\n\n"
        f"  - **bo.vik**, 2024-03-10, 40 points\n\n    {TEXTS[1]}"
    )


def test_a_post_that_quotes_another_is_not_the_other_one_again():
    quoting = f"<div class=bbcode_quote><b>ada</b> wrote: <p>{TEXTS[0]}</p></div><p>{TEXTS[2]}</p>"
    posts = [("ada", TEXTS[0]), ("bo.vik", TEXTS[1]), ("Cy North", quoting)]
    thread = "".join(
        f"<div class=post><a class=username>{name}</a><div class=postcontent><p>{text}</p></div></div>"
        for name, text in posts
    )

    content = read_html(page(thread), url="https://boats.example/t/1").content

    assert content.count(TEXTS[0]) == 1
    assert "- **Cy North**\n\n  > **ada** wrote:" in content


@pytest.mark.parametrize(
    "votes",
    [
        "<button><span aria-label='14 points'>14</span></button>",
        "<span class=KudosCount>14 Kudos</span>",
        "<div class=net-votes><b class=netvote>+14</b></div>",
    ],
)
def test_votes_are_found_by_their_label(votes):
    thread = "".join(
        f"<div class=comment><a class=author>{name}</a>{votes}<div class=content>{text}</div></div>"
        for name, _, text in POSTS
    )

    content = read_html(page(thread), url="https://boats.example/t/1").content

    assert content.count(", 14 points") == len(POSTS)


@pytest.mark.parametrize(
    ("shown", "day"),
    [
        ("2023/04/02(\u65e5) 10:22:33.12", "2023-04-02"),
        ("2 \u0430\u043f\u0440\u0435\u043b\u044f 2023, 10:22", "2023-04-02"),
        ("Sunday, April 2nd, 2023 @ 10:22am", "2023-04-02"),
        ("2 days ago", "2 days ago"),
    ],
)
def test_days_are_read_in_many_languages(shown, day):
    thread = "".join(
        f"<div class=post><a class=author>{name}</a><i class=date>{shown}</i><div class=content>"
        f"{text}</div></div>"
        for name, _, text in POSTS
    )

    content = read_html(page(thread), url="https://boats.example/t/1").content

    assert f"- **ada**, {day}\n" in content


def test_a_list_of_dated_articles_is_no_thread():
    cards = each(
        "<div class=story><h2><a href='/story/{n}'>Story {n} of the year</a></h2><a class=author "
        "href='/people/{n}'>{name}</a> <time datetime={day}>{shown}</time><div><p>{text}</p></div></div>"
    )

    content = read_html(page(cards), url="https://boats.example/news").content

    assert "- **ada**" not in content
    assert content.count("Story") == len(POSTS)


def test_an_article_with_comments_is_no_thread():
    article = "".join(f"<p>{text} {text}</p>" for text in TEXTS)
    comments = each(
        "<li class=comment><b class=author>{name}</b><div class=comment-content>Thanks!</div></li>"
    )

    content = read_html(
        page(f"<article>{article}</article><ol class=comments>{comments}</ol>"),
        url="https://boats.example/story",
    ).content

    assert "**ada**" not in content
    assert TEXTS[0] in content


@pytest.mark.parametrize(
    "shape",
    [
        lambda n: "<div class=post><a class=author>a</a><div class=content>text</div></div>" * n,
        lambda n: "<div class=comment><a class=author>a</a><p class=content>t</p>" * min(n, 3000),
        lambda n: "<i class=post>a</i>" * n,
        lambda n: "<div class=post>" + "<i class=author>a b c</i><i class=date>2024</i>" * n,
        lambda n: "<div itemtype=http://schema.org/Comment>a" * min(n, 3000),
    ],
    ids=["posts", "nested", "empty", "authors", "typed"],
)
def test_threads_of_any_shape_take_linear_time(growth, shape):
    assert growth(lambda text: read_html(text, url="https://x.example/"), shape, 8000) < 20
