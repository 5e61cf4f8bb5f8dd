import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeVote } from '../objects/write/write-activities.ts'
import { writeNotes } from '../objects/write/write-notes.ts'
import { findUpdateRecipients, lockStatus, sendNoteUpdate } from './deliver-statuses.ts'
import { sendActivity } from './send-activity.ts'

interface CastVote {
  id: string
  option: string
  poll_uri: string
  author_id: string
  author_uri: string
}

// Votes that an edit of the poll deleted in the meantime are not sent.
const lockVotes = statement<{ params: { voteIds: readonly string[]; accountId: string }; row: CastVote }>(
  `select v.id, p.options[v.choice + 1] as option, s.uri as poll_uri, a.id as author_id, a.uri as author_uri
   from poll_votes v join polls p on p.id = v.poll_id join statuses s on s.id = p.status_id
     join accounts a on a.id = s.account_id
   where v.id = any($voteIds::bigint[]) and v.account_id = $accountId and not s.local and s.deleted_at is null
   order by v.id for key share of v`,
)

/** Effect: sends the votes of a local account to the remote author of the poll. */
export async function deliverVotes(
  ctx: Ctx,
  { accountId, voteIds }: { accountId: string; voteIds: string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const actor = actorUri(tx.config, accountId)
    for (const { id, option, poll_uri: poll, author_id: authorId, author_uri: author } of await lockVotes(tx.db, {
      voteIds,
      accountId,
    })) {
      await sendActivity(tx, {
        activity: writeVote({ actor, id, option, poll, author }),
        accountId,
        to: { accountIds: [authorId] },
        toPersonalInboxes: true,
      })
    }
  })
}

const findEnd = statement<{ params: { statusId: string }; row: { ended_at: Date | null } }>(
  `select ended_at from polls where status_id = $statusId`,
)

/**
 * Effect: sends the current tallies of a local poll to the servers that have it, unless it ended: `deliverPollEnd` did.
 */
export async function deliverPollVotes(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  const [poll] = await findEnd(ctx.db, { statusId })
  if (poll && poll.ended_at === null) await sendPollUpdate(ctx, { statusId, at: ctx.now() })
}

/** Effect: sends the end and the result of a local poll to the servers that have it. */
export async function deliverPollEnd(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  const [poll] = await findEnd(ctx.db, { statusId })
  if (poll?.ended_at) await sendPollUpdate(ctx, { statusId, at: poll.ended_at })
}

/**
 * Sends the Update of a poll. `at`: the time of the change; of two updates with the same time only the first is sent.
 */
async function sendPollUpdate(ctx: Ctx, { statusId, at }: { statusId: string; at: Date }): Promise<void> {
  await ctx.write(async (tx) => {
    const status = await lockStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status || !note) return
    await sendNoteUpdate(tx, { note, at, statusId, to: await findUpdateRecipients(tx, status) })
  })
}
