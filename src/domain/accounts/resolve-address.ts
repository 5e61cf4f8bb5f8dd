import { NotFound } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import type { Ctx } from '../context.ts'
import { resolveHandle } from './resolve-handle.ts'

/**
 * The account that somebody names by a handle or an address, asked for where it is if it is not known here; null when
 * there is none.
 */
export async function resolveAddress(
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
    if (err instanceof NotFound) return null
    throw err
  })
}
