import type { Ctx } from '../context.ts'
import type { RetentionPolicy } from './retention-policy.ts'

/** The next rows to examine in a pass. */
export interface PruneInput {
  /** Where the previous step ended; null: at the beginning. */
  cursor: string | null
  policy: RetentionPolicy
  now: Date
  /** The ids that earlier steps would have deleted, if nothing is to be deleted; null: deletes. */
  dryRun: Set<string> | null
}

/** What a step did. `cursor`: where the next step begins; null: all rows have been examined. */
export interface PruneResult {
  cursor: string | null
  count: number
}

/** Examines some hundred rows and deletes those that the policy does not retain, in one transaction. */
export type PruneStep = (ctx: Ctx, input: PruneInput) => Promise<PruneResult>

/** How many rows a step examines. */
export const BATCH_SIZE = 500

const DAY_MS = 86_400_000

/** Returns the time before which rows are pruned. */
export function pruneBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}
