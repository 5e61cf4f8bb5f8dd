import { html, isolateDirection, isolateDirectionOfText, stripDirectionOverrides } from '../../../lib/html/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { mark } from '../layout/mark.ts'
import { nameOf } from '../layout/page-account.ts'
import { mainPost } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { markup } from '../../../lib/messages/message.ts'

/** A single post for embedding on other sites. All links open in new windows. */
export function embedPage(frame: Frame, { post, preview, now }: { post: Post; preview: Preview; now: Date }): string {
  const { locale } = frame
  const body = html`<div class="embed">
    <h1 class="unseen">${markup(locale, 'post.title-of', { name: isolateDirectionOfText(nameOf(post.author)) })}</h1>
    ${mainPost(locale, { post: { ...post, historyUrl: null }, now, brief: true })}
    <p class="embed-foot">
      <a href="${post.url}"
        >${mark} <span>${markup(locale, 'embed.open', { site: isolateDirection(frame.siteTitle) })}</span></a
      >
    </p>
  </div>`
  return page(frame, { title: stripDirectionOverrides(preview.title), body, shape: 'bare', preview })
}
