import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createManyNotifications } from '../create/create-notifications.ts'

interface Mention {
  status_id: string
  author_id: string
  account_id: string
}

const select = (lock: string) =>
  statement<{ params: { statusIds: readonly string[] }; row: Mention }>(
    `select s.id as status_id, s.account_id as author_id, m.account_id
     from statuses s join mentions m on m.status_id = s.id join users u on u.account_id = m.account_id
     where s.id = any($statusIds::bigint[]) and s.deleted_at is null and not m.silent order by s.id, m.id ${lock}`,
  )
const find = select('')
const lock = select('for key share of s, m')

/** A status, and after an edit the accounts that it did not mention before. */
interface MentioningStatus {
  statusId: string
  newlyMentionedIds?: readonly string[]
}

/** Effect: notifies the local accounts that statuses mention; after an edit, only `newlyMentionedIds`. */
export async function notifyMentionedAccounts(ctx: Ctx, payloads: readonly MentioningStatus[]): Promise<void> {
  const statusIds = payloads.flatMap(({ statusId, newlyMentionedIds }) =>
    newlyMentionedIds?.length === 0 ? [] : [statusId],
  )
  if (statusIds.length === 0 || (await find(ctx.db, { statusIds })).length === 0) return
  const isNew = ({ status_id, account_id }: Mention) =>
    payloads.some(
      ({ statusId, newlyMentionedIds }) =>
        statusId === status_id && (newlyMentionedIds === undefined || newlyMentionedIds.includes(account_id)),
    )
  await ctx.write(async (tx) => {
    const mentions = (await lock(tx.db, { statusIds })).filter(isNew)
    await createManyNotifications(tx, {
      type: 'mention',
      notifications: mentions.map(({ status_id: statusId, author_id: fromAccountId, account_id: recipientId }) => ({
        recipientId,
        fromAccountId,
        statusId,
      })),
    })
  })
}
