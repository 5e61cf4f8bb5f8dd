import type { CachedRead } from '../../domain/context.ts'
import type { Profile } from '../../entities/accounts/profile.ts'
import { entity } from '../../lib/json/entity-json.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { renderFeaturedTags } from '../tags/render-featured-tags.ts'
import { accountProfile, loadAccounts } from './account-profile.ts'
import { findCredentialSource } from './credential-source.ts'

/** Returns the viewer's profile, as typed and as HTML. @throws NotFoundError for remote accounts */
export async function renderProfile(read: CachedRead, { accountId }: { accountId: string }): Promise<Profile> {
  const [{ source }, [row], featuredTags] = await Promise.all([
    findCredentialSource(read, { accountId }),
    loadAccounts(read, { ids: [accountId] }),
    renderFeaturedTags(read, { accountId }),
  ])
  if (!row) throw new NotFoundError()
  const account = accountProfile(read.config, row)
  const { avatar_key: avatarKey, header_key: headerKey } = row
  return entity<Profile>({
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
  })
}
