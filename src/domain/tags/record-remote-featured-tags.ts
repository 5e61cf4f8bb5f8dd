import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { ensureTags } from './ensure-tags.ts'

/** Featured hashtags of a remote account that are stored at most; further ones are ignored. Mastodon permits ten. */
export const MAX_REMOTE_FEATURED_TAGS = 30

const insert = statement<{
  params: { accountId: string; tagIds: readonly string[]; displayNames: readonly string[]; now: Date }
}>(
  `insert into featured_tags (account_id, tag_id, name, created_at)
   select $accountId, tag_id, name, $now
   from unnest($tagIds::bigint[], $displayNames::text[]) with ordinality featured (tag_id, name, place)
   where not exists (select from featured_tags f where f.account_id = $accountId and f.tag_id = featured.tag_id)
   order by place
   limit greatest(0, ${MAX_REMOTE_FEATURED_TAGS} - (select count(*) from featured_tags where account_id = $accountId))
   on conflict (account_id, tag_id) do nothing`,
)
const removeOthers = statement<{ params: { accountId: string; tagIds: readonly string[] } }>(
  `delete from featured_tags where account_id = $accountId and not tag_id = any($tagIds::bigint[])`,
)
const removeByName = statement<{ params: { accountId: string; name: string } }>(
  `delete from featured_tags f using tags t where f.account_id = $accountId and t.id = f.tag_id and t.name = $name`,
)

/** Hashtags that an account features: their normalised names, and the names as it writes them. */
interface RemoteFeaturedTags {
  accountId: string
  tags: readonly { name: string; display: string }[]
}

/** Replaces the featured hashtags of a remote account with these. */
export async function replaceRemoteFeaturedTags(tx: Tx, featured: RemoteFeaturedTags): Promise<void> {
  await storeTags(tx, featured, { keepsOthers: false })
}

/** Adds featured hashtags of a remote account. */
export async function addRemoteFeaturedTags(tx: Tx, featured: RemoteFeaturedTags): Promise<void> {
  await storeTags(tx, featured, { keepsOthers: true })
}

async function storeTags(
  tx: Tx,
  { accountId, tags }: RemoteFeaturedTags,
  { keepsOthers }: { keepsOthers: boolean },
): Promise<void> {
  const named = new Map(tags.map(({ name, display }) => [name, display]))
  const rows = await ensureTags(tx, { tags: named })
  // The lock prevents concurrent calls from exceeding the limit.
  await lockAccounts(tx, { ids: [accountId] })
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  const tagIds = [...named.keys()].map((name) => ids.get(name)!)
  if (!keepsOthers) await removeOthers(tx.db, { accountId, tagIds })
  await insert(tx.db, { accountId, tagIds, displayNames: [...named.values()], now: tx.now })
}

/** Removes a featured hashtag of a remote account. */
export async function removeRemoteFeaturedTag(
  tx: Tx,
  { accountId, name }: { accountId: string; name: string },
): Promise<void> {
  await removeByName(tx.db, { accountId, name })
}
