import { NotFoundError } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { toStoredDomain } from '../accounts/lookup/lookup-account.ts'
import { resolveHandle } from '../accounts/lookup/resolve-handle.ts'
import type { Ctx } from '../context.ts'

/** Fetches the account that a query names if it is a remote handle. Ignores handles that cannot be resolved. */
export async function resolveSearchHandle(ctx: Ctx, { query }: { query: string }): Promise<void> {
  const handle = parseHandle(query)
  if (handle?.domain == null || toStoredDomain(ctx, handle.domain) === '') return
  await resolveHandle(ctx, { handle: query }).catch((err: unknown) => {
    if (!(err instanceof NotFoundError)) throw err
  })
}
