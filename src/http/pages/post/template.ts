import { attributes, html, isolateDirection } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { detectDirection, detectDirectionOfHtml } from '../../../lib/text/detect-direction.ts'
import { linkCard } from './card.ts'
import type { PostCard } from './card.ts'
import { emojify, emojifyMarkup } from '../layout/emoji.ts'
import type { Emoji } from '../layout/emoji.ts'
import { formatsFor } from '../layout/formats.ts'
import { icons } from '../layout/icons.ts'
import { gallery } from './media.ts'
import type { PostMedia } from './media.ts'
import { avatar, displayName, fullHandle } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { pollResults } from './poll.ts'
import type { PostPoll } from './poll.ts'
import { fullTime, timeAgo } from '../layout/time.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** A public post as pages show it. */
export type Post = {
  id: string
  url: string
  at: Date
  author: PageAccount
  /** Plain text; blank for none. */
  warning: string
  sensitive: boolean
  /** Sanitised markup. */
  content: SafeHtml
  language?: string | null
  emojis?: readonly Emoji[]
  media?: readonly PostMedia[]
  poll?: PostPoll | null
  card?: PostCard | null
  quote?: Post | null
  replies: number
  reblogs: number
  favourites: number
  /** The account that reblogged the post, in a list where the reblog stands. */
  rebloggedBy?: PageAccount | null
  /** The account to which the post replies: a mentioned account, the author (`self`), or one that is not mentioned. */
  replyTo?: { handle: string; url: string } | 'self' | 'unknown' | null
  editedAt?: Date | null
  /** The URL of the edit history, if the post was edited. */
  historyUrl?: string | null
  unlisted?: boolean
  /** Whether the author allows search engines to index their posts. */
  quotable?: boolean
  /** Whether the moderators have limited the author. */
  limited?: boolean
}

/** A post in a list. The name of its author is a heading of this `level`. */
export function postArticle(
  locale: Locale,
  { post, now, level = 3, pinned = false }: { post: Post; now: Date; level?: 2 | 3; pinned?: boolean },
): SafeHtml {
  return html`<article class="post" aria-labelledby="post-${post.id}" ${snippets(post)}>
    ${contextLines(locale, { post, pinned })}
    <header class="post-head">
      ${avatar(post.author)} ${byLine(post, level)}
      <p class="post-meta">
        <span class="person-handle">${fullHandle(post.author)}</span>
        <a class="post-time" href="${post.url}"
          >${timeAgo(locale, { at: post.at, now })}${post.editedAt && html` &middot; ${message(locale, 'post.edited')}`}</a
        >
      </p>
    </header>
    ${postContent(locale, { post, now })} ${counts(locale, post)}
  </article>`
}

/** The main post of a page, below an h1 that names it. `brief`: for embedding, without video and audio players. */
export function mainPost(
  locale: Locale,
  { post, now, brief = false }: { post: Post; now: Date; brief?: boolean },
): SafeHtml {
  const { author, at, editedAt, historyUrl } = post
  return html`<article class="post post-main" aria-labelledby="post-${post.id}">
    ${contextLines(locale, { post, pinned: false })}
    <header class="post-head">
      ${avatar(author)} ${byLine(post, 2)}
      <p class="post-meta"><span class="person-handle">${fullHandle(author)}</span></p>
    </header>
    ${postContent(locale, { post, now, plays: !brief })}
    <p class="post-facts">
      <a href="${post.url}"><time datetime="${at.toISOString()}">${fullTime(locale, at)}</time></a>
      ${post.unlisted && html`<span>${message(locale, 'post.unlisted')}</span>`}
      ${
        editedAt &&
        html`<span
          >${markup(locale, 'post.edited-at', { time: timeAgo(locale, { at: editedAt, now }) })}${
            historyUrl && html` &middot; <a href="${historyUrl}">${message(locale, 'post.versions')}</a>`
          }</span
        >`
      }
    </p>
    ${counts(locale, post)}
  </article>`
}

/** The lines above a post: reblogged by, pinned, in reply to. */
function contextLines(locale: Locale, { post, pinned }: { post: Post; pinned: boolean }): SafeHtml {
  const { rebloggedBy, replyTo } = post
  const line = (icon: SafeHtml, text: SafeHtml | string) => html`<p class="post-why">${icon} <span>${text}</span></p>`
  return html`${
    rebloggedBy &&
    line(
      icons.reblog,
      markup(locale, 'post.boosted-by', {
        name: rebloggedBy.url
          ? html`<a href="${rebloggedBy.url}">${displayName(rebloggedBy)}</a>`
          : displayName(rebloggedBy),
      }),
    )
  }${pinned && line(icons.pin, message(locale, 'post.pinned'))}${
    replyTo &&
    line(
      icons.reply,
      replyTo === 'self'
        ? message(locale, 'post.goes-on')
        : replyTo === 'unknown'
          ? message(locale, 'post.reply')
          : markup(locale, 'post.reply-to', {
              account: html`<a href="${replyTo.url}">${isolateDirection(`@${replyTo.handle}`)}</a>`,
            }),
    )
  }`
}

function byLine({ id, author }: Post, level: 2 | 3): SafeHtml {
  const name = displayName(author)
  const linked = author.url ? html`<a href="${author.url}">${name}</a>` : name
  return level === 2
    ? html`<h2 class="post-by" id="post-${id}">${linked}</h2>`
    : html`<h3 class="post-by" id="post-${id}">${linked}</h3>`
}

/** Asks search engines not to quote posts of authors who did not opt in to indexing. */
function snippets({ quotable = true }: Post): SafeHtml {
  return attributes({ 'data-nosnippet': !quotable })
}

/** Text, poll, media, quote and preview card of a post, behind its content warning if it has one. */
function postContent(
  locale: Locale,
  { post, now, plays = false }: { post: Post; now: Date; plays?: boolean },
): SafeHtml {
  const { warning, emojis, media = [], sensitive, poll, quote, card } = post
  const content = html`${postText(post)} ${poll && pollResults(locale, { poll, emojis })}
  ${gallery(locale, { media, sensitive, plays })} ${quote && quoted(locale, { post: quote, now })}
  ${card && media.length === 0 && !quote && linkCard(locale, { card, sensitive, now })}`
  if (warning.trim() === '') return content
  const summary = html`<span class="unseen">${message(locale, 'post.warning')}</span>
    <span class="warned-words" dir="${detectDirection(warning) ?? 'auto'}">${emojify(warning, emojis)}</span>`
  return behindWarning(locale, { warning: summary, hidden: content })
}

/** Content that stays hidden until the user opens the warning above it. */
export function behindWarning(locale: Locale, { warning, hidden }: { warning: SafeHtml; hidden: SafeHtml }): SafeHtml {
  return html`<details class="warned">
    <summary>${warning} ${toggle(locale)}</summary>
    ${hidden}
  </details>`
}

/** The label of the toggle in the summary of a `<details>`, for both of its states. */
function toggle(locale: Locale): SafeHtml {
  return html`<span class="toggle"
    ><span class="when-closed">${message(locale, 'post.show')}</span
    ><span class="when-open">${message(locale, 'post.hide')}</span></span
  >`
}

function postText({ content, language, emojis, quote }: Post): SafeHtml {
  if (content.toString().trim() === '') return content
  const dir = detectDirectionOfHtml(content.toString()) ?? 'auto'
  return html`<div class="prose${quote ? ' prose-quoting' : ''}" dir="${dir}" ${attributes({ lang: language })}>
    ${emojifyMarkup(content, emojis)}
  </div>`
}

function quoted(locale: Locale, { post, now }: { post: Post; now: Date }): SafeHtml {
  const content = postContent(locale, { post: { ...post, quote: null }, now })
  const warning = html`<span class="quiet">${message(locale, 'post.limited')}</span>`
  return html`<div class="quoted" role="group" aria-label="${message(locale, 'post.quoted')}" ${snippets(post)}>
    <p class="quoted-head">
      ${avatar(post.author)}<strong class="person-name">${displayName(post.author)}</strong>
      <a class="post-time" href="${post.url}">${timeAgo(locale, { at: post.at, now })}</a>
    </p>
    ${post.limited ? behindWarning(locale, { warning, hidden: content }) : content}
  </div>`
}

function counts(locale: Locale, { replies, reblogs, favourites }: Post): SafeHtml {
  const { compact } = formatsFor(locale)
  const rows = [
    { count: replies, words: message(locale, 'post.replies', { count: replies }), icon: icons.reply },
    { count: reblogs, words: message(locale, 'post.boosts', { count: reblogs }), icon: icons.reblog },
    { count: favourites, words: message(locale, 'post.favourites', { count: favourites }), icon: icons.favourite },
  ]
  return html`<ul class="counts" aria-label="${message(locale, 'post.counts')}">
    ${rows.map(
      ({ count, words, icon }) =>
        html`<li>
          ${icon}<span aria-hidden="true">${compact.format(count)}</span><span class="unseen">${words}</span>
        </li>`,
    )}
  </ul>`
}
