import type { Ctx } from '../domain/context.ts'
import { EXPECTED_OF, findUnknownFiles, forgetCached, listExpectedFiles, STORED } from '../domain/media/stored.ts'
import type { ExpectedOf, StoredFolder } from '../domain/media/stored.ts'
import type { ListedFile } from '../platform/storage/storage.ts'
import { showBytes } from './show-bytes.ts'
import { showProgress } from './show-progress.ts'

/** Whose row may only just be being written. */
const YOUNG_MS = 86_400_000

/** Files that are judged by one statement, and looked for at once. */
const SET = 500
const AT_ONCE = 10

/** Removes files without a row; of rows without a file forgets those that can be asked for again, and names the others. */
export async function removeOrphanFiles(ctx: Ctx, { dryRun }: { dryRun: boolean }): Promise<void> {
  const progress = showProgress()
  const folders = Object.keys(STORED) as StoredFolder[]
  const steps = folders.length + EXPECTED_OF.length
  const gone = { count: 0, bytes: 0 }
  for (const [n, folder] of folders.entries()) {
    progress(n / steps, folder)
    for await (const set of inSets(ctx.storage.list({ folder }))) {
      const orphans = await findOrphans(ctx, { folder, set })
      gone.count += orphans.length
      gone.bytes += orphans.reduce((bytes, { size }) => bytes + size, 0)
      if (!dryRun && orphans.length > 0) await ctx.storage.remove({ keys: orphans.map(({ key }) => key) })
    }
  }
  const lost: Record<ExpectedOf, string[]> = { uploads: [], people: [], emojis: [], cached: [] }
  for (const [n, of] of EXPECTED_OF.entries()) {
    progress((folders.length + n) / steps, of)
    for await (const rows of listExpectedFiles(ctx, { of })) {
      const missing = await findLost(ctx, rows)
      lost[of].push(...missing.flatMap(({ keys }) => keys))
      const ids = missing.map(({ id }) => id)
      if (of === 'cached' && !dryRun && ids.length > 0) await ctx.write((tx) => forgetCached(tx, { ids }))
    }
  }
  progress(1, 'done')
  const { cached, ...own } = lost
  for (const key of Object.values(own).flat()) console.log(`missing: ${key}`)
  const would = dryRun ? 'Would remove' : 'Removed'
  console.log(`${would} ${gone.count} unreferenced files, ${showBytes(gone.bytes)}`)
  console.log(
    `Missing files: ${Object.values(own).flat().length} local; ${cached.length} remote, which are fetched again when needed`,
  )
}

async function findOrphans(
  ctx: Ctx,
  { folder, set }: { folder: StoredFolder; set: ListedFile[] },
): Promise<ListedFile[]> {
  const oldest = Date.now() - YOUNG_MS
  const settled = set.filter(({ lastModified }) => lastModified.getTime() < oldest)
  if (settled.length === 0) return []
  const unknown = new Set(await findUnknownFiles(ctx, { folder, keys: settled.map(({ key }) => key) }))
  return settled.filter(({ key }) => unknown.has(key))
}

/** Those rows of which a file is not there, with the keys that are not. */
async function findLost(ctx: Ctx, rows: { id: string; keys: string[] }[]): Promise<{ id: string; keys: string[] }[]> {
  const lost: { id: string; keys: string[] }[] = []
  const left = rows.values()
  const work = async () => {
    for (const { id, keys } of left) {
      const missing: string[] = []
      for (const key of keys) if ((await ctx.storage.find({ key })) === null) missing.push(key)
      if (missing.length > 0) lost.push({ id, keys: missing })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return lost
}

async function* inSets<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let set: T[] = []
  for await (const item of items) {
    set.push(item)
    if (set.length < SET) continue
    yield set
    set = []
  }
  if (set.length > 0) yield set
}
