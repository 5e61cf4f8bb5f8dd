import { NotFound } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import type { Ctx } from '../context.ts'
import { foreignDomain, lookupAccount } from './lookup.ts'

/**
 * The account that a handle names; one of another server that is not known here is asked for there.
 * @throws NotFound also for what is no handle
 */
export async function resolveHandle(ctx: Ctx, { handle }: { handle: string }): Promise<string> {
  try {
    return await lookupAccount(ctx, { handle })
  } catch (err) {
    const parsed = parseHandle(handle)
    const domain = parsed && foreignDomain(ctx, parsed.domain)
    if (!(err instanceof NotFound) || !parsed || !domain) throw err
    const found = await ctx.remote.findAccount({ username: parsed.username, domain })
    if (found === null) throw err
    return found
  }
}
