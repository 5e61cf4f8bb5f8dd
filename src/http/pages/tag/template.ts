import { html, isolate, withoutOverrides } from '../../../lib/html.ts'
import { emptyFeed, feedLink, pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { textFor } from '../text.ts'

export type TagInput = {
  /** As people write it, without the sign. */
  name: string
  /** null: this server shows them to people with an account only. */
  posts: readonly Post[] | null
  pages: Pages
  feedUrl: string
  preview: Preview
  now: Date
}

/** What is said with a hashtag. */
export function tagPage(frame: Frame, { name, posts, pages, feedUrl, preview, now }: TagInput): string {
  const text = textFor(frame.lang)
  const words = text.everybody.tag
  const body = html`<div class="column">
    <header class="column-head">
      <h1>${isolate(`#${name}`)}</h1>
      <p class="quiet">${words.lead(isolate(frame.siteTitle))}</p>
      ${posts !== null && html`<p>${feedLink(text, { href: feedUrl })}</p>`}
    </header>
    ${
      posts === null
        ? emptyFeed(text.landing.membersOnly)
        : posts.length === 0
          ? emptyFeed(words.empty)
          : html`<div class="feed">${posts.map((post) => postArticle(text, { post, now, level: 2 }))}</div>`
    }
    ${pager(text, pages)}
  </div>`
  return page(frame, { title: withoutOverrides(preview.title), body, shape: 'wide', preview })
}
