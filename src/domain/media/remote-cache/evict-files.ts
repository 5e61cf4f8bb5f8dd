import { statement } from '../../../platform/db/statement.ts'
import type { Ctx } from '../../context.ts'
import { findFewAccounts } from '../../domain-blocks/find-few-accounts.ts'
import { isMediaRejected } from '../../domain-blocks/suspended-host.ts'

/** How many files one transaction evicts. */
const BATCH_SIZE = 500

/** Days after its retry time for which the record of a failed fetch stays. */
const FAILURE_RETENTION_DAYS = 7

interface EvictedFile {
  id: string
  byte_size: string
  keys: string[]
}

const RETURNING = `returning c.id, c.byte_size, array_remove(array[c.file_key, c.static_key], null) as keys`

const lockCacheSize = statement(`select from media_cache_size for update`)
const recountCacheSize = statement<{ row: { bytes: string } }>(
  `update media_cache_size set byte_size = (select coalesce(sum(byte_size), 0) from cached_files)
   returning byte_size as bytes`,
)
const deleteExpiredReservations = statement<{ params: { now: Date } }>(
  `delete from media_cache_reservations where expires_at < $now`,
)
// Evicts the files that were used least recently until enough bytes are free.
const evictOldest = statement<{ params: { byteSize: number }; row: EvictedFile }>(
  `with oldest as (select id, byte_size, used_at from cached_files where file_key is not null
       order by used_at, id limit ${BATCH_SIZE}),
     counted as (select id, sum(byte_size) over (order by used_at, id) as upto, byte_size from oldest)
   delete from cached_files c where c.id = any(array(select id from counted
     where upto - byte_size < $byteSize::bigint)) ${RETURNING}`,
)
const evictUnreferenced = statement<{ row: EvictedFile }>(
  `delete from cached_files c where c.id = any(array(
     select id from cached_files where num_nonnulls(media_id, account_id, emoji_id) = 0 limit ${BATCH_SIZE})) ${RETURNING}`,
)
const deleteOldFailures = statement<{ params: { now: Date }; row: EvictedFile }>(
  `delete from cached_files c where c.id = any(array(
     select id from cached_files where retry_at < $now::timestamptz - make_interval(days => ${FAILURE_RETENTION_DAYS})
     limit ${BATCH_SIZE})) ${RETURNING}`,
)

/**
 * Effect: evicts files of the remote media cache that nothing references any more, deletes old records of failed
 * fetches, and then evicts the least recently used files until the cache is within its budget (`MEDIA_CACHE_GB`).
 */
export async function evictCachedFiles(ctx: Ctx): Promise<void> {
  await evictAll(ctx, (db) => evictUnreferenced(db))
  await evictAll(ctx, (db, now) => deleteOldFailures(db, { now }))
  let excess = (await countBytes(ctx)) - ctx.config.mediaCacheBytes
  while (excess > 0) {
    const evicted = await evictLeastRecentlyUsed(ctx, { bytes: excess })
    if (evicted.count === 0) return
    excess -= evicted.bytes
  }
}

/** Recounts the size of the cache, which triggers maintain: they miss for example a `truncate`. */
async function countBytes(ctx: Ctx): Promise<number> {
  return ctx.write(async (tx) => {
    await deleteExpiredReservations(tx.db, { now: tx.now })
    await lockCacheSize(tx.db)
    const [row] = await recountCacheSize(tx.db)
    return Number(row!.bytes)
  })
}

/** Evicts the least recently used files until so many bytes are free, at most one batch of files. */
export async function evictLeastRecentlyUsed(
  ctx: Ctx,
  { bytes }: { bytes: number },
): Promise<{ count: number; bytes: number }> {
  return evict(ctx, (db) => evictOldest(db, { byteSize: Math.ceil(bytes) }))
}

type DeleteStatement = (db: Ctx['db'], now: Date) => Promise<EvictedFile[]>

async function evict(ctx: Ctx, remove: DeleteStatement): Promise<{ count: number; bytes: number }> {
  return ctx.write(async (tx) => {
    const rows = await remove(tx.db, tx.now)
    const mediaKeys = rows.flatMap((row) => row.keys)
    if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
    return { count: rows.length, bytes: rows.reduce((bytes, row) => bytes + Number(row.byte_size), 0) }
  })
}

async function evictAll(ctx: Ctx, remove: DeleteStatement): Promise<void> {
  while ((await evict(ctx, remove)).count === BATCH_SIZE);
}

// Reads a batch of rows, whether or not any of them belong to the domain.
const NEXT_BATCH = `select id, media_id, account_id, emoji_id from cached_files where id > $from order by id limit ${BATCH_SIZE}`
const evictRejected = statement<{
  params: { from: string; domain: string }
  row: EvictedFile & { last: string | null }
}>(
  `with scanned as (${NEXT_BATCH}), of_domain as (
     select l.id from scanned l left join media_attachments m on m.id = l.media_id
       left join accounts a on a.id = coalesce(l.account_id, m.account_id)
       left join custom_emojis em on em.id = l.emoji_id
     where ${isMediaRejected('coalesce(a.domain, em.domain)')}
       and ('.' || coalesce(a.domain, em.domain)) like ('%.' || $domain)
   ), evicted as (delete from cached_files c where c.id = any(array(select id from of_domain)) ${RETURNING})
   select (select max(id) from scanned) as last, evicted.* from (select 1) one left join evicted on true`,
)

const findEmoji = statement<{ params: { domain: string }; row: { id: string } }>(
  `select id from custom_emojis where ('.' || domain) like ('%.' || $domain) limit 1`,
)

/** Effect: evicts the cached files of a domain and its subdomains whose media are rejected by a domain block. */
export async function evictRejectedMedia(ctx: Ctx, { domain }: { domain: string }): Promise<void> {
  // Of most blocked domains, nothing is known, so there are no files.
  const accounts = await findFewAccounts(ctx, { domain, max: 0 })
  if (accounts !== null && (await findEmoji(ctx.db, { domain })).length === 0) return
  let after: string | null = '0'
  while (after !== null) {
    const from: string = after
    after = await ctx.write(async (tx) => {
      const rows = await evictRejected(tx.db, { from, domain })
      const mediaKeys = rows.flatMap((row) => row.keys ?? [])
      if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
      return rows[0]?.last ?? null
    })
  }
}
