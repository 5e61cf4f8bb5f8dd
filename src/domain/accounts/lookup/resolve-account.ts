import { NotFoundError } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import type { Ctx } from '../../context.ts'
import { resolveHandle } from './resolve-handle.ts'

/**
 * Returns the id of the account with a handle or URL, fetching an unknown remote account from its server; null if there
 * is none.
 */
export async function resolveAccount(
  ctx: Ctx,
  { name, viewerId }: { name: string; viewerId: string },
): Promise<string | null> {
  const text = name.trim()
  if (/^https?:\/\//i.test(text)) {
    const found = await ctx.remote.resolve({ uri: text, viewerId })
    return found?.kind === 'account' ? found.id : null
  }
  if (!parseHandle(text)) return null
  return resolveHandle(ctx, { handle: text }).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
}
