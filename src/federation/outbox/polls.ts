import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeUpdate, writeVote } from '../objects/write-activities.ts'
import { writeNotes } from '../objects/write-notes.ts'
import { sendActivity } from './send.ts'
import { holdStatus, whomToUpdate } from './statuses.ts'

interface Cast {
  id: string
  option: string
  poll_uri: string
  author_id: string
  author_uri: string
}

// What an edit of the poll took away by now is not sent.
const holdVotes = statement<{ params: { voteIds: readonly string[]; accountId: string }; row: Cast }>(
  `select v.id, p.options[v.choice + 1] as option, s.uri as poll_uri, a.id as author_id, a.uri as author_uri
   from poll_votes v join polls p on p.id = v.poll_id join statuses s on s.id = p.status_id
     join accounts a on a.id = s.account_id
   where v.id = any($voteIds::bigint[]) and v.account_id = $accountId and not s.local and s.deleted_at is null
   order by v.id for key share of v`,
)

/** Effect: tells the author elsewhere of a poll what somebody here chose. */
export async function deliverVotes(
  ctx: Ctx,
  { accountId, voteIds }: { accountId: string; voteIds: string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const actor = actorUri(tx.config, accountId)
    for (const { id, option, poll_uri: poll, author_id: authorId, author_uri: author } of await holdVotes(tx.db, {
      voteIds,
      accountId,
    })) {
      await sendActivity(tx, {
        activity: writeVote({ actor, id, option, poll, author }),
        accountId,
        to: { accountIds: [authorId] },
        personally: true,
      })
    }
  })
}

const findEnd = statement<{ params: { statusId: string }; row: { ended_at: Date | null } }>(
  `select ended_at from polls where status_id = $statusId`,
)

/** Effect: tells everybody who may have a poll of here how many votes it has by now. After its end that was told. */
export async function deliverTally(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  const [poll] = await findEnd(ctx.db, { statusId })
  if (poll && poll.ended_at === null) await sendPoll(ctx, { statusId, at: ctx.now() })
}

/** Effect: tells everybody who may have a poll of here that it is over, and what came of it. */
export async function deliverPollEnd(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  const [poll] = await findEnd(ctx.db, { statusId })
  if (poll?.ended_at) await sendPoll(ctx, { statusId, at: poll.ended_at })
}

/** `at`: since when it is as it is; of two pieces of news of one moment only the first is sent. */
async function sendPoll(ctx: Ctx, { statusId, at }: { statusId: string; at: Date }): Promise<void> {
  await ctx.write(async (tx) => {
    const status = await holdStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status || !note) return
    await sendActivity(tx, {
      activity: writeUpdate(tx.config, { note, at }),
      accountId: status.account_id,
      statusId,
      to: whomToUpdate(status),
    })
  })
}
