import { ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import type { Actor } from '../../core/record-audit-entry.ts'
import { lockSetting, readSetting, writeSetting } from '../../core/settings-store.ts'
import { countUnusedFiles, evictUnusedFiles } from './evict-unused-files.ts'
import type { UnusedFiles } from './evict-unused-files.ts'

const DAY_MS = 86_400_000

export const MAX_PURGE_DAYS = 36_500

/** How long a job purges before it enqueues another one, which continues. */
const RUN_BUDGET_MS = 30_000

// The colon excludes it from the cached settings.
const STORED_NAME = 'media_cache:purge'

/** What a purge evicts from the cache. */
export interface PurgeOptions {
  /** Days since the last view. */
  days: number
  /** Also avatars, headers and emojis. */
  profiles: boolean
  /** Only files of this domain; null: of all. */
  byDomain: string | null
  /** Retains attachments of statuses with which local accounts interacted. */
  keepInteracted: boolean
}

/** The progress of the last purge, as it is stored. Times are milliseconds since 1970. */
interface StoredPurge extends PurgeOptions {
  startedAt: number
  /** The time of the last step; null: none. */
  ranAt: number | null
  finishedAt: number | null
  /** The id of the last examined file; null: none. */
  cursor: string | null
  /** The number of cached files at the start. */
  totalFiles: number
  examinedFiles: number
  removedFiles: number
  removedBytes: number
}

/** The progress of a purge. */
export interface CachePurge extends Omit<StoredPurge, 'startedAt' | 'ranAt' | 'finishedAt' | 'cursor'> {
  startedAt: Date
  ranAt: Date | null
  finishedAt: Date | null
}

const measureCache = statement<{ row: { files: number; bytes: string }; notNull: 'files' }>(
  `select (select count(*)::int from cached_files) as files, byte_size::text as bytes from media_cache_size`,
)

/** Returns the number of files in the remote media cache, with records of failed fetches, and their bytes. */
export async function measureMediaCache(read: Pick<Read, 'db'>): Promise<{ files: number; bytes: number }> {
  const [row] = await measureCache(read.db)
  return { files: row!.files, bytes: Number(row!.bytes) }
}

/** Returns the purge that runs, or the last one; null: there was none. */
export async function readCachePurge(read: Read): Promise<CachePurge | null> {
  const stored = await readSetting<StoredPurge>(read, { name: STORED_NAME })
  if (!stored) return null
  const { startedAt, ranAt, finishedAt, cursor: _, ...progress } = stored
  return { ...progress, startedAt: new Date(startedAt), ranAt: dateOf(ranAt), finishedAt: dateOf(finishedAt) }
}

/**
 * Starts a purge of the remote media cache, which a job does (Linnet: POST /api/v1/admin/media/purge). It replaces a
 * purge that runs. @throws ValidationError for a number of days that is not from 0 to 36,500
 */
export async function startCachePurge(tx: Tx, { by, ...options }: PurgeOptions & { by: Actor }): Promise<void> {
  const { days } = options
  if (days < 0 || days > MAX_PURGE_DAYS) {
    const text = `must be between 0 and ${MAX_PURGE_DAYS}`
    throw new ValidationError([{ attribute: 'days', code: 'ERR_INVALID', text }])
  }
  const { files } = await measureMediaCache(tx)
  const progress = { cursor: null, totalFiles: files, examinedFiles: 0, removedFiles: 0, removedBytes: 0 }
  const purge: StoredPurge = { ...options, ...progress, startedAt: tx.now.getTime(), ranAt: null, finishedAt: null }
  await writeSetting(tx, { name: STORED_NAME, value: purge })
  tx.emit('media.purge_due', {})
  await recordPurge(tx, { by, ...options })
}

/**
 * Purges the remote media cache at once for an administrator on the command line, or, with `dryRun`, counts what would
 * be evicted. `onStep`: called with the number of examined files. Returns the number of evicted files and their bytes.
 */
export async function purgeMediaCacheNow(
  ctx: Ctx,
  { dryRun, onStep, ...options }: PurgeOptions & { dryRun: boolean; onStep: (examinedFiles: number) => void },
): Promise<{ files: number; bytes: number }> {
  const unused = unusedFilesOf(options, ctx.now().getTime())
  if (!dryRun) await ctx.write((tx) => recordPurge(tx, { by: null, ...options }))
  const total = { examined: 0, files: 0, bytes: 0 }
  let cursor: string | null = null
  do {
    const input: { unused: UnusedFiles; cursor: string | null } = { unused, cursor }
    const batch = await (dryRun ? countUnusedFiles(ctx, input) : ctx.write((tx) => evictUnusedFiles(tx, input)))
    total.examined += batch.examined
    total.files += batch.files
    total.bytes += batch.bytes
    cursor = batch.cursor
    onStep(total.examined)
  } while (cursor !== null)
  return { files: total.files, bytes: total.bytes }
}

async function recordPurge(tx: Tx, { by, ...details }: PurgeOptions & { by: Actor }): Promise<void> {
  const label = details.byDomain ?? 'media cache'
  await recordAuditEntry(tx, { by, action: 'purge', targetType: 'media_cache', targetId: null, label, details })
}

/**
 * Effect: continues the purge of the remote media cache in short transactions, for at most half a minute; another job
 * continues then.
 */
export async function purgeMediaCache(ctx: Ctx): Promise<void> {
  const deadline = performance.now() + RUN_BUDGET_MS
  while (await ctx.write(purgeStep)) {
    if (performance.now() < deadline) continue
    await ctx.write(async (tx) => tx.emit('media.purge_due', {}))
    return
  }
}

/** Examines the next files. Returns whether there may be more. */
async function purgeStep(tx: Tx): Promise<boolean> {
  const purge = await lockSetting<StoredPurge>(tx, { name: STORED_NAME })
  if (!purge || purge.finishedAt !== null) return false
  const batch = await evictUnusedFiles(tx, { unused: unusedFilesOf(purge, purge.startedAt), cursor: purge.cursor })
  const value: StoredPurge = {
    ...purge,
    ranAt: tx.now.getTime(),
    finishedAt: batch.cursor === null ? tx.now.getTime() : null,
    cursor: batch.cursor,
    examinedFiles: purge.examinedFiles + batch.examined,
    removedFiles: purge.removedFiles + batch.files,
    removedBytes: purge.removedBytes + batch.bytes,
  }
  await writeSetting(tx, { name: STORED_NAME, value })
  return value.finishedAt === null
}

/** Returns which files a purge evicts that started at a time, in milliseconds since 1970. */
function unusedFilesOf({ days, profiles, byDomain, keepInteracted }: PurgeOptions, startedAt: number): UnusedFiles {
  return { before: new Date(startedAt - days * DAY_MS), profiles, domain: byDomain, keepInteracted }
}

function dateOf(at: number | null): Date | null {
  return at === null ? null : new Date(at)
}
