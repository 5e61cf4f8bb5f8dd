import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { ensureTag } from './ensure.ts'
import type { TagName } from './name.ts'

const insert = statement<{ params: { accountId: string; tagId: string; now: Date } }>(
  `insert into tag_follows (account_id, tag_id, created_at) values ($accountId, $tagId, $now) on conflict do nothing`,
)
const remove = statement<{ params: { accountId: string; tagName: string }; row: { tag_id: string } }>(
  `delete from tag_follows f using tags t where f.account_id = $accountId and t.id = f.tag_id and t.name = $tagName
   returning f.tag_id`,
)

type Input = { accountId: string; tag: TagName }

/** Follows a hashtag: what is posted with it in public comes into the home timeline. Twice is as good as once. */
export async function followTag(tx: Tx, { accountId, tag }: Input): Promise<void> {
  await insert(tx.db, { accountId, tagId: await ensureTag(tx, tag), now: tx.now })
}

/** Follows a hashtag no more, if it was followed. */
export async function unfollowTag(tx: Tx, { accountId, tag }: Input): Promise<void> {
  const [gone] = await remove(tx.db, { accountId, tagName: tag.name })
  if (gone) tx.emit('tag.unfollowed', { accountId, tagId: gone.tag_id })
}
