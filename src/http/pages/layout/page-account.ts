import { html, stripDirectionOverrides } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { EMOJI_SHORTCODE } from '../../../lib/text/entities/emoji-shortcodes.ts'
import { emojify } from './emoji.ts'
import type { Emoji } from './emoji.ts'

/** An account as pages show it. `handle` is `name@domain` without the leading @; `avatar` is a URL or null. */
export type PageAccount = {
  name: string
  handle: string
  url?: string | null
  avatar?: string | null
  emojis?: readonly Emoji[]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The display name, or the username if it is blank, with custom emojis; its text direction is isolated. */
export function displayName(account: PageAccount): SafeHtml {
  return html`<bdi>${emojify(nameOf(account), account.emojis)}</bdi>`
}

/** The handle, which may wrap before the domain. */
export function fullHandle(account: PageAccount): SafeHtml {
  const [name = '', domain] = stripDirectionOverrides(account.handle).split('@')
  return domain === undefined ? html`<bdi>@${name}</bdi>` : html`<bdi>@${name}<wbr />@${domain}</bdi>`
}

/** The avatar, or the initial of the name if there is none. Decorative: the name always stands next to it. */
export function avatar(account: PageAccount): SafeHtml {
  if (account.avatar) {
    return html`<img class="avatar" src="${account.avatar}" alt="" width="48" height="48" decoding="async" />`
  }
  const [first] = graphemes.segment(nameOf(account).replace(EMOJI_SHORTCODE, '').trim() || account.handle)
  return html`<span class="avatar avatar-initial" aria-hidden="true">${first?.segment.toUpperCase() ?? '?'}</span>`
}

/** The large avatar on a profile page. `description`: its alt text, which may be blank. */
export function profileAvatar(account: PageAccount, { description }: { description: string }): SafeHtml {
  if (!account.avatar) return html`<span class="profile-avatar">${avatar(account)}</span>`
  return html`<span class="profile-avatar"
    ><img class="avatar" src="${account.avatar}" alt="${description}" width="112" height="112" decoding="async"
  /></span>`
}

/** Avatar, name and handle in a row, linked if the account has a URL. */
export function identity(account: PageAccount): SafeHtml {
  const inside = html`${avatar(account)}<span class="person-words"
      ><strong class="person-name">${displayName(account)}</strong
      ><span class="person-handle">${fullHandle(account)}</span></span
    >`
  return account.url
    ? html`<a class="person" href="${account.url}">${inside}</a>`
    : html`<span class="person">${inside}</span>`
}

/** The name that `displayName` shows, as plain text. A name without a visible character counts as blank. */
export function nameOf({ name, handle }: PageAccount): string {
  return stripDirectionOverrides(/[^\p{C}\p{Z}\p{M}]/u.test(name) ? name : (handle.split('@')[0] ?? handle))
}
