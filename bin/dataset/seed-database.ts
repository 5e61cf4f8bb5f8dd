import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Halt } from '../../src/cli/failure.ts'
import type { Ctx } from '../../src/domain/context.ts'
import type { Config } from '../../src/platform/config.ts'
import { createDb, createPool } from '../../src/platform/db/connect.ts'
import type { Connection } from '../../src/platform/db/connect.ts'
import { processImage } from '../../src/platform/media/image.ts'
import { createCrowd } from '../../test/create-crowd.ts'
import { createRandom } from '../../test/random.ts'
import { drawPicture } from '../draw.ts'
import { planStatements } from './plan.ts'
import type { Dataset } from './plan.ts'
import { steps } from './steps.ts'
import type { Picture } from './steps.ts'
import { stripTables } from './strip.ts'
import { addBuilder } from '../../test/query-builder.ts'
import type { BuilderDb } from '../../test/query-builder.ts'

/** So many files stand for all pictures. */
const PICTURES = 8

/** The work before and after what the steps count. */
const PLAN_WEIGHT = 16
const INDEXES_WEIGHT = 40
const TIDY_WEIGHT = 6

/** The tables that get many rows. */
const TABLES = [
  'accounts',
  'account_stats',
  'users',
  'follows',
  'conversations',
  'statuses',
  'status_stats',
  'mentions',
  'status_tags',
  'media_attachments',
  'favourites',
  'notifications',
  'feed_entries',
]

/** Memory that sorting and joining may take. */
const SETTINGS = { work_mem: '256MB', maintenance_work_mem: '512MB', temp_buffers: '64MB' }

type OnProgress = (done: number, title: string) => void

/**
 * Fills a database with made-up people, who post, follow, favourite and boost: all by statements on whole sets, so that
 * hundreds of thousands of posts take some seconds, and millions some minutes. It is one transaction; whoever uses the
 * database meanwhile waits. Tells from 0 to 1 how far it is.
 * @throws Halt when the database was seeded before
 */
export async function seedDatabase(
  ctx: Ctx,
  { connection, dataset, onProgress }: { connection: Connection; dataset: Dataset; onProgress: OnProgress },
): Promise<{ accountIds: string[] }> {
  onProgress(0, 'pictures')
  const pictures = await storePictures(ctx, dataset.seed)
  // One connection: all statements share its settings and its temporary tables.
  const pool = createPool(connection, { max: 1, onError: (err) => ctx.log.warn({ err }, 'the connection broke') })
  try {
    // What is lost in a crash is made again.
    const settings = { statement_timeout: '0', synchronous_commit: 'off', ...SETTINGS }
    for (const [name, value] of Object.entries(settings)) await pool.query(`set ${name} = '${value}'`)
    const db = addBuilder(createDb(pool))
    const accountIds = await db.transaction((tx) => fill(tx, { config: ctx.config, dataset, pictures, onProgress }))
    await pool.query('vacuum (analyze)')
    onProgress(1, 'done')
    return { accountIds }
  } finally {
    await pool.end()
  }
}

async function fill(
  tx: BuilderDb,
  {
    config,
    dataset,
    pictures,
    onProgress,
  }: { config: Config; dataset: Dataset; pictures: readonly Picture[]; onProgress: OnProgress },
): Promise<string[]> {
  const run = (text: string) => sql.raw(text).execute(tx)
  const known = await sql`select from accounts where username = 'person1'`.execute(tx)
  if (known.rows.length > 0) throw new Halt('This database was seeded before: seed an empty one')
  onProgress(0, 'people')
  const restoring = await stripTables(tx, { tables: TABLES })
  const accountIds = await createCrowd({ db: tx, config }, { prefix: 'person', count: dataset.accounts })
  const base = (BigInt(accountIds[0]!) - 1n).toString()
  const all = steps({ dataset, base, pictures })
  const whole = all.reduce((sum, { weight }) => sum + weight, PLAN_WEIGHT + INDEXES_WEIGHT + TIDY_WEIGHT)
  onProgress(0, 'plan')
  for (const statement of planStatements({ dataset, base, origin: config.origin })) await run(statement)
  let done = PLAN_WEIGHT
  for (const { title, weight, of = 1, slice = of, statements } of all) {
    for (let from = 1; from <= of; from += slice) {
      onProgress(done / whole, title)
      const to = Math.min(of, from + slice - 1)
      for (const statement of statements) {
        await run(statement.replaceAll('{from}', String(from)).replaceAll('{to}', String(to)))
      }
      done += (weight * (to - from + 1)) / of
    }
  }
  for (const { title, statement } of restoring) {
    onProgress(done / whole, title)
    await run(statement)
    done += INDEXES_WEIGHT / restoring.length
  }
  onProgress(done / whole, 'tidying')
  return accountIds
}

async function storePictures({ storage }: Ctx, seed: number): Promise<Picture[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-seed-'))
  const random = createRandom(seed)
  try {
    const pictures: Picture[] = []
    for (let n = 0; n < PICTURES; n += 1) {
      const path = join(folder, `${n}.jpeg`)
      await drawPicture({ random, width: 960, height: 640, path })
      const { original, small, meta, blurhash } = await processImage({ path })
      const name = randomBytes(16).toString('hex')
      const fileKey = `media/${name.slice(0, 2)}/${name}.${original.extension}`
      const previewKey = `media/${name.slice(0, 2)}/${name}-small.${small.extension}`
      await storage.put({ key: fileKey, body: original.buffer, contentType: original.contentType })
      await storage.put({ key: previewKey, body: small.buffer, contentType: small.contentType })
      const byteSize = original.buffer.length + small.buffer.length
      pictures.push({ fileKey, previewKey, contentType: original.contentType, byteSize, meta, blurhash })
    }
    return pictures
  } finally {
    await rm(folder, { recursive: true })
  }
}
