import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { ensureTag } from './ensure.ts'
import type { TagName } from './name.ts'

/** So many hashtags stand on a profile. */
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
 * Puts a hashtag on one's profile. Returns the id of its place there, also when it stood there before.
 * @throws Unprocessable for one too many
 */
export async function featureTag(tx: Tx, { accountId, tag }: { accountId: string; tag: TagName }): Promise<string> {
  const tagId = await ensureTag(tx, tag)
  // Held, so that two at once are not one too many.
  await lockAccounts(tx, { ids: [accountId] })
  const [known] = await find(tx.db, { accountId, tagId })
  if (known) return known.id
  const [row] = await count(tx.db, { accountId })
  if (row!.n >= MAX_FEATURED_TAGS) {
    throw new Unprocessable(`Validation failed: No more than ${MAX_FEATURED_TAGS} hashtags can be featured`)
  }
  const [featured] = await insert(tx.db, { accountId, tagId, display: tag.display, now: tx.now })
  tx.emit('tag.featured', { featuredTagId: featured!.id, accountId, name: tag.name })
  return featured!.id
}

/** Takes a hashtag down from one's profile, if it stands there. */
export async function unfeatureTag(tx: Tx, { accountId, tag }: { accountId: string; tag: TagName }): Promise<void> {
  const [gone] = await removeByName(tx.db, { accountId, tagName: tag.name })
  if (gone) tx.emit('tag.unfeatured', { featuredTagId: gone.id, accountId, name: gone.name })
}

/** The same by the id of its place there. @throws NotFound also for somebody else's */
export async function removeFeaturedTag(
  tx: Tx,
  { accountId, featuredTagId }: { accountId: string; featuredTagId: string },
): Promise<void> {
  const [gone] = await removeById(tx.db, { accountId, featuredTagId })
  if (!gone) throw new NotFound()
  tx.emit('tag.unfeatured', { featuredTagId: gone.id, accountId, name: gone.name })
}
