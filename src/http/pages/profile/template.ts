import { html, isolateDirection, isolateDirectionOfText, stripDirectionOverrides } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
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
import { displayName, fullHandle, identity, nameOf, profileAvatar } from '../layout/page-account.ts'
import type { PageAccount } from '../layout/page-account.ts'
import { postArticle } from '../post/template.ts'
import type { Post } from '../post/template.ts'
import type { Preview } from '../layout/preview.ts'
import { markup, message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** An account as its profile page shows it. */
export type Profile = {
  account: PageAccount
  /** The alt text of the avatar. */
  avatarDescription: string
  header: { url: string; description: string } | null
  /** Trusted HTML that this server generated. */
  note: SafeHtml
  fields: readonly { name: string; value: SafeHtml; verifiedAt: Date | null }[]
  joinedAt: Date
  posts: number
  /** null if the user hides their follows and followers. */
  followCounts: { following: number; followers: number } | null
  roles: readonly string[]
  automated: boolean
  group: boolean
  locked: boolean
  memorial: boolean
  /** The moderators have limited the account. */
  limited: boolean
  movedTo: PageAccount | null
  /** Featured hashtags. */
  tags: readonly { name: string; url: string; posts: number }[]
  hasMediaTab: boolean
}

/** Which list of posts the page shows; `tagged`: posts with this hashtag. */
export type ProfileTab = 'posts' | 'replies' | 'media' | { tagged: string }

export type ProfileInput = {
  profile: Profile
  tab: ProfileTab
  /** Pinned posts, which stand at the top of the first page of posts. */
  pinned: readonly Post[]
  posts: readonly Post[]
  pages: Pages
  /** The paths of the profile and of its RSS feed. */
  path: string
  feedUrl: string
  /** The page where users of this server follow the account. */
  followUrl: string
  preview: Preview
  now: Date
}

/** The profile of an account with its posts. */
export function profilePage(frame: Frame, input: ProfileInput): string {
  const { locale } = frame
  const { profile, preview } = input
  const { header, account, limited } = profile
  const feed = html`<section class="feed" aria-labelledby="list">
    ${tabs(locale, input)} ${list(locale, input)}
  </section>`
  const body = html`<div class="profile">
    ${
      header &&
      !limited &&
      html`<img class="banner" src="${header.url}" alt="${header.description}" width="1500" height="500" />`
    }
    <section class="profile-head${header && !limited ? ' profile-head-with-header' : ''}">
      ${profileAvatar(account, { description: profile.avatarDescription || message(locale, 'profile.avatar-of', { name: isolateDirectionOfText(nameOf(account)) }) })}
      <h1 class="profile-name">${displayName(account)}</h1>
      <p class="profile-handle">${fullHandle(account)} ${badges(locale, profile)}</p>
      ${accountNotices(frame, profile)} ${!limited && about(locale, input)}
    </section>
    ${
      limited
        ? html`<details class="more hidden-profile">
            <summary>${message(locale, 'profile.show-limited')}</summary>
            <div class="profile-head">${about(locale, input)}</div>
            ${feed}
          </details>`
        : feed
    }
  </div>`
  return page(frame, { title: stripDirectionOverrides(preview.title), body, shape: 'wide', preview })
}

/** The page of a suspended account. */
export function suspendedPage(frame: Frame, { handle }: { handle: string }): string {
  const { locale } = frame
  const body = html`<h1>${message(locale, 'profile.suspended')}</h1>
    <p class="lead">${isolateDirection(`@${handle}`)}</p>
    <p>${message(locale, 'profile.suspended-text')}</p>`
  return page(frame, { title: message(locale, 'profile.suspended'), body, shape: 'narrow' })
}

function badges(locale: Locale, profile: Profile): SafeHtml {
  const { roles, automated, group, locked } = profile
  return html`${roles.map((role) => html`<span class="badge badge-role">${isolateDirection(role)}</span> `)}
  ${automated && html`<span class="badge">${message(locale, 'profile.automated')}</span>`}
  ${group && html`<span class="badge">${message(locale, 'profile.group')}</span>`}
  ${locked && html`<span class="badge">${icons.lock}<span class="unseen">${message(locale, 'profile.locked')}</span></span>`}`
}

/** Notices that the account has moved, is a memorial, or is limited. */
function accountNotices(frame: Frame, { account, movedTo, memorial, limited }: Profile): SafeHtml {
  const { locale } = frame
  return html`${
    movedTo &&
    html`<div class="notice notice-plain">
      <p>${markup(locale, 'profile.moved', { name: displayName(account) })}</p>
      ${identity(movedTo)}
    </div>`
  }
  ${memorial && html`<div class="notice notice-plain"><p>${message(locale, 'profile.memorial')}</p></div>`}
  ${limited && html`<div class="notice notice-plain"><p>${markup(locale, 'profile.limited', { site: isolateDirection(frame.siteTitle) })}</p></div>`}`
}

function about(locale: Locale, { profile, followUrl, feedUrl }: ProfileInput): SafeHtml {
  const { account, note, followCounts, tags } = profile
  const { number, month } = formatsFor(locale)
  return html`${
      note.toString() !== '' &&
      html`<div class="prose" dir="${detectDirectionOfHtml(note.toString()) ?? 'auto'}">
        ${emojifyMarkup(note, account.emojis)}
      </div>`
    }
    ${!profile.memorial && profile.movedTo === null && follow(locale, { account, followUrl })}
    ${profile.fields.length > 0 && fields(locale, profile)}
    ${figures(message(locale, 'profile.facts'), [
      [number.format(profile.posts), message(locale, 'profile.post-count', { count: profile.posts })],
      ...(followCounts ? followFigures(locale, followCounts) : []),
    ])}
    ${
      tags.length > 0 &&
      html`<ul class="tags" aria-label="${message(locale, 'profile.tags')}">
        ${tags.map(
          ({ name, url, posts }) =>
            html`<li>
              <a href="${url}"
                >${isolateDirection(`#${name}`)}
                <span class="quiet">${message(locale, 'profile.tag-count', { count: posts })}</span></a
              >
            </li>`,
        )}
      </ul>`
    }
    <p class="hint profile-foot">
      <span>${markup(locale, 'profile.joined', { month: month.format(profile.joinedAt) })}</span>
      ${feedLink(locale, { href: feedUrl })}
    </p>`
}

function followFigures(
  locale: Locale,
  { following, followers }: NonNullable<Profile['followCounts']>,
): [number: string, noun: string][] {
  const { number } = formatsFor(locale)
  return [
    [number.format(following), message(locale, 'profile.following', { count: following })],
    [number.format(followers), message(locale, 'profile.followers', { count: followers })],
  ]
}

function follow(locale: Locale, { account, followUrl }: { account: PageAccount; followUrl: string }): SafeHtml {
  return html`<div class="follow">
    <p class="actions"><a class="button" href="${followUrl}" rel="nofollow">${message(locale, 'profile.follow')}</a></p>
    <details class="more">
      <summary>${message(locale, 'profile.elsewhere')}</summary>
      <p>
        ${message(locale, 'profile.elsewhere-hint')}
        <bdi class="address">@${stripDirectionOverrides(account.handle)}</bdi>
      </p>
    </details>
  </div>`
}

function fields(locale: Locale, { fields: all, account }: Profile): SafeHtml {
  const { dayAndYear } = formatsFor(locale)
  return html`<dl class="fields" aria-label="${message(locale, 'profile.fields')}">
    ${all.map(({ name, value, verifiedAt }) => {
      const verified = verifiedAt && message(locale, 'profile.verified', { day: dayAndYear.format(verifiedAt) })
      return html`<div class="${verified ? 'field-row field-verified' : 'field-row'}">
        <dt dir="auto">${emojify(name, account.emojis)}</dt>
        <dd dir="auto">
          ${verified && html`<span class="tick-mark" title="${verified}">${icons.done}<span class="unseen">${verified}</span></span>`}
          <bdi>${emojifyMarkup(value, account.emojis)}</bdi>
        </dd>
      </div>`
    })}
  </dl>`
}

function tabs(locale: Locale, { tab, path, profile }: ProfileInput): SafeHtml {
  if (typeof tab === 'object') {
    return html`<div class="feed-head">
      <h2 class="feed-title" id="list">
        ${markup(locale, 'profile.tagged', { tag: isolateDirection(`#${tab.tagged}`) })}
      </h2>
      <a href="${path}">${message(locale, 'profile.all-posts')}</a>
    </div>`
  }
  const all = [
    { key: 'posts', name: message(locale, 'profile.posts'), href: path },
    { key: 'replies', name: message(locale, 'profile.replies'), href: `${path}/with_replies` },
    ...(profile.hasMediaTab || tab === 'media'
      ? [{ key: 'media', name: message(locale, 'profile.media'), href: `${path}/media` }]
      : []),
  ]
  return html`<h2 class="unseen" id="list">${all.find(({ key }) => key === tab)?.name}</h2>
    <nav class="tabs" aria-label="${message(locale, 'profile.tabs')}">
      <ul>
        ${all.map(({ key, name, href }) =>
          key === tab
            ? html`<li><a href="${href}" aria-current="page">${name}</a></li>`
            : html`<li><a href="${href}">${name}</a></li>`,
        )}
      </ul>
    </nav>`
}

function list(locale: Locale, { tab, pinned, posts, pages, now }: ProfileInput): SafeHtml {
  const empty =
    tab === 'media'
      ? message(locale, 'profile.empty-media')
      : typeof tab === 'object'
        ? message(locale, 'profile.empty-tagged')
        : message(locale, 'profile.empty')
  if (pinned.length === 0 && posts.length === 0) return html`${emptyFeed(empty)} ${pager(locale, pages)}`
  const shown =
    tab === 'media'
      ? mediaWall(locale, {
          posts: posts.map((post) => ({ ...post, media: post.media ?? [], sensitive: isHidden(post) })),
        })
      : html`${pinned.map((post) => postArticle(locale, { post, now, pinned: true }))}
        ${posts.map((post) => postArticle(locale, { post, now }))}`
  return html`${shown} ${pager(locale, pages)}`
}

/** The media of a post with a content warning are treated as sensitive, too. */
function isHidden({ sensitive, warning }: Post): boolean {
  return sensitive || warning.trim() !== ''
}
