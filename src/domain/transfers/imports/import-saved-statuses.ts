import { RequestError } from '../../../lib/errors.ts'
import type { Ctx } from '../../context.ts'
import { bookmarkStatus } from '../../statuses/interactions/bookmark-status.ts'
import { favouriteStatus } from '../../statuses/interactions/favourite-status.ts'
import { finishArchiveEntry, listArchiveFailure } from './archive-imports.ts'
import type { WaitingEntry } from './archive-imports.ts'
import { resolveStatuses } from './resolve-rows.ts'

/**
 * Imports favourites and bookmarks of an archive, of statuses that the account may see, fetching unknown ones. Nobody is
 * notified of an imported favourite, and no Like is delivered.
 */
export async function importSavedStatuses(
  ctx: Ctx,
  { accountId, entries }: { accountId: string; entries: readonly WaitingEntry[] },
): Promise<void> {
  const ids = await resolveStatuses(ctx, { accountId, uris: entries.map(({ json: uri }) => uri) })
  for (const { id, json: uri, kind } of entries) {
    const statusId = ids.get(uri)
    const isImported = statusId !== undefined && (await importOne(ctx, { accountId, id, kind, statusId }))
    if (!isImported)
      await ctx.write((tx) =>
        listArchiveFailure(tx, {
          id,
          uri,
          failure: { reason: kind === 'bookmark' ? 'bookmark-not-found' : 'favourite-not-found' },
          isImported: false,
        }),
      )
  }
}

/** Returns false if the status is not visible any more, or its author blocks the account. */
async function importOne(
  ctx: Ctx,
  { accountId, id, kind, statusId }: { accountId: string; id: string; kind: string; statusId: string },
): Promise<boolean> {
  try {
    await ctx.write(async (tx) => {
      if (!(await finishArchiveEntry(tx, { id }))) return
      if (kind === 'favourite') await favouriteStatus(tx, { accountId, statusId, silent: true })
      else await bookmarkStatus(tx, { accountId, statusId })
    })
    return true
  } catch (err) {
    if (err instanceof RequestError) return false
    throw err
  }
}
