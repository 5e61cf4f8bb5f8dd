import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { isOwnThread } from '../../access/is-own-thread.ts'
import { createNotifications } from '../create/create-notifications.ts'

/** The number of followers that one transaction notifies. */
const BATCH_SIZE = 1_000

// Only statuses for followers: no reblogs, no direct messages, no replies to others.
const findPost = statement<{ params: { statusId: string }; row: { account_id: string; language: string | null } }>(
  `select s.account_id, s.language from statuses s
   where s.id = $statusId and s.deleted_at is null and s.reblog_of_id is null and s.visibility <> 'direct'
     and ${isOwnThread()} for key share`,
)

const findFollowers = statement<{
  params: { accountId: string; language: string | null; after: string }
  row: { id: string; account_id: string }
}>(
  `select f.id, f.account_id from follows f
   where f.target_account_id = $accountId and f.notify and f.id > $after
     and (f.languages is null or $language::text is null or $language = any(f.languages))
     and not exists (select from mutes m where m.account_id = f.account_id and m.target_account_id = $accountId
       and (m.expires_at is null or m.expires_at > now()))
   order by f.id limit ${BATCH_SIZE} for key share of f`,
)

/** Effect: notifies the followers who follow the author with `notify` of a new status. */
export async function notifyNewStatus(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  let cursor: string | undefined = '0'
  while (cursor !== undefined) {
    const after: string = cursor
    cursor = await ctx.write<string | undefined>(async (tx) => {
      const [post] = await findPost(tx.db, { statusId })
      if (!post) return undefined
      const followers = await findFollowers(tx.db, { accountId: post.account_id, language: post.language, after })
      const recipientIds = followers.map((row) => row.account_id)
      await createNotifications(tx, { type: 'status', fromAccountId: post.account_id, statusId, recipientIds })
      return followers.length < BATCH_SIZE ? undefined : followers.at(-1)?.id
    })
  }
}
