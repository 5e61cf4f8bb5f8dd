import type { Ctx } from '../../domain/context.ts'
import { findUnknownMentions } from '../../domain/statuses/unknown-mentions.ts'

/** Strangers of other servers that one text makes us ask for. */
const MAX_STRANGERS = 10

/** The author waits for this. */
const TIMEOUT_MS = 5_000

/**
 * Makes the people of other servers known here whom a text mentions, before it is posted. Whoever can't be found in
 * time stays a text that mentions nobody. Calls `onRequest` before other servers are asked.
 */
export async function resolveMentions(
  ctx: Ctx,
  { text, onRequest }: { text: string; onRequest: () => void },
): Promise<void> {
  const strangers = await findUnknownMentions(ctx, { text, limit: MAX_STRANGERS })
  if (strangers.length > 0) onRequest()
  await Promise.all(strangers.map(async (handle) => ctx.remote.findAccount({ ...handle, timeoutMs: TIMEOUT_MS })))
}
