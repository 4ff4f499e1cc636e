"""Markup that stands where a part of a page is loaded late, as frameworks and libraries document it.

The other forms were written at the same time as the first; the rules of
`reading/html/structure/late_parts.py` were chosen with both in sight.
"""

KNOWN_FORMS = (
    '<div class="skeleton"><span class="skeleton-line"></span></div>',
    '<div class="lazy-content" aria-busy="true">Loading\u2026</div>',
    '<button class="load-more">Load more</button>',
    '<a class="read-more" href="#">Read more</a>',
    '<div class="spinner" role="status">Loading...</div>',
    '<div hx-get="/rest" hx-trigger="revealed"></div>',
    '<turbo-frame id="rest" src="/rest" loading="lazy"></turbo-frame>',
    (
        '<span class="MuiSkeleton-root MuiSkeleton-text MuiSkeleton-pulse" style="width: 60%"></span>'
        '<span class="MuiSkeleton-root MuiSkeleton-text MuiSkeleton-pulse"></span>'
    ),
    (
        '<div class="animate-pulse space-y-4"><div class="h-4 bg-gray-200 rounded w-3/4"></div>'
        '<div class="h-4 bg-gray-200 rounded"></div></div>'
    ),
    '<span data-big-pipe-placeholder-id="callback=article.lazy_builder%3Abuild&amp;args%5B0%5D=7"></span>',
    '<amp-list src="/rest.json" layout="fixed-height" height="900"><div placeholder>Loading \u2026</div></amp-list>',
    '<div class="loading-indicator" aria-label="Loading" role="progressbar"><i></i><i></i><i></i></div>',
    "<div ng-include=\"'/views/rest.html'\"></div>",
    "<p>{{ article.body }}</p>",
    "<p>Showing 1\u201310 of 250 results</p>",
)
OTHER_FORMS = (
    (
        '<astro-island uid="Z1x" component-url="/_astro/Rest.js" component-export="default" '
        'renderer-url="/_astro/client.js" props="{}" client="only" await-children=""></astro-island>'
    ),
    '<a href="/rest" up-defer="reveal" up-target="#rest">Loading</a>',
    (
        '<div class="ant-skeleton ant-skeleton-active"><div class="ant-skeleton-content">'
        '<h3 class="ant-skeleton-title" style="width: 38%"></h3><ul class="ant-skeleton-paragraph">'
        "<li></li><li></li><li></li></ul></div></div>"
    ),
    (
        '<span aria-live="polite" aria-busy="true"><span class="react-loading-skeleton">\u200c</span><br>'
        '<span class="react-loading-skeleton">\u200c</span></span>'
    ),
    (
        '<div wire:id="k7" wire:snapshot="{}" x-intersect="$wire.__lazyLoad(\'eyJ\')">'
        '<div class="h-96"></div></div>'
    ),
    (
        '<include-fragment src="/rest"><svg class="anim-rotate" width="32" height="32"></svg>'
        "</include-fragment>"
    ),
    "<p><em>Loading...</em></p>",
    '<div class="lds-ring"><div></div><div></div><div></div><div></div></div>',
    (
        '<div class="d-flex justify-content-center"><div class="spinner-border" role="status">'
        '<span class="visually-hidden">Loading...</span></div></div>'
    ),
    (
        '<svg role="img" width="400" height="160" aria-labelledby="x-aria"><title id="x-aria">Loading...'
        '</title><rect x="0" y="0" width="400" height="12"></rect></svg>'
    ),
    '<template id="B:0"></template><p>Wird geladen \u2026</p>',
    '<div class="el-skeleton is-animated"><p class="el-skeleton__item el-skeleton__p is-first"></p></div>',
    '<div data-ng-bind-html="article.body"></div>',
    '<div v-html="article.body"></div>',
    '<ion-skeleton-text animated style="width: 80%"></ion-skeleton-text>',
    "<p>Viewing 20 of 1,310 entries</p>",
)
