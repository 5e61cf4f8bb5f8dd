import { valueOf } from '../../../lib/results.ts'
import type { Result } from '../../../lib/results.ts'
import { createBatch } from '../../../platform/create-batch.ts'
import { isDatabaseUnreachable } from '../../../platform/db/connection.ts'
import type { Ctx } from '../../context.ts'
import type { SubmissionResult } from './idempotency-keys.ts'
import { submitStatuses } from './submit-statuses.ts'
import type { Submission } from './submit-statuses.ts'

/** How many statuses share one transaction at most. */
const MAX_BATCH = 32

/** The next batch waits for this one. If it would wait longer for a lock, its statuses are written one by one. */
const LOCK_TIMEOUT_MS = 250

// A batch that failed has written nothing, unless the connection broke, which may have hidden a successful commit.
const postTogether = createBatch<Ctx, Submission, Result<SubmissionResult> | 'batch failed'>(
  async (ctx, all) => {
    try {
      return await ctx.write((tx) => submitStatuses(tx, all), { lockTimeoutMs: LOCK_TIMEOUT_MS })
    } catch (err) {
      if (isDatabaseUnreachable(err)) throw err
      ctx.log.debug({ err, statuses: all.length }, 'Statuses are written one by one')
      return all.map(() => 'batch failed')
    }
  },
  { maxItems: MAX_BATCH },
)

/**
 * Posts a status, or schedules it if `at` is in the future. Statuses that are posted at the same time share one
 * transaction, and each one can only fail because of itself. Mastodon: POST /api/v1/statuses
 * @throws the errors of `createStatus` and `scheduleStatus`
 */
export async function postStatus(ctx: Ctx, submission: Submission): Promise<SubmissionResult> {
  if (!canShareTransaction(submission)) return postAlone(ctx, submission)
  const result = await postTogether(ctx, submission)
  return result === 'batch failed' ? postAlone(ctx, submission) : valueOf(result)
}

/** Uploads, quotes and scheduled times are rare, and may be refused after the transaction has written something. */
function canShareTransaction({ draft, at }: Submission): boolean {
  return draft.mediaIds.length === 0 && !draft.quotedId && at === null
}

async function postAlone(ctx: Ctx, submission: Submission): Promise<SubmissionResult> {
  return ctx.write(async (tx) => {
    const [result] = await submitStatuses(tx, [submission])
    return valueOf(result!)
  })
}
