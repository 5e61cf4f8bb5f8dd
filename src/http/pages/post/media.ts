import { attributes, html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { blurredPicture } from './blur.ts'
import { icons } from '../layout/icons.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/**
 * A media attachment. `preview` is the URL of a still image, if there is one; sizes are those of the preview, in
 * pixels.
 */
export type PostMedia = {
  kind: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  preview: string | null
  description: string | null
  blurhash?: string | null
  width?: number | null
  height?: number | null
}

type AttachedMedia = { media: readonly PostMedia[]; sensitive: boolean }

/** The attachments of a post. `plays`: video and audio have players; otherwise they are links. */
export function gallery(
  locale: Locale,
  { media, sensitive, plays = false }: AttachedMedia & { plays?: boolean },
): SafeHtml {
  if (media.length === 0) return html``
  const shown = media.slice(0, 4)
  const pictures = html`<div class="gallery gallery-${shown.length}">
    ${shown.map((one) => (plays && isPlayable(one) ? player(locale, one) : attachment(locale, one)))}
  </div>`
  if (!sensitive) return pictures
  const blur = blurredPicture(shown.find(({ blurhash }) => blurhash)?.blurhash)
  return html`<details class="veil">
    <summary>
      ${blur && html`<img class="veil-blur" src="${blur}" alt="" />`}
      <span class="veil-words"
        >${icons.hidden}<span class="when-closed"
          ><strong>${message(locale, 'post.sensitive')}</strong>
          <span>${message(locale, 'post.reveal', { count: shown.length })}</span></span
        ><span class="when-open">${message(locale, 'post.hide')}</span></span
      >
    </summary>
    ${pictures}
  </details>`
}

/** The attachments of many posts as a grid of tiles that link to their posts. Sensitive media stay blurred. */
export function mediaWall(
  locale: Locale,
  { posts }: { posts: readonly (AttachedMedia & { url: string })[] },
): SafeHtml {
  return html`<ul class="wall">
    ${posts.flatMap((post) =>
      post.media.map((one) => html`<li><a class="tile" href="${post.url}">${wallPicture(locale, one, post)}</a></li>`),
    )}
  </ul>`
}

function wallPicture(locale: Locale, one: PostMedia, { sensitive }: AttachedMedia): SafeHtml {
  if (sensitive) {
    const blur = blurredPicture(one.blurhash)
    return html`${blur && html`<img src="${blur}" alt="" />`}<span class="tile-veil"
        >${icons.hidden}<span>${message(locale, 'post.sensitive')}</span></span
      >`
  }
  const still = stillOf(one)
  if (still === null)
    return html`<span class="tile-veil">${icons.play}<span dir="auto">${altOf(locale, one)}</span></span>`
  return html`<img src="${still}" alt="${altOf(locale, one)}" loading="lazy" decoding="async" />${
      one.kind !== 'image' && html`<span class="tile-play">${icons.play}</span>`
    }`
}

/** Returns the URL of a still image that represents the attachment; null if there is none. */
function stillOf(one: PostMedia): string | null {
  return one.preview ?? (one.kind === 'image' ? one.url : null)
}

function altOf(locale: Locale, { kind, description }: PostMedia): string {
  const blank = {
    image: message(locale, 'post.picture'),
    gifv: message(locale, 'post.picture'),
    video: message(locale, 'post.video'),
    audio: message(locale, 'post.audio'),
    unknown: message(locale, 'post.file'),
  }
  return description?.trim() || blank[kind]
}

function isPlayable({ kind }: PostMedia): boolean {
  return kind === 'video' || kind === 'gifv' || kind === 'audio'
}

/** An image, or a player for video or audio with the controls of the browser. */
export function player(locale: Locale, one: PostMedia): SafeHtml {
  const { url, preview, width, height } = one
  const label = altOf(locale, one)
  if (!isPlayable(one)) return attachment(locale, one)
  if (one.kind === 'audio') {
    return html`<figure class="sound">
      <audio src="${url}" controls preload="none" aria-label="${label}"></audio>
      <figcaption dir="auto">${label}</figcaption>
    </figure>`
  }
  const rest = attributes({ poster: preview, width, height, loop: one.kind === 'gifv', muted: one.kind === 'gifv' })
  return html`<video
    class="film"
    src="${url}"
    controls
    playsinline
    preload="none"
    aria-label="${label}"
    ${rest}
  ></video>`
}

function attachment(locale: Locale, one: PostMedia): SafeHtml {
  const still = stillOf(one)
  const alt = altOf(locale, one)
  if (still === null) {
    const label = message(
      locale,
      one.kind === 'audio' ? 'post.play-audio' : one.kind === 'video' ? 'post.play-video' : 'post.open-file',
    )
    return html`<a class="tile tile-file" href="${one.url}"
      >${icons.play}<span><strong>${label}</strong> <span dir="auto">${alt}</span></span></a
    >`
  }
  const size = attributes({ width: one.width, height: one.height })
  return html`<a class="tile" href="${one.url}"
    ><img src="${still}" alt="${alt}" loading="lazy" decoding="async" ${size} />${
      one.kind !== 'image' &&
      html`<span class="tile-play"
        >${icons.play}<span class="unseen">${message(locale, 'post.play-video')}</span></span
      >`
    }</a
  >`
}
