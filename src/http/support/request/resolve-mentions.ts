import type { Ctx } from '../../../domain/context.ts'
import { findUnknownMentions } from '../../../domain/text/find-unknown-mentions.ts'

/** The maximum number of unknown remote accounts that one text can cause to be resolved. */
const MAX_LOOKUPS = 10

/** The request of the author waits for the lookups. */
const TIMEOUT_MS = 5_000

/**
 * Resolves the unknown remote accounts that a text mentions, before the status is created. A handle that cannot be
 * resolved in time stays plain text. Calls `onRequest` before it sends requests to other servers.
 */
export async function resolveMentions(
  ctx: Ctx,
  { text, onRequest }: { text: string; onRequest: () => void },
): Promise<void> {
  const unknownHandles = await findUnknownMentions(ctx, { text, limit: MAX_LOOKUPS })
  if (unknownHandles.length > 0) onRequest()
  await Promise.all(unknownHandles.map(async (handle) => ctx.remote.findAccount({ ...handle, timeoutMs: TIMEOUT_MS })))
}
