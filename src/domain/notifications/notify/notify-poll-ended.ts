import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { createNotifications } from '../create/create-notifications.ts'

/** The number of voters that one transaction notifies. */
const BATCH_SIZE = 1_000

const findPoll = statement<{ params: { pollId: string }; row: { author_id: string; status_id: string } }>(
  `select s.account_id as author_id, s.id as status_id from statuses s join polls p on p.status_id = s.id
   where p.id = $pollId and p.ended_at is not null and s.deleted_at is null for key share of s`,
)
const findVoters = statement<{ params: { pollId: string; after: string }; row: { account_id: string } }>(
  `select distinct v.account_id from poll_votes v join users u on u.account_id = v.account_id
   where v.poll_id = $pollId and v.account_id > $after order by v.account_id limit ${BATCH_SIZE}`,
)

/**
 * Effect: notifies the author and local voters of the end of a poll, or voters after an account. Emits an event for the
 * next voters, which waits for the jobs of these notifications and of other users.
 */
export async function notifyPollEnded(
  ctx: Ctx,
  { pollId, after = '0' }: { pollId: string; after?: string },
): Promise<void> {
  await ctx.write(async (tx) => {
    const [poll] = await findPoll(tx.db, { pollId })
    if (!poll) return
    const voterIds = (await findVoters(tx.db, { pollId, after })).map((row) => row.account_id)
    const recipientIds = after === '0' ? [poll.author_id, ...voterIds] : voterIds
    await createNotifications(tx, {
      type: 'poll',
      fromAccountId: poll.author_id,
      statusId: poll.status_id,
      recipientIds,
    })
    if (voterIds.length === BATCH_SIZE) tx.emit('poll.voters_due', { pollId, after: voterIds.at(-1)! })
  })
}
