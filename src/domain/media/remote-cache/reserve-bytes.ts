import { ServiceUnavailableError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { evictLeastRecentlyUsed } from './evict-files.ts'

/** Longer than storing a file takes. The reservations of a killed process expire after this time. */
const RESERVATION_MINUTES = 10

const lock = statement(`select from media_cache_size for update`)
// `excess`: by how many bytes the reservation would exceed the budget; without excess, it is made.
const insert = statement<{
  params: { byteSize: number; maxBytes: number; now: Date }
  row: { id: string | null; excess: string }
}>(
  `with used as (
     select (select byte_size from media_cache_size)
       + (select coalesce(sum(byte_size), 0) from media_cache_reservations
         where expires_at > $now) + $byteSize::bigint - $maxBytes::bigint
       as excess
   ), added as (
     insert into media_cache_reservations (byte_size, expires_at)
     select $byteSize, $now::timestamptz + make_interval(mins => ${RESERVATION_MINUTES}) from used where excess <= 0
     returning id
   )
   select (select id from added) as id, excess from used`,
)
const remove = statement<{ params: { reservationId: string } }>(
  `delete from media_cache_reservations where id = $reservationId`,
)

/**
 * Reserves bytes of the budget of the media cache (`MEDIA_CACHE_GB`) before a file is stored, and evicts the least
 * recently used files to make room. All processes share the budget. Returns the id of the reservation, which
 * `releaseBytes` ends.
 * @throws ServiceUnavailableError while files that are being stored use up the budget
 */
export async function reserveBytes(ctx: Ctx, { byteSize }: { byteSize: number }): Promise<string> {
  for (;;) {
    const { id, excess } = await ctx.write(async (tx) => {
      // A separate statement: the next one must see what was committed while this one waited for the lock.
      await lock(tx.db)
      const [row] = await insert(tx.db, { byteSize, maxBytes: Math.floor(ctx.config.mediaCacheBytes), now: tx.now })
      return row!
    })
    if (id !== null) return id
    const evicted = await evictLeastRecentlyUsed(ctx, { bytes: Number(excess) })
    if (evicted.count === 0) throw new ServiceUnavailableError()
  }
}

/** Ends a reservation: in the transaction that records the file, or after storing it has failed. */
export async function releaseBytes(tx: Tx, { reservationId }: { reservationId: string }): Promise<void> {
  await remove(tx.db, { reservationId })
}
