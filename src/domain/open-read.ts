import { checkForInvalidations, findRecentInvalidations } from '../platform/db/invalidations.ts'
import type { Invalidations } from '../platform/db/invalidations.ts'
import type { CachedRead, Read } from './context.ts'

/**
 * Checks for invalidations and returns a context that reads through the caches. Its type refuses a `Ctx`: code that can
 * write gets such a context only for the time of a call, by `ctx.read`.
 */
export async function openRead({ db, config }: Read & { readonly write?: never }): Promise<CachedRead> {
  return { db, config, invalidations: await checkForInvalidations(db) }
}

/**
 * Returns a context for reading through the caches what may be up to `maxAgeMs` old, without a statement; null if the
 * last check of this process was earlier.
 */
export function findRecentRead(
  { db, config }: Read & { readonly write?: never },
  { maxAgeMs }: { maxAgeMs: number },
): CachedRead | null {
  const invalidations = findRecentInvalidations(db, { maxAgeMs })
  return invalidations && { db, config, invalidations }
}

/** Returns the invalidations of the context's epoch; without one, checks for them now. */
export async function invalidationsFor(
  read: Pick<Read, 'db'> & Partial<Pick<CachedRead, 'invalidations'>>,
): Promise<Invalidations> {
  return read.invalidations ?? checkForInvalidations(read.db)
}
