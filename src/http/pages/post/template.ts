import { attributes, html, isolate } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
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

/** A public post as a page shows it. */
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
  boosts: number
  favourites: number
  /** Who passed it on, where it stands in their list. */
  boostedBy?: PageAccount | null
  /** Whom it answers: one of their posts, the author's own, or somebody who is not named. */
  replyTo?: { handle: string; url: string } | 'self' | 'somebody' | null
  editedAt?: Date | null
  /** Where its versions are, if there are several. */
  historyUrl?: string | null
  unlisted?: boolean
  /** Whether its author lets search engines show it. */
  quotable?: boolean
  /** Whether the moderators have hidden its author. */
  limited?: boolean
}

/** A post as an article, its author being a heading of this `level`. */
export function postArticle(
  locale: Locale,
  { post, now, level = 3, pinned = false }: { post: Post; now: Date; level?: 2 | 3; pinned?: boolean },
): SafeHtml {
  return html`<article class="post" aria-labelledby="post-${post.id}" ${snippets(post)}>
    ${occasion(locale, { post, pinned })}
    <header class="post-head">
      ${avatar(post.author)} ${byLine(post, level)}
      <p class="post-meta">
        <span class="person-handle">${fullHandle(post.author)}</span>
        <a class="post-time" href="${post.url}"
          >${timeAgo(locale, { at: post.at, now })}${post.editedAt && html` · ${message(locale, 'post.edited')}`}</a
        >
      </p>
    </header>
    ${said(locale, { post, now })} ${counts(locale, post)}
  </article>`
}

/** The one post that a page is about, under an h1 that names it. `brief`: without what only a page of ours has room for. */
export function mainPost(
  locale: Locale,
  { post, now, brief = false }: { post: Post; now: Date; brief?: boolean },
): SafeHtml {
  const { author, at, editedAt, historyUrl } = post
  return html`<article class="post post-main" aria-labelledby="post-${post.id}">
    ${occasion(locale, { post, pinned: false })}
    <header class="post-head">
      ${avatar(author)} ${byLine(post, 2)}
      <p class="post-meta"><span class="person-handle">${fullHandle(author)}</span></p>
    </header>
    ${said(locale, { post, now, plays: !brief })}
    <p class="post-facts">
      <a href="${post.url}"><time datetime="${at.toISOString()}">${fullTime(locale, at)}</time></a>
      ${post.unlisted && html`<span>${message(locale, 'post.unlisted')}</span>`}
      ${
        editedAt &&
        html`<span
          >${markup(locale, 'post.edited-at', { time: timeAgo(locale, { at: editedAt, now }) })}${
            historyUrl && html` · <a href="${historyUrl}">${message(locale, 'post.versions')}</a>`
          }</span
        >`
      }
    </p>
    ${counts(locale, post)}
  </article>`
}

/** Why a post stands where it stands. */
function occasion(locale: Locale, { post, pinned }: { post: Post; pinned: boolean }): SafeHtml {
  const { boostedBy, replyTo } = post
  const line = (icon: SafeHtml, what: SafeHtml | string) => html`<p class="post-why">${icon} <span>${what}</span></p>`
  return html`${
    boostedBy &&
    line(
      icons.boost,
      markup(locale, 'post.boosted-by', {
        name: boostedBy.url ? html`<a href="${boostedBy.url}">${displayName(boostedBy)}</a>` : displayName(boostedBy),
      }),
    )
  }${pinned && line(icons.pin, message(locale, 'post.pinned'))}${
    replyTo &&
    line(
      icons.reply,
      replyTo === 'self'
        ? message(locale, 'post.goes-on')
        : replyTo === 'somebody'
          ? message(locale, 'post.reply')
          : markup(locale, 'post.reply-to', {
              account: html`<a href="${replyTo.url}">${isolate(`@${replyTo.handle}`)}</a>`,
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

/** Search engines may not quote those who did not choose to be found. */
function snippets({ quotable = true }: Post): SafeHtml {
  return attributes({ 'data-nosnippet': !quotable })
}

/** Everything that a post says, behind its warning if it has one. */
function said(locale: Locale, { post, now, plays = false }: { post: Post; now: Date; plays?: boolean }): SafeHtml {
  const { warning, emojis, media = [], sensitive, poll, quote, card } = post
  const all = html`${words(post)} ${poll && pollResults(locale, { poll, emojis })}
  ${gallery(locale, { media, sensitive, plays })} ${quote && quoted(locale, { post: quote, now })}
  ${card && media.length === 0 && !quote && linkCard(locale, { card, sensitive, now })}`
  if (warning.trim() === '') return all
  const told = html`<span class="unseen">${message(locale, 'post.warning')}</span>
    <span class="warned-words" dir="${detectDirection(warning) ?? 'auto'}">${emojify(warning, emojis)}</span>`
  return behindWarning(locale, { warning: told, hidden: all })
}

/** What is not shown before somebody has read a warning, and opened it. */
export function behindWarning(locale: Locale, { warning, hidden }: { warning: SafeHtml; hidden: SafeHtml }): SafeHtml {
  return html`<details class="warned">
    <summary>${warning} ${toggle(locale)}</summary>
    ${hidden}
  </details>`
}

/** What the summary of a `<details>` offers to do, by its state. */
function toggle(locale: Locale): SafeHtml {
  return html`<span class="toggle"
    ><span class="when-closed">${message(locale, 'post.show')}</span
    ><span class="when-open">${message(locale, 'post.hide')}</span></span
  >`
}

function words({ content, language, emojis, quote }: Post): SafeHtml {
  if (content.toString().trim() === '') return content
  const dir = detectDirectionOfHtml(content.toString()) ?? 'auto'
  return html`<div class="prose${quote ? ' prose-quoting' : ''}" dir="${dir}" ${attributes({ lang: language })}>
    ${emojifyMarkup(content, emojis)}
  </div>`
}

function quoted(locale: Locale, { post, now }: { post: Post; now: Date }): SafeHtml {
  const all = said(locale, { post: { ...post, quote: null }, now })
  const warning = html`<span class="quiet">${message(locale, 'post.limited')}</span>`
  return html`<div class="quoted" role="group" aria-label="${message(locale, 'post.quoted')}" ${snippets(post)}>
    <p class="quoted-head">
      ${avatar(post.author)}<strong class="person-name">${displayName(post.author)}</strong>
      <a class="post-time" href="${post.url}">${timeAgo(locale, { at: post.at, now })}</a>
    </p>
    ${post.limited ? behindWarning(locale, { warning, hidden: all }) : all}
  </div>`
}

function counts(locale: Locale, { replies, boosts, favourites }: Post): SafeHtml {
  const { compact } = formatsFor(locale)
  const rows = [
    { count: replies, words: message(locale, 'post.replies', { count: replies }), icon: icons.reply },
    { count: boosts, words: message(locale, 'post.boosts', { count: boosts }), icon: icons.boost },
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
