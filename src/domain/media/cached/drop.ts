import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { mediaRefusedOf } from '../../moderation/suspended-host.ts'

/** So many go in one transaction. */
const BATCH = 500

/** What could not be had is forgotten so long after it might have been asked for again. */
const FAILURES_KEPT_DAYS = 7

interface Dropped {
  id: string
  byte_size: string
  keys: string[]
}

const RETURNING = `returning c.id, c.byte_size, array_remove(array[c.file_key, c.static_key], null) as keys`

const lockSize = statement(`select from media_cache_size for update`)
const recount = statement<{ row: { bytes: string } }>(
  `update media_cache_size set byte_size = (select coalesce(sum(byte_size), 0) from cached_files)
   returning byte_size as bytes`,
)
const dropReservations = statement<{ params: { now: Date } }>(
  `delete from media_cache_reservations where expires_at < $now`,
)
// Evicts the files that were used least recently until enough bytes are free.
const dropOldest = statement<{ params: { byteSize: number }; row: Dropped }>(
  `with oldest as (select id, byte_size, used_at from cached_files where file_key is not null
       order by used_at, id limit ${BATCH}),
     counted as (select id, sum(byte_size) over (order by used_at, id) as upto, byte_size from oldest)
   delete from cached_files c where c.id = any(array(select id from counted
     where upto - byte_size < $byteSize::bigint)) ${RETURNING}`,
)
const dropForsaken = statement<{ row: Dropped }>(
  `delete from cached_files c where c.id = any(array(
     select id from cached_files where num_nonnulls(media_id, account_id, emoji_id) = 0 limit ${BATCH})) ${RETURNING}`,
)
const dropFailures = statement<{ params: { now: Date }; row: Dropped }>(
  `delete from cached_files c where c.id = any(array(
     select id from cached_files where retry_at < $now::timestamptz - make_interval(days => ${FAILURES_KEPT_DAYS})
     limit ${BATCH})) ${RETURNING}`,
)

/**
 * Effect: as much of other servers' files is kept as the budget allows, the longest unseen go first. What nothing shows
 * any more goes, and what could not be had long ago is forgotten.
 */
export async function trimCache(ctx: Ctx): Promise<void> {
  await dropAll(ctx, (db) => dropForsaken(db))
  await dropAll(ctx, (db, now) => dropFailures(db, { now }))
  let excess = (await countBytes(ctx)) - ctx.config.mediaCacheBytes
  while (excess > 0) {
    const gone = await evictLeastRecentlyUsed(ctx, { bytes: excess })
    if (gone.count === 0) return
    excess -= gone.bytes
  }
}

/** Counts anew what triggers have counted so far, which `truncate` for example passes by. */
async function countBytes(ctx: Ctx): Promise<number> {
  return ctx.write(async (tx) => {
    await dropReservations(tx.db, { now: tx.now })
    await lockSize(tx.db)
    const [row] = await recount(tx.db)
    return Number(row!.bytes)
  })
}

/** Evicts the files that were not shown for longest until so many bytes are free, at most one set of them. */
export async function evictLeastRecentlyUsed(
  ctx: Ctx,
  { bytes }: { bytes: number },
): Promise<{ count: number; bytes: number }> {
  return drop(ctx, (db) => dropOldest(db, { byteSize: Math.ceil(bytes) }))
}

type Delete = (db: Ctx['db'], now: Date) => Promise<Dropped[]>

async function drop(ctx: Ctx, remove: Delete): Promise<{ count: number; bytes: number }> {
  return ctx.write(async (tx) => {
    const rows = await remove(tx.db, tx.now)
    const mediaKeys = rows.flatMap((row) => row.keys)
    if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
    return { count: rows.length, bytes: rows.reduce((bytes, row) => bytes + Number(row.byte_size), 0) }
  })
}

async function dropAll(ctx: Ctx, remove: Delete): Promise<void> {
  while ((await drop(ctx, remove)).count === BATCH);
}

// Reads a batch of rows, whether or not any of them belong to the domain.
const NEXT = `select id, media_id, account_id, emoji_id from cached_files where id > $from order by id limit ${BATCH}`
const dropRefused = statement<{ params: { from: string; domain: string }; row: Dropped & { last: string | null } }>(
  `with looked_at as (${NEXT}), of_domain as (
     select l.id from looked_at l left join media_attachments m on m.id = l.media_id
       left join accounts a on a.id = coalesce(l.account_id, m.account_id)
       left join custom_emojis em on em.id = l.emoji_id
     where ${mediaRefusedOf('coalesce(a.domain, em.domain)')}
       and ('.' || coalesce(a.domain, em.domain)) like ('%.' || $domain)
   ), gone as (delete from cached_files c where c.id = any(array(select id from of_domain)) ${RETURNING})
   select (select max(id) from looked_at) as last, gone.* from (select 1) one left join gone on true`,
)

/** Effect: of a server of which no file is taken any more, none is kept. */
export async function dropRefusedMedia(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  let after: string | null = '0'
  while (after !== null) {
    const from: string = after
    after = await ctx.write(async (tx) => {
      const rows = await dropRefused(tx.db, { from, domain })
      const mediaKeys = rows.flatMap((row) => row.keys ?? [])
      if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
      return rows[0]?.last ?? null
    })
  }
}

/** Which of the kept files: those that were not shown since, of posts or of everything. */
export interface Unused {
  before: Date
  renditions: readonly string[]
}

const RENDITIONS_UNUSED = `file_key is not null and used_at < $before and rendition = any($renditions::text[])`
const countUnusedRows = statement<{
  params: { before: Date; renditions: readonly string[] }
  row: { count: string; bytes: string }
}>(`select count(*) as count, coalesce(sum(byte_size), 0) as bytes from cached_files where ${RENDITIONS_UNUSED}`)
const dropUnusedRows = statement<{ params: { before: Date; renditions: readonly string[] }; row: Dropped }>(
  `delete from cached_files c where c.id = any(array(
     select id from cached_files where ${RENDITIONS_UNUSED} order by used_at, id limit ${BATCH})) ${RETURNING}`,
)

export async function countUnused(
  ctx: Pick<Ctx, 'db'>,
  { before, renditions }: Unused,
): Promise<{ count: number; bytes: number }> {
  const [row] = await countUnusedRows(ctx.db, { before, renditions })
  return { count: Number(row!.count), bytes: Number(row!.bytes) }
}

/** Removes a set of them; what is left of the files goes with the jobs. Gives how many: none, when there are no more. */
export async function dropUnused(ctx: Ctx, { before, renditions }: Unused): Promise<{ count: number; bytes: number }> {
  return drop(ctx, (db) => dropUnusedRows(db, { before, renditions }))
}
