import type { Tx } from '../../context.ts'
import { scheduleStatus } from './schedule-status.ts'
import type { StatusDraft } from '../write/check-draft.ts'
import { findSubmission, recordSubmission } from './idempotency-keys.ts'
import type { SubmissionResult } from './idempotency-keys.ts'
import { createStatus } from '../write/create-status.ts'

/**
 * Posts a status, or schedules it if `at` is in the future. `key` is the idempotency key: if an earlier request used it
 * within the last hour, returns the result of that request. Mastodon: POST /api/v1/statuses
 * @throws the errors of `createStatus` and `scheduleStatus`
 */
export async function submitStatus(
  tx: Tx,
  {
    accountId,
    applicationId,
    draft,
    key: idempotencyKey,
    at: scheduledAt,
  }: {
    accountId: string
    applicationId: string | null
    draft: StatusDraft
    key: string | undefined
    at: Date | null
  },
): Promise<SubmissionResult> {
  const previous = await findSubmission(tx, { accountId, key: idempotencyKey })
  if (previous) return previous
  const author = { accountId, applicationId, draft }
  const result =
    scheduledAt !== null && scheduledAt > tx.now
      ? { scheduledId: await scheduleStatus(tx, { ...author, at: scheduledAt }) }
      : { statusId: await createStatus(tx, author) }
  await recordSubmission(tx, { accountId, key: idempotencyKey, result })
  return result
}
