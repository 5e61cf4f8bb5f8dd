import { NotFound } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'
import { foreignDomain } from '../accounts/lookup.ts'
import { resolveHandle } from '../accounts/resolve-handle.ts'
import type { Ctx } from '../context.ts'

/** Makes the account known here that a query names, if it is a full handle of another server. */
export async function resolveQuery(ctx: Ctx, { query }: { query: string }): Promise<void> {
  const handle = parseHandle(query)
  if (handle?.domain == null || foreignDomain(ctx, handle.domain) === '') return
  await resolveHandle(ctx, { handle: query }).catch((err: unknown) => {
    if (!(err instanceof NotFound)) throw err
  })
}
