import { foreignDomain } from '../../domain/accounts/lookup.ts'
import { resolveHandle } from '../../domain/accounts/resolve-handle.ts'
import type { Ctx } from '../../domain/context.ts'
import { NotFound } from '../../lib/errors.ts'
import { parseHandle } from '../../lib/usernames.ts'

/** Makes the account known here that a query names, if it is a full handle of another server. */
export async function resolveQuery(ctx: Ctx, { query }: { query: string }): Promise<void> {
  const handle = parseHandle(query)
  if (handle?.domain == null || foreignDomain(ctx, handle.domain) === '') return
  await resolveHandle(ctx, { handle: query }).catch((err: unknown) => {
    if (!(err instanceof NotFound)) throw err
  })
}
