import type { Ctx } from '../../../domain/context.ts'
import type { Account } from '../../../entities/accounts/account.ts'
import type { FeaturedTag } from '../../../entities/statuses/tag.ts'
import { raw, stripDirectionOverrides } from '../../../lib/html/html.ts'
import { htmlToPlainText } from '../../../lib/html/html-to-plain-text.ts'
import { pageAccountOf } from '../../support/response/send-page.ts'
import { nameOf } from '../layout/page-account.ts'
import type { Preview } from '../layout/preview.ts'
import type { Profile } from './template.ts'
import { avatarPreviewOf, shorten } from '../post/preview-of.ts'
import { message } from '../../../lib/messages/message.ts'
import type { Locale } from '../../../lib/messages/locales.ts'

/** Converts a rendered account to the form that its profile page shows. */
export function profileOf(ctx: Ctx, { account, tags }: { account: Account; tags: readonly FeaturedTag[] }): Profile {
  return {
    account: pageAccountOf(ctx, account),
    avatarDescription: account.avatar_description.trim(),
    header: account.header_static.endsWith('/missing.png')
      ? null
      : { url: account.header_static, description: account.header_description.trim() },
    // This server generated the HTML from the text that the user entered.
    note: raw(account.note),
    fields: account.fields.map(({ name, value, verified_at: at }) => ({
      name,
      value: raw(value),
      verifiedAt: at === null ? null : new Date(at),
    })),
    joinedAt: new Date(account.created_at),
    posts: account.statuses_count,
    followCounts: account.hide_collections
      ? null
      : { following: account.following_count, followers: account.followers_count },
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

/** Returns the metadata of a profile for link previews and search engines: of a limited account, the name only. */
export function previewOfProfile(
  locale: Locale,
  { account, profile }: { account: Account; profile: Profile },
): Omit<Preview, 'url' | 'alternates'> {
  const { account: pageAccount, limited } = profile
  const handle = stripDirectionOverrides(`@${pageAccount.handle}`)
  const name = stripDirectionOverrides(nameOf(pageAccount))
  const note = limited ? '' : shorten(htmlToPlainText(account.note))
  return {
    type: 'profile',
    title: `${name} (${handle})`,
    description: note || message(locale, 'profile.describe', { name, handle }),
    image: limited ? null : avatarPreviewOf(pageAccount),
    username: handle.slice(1),
    noindex: account.noindex === true || limited,
  }
}
