import { html, isolateDirectionOfText, stripDirectionOverrides } from '../../../lib/html/html.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { nameOf } from '../layout/page-account.ts'
import { mainPost, postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { markup, message } from '../../../lib/messages/message.ts'

/** A reply and its depth below the post: 0 is a direct reply. */
type Reply = { post: Post; depth: number }

export type ThreadInput = {
  /** The title of the document. */
  title: string
  post: Post
  /** The posts to which it replies, the start of the thread first. */
  before: readonly Post[]
  /** The replies in the order of the tree, each before its own replies. */
  replies: readonly Reply[]
  /** Whether there may be more replies than the page shows. */
  cut: boolean
  preview: Preview
  now: Date
}

/** Replies below this depth are not indented any further. */
const MAX_DEPTH = 4

/** A post in its thread. */
export function threadPage(frame: Frame, { title, post, before, replies, cut, preview, now }: ThreadInput): string {
  const { locale } = frame
  const body = html`<div class="column">
    <h1 class="unseen">${markup(locale, 'post.title-of', { name: isolateDirectionOfText(nameOf(post.author)) })}</h1>
    ${
      before.length > 0 &&
      html`<section class="before" aria-label="${message(locale, 'thread.before')}">
        ${before.map((one) => postArticle(locale, { post: one, now, level: 2 }))}
      </section>`
    }
    ${mainPost(locale, { post, now })}
    ${
      replies.length > 0 &&
      html`<section class="replies" aria-labelledby="replies">
        <h2 class="replies-title" id="replies">${icons.reply} ${message(locale, 'thread.replies')}</h2>
        ${replies.map(
          ({ post: reply, depth }) =>
            html`<div class="reply reply-${Math.min(depth, MAX_DEPTH)}">
              ${postArticle(locale, { post: reply, now })}
            </div>`,
        )}
        ${cut && html`<p class="hint">${message(locale, 'thread.cut', { count: replies.length })}</p>`}
      </section>`
    }
  </div>`
  return page(frame, { title: stripDirectionOverrides(title), body, shape: 'wide', preview })
}
