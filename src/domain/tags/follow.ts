import { statement } from '../../platform/db/connect.ts'
import type { Tx } from '../context.ts'
import { ensureTag } from './ensure.ts'
import type { TagName } from './name.ts'

const insert = statement(
  `insert into tag_follows (account_id, tag_id, created_at) values ($1, $2, $3) on conflict do nothing`,
)
const remove = statement<{ tag_id: string }>(
  `delete from tag_follows f using tags t where f.account_id = $1 and t.id = f.tag_id and t.name = $2
   returning f.tag_id`,
)

type Input = { accountId: string; tag: TagName }

/** Follows a hashtag: what is posted with it in public comes into the home timeline. Twice is as good as once. */
export async function followTag(tx: Tx, { accountId, tag }: Input): Promise<void> {
  await insert(tx.db, [accountId, await ensureTag(tx, tag), tx.now])
}

/** Follows a hashtag no more, if it was followed. */
export async function unfollowTag(tx: Tx, { accountId, tag }: Input): Promise<void> {
  const [gone] = await remove(tx.db, [accountId, tag.name])
  if (gone) tx.emit('tag.unfollowed', { accountId, tagId: gone.tag_id })
}
