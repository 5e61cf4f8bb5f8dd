import type { Ctx } from '../../../domain/context.ts'
import {
  EXPECTED_KINDS,
  findUnreferencedFiles,
  deleteCacheEntries,
  listExpectedFiles,
  recordOrphanRemoval,
  STORED_FOLDERS,
} from '../../../domain/media/stored-files.ts'
import type { ExpectedKind, StoredFolder } from '../../../domain/media/stored-files.ts'
import type { ListedFile } from '../../../platform/storage/storage.ts'
import { formatBytes } from '../../../lib/text/format-bytes.ts'
import { printResult } from '../../output/print-result.ts'
import type { OutputOptions } from '../../output/print-result.ts'
import { showProgress } from '../../output/show-progress.ts'

/** The row of a younger file may not be committed yet. */
const MIN_ORPHAN_AGE_MS = 86_400_000

/** Files per statement, and concurrent checks whether files exist. */
const BATCH_SIZE = 500
const CONCURRENCY = 10

/** Removes files without a row. Deletes cache entries with missing files, and lists other rows with missing files. */
export async function removeOrphanFiles(
  ctx: Ctx,
  { dryRun, json }: OutputOptions & { dryRun: boolean },
): Promise<void> {
  const progress = showProgress()
  const folders = Object.keys(STORED_FOLDERS) as StoredFolder[]
  const steps = folders.length + EXPECTED_KINDS.length
  const removed = { count: 0, bytes: 0 }
  if (!dryRun) await ctx.write((tx) => recordOrphanRemoval(tx, { by: null }))
  for (const [n, folder] of folders.entries()) {
    progress(n / steps, folder)
    for await (const batch of batchesOf(ctx.storage.list({ folder }))) {
      const orphans = await findOrphans(ctx, { folder, batch })
      removed.count += orphans.length
      removed.bytes += orphans.reduce((bytes, { size }) => bytes + size, 0)
      if (!dryRun && orphans.length > 0) await ctx.storage.remove({ keys: orphans.map(({ key }) => key) })
    }
  }
  const missingKeys: Record<ExpectedKind, string[]> = {
    uploads: [],
    accounts: [],
    emojis: [],
    thumbnails: [],
    icons: [],
    cached: [],
  }
  for (const [n, kind] of EXPECTED_KINDS.entries()) {
    progress((folders.length + n) / steps, kind)
    for await (const rows of listExpectedFiles(ctx, { kind })) {
      const missing = await findRowsWithoutFiles(ctx, rows)
      missingKeys[kind].push(...missing.flatMap(({ keys }) => keys))
      const ids = missing.map(({ id }) => id)
      if (kind === 'cached' && !dryRun && ids.length > 0) await ctx.write((tx) => deleteCacheEntries(tx, { ids }))
    }
  }
  progress(1, 'done')
  const { cached, ...others } = missingKeys
  const missing = Object.values(others).flat()
  const { count: files, bytes } = removed
  printResult(
    { json },
    {
      result: { dryRun, files, bytes, missing, missingRemote: cached.length },
      lines: [
        ...missing.map((key) => `missing: ${key}`),
        `${dryRun ? 'Would remove' : 'Removed'} ${files} unreferenced files, ${formatBytes(bytes)}`,
        `Missing files: ${missing.length} local; ${cached.length} remote, which are fetched again when needed`,
      ],
    },
  )
}

async function findOrphans(
  ctx: Ctx,
  { folder, batch }: { folder: StoredFolder; batch: ListedFile[] },
): Promise<ListedFile[]> {
  const oldest = Date.now() - MIN_ORPHAN_AGE_MS
  const oldEnough = batch.filter(({ lastModified }) => lastModified.getTime() < oldest)
  if (oldEnough.length === 0) return []
  const unreferenced = new Set(await findUnreferencedFiles(ctx, { folder, keys: oldEnough.map(({ key }) => key) }))
  return oldEnough.filter(({ key }) => unreferenced.has(key))
}

/** Returns the rows with missing files, with the keys of these files. */
async function findRowsWithoutFiles(
  ctx: Ctx,
  rows: { id: string; keys: string[] }[],
): Promise<{ id: string; keys: string[] }[]> {
  const incomplete: { id: string; keys: string[] }[] = []
  const remaining = rows.values()
  const checkNext = async () => {
    for (const { id, keys } of remaining) {
      const missing: string[] = []
      for (const key of keys) if ((await ctx.storage.find({ key })) === null) missing.push(key)
      if (missing.length > 0) incomplete.push({ id, keys: missing })
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, checkNext))
  return incomplete
}

async function* batchesOf<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
