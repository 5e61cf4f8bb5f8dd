import { attributes, html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { blurredPicture } from './blur.ts'
import { icons } from '../layout/icons.ts'
import { timeAgo } from '../layout/time.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** What a link in a post leads to. */
export type PostCard = {
  url: string
  title: string
  description: string
  provider: string
  /** As the page names them; blank: it names nobody. */
  author: string
  at: Date | null
  /** A picture of ours. Sizes are in pixels. */
  image: { url: string; description: string; blurhash: string | null; width: number; height: number } | null
  language: string | null
  /** Whether there is something to be played. */
  plays: boolean
}

/** From this shape on a picture stands above the words, as wide as they are, and else beside them. */
const WIDE = 1.4

/**
 * A link with what it leads to. Nothing is loaded from there before somebody follows it. The picture of what is
 * `sensitive` stays blurred.
 */
export function linkCard(
  locale: Locale,
  { card, sensitive, now }: { card: PostCard; sensitive: boolean; now: Date },
): SafeHtml {
  const { url, title, description, provider, author, at, image, language } = card
  const isWide = image !== null && image.width >= image.height * WIDE
  const below = [author && isolate(author), at && timeAgo(locale, { at, now })].filter(Boolean)
  const lang = attributes({ dir: 'auto', lang: language })
  return html`<a class="card${isWide ? ' card-wide' : ''}" href="${url}" rel="nofollow noopener">
    ${cardPicture({ card, sensitive })}
    <span class="card-words">
      <span class="card-provider" dir="auto">${provider}</span>
      <strong class="card-title" ${lang}>${title}</strong>
      ${description !== '' && html`<span class="card-text" ${lang}>${description}</span>`}
      ${below.length > 0 && html`<span class="card-by">${below.map((one, n) => html`${n > 0 && ' · '}${one}`)}</span>`}
    </span>
  </a>`
}

function cardPicture({ card: { image, plays }, sensitive }: { card: PostCard; sensitive: boolean }): SafeHtml {
  if (image === null) return html``
  const { url, description, blurhash, width, height } = image
  const blur = sensitive ? blurredPicture(blurhash) : null
  if (sensitive && blur === null) return html``
  return html`<span class="card-picture"
    >${
      blur === null
        ? html`<img
            src="${url}"
            alt="${description}"
            width="${width}"
            height="${height}"
            loading="lazy"
            decoding="async"
          />`
        : html`<img src="${blur}" alt="" />`
    }${plays && html`<span class="tile-play">${icons.play}</span>`}</span
  >`
}
