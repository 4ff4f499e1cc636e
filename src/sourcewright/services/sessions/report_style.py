"""The style sheet of the HTML report: light and dark, phone and print."""

STYLE = """
:root{color-scheme:light dark;
--bg:#fbfaf7;--card:#fff;--ink:#1d2733;--soft:#566270;--line:#dcdfe3;--link:#0b5394;
--good:#1c6b3c;--warn:#8a5300;--bad:#a4151f;--badbg:#fdecec;--tint:#eef2f6;
--l0:#34506e;--l1:#b3541e;--l2:#2f7d4f;--l3:#7a3e9d;--l4:#a01f5d;--l5:#2b7a8c}
@media (prefers-color-scheme:dark){:root{
--bg:#14181d;--card:#1b2128;--ink:#e6e9ed;--soft:#a4afbb;--line:#333c46;--link:#8fc1f2;
--good:#7ed3a0;--warn:#f0bd74;--bad:#ff9c9c;--badbg:#3a1d20;--tint:#252d36;
--l0:#9db9d8;--l1:#f0a472;--l2:#7fcf9f;--l3:#cfa2ea;--l4:#f08cbb;--l5:#7fc9da}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:50rem;padding:2rem 1.25rem 3rem;background:var(--bg);color:var(--ink);
font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;
overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.25;margin:.2rem 0 1rem}
h2{font-size:1.2rem;margin:2.4rem 0 .8rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{font-size:1rem;margin:0 0 .4rem;display:flex;flex-wrap:wrap;gap:.4rem;align-items:baseline}
p{margin:0 0 .6rem}
a{color:var(--link)}
a:focus-visible{outline:2px solid var(--link);outline-offset:2px}
.kicker{margin:0;color:var(--soft);font-size:.8rem;letter-spacing:.06em;text-transform:uppercase}
.text{white-space:pre-line}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:0;
font-size:.9rem}
dl.facts dt{color:var(--soft)}
dl.facts dd{margin:0}
.tag{display:inline-block;padding:0 .5rem;border-radius:1rem;background:var(--tint);
color:var(--soft);font-size:.78rem;font-weight:400;line-height:1.6}
.tag.good{color:var(--good)}.tag.warn{color:var(--warn)}.tag.bad{color:var(--bad)}
ol.map{list-style:none;margin:0;padding:0}
ol.map li{display:flex;align-items:center;gap:.5rem;height:36px}
ol.map svg{flex:none;display:block}
ol.map a{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;
text-decoration:none;color:var(--ink)}
ol.map a:hover{text-decoration:underline}
ol.map b{display:inline-block;min-width:1.6em;font-variant-numeric:tabular-nums}
ol.map .tag{max-width:40%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
ol.map .old{color:var(--soft);text-decoration:line-through}
svg path{fill:none;stroke:var(--c);stroke-width:2.5}
svg .dot{fill:var(--c);stroke:var(--c);stroke-width:2}
svg .superseded{fill:var(--bg)}
.l0{--c:var(--l0)}.l1{--c:var(--l1)}.l2{--c:var(--l2)}
.l3{--c:var(--l3)}.l4{--c:var(--l4)}.l5{--c:var(--l5)}
article{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--c);
border-radius:.4rem;padding:.9rem 1.1rem .6rem;margin:0 0 .9rem}
article.superseded{opacity:.75}
article :last-child{margin-bottom:.2rem}
.meta{color:var(--soft);font-size:.85rem}
.label{font-weight:600}
ul{margin:0 0 .6rem;padding-left:1.3rem}
ol.sources{padding-left:2.2rem;margin:0}
ol.sources>li{margin:0 0 .9rem;padding-left:.2rem}
ol.sources .title{font-weight:600}
ol.sources .withdrawn .title{text-decoration:line-through}
ol.sources li::marker{color:var(--soft);font-variant-numeric:tabular-nums}
.notice{margin:.3rem 0;padding:.4rem .7rem;border-left:4px solid var(--bad);background:var(--badbg);
color:var(--bad);font-size:.9rem}
:target{outline:2px solid var(--link);outline-offset:4px}
footer{margin-top:3rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--soft);
font-size:.82rem}
@media (max-width:34rem){
body{padding:1.2rem .9rem 2rem}h1{font-size:1.35rem}
article{padding:.7rem .8rem .4rem}ol.sources{padding-left:1.7rem}
dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:.3rem}}
@media print{
:root{--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--link:#000;--tint:#fff;
--badbg:#fff;--bad:#900;--good:#060;--warn:#630;
--l0:#34506e;--l1:#b3541e;--l2:#2f7d4f;--l3:#7a3e9d;--l4:#a01f5d;--l5:#2b7a8c}
@page{margin:18mm 16mm}
body{max-width:none;padding:0;font-size:10.5pt;-webkit-print-color-adjust:exact;
print-color-adjust:exact}
h2,h3{break-after:avoid}
article,ol.map li,ol.sources>li{break-inside:avoid}
.tag{border:1px solid var(--line)}
a{text-decoration:none}
ol.sources a.title::after{content:" <" attr(href) ">";font-weight:400;font-size:.85em}}
""".strip()
