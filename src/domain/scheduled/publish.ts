import { NotFound } from '../../lib/errors.ts'
import { isBlank } from '../../lib/text/isBlank.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import { findQuotable } from '../quotes/find-quotable.ts'
import type { Ctx, Tx } from '../context.ts'
import type { Draft } from '../statuses/draft.ts'
import { movePosted } from '../statuses/idempotency.ts'
import { postStatus } from '../statuses/post.ts'
import { findVisibleStatus } from '../statuses/visibility.ts'

interface Due {
  account_id: string
  application_id: string | null
  scheduled_at: Date
  draft: Draft
}

// Who may not post now keeps what they wrote.
const MAY_BE_POSTED = `from scheduled_statuses p join accounts a on a.id = p.account_id
     join users u on u.account_id = a.id
   where ${usableAccount()} and u.disabled_at is null`
const lock = statement<{ params: { scheduledId: string }; row: Due }>(
  `select p.account_id, p.application_id, p.scheduled_at, p.draft ${MAY_BE_POSTED}
    and p.id = $scheduledId for update of p`,
)
const freeMedia = statement<{ params: { scheduledId: string } }>(
  `update media_attachments set scheduled_status_id = null where scheduled_status_id = $scheduledId`,
)
const remove = statement<{ params: { scheduledId: string } }>(`delete from scheduled_statuses where id = $scheduledId`)

/** Effect: posts what was written for now, once; what was moved to a later moment is left for then. */
export async function publishScheduled(ctx: Ctx, { scheduledId }: { scheduledId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const [due] = await lock(tx.db, { scheduledId })
    if (!due) return
    if (due.scheduled_at > tx.now) {
      tx.emit('status.due', { scheduledId }, due.scheduled_at)
      return
    }
    await freeMedia(tx.db, { scheduledId })
    const draft = await withoutLostQuote(tx, { ...due, draft: await withoutLostParent(tx, due) })
    if (draft) {
      const statusId = await postStatus(tx, { accountId: due.account_id, applicationId: due.application_id, draft })
      await movePosted(tx, { scheduledId, statusId })
    }
    await remove(tx.db, { scheduledId })
  })
}

/** What it was to answer may be gone by now: what was written is still said. */
async function withoutLostParent(tx: Tx, { account_id, draft }: Due): Promise<Draft> {
  if (!draft.inReplyToId) return draft
  try {
    await findVisibleStatus(tx, { id: draft.inReplyToId, viewerId: account_id })
    return draft
  } catch (err) {
    if (!(err instanceof NotFound)) throw err
    const { inReplyToId: _lost, ...rest } = draft
    return rest
  }
}

/** The same of what it was to quote. Null where nothing else was to be said. */
async function withoutLostQuote(tx: Tx, { account_id: accountId, draft }: Due): Promise<Draft | null> {
  try {
    await findQuotable(tx, { accountId, quotedId: draft.quotedId })
    return draft
  } catch (err) {
    if (!(err instanceof NotFound)) throw err
    const { quotedId: _lost, ...rest } = draft
    return isBlank(`${rest.text}${rest.spoilerText}`) && rest.mediaIds.length === 0 ? null : rest
  }
}

const findMissed = statement<{ params: { now: Date }; row: { id: string } }>(
  `select p.id ${MAY_BE_POSTED} and p.scheduled_at < $now::timestamptz - interval '10 minutes'`,
)

/** Effect: posts what its author could not post when its time had come, and may now. */
export async function publishMissed(ctx: Ctx): Promise<void> {
  await ctx.write(async (tx) => {
    for (const { id } of await findMissed(tx.db, { now: tx.now })) tx.emit('status.due', { scheduledId: id })
  })
}
