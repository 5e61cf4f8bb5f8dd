import { html, withoutOverrides } from '../../../lib/html.ts'
import type { SafeHtml } from '../../../lib/html.ts'
import { EMOJI_CODE } from '../../../lib/text/emojiCodes.ts'
import { emojify } from './emoji.ts'
import type { Emoji } from './emoji.ts'

/** An account as a page shows it. `handle` is `name@domain` without the leading at sign; `avatar` an address or null. */
export type PageAccount = {
  name: string
  handle: string
  url?: string | null
  avatar?: string | null
  emojis?: readonly Emoji[]
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The chosen name, or the handle's first part when the name is blank; isolated, with custom emoji. */
export function displayName(person: PageAccount): SafeHtml {
  return html`<bdi>${emojify(nameOf(person), person.emojis)}</bdi>`
}

/** The handle, free to break before the domain. */
export function fullHandle(person: PageAccount): SafeHtml {
  const [name = '', domain] = withoutOverrides(person.handle).split('@')
  return domain === undefined ? html`<bdi>@${name}</bdi>` : html`<bdi>@${name}<wbr />@${domain}</bdi>`
}

/** The avatar, or the initial of the name on a disc. Decoration: the name always stands beside it. */
export function avatar(person: PageAccount): SafeHtml {
  if (person.avatar) {
    return html`<img class="avatar" src="${person.avatar}" alt="" width="48" height="48" decoding="async" />`
  }
  const [first] = graphemes.segment(nameOf(person).replace(EMOJI_CODE, '').trim() || person.handle)
  return html`<span class="avatar avatar-initial" aria-hidden="true">${first?.segment.toUpperCase() ?? '?'}</span>`
}

/** The avatar of a profile. `description`: its alt text, which may be blank. */
export function portrait(person: PageAccount, { description }: { description: string }): SafeHtml {
  if (!person.avatar) return html`<span class="portrait">${avatar(person)}</span>`
  return html`<span class="portrait"
    ><img class="avatar" src="${person.avatar}" alt="${description}" width="112" height="112" decoding="async"
  /></span>`
}

/** Avatar, name and handle in a row, linked if the account has a page. */
export function identity(person: PageAccount): SafeHtml {
  const inside = html`${avatar(person)}<span class="person-words"
      ><strong class="person-name">${displayName(person)}</strong
      ><span class="person-handle">${fullHandle(person)}</span></span
    >`
  return person.url
    ? html`<a class="person" href="${person.url}">${inside}</a>`
    : html`<span class="person">${inside}</span>`
}

/** The chosen name in plain text, as `displayName` has it. A name without one visible character counts as blank. */
export function nameOf({ name, handle }: PageAccount): string {
  return withoutOverrides(/[^\p{C}\p{Z}\p{M}]/u.test(name) ? name : (handle.split('@')[0] ?? handle))
}
