import { randomBytes } from 'node:crypto'
import { BadGateway, NotFound } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { findKept, findOriginalOf } from './find.ts'
import type { CachedFile, Found, Wanted } from './find.ts'
import { makeFile } from './make.ts'
import type { Made } from './make.ts'
import { HostRests, NoMedia } from './refusals.ts'
import { releaseBytes, reserveBytes } from './reserve-bytes.ts'

/** Pauses before what could not be had is asked for again. */
const PAUSES_SECONDS = [60, 600, 3_600, 21_600]
const LONGEST_PAUSE_SECONDS = 86_400

/** When a file was last shown is written down at most so often. */
const USED_EVERY_MS = 3_600_000

const FOLDERS: Record<Wanted['rendition'], string> = {
  original: 'media',
  small: 'previews',
  avatar: 'avatars',
  header: 'headers',
  emoji: 'emojis',
}

interface Put {
  /** null: it could not be had. */
  file: { key: string; staticKey: string | null; byteSize: number } | null
  failure: Found['failure']
}

const hold = statement<{ params: { fileName: string } }>(
  `select pg_advisory_xact_lock(hashtextextended('cached file ' || $fileName, 0))`,
)
const putFor = (table: string, column: string) =>
  statement<{
    params: {
      wantedId: string
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
    row: { id: string; gone: string[] }
  }>(
    `with owner as (select id from ${table} where id = $wantedId for key share), old as (
       select file_key, static_key from cached_files where ${column} = $wantedId and rendition = $rendition
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
     select put.id, array_remove(array[old.file_key, old.static_key], null) as gone from put left join old on true`,
  )
const put = {
  media: putFor('media_attachments', 'media_id'),
  account: putFor('accounts', 'account_id'),
  emoji: putFor('custom_emojis', 'emoji_id'),
}
const touch = statement<{ params: { fileId: string; now: Date } }>(
  `update cached_files set used_at = $now where id = $fileId`,
)

const underWay = new WeakMap<object, Map<string, Promise<CachedFile>>>()

/**
 * A file of another server, kept here: it is asked for when somebody first wants to see it, once for all who want to at
 * that time. What could not be had is not asked for again for a while. `onMiss`: before it is asked for.
 * @throws NotFound where it is not there either · BadGateway · Unavailable · OutOfStorage · what `onMiss` throws
 */
export async function getCached(ctx: Ctx, found: Found, onMiss?: () => Promise<void>): Promise<CachedFile> {
  const { file, failure } = found
  if (file) {
    if (ctx.now().getTime() - file.usedAt.getTime() > USED_EVERY_MS) {
      await ctx.write((tx) => touch(tx.db, { fileId: file.id, now: tx.now }))
    }
    return file
  }
  refuseFor(ctx, failure)
  await onMiss?.()
  return keepOnce(ctx, found)
}

/** Answers as the other server did, as long as it is not asked again. */
function refuseFor(ctx: Ctx, failure: Found['failure']): void {
  if (failure && failure.retryAt > ctx.now()) throw failure.status === 404 ? new NotFound() : new BadGateway()
}

interface Despite {
  /** A key whose file is not wanted any more. */
  lost?: string | undefined
  /** What could not be had is asked for again at once. */
  impatient?: boolean
}

/** Asks for a file, unless somebody else just did. @throws as `getCached` */
export function keepOnce(ctx: Ctx, found: Found, despite: Despite = {}): Promise<CachedFile> {
  let all = underWay.get(ctx.fetcher)
  if (!all) underWay.set(ctx.fetcher, (all = new Map()))
  const name = nameOf(found.wanted)
  let work = all.get(name)
  if (!work) all.set(name, (work = keep(ctx, found, despite).finally(() => all.delete(name))))
  return work
}

async function keep(ctx: Ctx, { wanted }: Found, { lost, impatient = false }: Despite): Promise<CachedFile> {
  // Between the first look and now another may have been quicker.
  const { file, failure } = await findKept(ctx, wanted)
  if (file && file.key !== lost) return file
  if (!impatient) refuseFor(ctx, failure)
  try {
    const original = wanted.isReduced ? await openOriginal(ctx, wanted) : null
    return await makeFile(ctx, { wanted, original }, (made) => store(ctx, { wanted, ...made }))
  } catch (err) {
    const next = nextFailure(ctx, err, failure?.count ?? 0)
    if (next) await ctx.write((tx) => write(tx, wanted, { file: null, failure: next }))
    throw err
  }
}

async function openOriginal(ctx: Ctx, wanted: Wanted) {
  const { key } = await getCached(ctx, await findOriginalOf(ctx, wanted))
  const stored = await ctx.storage.open({ key })
  if (!stored) throw new BadGateway()
  return stored.stream
}

/** The file is there before its row is, and goes again if that can't be written. */
async function store(
  ctx: Ctx,
  { wanted, file, still }: { wanted: Wanted; file: Made; still: Made | null },
): Promise<CachedFile> {
  const name = randomBytes(16).toString('hex')
  const base = `cache/${FOLDERS[wanted.rendition]}/${name.slice(0, 2)}/${name}`
  const key = `${base}.${file.extension}`
  const staticKey = still && `${base}-static.${still.extension}`
  const keys = staticKey === null ? [key] : [key, staticKey]
  const byteSize = file.size + (still?.size ?? 0)
  const reservationId = await reserveBytes(ctx, { byteSize })
  try {
    await ctx.storage.put({ key, body: file.body, contentType: file.contentType })
    if (still) await ctx.storage.put({ key: staticKey!, body: still.body, contentType: still.contentType })
    const id = await ctx.write(async (tx) => {
      await releaseBytes(tx, { reservationId })
      return write(tx, wanted, { file: { key, staticKey, byteSize }, failure: null })
    })
    if (id === null) throw new NotFound()
    return { id, key, staticKey: staticKey ?? key, usedAt: ctx.now() }
  } catch (err) {
    await ctx.storage.remove({ keys }).catch(() => {})
    await ctx.write((tx) => releaseBytes(tx, { reservationId })).catch(() => {})
    throw err
  }
}

/** In the place of what was kept of it before. null: what shows it is gone. */
async function write(tx: Tx, wanted: Wanted, { file, failure }: Put): Promise<string | null> {
  await hold(tx.db, { fileName: nameOf(wanted) })
  const [row] = await put[wanted.of](tx.db, {
    wantedId: wanted.id,
    rendition: wanted.rendition,
    remoteUrl: wanted.remoteUrl,
    key: file?.key ?? null,
    staticKey: file?.staticKey ?? null,
    byteSize: file?.byteSize ?? 0,
    now: tx.now,
    status: failure?.status ?? null,
    count: failure?.count ?? 0,
    retryAt: failure?.retryAt ?? null,
  })
  if (row && row.gone.length > 0) tx.emit('media.removed', { mediaKeys: row.gone })
  return row?.id ?? null
}

/** What is to be remembered of a failure; null: nothing, since it was none of the other server's. */
function nextFailure(ctx: Ctx, err: unknown, count: number): Found['failure'] {
  const isAbsent = err instanceof NotFound
  if (err instanceof HostRests || !(isAbsent || err instanceof BadGateway)) return null
  const lasts = isAbsent || err instanceof NoMedia
  const seconds = lasts ? LONGEST_PAUSE_SECONDS : (PAUSES_SECONDS[count] ?? LONGEST_PAUSE_SECONDS)
  return { status: err.status, retryAt: new Date(ctx.now().getTime() + seconds * 1000), count: Math.min(count + 1, 99) }
}

function nameOf({ of, id, rendition }: Wanted): string {
  return `${of} ${id} ${rendition}`
}
