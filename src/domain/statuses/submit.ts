import type { Tx } from '../context.ts'
import { scheduleStatus } from '../scheduled/schedule.ts'
import type { Draft } from './draft.ts'
import { findMade, keepMade } from './idempotency.ts'
import type { Made } from './idempotency.ts'
import { postStatus } from './post.ts'

/**
 * Posts a status, or schedules it where `at` lies ahead. `key`: what the same one made within the last hour is given
 * again.
 * @throws what `postStatus` and `scheduleStatus` throw
 */
export async function submitStatus(
  tx: Tx,
  {
    accountId,
    applicationId,
    draft,
    key,
    at,
  }: {
    accountId: string
    applicationId: string | null
    draft: Draft
    key: string | undefined
    at: Date | null
  },
): Promise<Made> {
  const known = await findMade(tx, { accountId, key })
  if (known) return known
  const author = { accountId, applicationId, draft }
  const made =
    at !== null && at > tx.now
      ? { scheduledId: await scheduleStatus(tx, { ...author, at }) }
      : { statusId: await postStatus(tx, author) }
  await keepMade(tx, { accountId, key, made })
  return made
}
