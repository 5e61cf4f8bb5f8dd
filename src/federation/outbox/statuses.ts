import type { Ctx, Tx } from '../../domain/context.ts'
import type { DeletedStatus } from '../../domain/events.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeDelete, writeUpdate } from '../objects/write-activities.ts'
import { writeNotes } from '../objects/write-notes.ts'
import { writeStatusActivities } from '../objects/write-status-activities.ts'
import { sendActivity, withdrawActivities } from './send.ts'
import type { Recipients } from './send.ts'

/** A status of here that may leave. */
interface Sendable {
  id: string
  account_id: string
  visibility: string
  edited_at: Date | null
  /** Whom it answers, and whether that is somebody of here. */
  parent_author_id: string | null
  answers_local: boolean
}

const select = (condition: string) =>
  statement<{ params: { statusId: string }; row: Sendable }>(
    `select s.id, s.account_id, s.visibility, s.edited_at, p.account_id as parent_author_id,
       coalesce(p.local, false) as answers_local
     from statuses s join accounts author on author.id = s.account_id and author.suspended_at is null
       left join statuses p on p.id = s.in_reply_to_id
     where s.id = $statusId and s.local and not s.local_only and s.reblog_of_id is null
       and s.deleted_at is null ${condition}`,
  )

// Asked by the status's id itself, never by a column of the outer row: so each question is one look into an index, where
// the planner would otherwise think of reading a whole table for a single status.
const AUTHOR = '(select account_id from statuses where id = $statusId)'
const PARENT_AUTHOR =
  '(select p.account_id from statuses s join statuses p on p.id = s.in_reply_to_id where s.id = $statusId)'

const elsewhere = (id: string) => `exists (select from accounts a where a.id = ${id} and a.domain is not null)`
const elsewhereOf = (table: string, column: string) =>
  `exists (select from ${table} t join accounts a on a.id = t.account_id
     where t.${column} = $statusId and a.domain is not null)`
const followedFromElsewhere = (id: string) =>
  `exists (select from follows f join accounts a on a.id = f.account_id
     where f.target_account_id = ${id} and a.domain is not null)`

const CONCERNED = `${followedFromElsewhere(AUTHOR)} or ${elsewhere(PARENT_AUTHOR)}
  or ${followedFromElsewhere(PARENT_AUTHOR)} or ${elsewhereOf('mentions', 'status_id')}`
const REACHED = `${elsewhereOf('favourites', 'status_id')} or ${elsewhereOf('statuses', 'in_reply_to_id')}
  or ${elsewhereOf('statuses', 'reblog_of_id')} or ${elsewhereOf('quotes', 'quoted_status_id')}
  or exists (select from polls p join poll_votes v on v.poll_id = p.id join accounts a on a.id = v.account_id
    where p.status_id = $statusId and a.domain is not null)`

// Most posts of a small server concern nobody elsewhere; these cost no more than this one question.
const findNew = select(`and (${CONCERNED})`)
const findEdited = select(`and (${CONCERNED} or ${REACHED})`)
// A status that is gone by now is not sent after the news that it is gone.
const hold = select('for key share of s')

const isOpen = (visibility: string): boolean => visibility === 'public' || visibility === 'unlisted'

/** Who may read a status. What everybody may read is told to those whom it answers, and to who listens to these. */
function readersOf({ id, account_id, visibility, parent_author_id, answers_local }: Sendable): Recipients {
  const open = isOpen(visibility)
  return {
    followersOf: [
      ...(visibility === 'direct' ? [] : [account_id]),
      ...(open && answers_local && parent_author_id !== null ? [parent_author_id] : []),
    ],
    accountIds: open && parent_author_id !== null ? [parent_author_id] : [],
    mentionedIn: id,
  }
}

/** Effect: sends a new status to everybody whom it is for. */
export async function deliverCreate(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  if ((await findNew(ctx.db, { statusId })).length === 0) return
  await ctx.write(async (tx) => {
    const [status] = await hold(tx.db, { statusId })
    const activity = status && (await writeStatusActivities(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!activity) return
    await sendActivity(tx, { activity, accountId: status.account_id, statusId, to: readersOf(status) })
  })
}

/** A status of here that may leave, and does not go before what the caller writes about it; null for any other. */
export async function holdStatus(tx: Tx, { statusId }: { statusId: string }): Promise<Sendable | null> {
  const [status] = await hold(tx.db, { statusId })
  return status ?? null
}

/** Who may read a status and may have it, as it was. */
export function whomToUpdate(status: Sendable): Recipients {
  return { ...readersOf(status), ...(isOpen(status.visibility) && { reachedBy: status.id }) }
}

/** Effect: sends what an edit made of a status to everybody who may read it and may have it. */
export async function deliverUpdate(
  ctx: Ctx,
  { statusId, formerVoterIds = [] }: { statusId: string; formerVoterIds?: readonly string[] },
): Promise<void> {
  if (formerVoterIds.length === 0 && (await findEdited(ctx.db, { statusId })).length === 0) return
  await ctx.write(async (tx) => {
    const status = await holdStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status || !note?.editedAt) return
    const to = whomToUpdate(status)
    await sendActivity(tx, {
      activity: writeUpdate(tx.config, { note, at: note.editedAt }),
      accountId: status.account_id,
      statusId,
      to: isOpen(status.visibility) ? { ...to, accountIds: [...(to.accountIds ?? []), ...formerVoterIds] } : to,
    })
  })
}

/** Effect: tells everybody whom a status reached that it is gone. What was still to be sent about it is not. */
export async function deliverDelete(ctx: Ctx, deleted: DeletedStatus): Promise<void> {
  const { statusId, accountId, uri, local, localOnly, visibility, reachedIds } = deleted
  if (!local || localOnly) return
  await ctx.write(async (tx) => {
    await withdrawActivities(tx, { statusId })
    await sendActivity(tx, {
      activity: writeDelete({ actor: actorUri(tx.config, accountId), uri }),
      accountId,
      statusId,
      to: { followersOf: visibility === 'direct' ? [] : [accountId], accountIds: reachedIds },
    })
  })
}
