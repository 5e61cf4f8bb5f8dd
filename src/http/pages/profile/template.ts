import { html, isolate, isolateText, withoutOverrides } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { detectDirectionOfHtml } from '../../../lib/text/detect-direction.ts'
import { emojify, emojifyMarkup } from '../layout/emoji.ts'
import { figures } from '../layout/figures.ts'
import { emptyFeed, feedLink, pager } from '../layout/pager.ts'
import type { Pages } from '../layout/pager.ts'
import { formatsFor } from '../layout/formats.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { mediaWall } from '../post/media.ts'
import { displayName, fullHandle, identity, nameOf, portrait } from '../layout/page-account.ts'
import type { Person } from '../layout/page-account.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { textFor } from '../text.ts'
import type { Text } from '../text.ts'

/** Somebody as their own page shows them. */
export type Profile = {
  person: Person
  /** How they describe their picture. */
  avatarDescription: string
  header: { url: string; description: string } | null
  /** Markup of our own making. */
  note: SafeHtml
  fields: readonly { name: string; value: SafeHtml; verifiedAt: Date | null }[]
  joinedAt: Date
  posts: number
  /** null: they keep to themselves whom they know. */
  known: { following: number; followers: number } | null
  roles: readonly string[]
  automated: boolean
  group: boolean
  locked: boolean
  memorial: boolean
  /** Hidden by the moderators, though not removed. */
  limited: boolean
  movedTo: Person | null
  /** Featured hashtags. */
  tags: readonly { name: string; url: string; posts: number }[]
  hasMediaTab: boolean
}

/** Which of their lists is shown; `tagged`: what has the hashtag. */
export type ProfileTab = 'posts' | 'replies' | 'media' | { tagged: string }

export type ProfileInput = {
  profile: Profile
  tab: ProfileTab
  /** On top of the first page of posts. */
  pinned: readonly Post[]
  posts: readonly Post[]
  pages: Pages
  /** Our own path of the profile, and of its feed. */
  path: string
  feedUrl: string
  /** Where somebody who is here follows them. */
  followUrl: string
  preview: Preview
  now: Date
}

/** What somebody shows of themselves, and what they post. */
export function profilePage(frame: Frame, input: ProfileInput): string {
  const text = textFor(frame.lang)
  const { profile, preview } = input
  const { header, person, limited } = profile
  const words = text.everybody.profile
  const feed = html`<section class="feed" aria-labelledby="list">${tabs(text, input)} ${list(text, input)}</section>`
  const body = html`<div class="profile">
    ${
      header &&
      !limited &&
      html`<img class="banner" src="${header.url}" alt="${header.description}" width="1500" height="500" />`
    }
    <section class="who${header && !limited ? ' who-under' : ''}">
      ${portrait(person, { description: profile.avatarDescription || words.avatarOf(isolateText(nameOf(person))) })}
      <h1 class="who-name">${displayName(person)}</h1>
      <p class="who-handle">${fullHandle(person)} ${badges(text, profile)}</p>
      ${standing(frame, profile)} ${!limited && about(text, input)}
    </section>
    ${
      limited
        ? html`<details class="more hidden-profile">
            <summary>${words.showLimited}</summary>
            <div class="who">${about(text, input)}</div>
            ${feed}
          </details>`
        : feed
    }
  </div>`
  return page(frame, { title: withoutOverrides(preview.title), body, shape: 'wide', preview })
}

/** What is left of somebody while they are suspended. */
export function suspendedPage(frame: Frame, { handle }: { handle: string }): string {
  const { profile } = textFor(frame.lang).everybody
  const body = html`<h1>${profile.suspended}</h1>
    <p class="lead">${isolate(`@${handle}`)}</p>
    <p>${profile.suspendedText}</p>`
  return page(frame, { title: profile.suspended, body, shape: 'narrow' })
}

function badges({ everybody: { profile: text } }: Text, profile: Profile): SafeHtml {
  const { roles, automated, group, locked } = profile
  return html`${roles.map((role) => html`<span class="badge badge-role">${isolate(role)}</span> `)}
  ${automated && html`<span class="badge">${text.automated}</span>`}
  ${group && html`<span class="badge">${text.group}</span>`}
  ${locked && html`<span class="badge">${icons.lock}<span class="unseen">${text.locked}</span></span>`}`
}

function standing(frame: Frame, { person, movedTo, memorial, limited }: Profile): SafeHtml {
  const { profile: text } = textFor(frame.lang).everybody
  return html`${
    movedTo &&
    html`<div class="notice notice-plain">
      <p>${text.moved(displayName(person))}</p>
      ${identity(movedTo)}
    </div>`
  }
  ${memorial && html`<div class="notice notice-plain"><p>${text.memorial}</p></div>`}
  ${limited && html`<div class="notice notice-plain"><p>${text.limited(isolate(frame.siteTitle))}</p></div>`}`
}

function about(text: Text, { profile, followUrl, feedUrl }: ProfileInput): SafeHtml {
  const words = text.everybody.profile
  const { person, note, known, tags } = profile
  const joined = new Intl.DateTimeFormat(text.lang, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return html`${
      note.toString() !== '' &&
      html`<div class="prose" dir="${detectDirectionOfHtml(note.toString()) ?? 'auto'}">
        ${emojifyMarkup(note, person.emojis)}
      </div>`
    }
    ${profile.fields.length > 0 && fields(text, profile)}
    ${figures(words.facts, [
      words.counts(profile.posts),
      ...(known ? [words.following(known.following), words.followers(known.followers)] : []),
    ])}
    ${!profile.memorial && profile.movedTo === null && follow(text, { person, followUrl })}
    ${
      tags.length > 0 &&
      html`<ul class="tags" aria-label="${words.tags}">
        ${tags.map(
          ({ name, url, posts }) =>
            html`<li>
              <a href="${url}">${isolate(`#${name}`)} <span class="quiet">${words.tagCount(posts)}</span></a>
            </li>`,
        )}
      </ul>`
    }
    <p class="hint who-foot">
      <span>${words.joined(joined.format(profile.joinedAt))}</span> ${feedLink(text, { href: feedUrl })}
    </p>`
}

function follow(text: Text, { person, followUrl }: { person: Person; followUrl: string }): SafeHtml {
  const words = text.everybody.profile
  return html`<div class="follow">
    <p class="actions"><a class="button" href="${followUrl}" rel="nofollow">${words.follow}</a></p>
    <details class="more">
      <summary>${words.elsewhere}</summary>
      <p>${words.elsewhereHint} <bdi class="address">@${withoutOverrides(person.handle)}</bdi></p>
    </details>
  </div>`
}

function fields(text: Text, { fields: all, person }: Profile): SafeHtml {
  const words = text.everybody.profile
  const { dayAndYear } = formatsFor(text.lang)
  return html`<dl class="fields" aria-label="${words.fields}">
    ${all.map(({ name, value, verifiedAt }) => {
      const verified = verifiedAt && words.verified(dayAndYear.format(verifiedAt))
      return html`<div class="${verified ? 'field-row field-verified' : 'field-row'}">
        <dt dir="auto">${emojify(name, person.emojis)}</dt>
        <dd dir="auto">
          ${verified && html`<span class="tick-mark" title="${verified}">${icons.done}<span class="unseen">${verified}</span></span>`}
          ${emojifyMarkup(value, person.emojis)}
        </dd>
      </div>`
    })}
  </dl>`
}

function tabs(text: Text, { tab, path, profile }: ProfileInput): SafeHtml {
  const words = text.everybody.profile
  if (typeof tab === 'object') {
    return html`<div class="feed-head">
      <h2 class="feed-title" id="list">${words.tagged(isolate(`#${tab.tagged}`))}</h2>
      <a href="${path}">${words.allPosts}</a>
    </div>`
  }
  const all = [
    { key: 'posts', name: words.posts, href: path },
    { key: 'replies', name: words.replies, href: `${path}/with_replies` },
    ...(profile.hasMediaTab || tab === 'media' ? [{ key: 'media', name: words.media, href: `${path}/media` }] : []),
  ]
  return html`<h2 class="unseen" id="list">${all.find(({ key }) => key === tab)?.name}</h2>
    <nav class="tabs" aria-label="${words.tabs}">
      <ul>
        ${all.map(({ key, name, href }) =>
          key === tab
            ? html`<li><a href="${href}" aria-current="page">${name}</a></li>`
            : html`<li><a href="${href}">${name}</a></li>`,
        )}
      </ul>
    </nav>`
}

function list(text: Text, { tab, pinned, posts, pages, now }: ProfileInput): SafeHtml {
  const words = text.everybody.profile
  const empty = tab === 'media' ? words.emptyMedia : typeof tab === 'object' ? words.emptyTagged : words.empty
  if (pinned.length === 0 && posts.length === 0) return html`${emptyFeed(empty)} ${pager(text, pages)}`
  const shown =
    tab === 'media'
      ? mediaWall(text, {
          posts: posts.map((post) => ({ ...post, media: post.media ?? [], sensitive: isVeiled(post) })),
        })
      : html`${pinned.map((post) => postArticle(text, { post, now, pinned: true }))}
        ${posts.map((post) => postArticle(text, { post, now }))}`
  return html`${shown} ${pager(text, pages)}`
}

/** A warning of what a post says is one of its pictures, too. */
function isVeiled({ sensitive, warning }: Post): boolean {
  return sensitive || warning.trim() !== ''
}
