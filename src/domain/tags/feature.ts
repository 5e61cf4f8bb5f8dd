import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { ensureTag } from './ensure.ts'
import type { TagName } from './name.ts'

/** So many hashtags stand on a profile. */
export const MAX_FEATURED_TAGS = 10

const find = statement<{ id: string }>(`select id from featured_tags where account_id = $1 and tag_id = $2`)
const count = statement<{ n: number }>(`select count(*)::int as n from featured_tags where account_id = $1`)
const insert = statement<{ id: string }>(
  `insert into featured_tags (account_id, tag_id, name, created_at) values ($1, $2, $3, $4) returning id`,
)
const removeById = statement<{ id: string; name: string }>(
  `delete from featured_tags f using tags t where f.account_id = $1 and t.id = f.tag_id and f.id = $2
   returning f.id, t.name`,
)
const removeByName = statement<{ id: string; name: string }>(
  `delete from featured_tags f using tags t where f.account_id = $1 and t.id = f.tag_id and t.name = $2
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
  const [known] = await find(tx.db, [accountId, tagId])
  if (known) return known.id
  const [row] = await count(tx.db, [accountId])
  if (row!.n >= MAX_FEATURED_TAGS) {
    throw new Unprocessable(`Validation failed: No more than ${MAX_FEATURED_TAGS} hashtags can be featured`)
  }
  const [featured] = await insert(tx.db, [accountId, tagId, tag.display, tx.now])
  tx.emit('tag.featured', { featuredTagId: featured!.id, accountId, name: tag.name })
  return featured!.id
}

/** Takes a hashtag down from one's profile, if it stands there. */
export async function unfeatureTag(tx: Tx, { accountId, tag }: { accountId: string; tag: TagName }): Promise<void> {
  const [gone] = await removeByName(tx.db, [accountId, tag.name])
  if (gone) tx.emit('tag.unfeatured', { featuredTagId: gone.id, accountId, name: gone.name })
}

/** The same by the id of its place there. @throws NotFound also for somebody else's */
export async function removeFeaturedTag(
  tx: Tx,
  { accountId, featuredTagId }: { accountId: string; featuredTagId: string },
): Promise<void> {
  const [gone] = await removeById(tx.db, [accountId, featuredTagId])
  if (!gone) throw new NotFound()
  tx.emit('tag.unfeatured', { featuredTagId: gone.id, accountId, name: gone.name })
}
