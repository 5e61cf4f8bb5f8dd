import { ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { claimMediaForLater } from '../parts/claim-media.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { checkDraft } from '../write/check-drafts.ts'
import type { StatusDraft } from '../write/check-drafts.ts'

const MIN_MINUTES_AHEAD = 5
const MINUTE_MS = 60_000
const MAX_SCHEDULED = 300
const MAX_SCHEDULED_PER_DAY = 25

// A status that is rescheduled does not count against the limit.
const count = statement<{
  params: { accountId: string; at: Date; exceptId: string | null }
  row: { all: number; that_day: number }
}>(
  `select count(*)::int as all,
     count(*) filter (where (scheduled_at at time zone 'utc')::date = ($at::timestamptz at time zone 'utc')::date)::int
       as that_day
   from scheduled_statuses where account_id = $accountId and id is distinct from $exceptId::bigint`,
)
const insert = statement<{
  params: { accountId: string; applicationId: string | null; at: Date; draft: string; now: Date }
  row: { id: string }
}>(
  `insert into scheduled_statuses (account_id, application_id, scheduled_at, params, created_at)
   values ($accountId, $applicationId, $at, $draft, $now) returning id`,
)

/**
 * Stores a draft that is published at a later time. The draft is validated now, as if it were posted now. Returns the
 * id of the scheduled status.
 * @throws ValidationError as `checkScheduledAt`; the errors of `checkDraft`
 */
export async function scheduleStatus(
  tx: Tx,
  {
    accountId,
    applicationId,
    draft,
    at,
  }: { accountId: string; applicationId: string | null; draft: StatusDraft; at: Date },
): Promise<string> {
  await checkDraft(tx, { accountId, draft })
  await checkScheduledAt(tx, { accountId, at })
  const [row] = await insert(tx.db, { accountId, applicationId, at, draft: JSON.stringify(draft), now: tx.now })
  const scheduledId = row!.id
  await claimMediaForLater(tx, { scheduledId, accountId, mediaIds: draft.mediaIds })
  tx.emit('status.due', { scheduledId }, at)
  return scheduledId
}

/**
 * Checks that the account may schedule a status for this time. `exceptId`: the scheduled status that is rescheduled.
 * @throws ValidationError if the time is less than 5 minutes ahead, or if too many statuses are scheduled in total or
 *   for that day
 */
export async function checkScheduledAt(
  tx: Tx,
  { accountId, at, exceptId = null }: { accountId: string; at: Date; exceptId?: string | null },
): Promise<void> {
  if (at.getTime() <= tx.now.getTime() + MIN_MINUTES_AHEAD * MINUTE_MS) {
    throw validationError('scheduled_at', 'The scheduled date must be in the future')
  }
  // The lock prevents two parallel requests from exceeding the limit.
  await lockAccounts(tx, { ids: [accountId] })
  const [row] = await count(tx.db, { accountId, at, exceptId })
  if (row!.all >= MAX_SCHEDULED) throw tooMany(`${MAX_SCHEDULED} scheduled posts`)
  if (row!.that_day >= MAX_SCHEDULED_PER_DAY) throw tooMany(`${MAX_SCHEDULED_PER_DAY} scheduled posts for that day`)
}

function tooMany(limit: string): ValidationError {
  return validationError('base', `You have exceeded the limit of ${limit}`)
}

function validationError(attribute: string, text: string): ValidationError {
  return new ValidationError([{ attribute, code: 'ERR_INVALID', text }])
}
