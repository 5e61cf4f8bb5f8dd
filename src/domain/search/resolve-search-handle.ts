import { NotFoundError } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { findHandles } from '../accounts/lookup/find-handles.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import { resolveHandle } from '../accounts/lookup/resolve-handle.ts'
import type { Ctx } from '../context.ts'

/** The domains of other servers have a dot, unless they have a port: those of one word are incomplete. */
const COMPLETE_DOMAIN = /[.:]/

/**
 * Fetches the account that a query names if it is a remote handle. Returns the query for its search: the account's own
 * handle, which differs from the query if that redirects to it. Ignores handles that cannot be resolved.
 */
export async function resolveSearchHandle(ctx: Ctx, { query }: { query: string }): Promise<string> {
  const handle = parseHandle(query)
  if (handle?.domain == null || toStoredDomain(ctx, handle.domain) === '') return query
  if (!COMPLETE_DOMAIN.test(handle.domain)) return query
  const id = await resolveHandle(ctx, { handle: query }).catch((err: unknown) => {
    if (!(err instanceof NotFoundError)) throw err
    return null
  })
  const found = id === null ? undefined : (await findHandles(ctx, { ids: [id] })).get(id)
  return found ?? query
}
