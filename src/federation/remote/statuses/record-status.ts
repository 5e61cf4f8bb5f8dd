import type { Ctx } from '../../../domain/context.ts'
import { recordRemoteStatuses } from '../../../domain/statuses/remote/record-remote-status.ts'
import type { RecordedStatus } from '../../../domain/statuses/remote/record-remote-status.ts'
import type { RemoteStatusFacts } from '../../../domain/statuses/remote/remote-status-facts.ts'
import { RequestError } from '../../../lib/errors.ts'
import { createBatch } from '../../../platform/create-batch.ts'

/** How many statuses share one transaction at most. */
const MAX_BATCH = 100

const recordBatched = createBatch(
  async (ctx: Ctx, all: readonly RemoteStatusFacts[]) => ctx.write((tx) => recordRemoteStatuses(tx, all)),
  { maxItems: MAX_BATCH },
)

/**
 * Records a remote status. Concurrent calls share one transaction, which costs each of them a fraction of its own.
 * @throws as `recordRemoteStatus`
 */
export async function recordStatus(ctx: Ctx, facts: RemoteStatusFacts): Promise<RecordedStatus> {
  const result = await recordBatched(ctx, facts)
  if (result instanceof RequestError) throw result
  return result
}
