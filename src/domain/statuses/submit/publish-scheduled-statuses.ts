import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableUser } from '../../access/usable-account.ts'
import { findQuotable } from '../../quotes/find-quotable.ts'
import type { Ctx, Tx } from '../../context.ts'
import type { StatusDraft } from '../write/check-drafts.ts'
import type { NewStatus } from '../write/create-statuses.ts'
import { recordPublished } from './idempotency-keys.ts'
import { createStatus } from '../write/create-statuses.ts'
import { findVisibleStatus } from '../../access/visibility.ts'

interface DueStatus {
  account_id: string
  application_id: string | null
  scheduled_at: Date
  draft: StatusDraft
}

// The scheduled statuses of users who may not post now are retained; `publishMissedStatuses` publishes them later.
const POSTABLE = `from scheduled_statuses p join accounts a on a.id = p.account_id
     join users u on u.account_id = a.id
   where ${usableUser()} and a.moved_to_account_id is null`
const lockDue = statement<{ params: { scheduledId: string }; row: DueStatus }>(
  `select p.account_id, p.application_id, p.scheduled_at, p.params as draft ${POSTABLE}
    and p.id = $scheduledId for update of p`,
)
const releaseMedia = statement<{ params: { scheduledId: string } }>(
  `update media_attachments set scheduled_status_id = null where scheduled_status_id = $scheduledId`,
)
const remove = statement<{ params: { scheduledId: string } }>(`delete from scheduled_statuses where id = $scheduledId`)

/**
 * Effect: publishes a scheduled status once, unless it has become invalid. If it was rescheduled to a later time,
 * schedules the effect for that time instead.
 */
export async function publishScheduledStatus(ctx: Ctx, { scheduledId }: { scheduledId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [due] = await lockDue(tx.db, { scheduledId })
    if (!due) return
    if (due.scheduled_at > tx.now) {
      tx.emit('status.due', { scheduledId }, due.scheduled_at)
      return
    }
    await releaseMedia(tx.db, { scheduledId })
    const draft = await dropMissingQuote(tx, { ...due, draft: await dropMissingParent(tx, due) })
    if (draft) {
      const status = { accountId: due.account_id, applicationId: due.application_id, draft }
      const statusId = await createIfValid(tx, status)
      if (statusId !== null) await recordPublished(tx, { scheduledId, statusId })
    }
    await remove(tx.db, { scheduledId })
  })
}

/**
 * Returns the draft without its parent if the parent is no longer visible to the author. The status is still posted.
 */
async function dropMissingParent(tx: Tx, { account_id, draft }: DueStatus): Promise<StatusDraft> {
  if (!draft.inReplyToId) return draft
  try {
    await findVisibleStatus(tx, { id: draft.inReplyToId, viewerId: account_id })
    return draft
  } catch (err) {
    if (!(err instanceof NotFoundError)) throw err
    const { inReplyToId: _missing, ...rest } = draft
    return rest
  }
}

/** Returns the draft without its quote if the author may no longer quote that status; null if nothing else is left. */
async function dropMissingQuote(tx: Tx, { account_id: accountId, draft }: DueStatus): Promise<StatusDraft | null> {
  try {
    await findQuotable(tx, { accountId, quotedId: draft.quotedId })
    return draft
  } catch (err) {
    if (!(err instanceof NotFoundError)) throw err
    const { quotedId: _missing, ...rest } = draft
    return isBlank(`${rest.text}${rest.spoilerText}`) && rest.mediaIds.length === 0 ? null : rest
  }
}

/**
 * Posts the status. Returns its id; null if the draft has become invalid, for example by a hashtag that is no longer
 * allowed (Mastodon drops such drafts, too).
 */
async function createIfValid(tx: Tx, status: NewStatus): Promise<string | null> {
  try {
    return await createStatus(tx, status)
  } catch (err) {
    if (!(err instanceof ValidationError)) throw err
    return null
  }
}

const findMissed = statement<{ params: { now: Date }; row: { id: string } }>(
  `select p.id ${POSTABLE} and p.scheduled_at < $now::timestamptz - interval '10 minutes'`,
)

/** Effect: publishes overdue statuses whose authors could not post at the scheduled time and can post again. */
export async function publishMissedStatuses(ctx: Ctx): Promise<void> {
  await ctx.write(async (tx) => {
    for (const { id } of await findMissed(tx.db, { now: tx.now })) tx.emit('status.due', { scheduledId: id })
  })
}
