import { NotFoundError } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import type { Ctx } from '../../context.ts'
import { toStoredDomain, lookupAccount } from './lookup-account.ts'

/**
 * Returns the id of the account with a handle, fetching a remote account from its server if it is unknown, and once a
 * day if it is known: another account may have the handle now.
 * @throws NotFoundError, also for an invalid handle
 */
export async function resolveHandle(ctx: Ctx, { handle }: { handle: string }): Promise<string> {
  const parsed = parseHandle(handle)
  if (!parsed) throw new NotFoundError()
  const domain = toStoredDomain(ctx, parsed.domain)
  if (domain === '') return lookupAccount(ctx, { handle })
  const { username } = parsed
  const knownId = await findKnown(ctx, handle)
  const found = await (knownId === null
    ? ctx.remote.findAccount({ username, domain })
    : ctx.remote.recheckAccount({ accountId: knownId, username, domain }))
  if (found === null) throw new NotFoundError()
  return found
}

async function findKnown(ctx: Ctx, handle: string): Promise<string | null> {
  return lookupAccount(ctx, { handle }).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
}
