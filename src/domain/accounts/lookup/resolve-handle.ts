import { NotFoundError } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import type { Ctx } from '../../context.ts'
import { toStoredDomain, lookupAccount } from './lookup-account.ts'

/**
 * Returns the id of the account with a handle, fetching an unknown remote account from its server.
 * @throws NotFoundError, also for an invalid handle
 */
export async function resolveHandle(ctx: Ctx, { handle }: { handle: string }): Promise<string> {
  try {
    return await lookupAccount(ctx, { handle })
  } catch (err) {
    const parsed = parseHandle(handle)
    const domain = parsed && toStoredDomain(ctx, parsed.domain)
    if (!(err instanceof NotFoundError) || !parsed || !domain) throw err
    const found = await ctx.remote.findAccount({ username: parsed.username, domain })
    if (found === null) throw err
    return found
  }
}
