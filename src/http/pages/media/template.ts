import { html, withoutOverrides } from '../../../lib/html.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { player } from '../post/media.ts'
import type { PostMedia } from '../post/media.ts'

/** One media attachment alone, for a frame of another site: a picture, or a player with the browser's own controls. */
export function playerPage(frame: Frame, { media, title }: { media: PostMedia; title: string }): string {
  const { locale } = frame
  const body = html`<div class="embed">
    <h1 class="unseen">${title}</h1>
    ${player(locale, media)}
  </div>`
  return page(frame, { title: withoutOverrides(title), body, shape: 'bare' })
}
