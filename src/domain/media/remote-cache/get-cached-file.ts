import { randomBytes } from 'node:crypto'
import { BadGatewayError, NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findFfmpeg } from '../../../platform/media/audio-video/find-ffmpeg.ts'
import type { Ctx, Tx } from '../../context.ts'
import { findCurrentFile, findCachedOriginal } from './find-cached-file.ts'
import type { CachedFile, CacheLookup, RemoteFile } from './find-cached-file.ts'
import { prepareFile } from './prepare-file.ts'
import type { PreparedFile } from './prepare-file.ts'
import { HostBackoffError, UnacceptableMediaError } from './remote-media-errors.ts'
import { releaseBytes, reserveBytes } from './reserve-bytes.ts'

/** Delays after consecutive failures until a file is fetched again. */
const RETRY_DELAYS_SECONDS = [60, 600, 3_600, 21_600]
const MAX_RETRY_DELAY_SECONDS = 86_400

/** The use of a file is recorded at most this often. */
const USE_RECORDED_EVERY_MS = 3_600_000

const FOLDERS: Record<RemoteFile['rendition'], string> = {
  original: 'media',
  small: 'previews',
  avatar: 'avatars',
  header: 'headers',
  emoji: 'emojis',
}

interface CacheEntry {
  /** null: the fetch failed. */
  file: { key: string; staticKey: string | null; byteSize: number } | null
  failure: CacheLookup['failure']
}

const lockFile = statement<{ params: { fileName: string } }>(
  `select pg_advisory_xact_lock(hashtextextended('cached file ' || $fileName, 0))`,
)
const upsertStatement = (table: string, column: string) =>
  statement<{
    params: {
      ownerId: string
      rendition: string
      remoteUrl: string
      key: string | null
      staticKey: string | null
      byteSize: number
      now: Date
      status: number | null
      count: number
      retryAt: Date | null
    }
    row: { id: string; replaced_keys: string[] }
  }>(
    `with owner as (select id from ${table} where id = $ownerId for key share), old as (
       select file_key, static_key from cached_files where ${column} = $ownerId and rendition = $rendition
     ), put as (
       insert into cached_files (${column}, rendition, remote_url, file_key, static_key, byte_size, fetched_at, used_at,
         status, failures, retry_at)
       select owner.id, $rendition, $remoteUrl, $key, $staticKey, $byteSize, $now, $now, $status, $count, $retryAt
         from owner
       on conflict (${column}, rendition) where ${column} is not null do update set remote_url = excluded.remote_url,
         file_key = excluded.file_key, static_key = excluded.static_key, byte_size = excluded.byte_size,
         fetched_at = excluded.fetched_at, used_at = excluded.used_at, status = excluded.status,
         failures = excluded.failures, retry_at = excluded.retry_at
       returning id
     )
     select put.id, array_remove(array[old.file_key, old.static_key], null) as replaced_keys from put left join old on true`,
  )
const upsertFile = {
  media: upsertStatement('media_attachments', 'media_id'),
  account: upsertStatement('accounts', 'account_id'),
  emoji: upsertStatement('custom_emojis', 'emoji_id'),
}
const recordUse = statement<{ params: { fileId: string; now: Date } }>(
  `update cached_files set used_at = $now where id = $fileId`,
)

const inFlight = new WeakMap<object, Map<string, Promise<CachedFile>>>()

/**
 * Returns a remote file from the cache. Fetches it at the first request; concurrent requests share one fetch. A failed
 * fetch is not repeated for a while. `onMiss` is called before a fetch.
 * @throws NotFoundError if the remote server does not have it; BadGatewayError; ServiceUnavailableError;
 *   InsufficientStorageError; errors of `onMiss`
 */
export async function getCachedFile(ctx: Ctx, found: CacheLookup, onMiss?: () => Promise<void>): Promise<CachedFile> {
  const { file, failure } = found
  if (file) {
    if (ctx.now().getTime() - file.usedAt.getTime() > USE_RECORDED_EVERY_MS) {
      await ctx.write((tx) => recordUse(tx.db, { fileId: file.id, now: tx.now }))
    }
    return file
  }
  throwKnownFailure(ctx, failure)
  await onMiss?.()
  return fetchOnce(ctx, found)
}

/** Throws the error of the last fetch again until its retry time. */
function throwKnownFailure(ctx: Ctx, failure: CacheLookup['failure']): void {
  if (failure && failure.retryAt > ctx.now()) throw failure.status === 404 ? new NotFoundError() : new BadGatewayError()
}

interface FetchOptions {
  /** A key whose file is lost or outdated: an entry with it counts as missing. */
  lostKey?: string | undefined
  /** Fetches also before the retry time of a failure. */
  ignoreFailure?: boolean
}

/** Fetches and stores a file, or joins a fetch of it that is in progress. @throws as `getCachedFile` */
export function fetchOnce(ctx: Ctx, found: CacheLookup, options: FetchOptions = {}): Promise<CachedFile> {
  let fetches = inFlight.get(ctx.fetcher)
  if (!fetches) inFlight.set(ctx.fetcher, (fetches = new Map()))
  const key = cacheKeyOf(found.remoteFile)
  let fetching = fetches.get(key)
  if (!fetching) fetches.set(key, (fetching = fetchAndStore(ctx, found, options).finally(() => fetches.delete(key))))
  return fetching
}

async function fetchAndStore(
  ctx: Ctx,
  { remoteFile }: CacheLookup,
  { lostKey, ignoreFailure = false }: FetchOptions,
): Promise<CachedFile> {
  // Another process may have stored the file since the lookup.
  const { file, failure } = await findCurrentFile(ctx, remoteFile)
  if (file && file.key !== lostKey) return file
  if (!ignoreFailure) throwKnownFailure(ctx, failure)
  // Not recorded, since it ends with the installation of ffmpeg.
  if (remoteFile.derivedFrom === 'video' && (await findFfmpeg(ctx.config)) === null) throw new NotFoundError()
  try {
    const original = remoteFile.derivedFrom !== null ? await openOriginal(ctx, remoteFile) : null
    return await prepareFile(ctx, { remoteFile, original }, (prepared) => store(ctx, { remoteFile, ...prepared }))
  } catch (err) {
    const next = nextFailure(ctx, err, failure?.count ?? 0)
    if (next) await ctx.write((tx) => recordFile(tx, remoteFile, { file: null, failure: next }))
    throw err
  }
}

async function openOriginal(ctx: Ctx, remoteFile: RemoteFile) {
  const { key } = await getCachedFile(ctx, await findCachedOriginal(ctx, remoteFile))
  const stored = await ctx.storage.open({ key })
  if (!stored) throw new BadGatewayError()
  return stored.stream
}

/** Stores the file before its row, and deletes it again if the row cannot be written. */
async function store(
  ctx: Ctx,
  { remoteFile, file, staticFile }: { remoteFile: RemoteFile; file: PreparedFile; staticFile: PreparedFile | null },
): Promise<CachedFile> {
  const name = randomBytes(16).toString('hex')
  const base = `cache/${FOLDERS[remoteFile.rendition]}/${name.slice(0, 2)}/${name}`
  const key = `${base}.${file.extension}`
  const staticKey = staticFile && `${base}-static.${staticFile.extension}`
  const keys = staticKey === null ? [key] : [key, staticKey]
  const byteSize = file.size + (staticFile?.size ?? 0)
  const reservationId = await reserveBytes(ctx, { byteSize })
  try {
    await ctx.storage.put({ key, body: file.body, contentType: file.contentType })
    if (staticFile)
      await ctx.storage.put({ key: staticKey!, body: staticFile.body, contentType: staticFile.contentType })
    const id = await ctx.write(async (tx) => {
      await releaseBytes(tx, { reservationId })
      return recordFile(tx, remoteFile, { file: { key, staticKey, byteSize }, failure: null })
    })
    if (id === null) throw new NotFoundError()
    return { id, key, staticKey: staticKey ?? key, usedAt: ctx.now() }
  } catch (err) {
    await ctx.storage.remove({ keys }).catch(() => {})
    await ctx.write((tx) => releaseBytes(tx, { reservationId })).catch(() => {})
    throw err
  }
}

/** Inserts or replaces the entry of a file and returns its id. null: the row that references the file was deleted. */
async function recordFile(tx: Tx, remoteFile: RemoteFile, { file, failure }: CacheEntry): Promise<string | null> {
  await lockFile(tx.db, { fileName: cacheKeyOf(remoteFile) })
  const [row] = await upsertFile[remoteFile.owner](tx.db, {
    ownerId: remoteFile.id,
    rendition: remoteFile.rendition,
    remoteUrl: remoteFile.remoteUrl,
    key: file?.key ?? null,
    staticKey: file?.staticKey ?? null,
    byteSize: file?.byteSize ?? 0,
    now: tx.now,
    status: failure?.status ?? null,
    count: failure?.count ?? 0,
    retryAt: failure?.retryAt ?? null,
  })
  if (row && row.replaced_keys.length > 0) tx.emit('media.removed', { mediaKeys: row.replaced_keys })
  return row?.id ?? null
}

/** Returns the failure to record; null: none, since the remote server did not cause it. */
function nextFailure(ctx: Ctx, err: unknown, count: number): CacheLookup['failure'] {
  const isAbsent = err instanceof NotFoundError
  if (err instanceof HostBackoffError || !(isAbsent || err instanceof BadGatewayError)) return null
  const isPermanent = isAbsent || err instanceof UnacceptableMediaError
  const seconds = isPermanent ? MAX_RETRY_DELAY_SECONDS : (RETRY_DELAYS_SECONDS[count] ?? MAX_RETRY_DELAY_SECONDS)
  return { status: err.status, retryAt: new Date(ctx.now().getTime() + seconds * 1000), count: Math.min(count + 1, 99) }
}

function cacheKeyOf({ owner, id, rendition }: RemoteFile): string {
  return `${owner} ${id} ${rendition}`
}
