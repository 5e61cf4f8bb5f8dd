import { attributes, html } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { blurredPicture } from './blur.ts'
import { icons } from '../layout/icons.ts'
import type { Text } from '../text.ts'

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
export function gallery(text: Text, { media, sensitive, plays = false }: Hung & { plays?: boolean }): SafeHtml {
  if (media.length === 0) return html``
  const shown = media.slice(0, 4)
  const pictures = html`<div class="gallery gallery-${shown.length}">
    ${shown.map((one) => (plays && isPlayed(one) ? player(text, one) : attachment(text, one)))}
  </div>`
  if (!sensitive) return pictures
  const blur = blurredPicture(shown.find(({ blurhash }) => blurhash)?.blurhash)
  return html`<details class="veil">
    <summary>
      ${blur && html`<img class="veil-blur" src="${blur}" alt="" />`}
      <span class="veil-words"
        >${icons.hidden}<span class="when-closed"
          ><strong>${text.post.sensitive}</strong> <span>${text.post.reveal(shown.length)}</span></span
        ><span class="when-open">${text.post.hide}</span></span
      >
    </summary>
    ${pictures}
  </details>`
}

/** Attachments of many posts as a wall of tiles, each of which leads to its post. What is sensitive stays blurred. */
export function mediaWall(text: Text, { posts }: { posts: readonly (Hung & { url: string })[] }): SafeHtml {
  return html`<ul class="wall">
    ${posts.flatMap((post) =>
      post.media.map((one) => html`<li><a class="tile" href="${post.url}">${wallPicture(text, one, post)}</a></li>`),
    )}
  </ul>`
}

function wallPicture(text: Text, one: PostMedia, { sensitive }: Hung): SafeHtml {
  if (sensitive) {
    const blur = blurredPicture(one.blurhash)
    return html`${blur && html`<img src="${blur}" alt="" />`}<span class="tile-veil"
        >${icons.hidden}<span>${text.post.sensitive}</span></span
      >`
  }
  const still = stillOf(one)
  if (still === null)
    return html`<span class="tile-veil">${icons.play}<span dir="auto">${altOf(text, one)}</span></span>`
  return html`<img src="${still}" alt="${altOf(text, one)}" loading="lazy" decoding="async" />${
      one.kind !== 'image' && html`<span class="tile-play">${icons.play}</span>`
    }`
}

/** A picture to look at before anything else is loaded. */
function stillOf(one: PostMedia): string | null {
  return one.preview ?? (one.kind === 'image' ? one.url : null)
}

function altOf({ post: text }: Text, { kind, description }: PostMedia): string {
  const blank = { image: text.picture, gifv: text.picture, video: text.video, audio: text.audio, unknown: text.file }
  return description?.trim() || blank[kind]
}

function isPlayed({ kind }: PostMedia): boolean {
  return kind === 'video' || kind === 'gifv' || kind === 'audio'
}

/** A picture, or a video or a sound with the browser's own controls. */
export function player(text: Text, one: PostMedia): SafeHtml {
  const { url, preview, width, height } = one
  const label = altOf(text, one)
  if (!isPlayed(one)) return attachment(text, one)
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

function attachment(text: Text, one: PostMedia): SafeHtml {
  const still = stillOf(one)
  const alt = altOf(text, one)
  if (still === null) {
    const { playAudio, playVideo, openFile } = text.post
    const label = one.kind === 'audio' ? playAudio : one.kind === 'video' ? playVideo : openFile
    return html`<a class="tile tile-file" href="${one.url}"
      >${icons.play}<span><strong>${label}</strong> <span dir="auto">${alt}</span></span></a
    >`
  }
  const size = attributes({ width: one.width, height: one.height })
  return html`<a class="tile" href="${one.url}"
    ><img src="${still}" alt="${alt}" loading="lazy" decoding="async" ${size} />${
      one.kind !== 'image' &&
      html`<span class="tile-play">${icons.play}<span class="unseen">${text.post.playVideo}</span></span>`
    }</a
  >`
}
