import type { Ctx } from '../../../domain/context.ts'
import type { Account } from '../../../entities/account.ts'
import type { FeaturedTag } from '../../../entities/tag.ts'
import { raw, withoutOverrides } from '../../../lib/html.ts'
import { plainText } from '../../../lib/text/plainText.ts'
import { pageAccountOf } from '../../support/page.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Preview } from '../layout/preview.ts'
import type { Profile } from './template.ts'
import { faceOf, shorten } from '../post/preview-of.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** A rendered account as its own page shows it. */
export function profileOf(ctx: Ctx, { account, tags }: { account: Account; tags: readonly FeaturedTag[] }): Profile {
  return {
    person: pageAccountOf(ctx, account),
    avatarDescription: account.avatar_description.trim(),
    header: account.header_static.endsWith('/missing.png')
      ? null
      : { url: account.header_static, description: account.header_description.trim() },
    // Made by us from what was typed.
    note: raw(account.note),
    fields: account.fields.map(({ name, value, verified_at: at }) => ({
      name,
      value: raw(value),
      verifiedAt: at === null ? null : new Date(at),
    })),
    joinedAt: new Date(account.created_at),
    posts: account.statuses_count,
    known: account.hide_collections ? null : { following: account.following_count, followers: account.followers_count },
    roles: (account.roles ?? []).map(({ name }) => name).filter((name) => name !== ''),
    automated: account.bot,
    group: account.group,
    locked: account.locked,
    memorial: account.memorial === true,
    limited: account.limited === true,
    movedTo: account.moved ? pageAccountOf(ctx, account.moved) : null,
    tags: tags.map(({ name, url, statuses_count: posts }) => ({ name, url, posts: Number(posts) })),
    hasMediaTab: account.show_media,
  }
}

/** What messengers and search engines are told of somebody. Of whom the moderators hid, only the name. */
export function previewOfProfile(
  locale: Locale,
  { account, profile }: { account: Account; profile: Profile },
): Omit<Preview, 'url' | 'alternates'> {
  const { person, limited } = profile
  const handle = withoutOverrides(`@${person.handle}`)
  const name = withoutOverrides(nameOf(person))
  const note = limited ? '' : shorten(plainText(account.note))
  return {
    type: 'profile',
    title: `${name} (${handle})`,
    description: note || message(locale, 'profile.describe', { name, handle }),
    image: limited ? null : faceOf(person),
    username: handle.slice(1),
    noindex: account.noindex === true || limited,
  }
}
