import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { ensureTag } from './ensure-tags.ts'
import type { TagName } from './tag-name.ts'

/** The maximum number of featured hashtags per account. */
export const MAX_FEATURED_TAGS = 10

const find = statement<{ params: { accountId: string; tagId: string }; row: { id: string } }>(
  `select id from featured_tags where account_id = $accountId and tag_id = $tagId`,
)
const count = statement<{ params: { accountId: string }; row: { n: number } }>(
  `select count(*)::int as n from featured_tags where account_id = $accountId`,
)
const insert = statement<{
  params: { accountId: string; tagId: string; display: string; now: Date }
  row: { id: string }
}>(
  `insert into featured_tags (account_id, tag_id, name, created_at) values ($accountId, $tagId, $display, $now)
    returning id`,
)
const removeById = statement<{
  params: { accountId: string; featuredTagId: string }
  row: { id: string; name: string }
}>(
  `delete from featured_tags f using tags t where f.account_id = $accountId and t.id = f.tag_id
    and f.id = $featuredTagId
   returning f.id, t.name`,
)
const removeByName = statement<{ params: { accountId: string; tagName: string }; row: { id: string; name: string } }>(
  `delete from featured_tags f using tags t where f.account_id = $accountId and t.id = f.tag_id and t.name = $tagName
   returning f.id, t.name`,
)

/**
 * Features a hashtag on the account's profile (Mastodon: POST /api/v1/featured_tags). Returns the id of the featured
 * tag, also if it exists already.
 * @throws UnprocessableError above the limit
 */
export async function featureTag(tx: Tx, { accountId, tag }: { accountId: string; tag: TagName }): Promise<string> {
  const tagId = await ensureTag(tx, tag)
  // The lock prevents concurrent calls from exceeding the limit.
  await lockAccounts(tx, { ids: [accountId] })
  const [existing] = await find(tx.db, { accountId, tagId })
  if (existing) return existing.id
  const [row] = await count(tx.db, { accountId })
  if (row!.n >= MAX_FEATURED_TAGS) {
    throw new UnprocessableError(`Validation failed: No more than ${MAX_FEATURED_TAGS} hashtags can be featured`)
  }
  const [featured] = await insert(tx.db, { accountId, tagId, display: tag.displayName, now: tx.now })
  tx.emit('tag.featured', { featuredTagId: featured!.id, accountId, name: tag.name })
  return featured!.id
}

/** Removes a hashtag from the account's profile, if it is featured. */
export async function unfeatureTag(tx: Tx, { accountId, tag }: { accountId: string; tag: TagName }): Promise<void> {
  const [removed] = await removeByName(tx.db, { accountId, tagName: tag.name })
  if (removed) tx.emit('tag.unfeatured', { featuredTagId: removed.id, accountId, name: removed.name })
}

/**
 * Removes a featured hashtag by its id (Mastodon: DELETE /api/v1/featured_tags/:id).
 * @throws NotFoundError also for a featured hashtag of another account
 */
export async function removeFeaturedTag(
  tx: Tx,
  { accountId, featuredTagId }: { accountId: string; featuredTagId: string },
): Promise<void> {
  const [removed] = await removeById(tx.db, { accountId, featuredTagId })
  if (!removed) throw new NotFoundError()
  tx.emit('tag.unfeatured', { featuredTagId: removed.id, accountId, name: removed.name })
}
