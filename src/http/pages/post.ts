import { attributes, html } from '../../lib/html.ts'
import type { SafeHtml } from '../../lib/html.ts'
import { blurredPicture } from './blur.ts'
import { emojify, emojifyMarkup } from './emoji.ts'
import type { Emoji } from './emoji.ts'
import { formatsFor } from './formats.ts'
import { icons } from './icons.ts'
import { avatar, displayName, fullHandle } from './person.ts'
import type { Person } from './person.ts'
import type { Text } from './text.ts'
import { timeAgo } from './time.ts'

/** A public post as a page shows it. */
export type Post = {
  id: string
  url: string
  at: Date
  author: Person
  /** Plain text; blank for none. */
  warning: string
  sensitive: boolean
  /** Sanitised markup. */
  content: SafeHtml
  language?: string | null
  emojis?: readonly Emoji[]
  media?: readonly PostMedia[]
  poll?: PostPoll | null
  replies: number
  boosts: number
  favourites: number
}

/** One attachment. `preview` is a still picture, if there is one; sizes are those of the preview, in pixels. */
type PostMedia = {
  kind: 'image' | 'gifv' | 'video' | 'audio' | 'unknown'
  url: string
  preview: string | null
  description: string | null
  blurhash?: string | null
  width?: number | null
  height?: number | null
}

/** `votes` is null where they are not told. */
type PostPoll = { options: readonly { title: string; votes: number | null }[]; votes: number; ended: boolean }

/** A post as an article under an h2. */
export function postArticle(text: Text, { post, now }: { post: Post; now: Date }): SafeHtml {
  const { author, warning } = post
  const name = displayName(author)
  const rest = html`${words(post)} ${post.poll && poll(text, post.poll, post.emojis)} ${media(text, post)}`
  return html`<article class="post" aria-labelledby="post-${post.id}">
    <header class="post-head">
      ${avatar(author)}
      <h3 class="post-by" id="post-${post.id}">${author.url ? html`<a href="${author.url}">${name}</a>` : name}</h3>
      <p class="post-meta">
        <span class="person-handle">${fullHandle(author)}</span>
        <a class="post-time" href="${post.url}">${timeAgo(text.lang, { at: post.at, now })}</a>
      </p>
    </header>
    ${
      warning.trim() === ''
        ? rest
        : html`<details class="warned">
            <summary>
              <span class="unseen">${text.post.warning}</span>
              <span class="warned-words" dir="auto">${emojify(warning, post.emojis)}</span>
              ${toggle(text)}
            </summary>
            ${rest}
          </details>`
    }
    ${counts(text, post)}
  </article>`
}

/** What the summary of a `<details>` offers to do, by its state. */
function toggle(text: Text): SafeHtml {
  return html`<span class="toggle"
    ><span class="when-closed">${text.post.show}</span><span class="when-open">${text.post.hide}</span></span
  >`
}

function words({ content, language, emojis }: Post): SafeHtml {
  if (content.toString().trim() === '') return content
  return html`<div class="prose" dir="auto" ${attributes({ lang: language })}>${emojifyMarkup(content, emojis)}</div>`
}

function counts({ post: text, lang }: Text, { replies, boosts, favourites }: Post): SafeHtml {
  const { compact } = formatsFor(lang)
  const rows = [
    { count: replies, say: text.replies, icon: icons.reply },
    { count: boosts, say: text.boosts, icon: icons.boost },
    { count: favourites, say: text.favourites, icon: icons.favourite },
  ]
  return html`<ul class="counts" aria-label="${text.counts}">
    ${rows.map(
      ({ count, say, icon }) =>
        html`<li>
          ${icon}<span aria-hidden="true">${compact.format(count)}</span><span class="unseen">${say(count)}</span>
        </li>`,
    )}
  </ul>`
}

function poll(
  { post: text, lang }: Text,
  { options, votes, ended }: PostPoll,
  emojis: readonly Emoji[] = [],
): SafeHtml {
  const { percent } = formatsFor(lang)
  return html`<div class="poll" role="group" aria-label="${text.poll}">
    <ul>
      ${options.map((option) => {
        const share = option.votes === null ? null : option.votes / Math.max(votes, 1)
        return html`<li>
          <span class="poll-title" dir="auto">${emojify(option.title, emojis)}</span>
          ${share !== null && html`<span class="poll-share">${percent.format(share)}</span> ${bar(share)}`}
        </li>`
      })}
    </ul>
    <p class="quiet">${text.voters(votes)}${ended && html` · ${text.ended}`}</p>
  </div>`
}

function bar(share: number): SafeHtml {
  const width = `${Math.round(Math.min(share, 1) * 100)}%`
  return html`<svg class="poll-bar" width="100%" height="6" aria-hidden="true" focusable="false">
    <rect class="poll-rest" width="100%" height="6" rx="3" />
    <rect class="poll-part" width="${width}" height="6" rx="3" />
  </svg>`
}

function media(text: Text, { media: all = [], sensitive }: Post): SafeHtml {
  if (all.length === 0) return html``
  const shown = all.slice(0, 4)
  const gallery = html`<div class="gallery gallery-${shown.length}">${shown.map((one) => attachment(text, one))}</div>`
  if (!sensitive) return gallery
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
    ${gallery}
  </details>`
}

function attachment({ post: text }: Text, one: PostMedia): SafeHtml {
  const still = one.preview ?? (one.kind === 'image' ? one.url : null)
  const alt =
    one.description?.trim() ||
    { image: text.picture, gifv: text.picture, video: text.video, audio: text.audio, unknown: text.file }[one.kind]
  if (still === null) {
    const label = one.kind === 'audio' ? text.playAudio : one.kind === 'video' ? text.playVideo : text.openFile
    return html`<a class="tile tile-file" href="${one.url}"
      >${icons.play}<span><strong>${label}</strong> <span dir="auto">${alt}</span></span></a
    >`
  }
  const size = attributes({ width: one.width, height: one.height })
  return html`<a class="tile" href="${one.url}"
    ><img src="${still}" alt="${alt}" loading="lazy" decoding="async" ${size} />${
      one.kind !== 'image' &&
      html`<span class="tile-play">${icons.play}<span class="unseen">${text.playVideo}</span></span>`
    }</a
  >`
}
