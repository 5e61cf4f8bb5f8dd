import { RequestError } from '../../../lib/errors.ts'
import { mapValues } from '../../../lib/results.ts'
import type { Result } from '../../../lib/results.ts'
import type { Tx } from '../../context.ts'
import { createStatuses } from '../write/create-statuses.ts'
import type { NewStatus } from '../write/create-statuses.ts'
import { findSubmissions, identityOf, recordSubmissions, releaseKeys } from './idempotency-keys.ts'
import type { SubmissionResult } from './idempotency-keys.ts'
import { scheduleStatus } from './schedule-status.ts'

/** A request to post a status, or to schedule it if `at` is in the future. */
export interface Submission extends NewStatus {
  /** The idempotency key: if an earlier request used it within the last hour, the result is that of this request. */
  key: string | undefined
  at: Date | null
}

/**
 * Posts or schedules statuses. Returns the results in the same order. A draft that `createStatuses` refuses has no
 * effect.
 * @throws the errors of `createStatuses` and `scheduleStatus`
 */
export async function submitStatuses(tx: Tx, all: readonly Submission[]): Promise<Result<SubmissionResult>[]> {
  const firsts = firstsByKey(all)
  const different = [...new Set(firsts)]
  const submitted = await submitDifferent(tx, different)
  const results = new Map(different.map((one, n) => [one, submitted[n]!]))
  const isDone = (n: number) => firsts[n] === all[n] || !(results.get(firsts[n]!) instanceof RequestError)
  const remaining = all.filter((_, n) => !isDone(n))
  const others = (remaining.length === 0 ? [] : await submitStatuses(tx, remaining)).values()
  return all.map((_, n) => (isDone(n) ? results.get(firsts[n]!)! : others.next().value!))
}

/** Returns for each submission the first one with the same idempotency key, which is itself if it has no key. */
function firstsByKey(all: readonly Submission[]): Submission[] {
  const firsts = new Map<string, Submission>()
  return all.map((submission) => {
    const identity = identityOf(submission)
    if (identity === null) return submission
    const first = firsts.get(identity) ?? submission
    firsts.set(identity, first)
    return first
  })
}

/** Does the same for submissions with different idempotency keys. */
async function submitDifferent(tx: Tx, all: readonly Submission[]): Promise<Result<SubmissionResult>[]> {
  const previous = await findSubmissions(tx, all)
  const fresh = all.filter((_, n) => previous[n] === null)
  const created = await createAll(tx, fresh)
  await recordSubmissions(
    tx,
    fresh.flatMap((submission, n) => {
      const result = created[n]!
      return result instanceof RequestError ? [] : [{ ...submission, result }]
    }),
  )
  await releaseKeys(
    tx,
    fresh.filter((_, n) => created[n] instanceof RequestError),
  )
  const results = created.values()
  return previous.map((result) => result ?? results.next().value!)
}

async function createAll(tx: Tx, all: readonly Submission[]): Promise<Result<SubmissionResult>[]> {
  const isScheduled = ({ at }: Submission) => at !== null && at > tx.now
  const posted = await createStatuses(
    tx,
    all.filter((submission) => !isScheduled(submission)),
  )
  const results = (await mapValues(posted, async (ids) => ids.map((statusId) => ({ statusId })))).values()
  const created: Result<SubmissionResult>[] = []
  for (const submission of all) {
    const { at } = submission
    if (isScheduled(submission)) created.push({ scheduledId: await scheduleStatus(tx, { ...submission, at: at! }) })
    else created.push(results.next().value!)
  }
  return created
}
