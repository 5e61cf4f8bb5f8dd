import { attributes, html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { blurredPicture } from './blur.ts'
import { icons } from '../layout/icons.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** One attachment. `preview` is a still picture, if there is one; sizes are those of the preview, in pixels. */
export type PostMedia = {
  kind: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  preview: string | null
  description: string | null
  blurhash?: string | null
  width?: number | null
  height?: number | null
}

type Hung = { media: readonly PostMedia[]; sensitive: boolean }

/** What hangs on a post. `plays`: films and sounds are played here; elsewhere they are led to. */
export function gallery(locale: Locale, { media, sensitive, plays = false }: Hung & { plays?: boolean }): SafeHtml {
  if (media.length === 0) return html``
  const shown = media.slice(0, 4)
  const pictures = html`<div class="gallery gallery-${shown.length}">
    ${shown.map((one) => (plays && isPlayed(one) ? player(locale, one) : attachment(locale, one)))}
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

/** Attachments of many posts as a wall of tiles, each of which leads to its post. What is sensitive stays blurred. */
export function mediaWall(locale: Locale, { posts }: { posts: readonly (Hung & { url: string })[] }): SafeHtml {
  return html`<ul class="wall">
    ${posts.flatMap((post) =>
      post.media.map((one) => html`<li><a class="tile" href="${post.url}">${wallPicture(locale, one, post)}</a></li>`),
    )}
  </ul>`
}

function wallPicture(locale: Locale, one: PostMedia, { sensitive }: Hung): SafeHtml {
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

/** A picture to look at before anything else is loaded. */
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

function isPlayed({ kind }: PostMedia): boolean {
  return kind === 'video' || kind === 'gifv' || kind === 'audio'
}

/** A picture, or a video or a sound with the browser's own controls. */
export function player(locale: Locale, one: PostMedia): SafeHtml {
  const { url, preview, width, height } = one
  const label = altOf(locale, one)
  if (!isPlayed(one)) return attachment(locale, one)
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
