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

/** The transaction of a batch failed, and nothing was written. */
interface BatchFailure {
  err: unknown
  /** Whether the transaction of a single status would fail like this one, or may have been committed after all. */
  isFinal: boolean
}

const postTogether = createBatch<Ctx, Submission, { result: Result<SubmissionResult> } | BatchFailure>(
  async (ctx, all) => {
    try {
      const results = await ctx.write((tx) => submitStatuses(tx, all))
      return results.map((result) => ({ result }))
    } catch (err) {
      const failure = { err, isFinal: all.length === 1 || isDatabaseUnreachable(err) }
      return all.map(() => failure)
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
  const outcome = await postTogether(ctx, submission)
  if ('result' in outcome) return valueOf(outcome.result)
  if (outcome.isFinal) throw outcome.err
  return postAlone(ctx, submission)
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
