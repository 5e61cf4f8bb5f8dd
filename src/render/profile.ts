import type { Read } from '../domain/context.ts'
import type { Account } from '../entities/account.ts'
import type { Profile } from '../entities/profile.ts'
import { renderAccount } from './accounts.ts'
import { renderFeaturedTags } from './featured-tags.ts'
import { loadAccounts } from './load-accounts.ts'
import { renderSource } from './source.ts'

/** Somebody's own profile, both as typed and as shown. @throws NotFound for somebody who is not of here */
export async function renderProfile(read: Read, { accountId }: { accountId: string }): Promise<Profile> {
  const [json, { source }, [facts], featuredTags] = await Promise.all([
    renderAccount(read, { id: accountId }),
    renderSource(read, { accountId }),
    loadAccounts(read, { ids: [accountId] }),
    renderFeaturedTags(read, { accountId }),
  ])
  const account = JSON.parse(json) as Account
  const { avatar_key: avatarKey, header_key: headerKey } = facts!
  return {
    id: account.id,
    display_name: account.display_name,
    note: source.note,
    fields: source.fields,
    formatted_note: account.note,
    formatted_fields: account.fields,
    avatar: avatarKey && account.avatar,
    avatar_static: avatarKey && account.avatar_static,
    avatar_description: account.avatar_description,
    header: headerKey && account.header,
    header_static: headerKey && account.header_static,
    header_description: account.header_description,
    locked: account.locked,
    bot: account.bot,
    hide_collections: account.hide_collections,
    discoverable: account.discoverable,
    indexable: account.indexable,
    show_media: account.show_media,
    show_media_replies: account.show_media_replies,
    show_featured: account.show_featured,
    attribution_domains: source.attribution_domains,
    featured_tags: featuredTags,
  }
}
