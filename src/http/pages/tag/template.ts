import { html, isolateDirection, stripDirectionOverrides } from '../../../lib/html/html.ts'
import { emptyFeed, feedLink, pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { markup, message } from '../../../lib/messages/message.ts'

export type TagInput = {
  /** The display name of the hashtag, without the #. */
  name: string
  /** null if this server shows them to its users only. */
  posts: readonly Post[] | null
  pages: Pages
  feedUrl: string
  preview: Preview
  now: Date
}

/** The posts with a hashtag. */
export function tagPage(frame: Frame, { name, posts, pages, feedUrl, preview, now }: TagInput): string {
  const { locale } = frame
  const body = html`<div class="column">
    <header class="column-head">
      <h1>${isolateDirection(`#${name}`)}</h1>
      <p class="quiet">${markup(locale, 'tag.lead', { site: isolateDirection(frame.siteTitle) })}</p>
      ${posts !== null && html`<p>${feedLink(locale, { href: feedUrl })}</p>`}
    </header>
    ${
      posts === null
        ? emptyFeed(message(locale, 'landing.members-only'))
        : posts.length === 0
          ? emptyFeed(message(locale, 'tag.empty'))
          : html`<div class="feed">${posts.map((post) => postArticle(locale, { post, now, level: 2 }))}</div>`
    }
    ${pager(locale, pages)}
  </div>`
  return page(frame, { title: stripDirectionOverrides(preview.title), body, shape: 'wide', preview })
}
