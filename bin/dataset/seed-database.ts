import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { CommandError } from '../../src/cli/command-error.ts'
import type { Ctx } from '../../src/domain/context.ts'
import type { Config } from '../../src/platform/config/config.ts'
import { createDb, createPool } from '../../src/platform/db/connection.ts'
import type { Connection } from '../../src/platform/db/connection.ts'
import { processImage } from '../../src/platform/media/images/process-image.ts'
import { createUsers } from '../../test/servers/create-users.ts'
import { createRandom } from '../../test/oracles/random.ts'
import { drawPicture } from '../draw/draw-picture.ts'
import { planStatements } from './plan-statements.ts'
import type { Dataset } from './plan-statements.ts'
import { seedSteps } from './seed-steps.ts'
import type { StoredImage } from './seed-steps.ts'
import { dropIndexesAndKeys } from './drop-indexes.ts'
import { addBuilder } from '../../test/query-builder.ts'
import type { BuilderDb } from '../../test/query-builder.ts'

/** The number of image files, which all posts with images share. */
const IMAGES = 8

/** The weights of the work before and after the steps. */
const PLAN_WEIGHT = 16
const INDEXES_WEIGHT = 40
const VACUUM_WEIGHT = 6

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

/** Memory for sorts and joins. */
const SETTINGS = { work_mem: '256MB', maintenance_work_mem: '512MB', temp_buffers: '64MB' }

type OnProgress = (done: number, title: string) => void

/**
 * Fills a database with generated accounts, posts, follows, favourites and reblogs. All statements work on sets, so
 * that hundreds of thousands of posts take seconds and millions take minutes. One transaction writes everything; other
 * users of the database wait meanwhile. Reports the progress from 0 to 1.
 * @throws CommandError if the database was seeded before
 */
export async function seedDatabase(
  ctx: Ctx,
  { connection, dataset, onProgress }: { connection: Connection; dataset: Dataset; onProgress: OnProgress },
): Promise<{ accountIds: string[] }> {
  onProgress(0, 'images')
  const images = await storeImages(ctx, dataset.seed)
  // One connection: all statements share its settings and its temporary tables. Some take minutes for a large dataset.
  const pool = createPool(connection, {
    max: 1,
    maxSilenceMs: 0,
    onError: (err) => ctx.log.warn({ err }, 'Database connection lost'),
  })
  try {
    // No durability: after a crash, the dataset is generated again.
    const settings = { statement_timeout: '0', synchronous_commit: 'off', ...SETTINGS }
    for (const [name, value] of Object.entries(settings)) await pool.query(`set ${name} = '${value}'`)
    const db = addBuilder(createDb(pool))
    const accountIds = await db.transaction((tx) => fill(tx, { config: ctx.config, dataset, images, onProgress }))
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
    images,
    onProgress,
  }: { config: Config; dataset: Dataset; images: readonly StoredImage[]; onProgress: OnProgress },
): Promise<string[]> {
  const run = (text: string) => sql.raw(text).execute(tx)
  const known = await sql`select from accounts where username = 'person1'`.execute(tx)
  if (known.rows.length > 0) throw new CommandError('The database was seeded before: use an empty one')
  onProgress(0, 'accounts')
  const restoreStatements = await dropIndexesAndKeys(tx, { tables: TABLES })
  const accountIds = await createUsers({ db: tx, config }, { prefix: 'person', count: dataset.accounts })
  const base = (BigInt(accountIds[0]!) - 1n).toString()
  const all = seedSteps({ dataset, base, images })
  const totalWeight = all.reduce((sum, { weight }) => sum + weight, PLAN_WEIGHT + INDEXES_WEIGHT + VACUUM_WEIGHT)
  onProgress(0, 'plan')
  for (const statement of planStatements({ dataset, base, origin: config.origin })) await run(statement)
  let done = PLAN_WEIGHT
  for (const { title, weight, of = 1, slice = of, statements } of all) {
    for (let from = 1; from <= of; from += slice) {
      onProgress(done / totalWeight, title)
      const to = Math.min(of, from + slice - 1)
      for (const statement of statements) {
        await run(statement.replaceAll('{from}', String(from)).replaceAll('{to}', String(to)))
      }
      done += (weight * (to - from + 1)) / of
    }
  }
  for (const { title, statement } of restoreStatements) {
    onProgress(done / totalWeight, title)
    await run(statement)
    done += INDEXES_WEIGHT / restoreStatements.length
  }
  // The triggers that write these rows were disabled.
  await run(
    `insert into account_filter_fields select * from account_filter_sources on conflict (account_id) do nothing`,
  )
  onProgress(done / totalWeight, 'vacuum')
  return accountIds
}

async function storeImages({ storage }: Ctx, seed: number): Promise<StoredImage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-seed-'))
  const random = createRandom(seed)
  try {
    const images: StoredImage[] = []
    for (let n = 0; n < IMAGES; n += 1) {
      const path = join(folder, `${n}.jpeg`)
      await drawPicture({ random, width: 960, height: 640, path })
      const { original, small, meta, blurhash } = await processImage({ path })
      const name = randomBytes(16).toString('hex')
      const fileKey = `media/${name.slice(0, 2)}/${name}.${original.extension}`
      const previewKey = `media/${name.slice(0, 2)}/${name}-small.${small.extension}`
      await storage.put({ key: fileKey, body: original.buffer, contentType: original.contentType })
      await storage.put({ key: previewKey, body: small.buffer, contentType: small.contentType })
      const byteSize = original.buffer.length + small.buffer.length
      images.push({ fileKey, previewKey, contentType: original.contentType, byteSize, meta, blurhash })
    }
    return images
  } finally {
    await rm(folder, { recursive: true })
  }
}
