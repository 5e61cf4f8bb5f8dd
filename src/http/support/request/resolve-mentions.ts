import type { Ctx } from '../../../domain/context.ts'
import { findUnknownMentions } from '../../../domain/text/find-unknown-mentions.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'

/** The maximum number of unknown remote accounts that one text can cause to be resolved. */
const MAX_LOOKUPS = 10

/** The request of the author waits for the lookups. */
const TIMEOUT_MS = 5_000

/**
 * Resolves the unknown remote accounts that a status mentions, before it is created. They are mentioned in its text, or
 * in its content warning if there is no text, because the warning then becomes the text. A handle that cannot be
 * resolved in time stays plain text. Calls `onRequest` before it sends requests to other servers.
 */
export async function resolveMentions(
  ctx: Ctx,
  { text, spoilerText, onRequest }: { text: string; spoilerText: string; onRequest: () => void },
): Promise<void> {
  const mentioning = isBlank(text) ? spoilerText : text
  const unknownHandles = await findUnknownMentions(ctx, { text: mentioning, limit: MAX_LOOKUPS })
  if (unknownHandles.length > 0) onRequest()
  await Promise.all(unknownHandles.map(async (handle) => ctx.remote.findAccount({ ...handle, timeoutMs: TIMEOUT_MS })))
}
