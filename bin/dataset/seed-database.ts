import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Halt } from '../../src/cli/failure.ts'
import type { Ctx } from '../../src/domain/context.ts'
import { processImage } from '../../src/platform/media/image.ts'
import { createCrowd } from '../../test/create-crowd.ts'
import { createRandom } from '../../test/random.ts'
import { drawPicture } from '../draw.ts'
import { planStatements } from './plan.ts'
import type { Dataset } from './plan.ts'
import { steps } from './steps.ts'
import type { Picture } from './steps.ts'

/** So many files stand for all pictures. */
const PICTURES = 8

/** The work before and after what the steps count. */
const PLAN_WEIGHT = 10
const TIDY_WEIGHT = 6

/**
 * Fills a database with made-up people, who post, follow, favourite and boost: all by statements on whole sets, so that
 * hundreds of thousands of posts take a minute. Tells from 0 to 1 how far it is.
 * @throws Halt when the database was seeded before
 */
export async function seedDatabase(
  ctx: Ctx,
  { dataset, onProgress }: { dataset: Dataset; onProgress: (done: number, title: string) => void },
): Promise<{ accountIds: string[] }> {
  onProgress(0, 'pictures')
  const pictures = await storePictures(ctx, dataset.seed)
  return ctx.db.connection().execute(async (db) => {
    const run = (text: string) => sql.raw(text).execute(db)
    await run('set statement_timeout = 0')
    // What is lost in a crash is made again.
    await run('set synchronous_commit = off')
    onProgress(0, 'people')
    const known = await sql`select from accounts where username = 'person1'`.execute(db)
    if (known.rows.length > 0) throw new Halt('This database was seeded before: seed an empty one')
    const accountIds = await createCrowd({ db, config: ctx.config }, { prefix: 'person', count: dataset.accounts })
    const base = (BigInt(accountIds[0]!) - 1n).toString()
    const { origin } = ctx.config
    const all = steps({ dataset, base, pictures })
    const whole = all.reduce((sum, { weight }) => sum + weight, PLAN_WEIGHT + TIDY_WEIGHT)
    let done = 0
    for (const statement of planStatements({ dataset, base, origin })) await run(statement)
    done += PLAN_WEIGHT
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
    onProgress(done / whole, 'tidying')
    await run('vacuum (analyze)')
    for (const name of ['statement_timeout', 'synchronous_commit']) await run(`reset ${name}`)
    await run('discard temp')
    onProgress(1, 'done')
    return { accountIds }
  })
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
