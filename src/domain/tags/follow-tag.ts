import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { ensureTag } from './ensure-tags.ts'
import type { TagName } from './tag-name.ts'

const insert = statement<{ params: { accountId: string; tagId: string; now: Date } }>(
  `insert into tag_follows (account_id, tag_id, created_at) values ($accountId, $tagId, $now) on conflict do nothing`,
)
const remove = statement<{ params: { accountId: string; tagName: string }; row: { tag_id: string } }>(
  `delete from tag_follows f using tags t where f.account_id = $accountId and t.id = f.tag_id and t.name = $tagName
   returning f.tag_id`,
)

type TagFollowInput = { accountId: string; tag: TagName }

/** Follows a hashtag: public statuses with it are added to the home feed. Does nothing if it is followed already. */
export async function followTag(tx: Tx, { accountId, tag }: TagFollowInput): Promise<void> {
  await insert(tx.db, { accountId, tagId: await ensureTag(tx, tag), now: tx.now })
}

/** Unfollows a hashtag, if it is followed. */
export async function unfollowTag(tx: Tx, { accountId, tag }: TagFollowInput): Promise<void> {
  const [removed] = await remove(tx.db, { accountId, tagName: tag.name })
  if (removed) tx.emit('tag.unfollowed', { accountId, tagId: removed.tag_id })
}
