import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { claimMediaForLater } from '../statuses/claim-media.ts'
import { checkPoll } from '../polls/check.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { checkDraft } from '../statuses/draft.ts'
import type { Draft } from '../statuses/draft.ts'

const MIN_MINUTES_AHEAD = 5
const MINUTE_MS = 60_000
const MAX_SCHEDULED = 300
const MAX_SCHEDULED_A_DAY = 25

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
  `insert into scheduled_statuses (account_id, application_id, scheduled_at, draft, created_at)
   values ($accountId, $applicationId, $at, $draft, $now) returning id`,
)

/**
 * Keeps a draft until it is posted. Everything about it is judged now, as if it were posted. Returns its id.
 * @throws ValidationFailed for a moment that is too near or has too many already, and what `checkDraft` throws
 */
export async function scheduleStatus(
  tx: Tx,
  { accountId, applicationId, draft, at }: { accountId: string; applicationId: string | null; draft: Draft; at: Date },
): Promise<string> {
  await checkDraft(tx, { accountId, draft })
  if (draft.poll) checkPoll({ draft: draft.poll, now: tx.now })
  await checkMoment(tx, { accountId, at })
  const [row] = await insert(tx.db, { accountId, applicationId, at, draft: JSON.stringify(draft), now: tx.now })
  const scheduledId = row!.id
  await claimMediaForLater(tx, { scheduledId, accountId, mediaIds: draft.mediaIds })
  tx.emit('status.due', { scheduledId }, at)
  return scheduledId
}

/** Whether something may be posted then. `exceptId`: what is moved to there. @throws ValidationFailed */
export async function checkMoment(
  tx: Tx,
  { accountId, at, exceptId = null }: { accountId: string; at: Date; exceptId?: string | null },
): Promise<void> {
  if (at.getTime() <= tx.now.getTime() + MIN_MINUTES_AHEAD * MINUTE_MS) {
    throw refusal('scheduled_at', 'The scheduled date must be in the future')
  }
  // Held, so that two at once are not one too many.
  await lockAccounts(tx, { ids: [accountId] })
  const [row] = await count(tx.db, { accountId, at, exceptId })
  if (row!.all >= MAX_SCHEDULED) throw refusal('base', `exceeds the limit of ${MAX_SCHEDULED} scheduled posts`)
  if (row!.that_day >= MAX_SCHEDULED_A_DAY) {
    throw refusal('base', `exceeds the limit of ${MAX_SCHEDULED_A_DAY} scheduled posts for that day`)
  }
}

function refusal(attribute: string, text: string): ValidationFailed {
  return new ValidationFailed([{ attribute, code: 'ERR_INVALID', text }])
}
