import type { Ctx } from '../../../domain/context.ts'
import { findHandles } from '../../../domain/accounts/lookup/find-handles.ts'
import { findUnknownMentions } from '../../../domain/text/find-unknown-mentions.ts'
import { isBlank } from '../../../lib/text/is-blank.ts'
import { extractMentions } from '../../../lib/text/entities/extract-entities.ts'
import { canonicalDomain, displayDomain } from '../../../lib/usernames.ts'

/** The maximum number of unknown remote accounts that one text can cause to be resolved. */
const MAX_LOOKUPS = 10

/** The request of the author waits for the lookups. */
const TIMEOUT_MS = 5_000

interface Texts {
  text: string
  spoilerText: string
}

/**
 * Resolves the unknown remote accounts that a status mentions, before it is created. They are mentioned in its text, or
 * in its content warning if there is no text, because the warning then becomes the text. A handle that cannot be
 * resolved in time stays plain text. Calls `onRequest` before it sends requests to other servers. Returns the texts, in
 * which a handle that redirects to an account is replaced with the account's own handle.
 */
export async function resolveMentions(
  ctx: Ctx,
  { text, spoilerText, onRequest }: Texts & { onRequest: () => void },
): Promise<Texts> {
  const name = isBlank(text) ? 'spoilerText' : 'text'
  const texts = { text, spoilerText }
  const unknownHandles = await findUnknownMentions(ctx, { text: texts[name], limit: MAX_LOOKUPS })
  if (unknownHandles.length === 0) return texts
  onRequest()
  const ids = await Promise.all(
    unknownHandles.map(async (handle) => ctx.remote.findAccount({ ...handle, timeoutMs: TIMEOUT_MS })),
  )
  const handles = await findHandles(ctx, { ids: ids.filter((id) => id !== null) })
  const redirects = new Map<string, string>()
  for (const [n, unknown] of unknownHandles.entries()) {
    const handle = handles.get(ids[n] ?? '')
    if (handle !== undefined && handle.toLowerCase() !== keyOf(unknown)) redirects.set(keyOf(unknown), handle)
  }
  return { ...texts, [name]: replaceMentions(texts[name], redirects) }
}

function keyOf({ username, domain }: { username: string; domain: string }): string {
  return `${username.toLowerCase()}@${domain}`
}

/** Replaces handles in a text, by their keys. */
function replaceMentions(text: string, redirects: ReadonlyMap<string, string>): string {
  if (redirects.size === 0) return text
  let [result, end] = ['', 0]
  for (const mention of extractMentions(text)) {
    const domain = mention.domain && canonicalDomain(mention.domain, { keepPort: true })
    const handle = domain ? redirects.get(keyOf({ username: mention.username, domain })) : undefined
    if (handle === undefined) continue
    const [username, canonical = ''] = handle.split('@')
    result += `${text.slice(end, mention.start)}@${username}@${displayDomain(canonical)}`
    end = mention.end
  }
  return result + text.slice(end)
}
