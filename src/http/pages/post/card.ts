import { attributes, html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { blurredPicture } from './blur.ts'
import { icons } from '../layout/icons.ts'
import { timeAgo } from '../layout/time.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** The preview card of a link in a post. */
export type PostCard = {
  url: string
  title: string
  description: string
  provider: string
  /** The name of the author on the linked page; blank if it names none. */
  author: string
  at: Date | null
  /** An image that this server hosts. Sizes are in pixels. */
  image: { url: string; description: string; blurhash: string | null; width: number; height: number } | null
  language: string | null
  /** Whether the linked page has a video or another player. */
  plays: boolean
}

/** From this aspect ratio on, the image stands above the text in full width; otherwise next to the text. */
const WIDE_ASPECT_RATIO = 1.4

/**
 * The preview card of a link. The browser loads nothing from the linked site before the user follows the link. The
 * image of a `sensitive` post stays blurred.
 */
export function linkCard(
  locale: Locale,
  { card, sensitive, now }: { card: PostCard; sensitive: boolean; now: Date },
): SafeHtml {
  const { url, title, description, provider, author, at, image, language } = card
  const isWide = image !== null && image.width >= image.height * WIDE_ASPECT_RATIO
  const below = [author && isolateDirection(author), at && timeAgo(locale, { at, now })].filter(Boolean)
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
