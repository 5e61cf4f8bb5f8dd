import { html, stripDirectionOverrides } from '../../../lib/html/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { player } from '../post/media.ts'
import type { PostMedia } from '../post/media.ts'

/** A media attachment for embedding on other sites: an image, or a player with the controls of the browser. */
export function playerPage(frame: Frame, { media, title }: { media: PostMedia; title: string }): string {
  const { locale } = frame
  const body = html`<div class="embed">
    <h1 class="unseen">${title}</h1>
    ${player(locale, media)}
  </div>`
  return page(frame, { title: stripDirectionOverrides(title), body, shape: 'bare' })
}
