import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createUsers } from '../../../test/servers/create-users.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { firstStatusIdAt } from '../../lib/ids.ts'
import { refreshTrends } from './refresh-trends.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = new Date().setUTCHours(0, 0, 0, 0)
let now = new Date(START)
const testServer = await openTestServer({ effects: false, now: () => now })
after(testServer.close)
const { db } = testServer.ctx
const accountIds = await createUsers(testServer.ctx, { prefix: 'user', count: 40 })
await sql`update accounts set discoverable = true`.execute(db)

const SUBJECTS = 3
const insertSubjects = async (insert: string): Promise<string[]> => {
  const { rows } = await sql
    .raw<{ id: string }>(`${insert} from generate_series(0, ${SUBJECTS - 1}) n returning id`)
    .execute(db)
  return rows.map(({ id }) => id)
}
const tags = await insertSubjects(`insert into tags (name, display_name) select 't' || n, 't' || n`)
const cards = await insertSubjects(
  `insert into preview_cards (url, type, title, language, image_key)
   select 'https://page.test/' || n, 'link', 't' || n, 'en', 'cards/page.png'`,
)
const linksOf = await Promise.all(
  ['a', 'b'].map((kind) =>
    insertSubjects(
      `insert into preview_links (url, card_id, due_at) select 'https://${kind}.test/' || n, (array[${cards.join()}])[n + 1], now()`,
    ),
  ),
)

/** A simple implementation of trends: the accounts that used each subject on each day, and the peak of each subject. */
class Oracle {
  readonly uses = new Map<string, Set<string>>()
  readonly peaks = new Map<number, { peak: number; at: number }>()
  readonly halfLifeMs: number
  constructor(halfLifeHours: number) {
    this.halfLifeMs = halfLifeHours * HOUR_MS
  }

  users(subject: number, day: number): Set<string> {
    const key = `${subject} ${day}`
    this.uses.set(key, this.uses.get(key) ?? new Set())
    return this.uses.get(key)!
  }

  measure(at: number): (number | undefined)[] {
    const day = Math.floor(at / DAY_MS)
    return Array.from({ length: SUBJECTS }, (_, subject) => {
      const previous = this.peaks.get(subject)
      if (previous && at - previous.at > 2 * DAY_MS) this.peaks.delete(subject)
      const observed = this.users(subject, day).size
      const expected = Math.max(this.users(subject, day - 1).size, 1)
      const score = observed < 5 || observed < expected ? 0 : (observed - expected) ** 2 / expected
      if (score >= 1 && score > (this.peaks.get(subject)?.peak ?? 0)) this.peaks.set(subject, { peak: score, at })
      const current = this.peaks.get(subject)
      const decayed = current ? current.peak * 0.5 ** ((at - current.at) / this.halfLifeMs) : 0
      return decayed >= 1 ? decayed : undefined
    })
  }
}

async function scoresOf(table: string, column: string, ids: readonly string[]): Promise<(number | undefined)[]> {
  const { rows } = await sql<{ id: string; score: number }>`
    select ${sql.ref(column)} as id, score from ${sql.table(table)} where score >= 1`.execute(db)
  return ids.map((id) => rows.find((row) => row.id === id)?.score)
}

function assertClose(actual: readonly (number | undefined)[], expected: readonly (number | undefined)[]): void {
  const round = (values: readonly (number | undefined)[]) =>
    values.map((value) => value && Number(value.toPrecision(9)))
  assert.deepEqual(round(actual), round(expected))
}

const step = fc.record({
  minutes: fc.oneof(fc.integer({ min: 5, max: 300 }), fc.integer({ min: 300, max: 2_000 })),
  subject: fc.nat(SUBJECTS - 1),
  address: fc.nat(1),
  from: fc.nat(20),
  count: fc.nat(20),
})

test('the scores of hashtags and links are as defined, for any uses at any time', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      for (const table of ['tag_uses', 'preview_link_uses', 'trending_tags', 'trending_links']) {
        await sql`delete from ${sql.table(table)}`.execute(db)
      }
      now = new Date(START)
      const [ofTags, ofLinks] = [new Oracle(4), new Oracle(8)]
      for (const { minutes, subject, address, from, count } of steps) {
        now = new Date(now.getTime() + minutes * 60_000)
        const day = Math.floor(now.getTime() / DAY_MS)
        const userIds = accountIds.slice(from, from + count)
        for (const oracle of [ofTags, ofLinks]) for (const id of userIds) oracle.users(subject, day).add(id)
        for (const [table, column, id] of [
          ['tag_uses', 'tag_id', tags[subject]!],
          ['preview_link_uses', 'link_id', linksOf[address]![subject]!],
        ] as const) {
          await sql`insert into ${sql.table(table)} (${sql.ref(column)}, day, account_id)
            select ${id}, date '1970-01-01' + ${day}::int, x.id from unnest(${userIds}::bigint[]) x (id)
            on conflict do nothing`.execute(db)
        }
        await refreshTrends(testServer.ctx)
        assertClose(await scoresOf('trending_tags', 'tag_id', tags), ofTags.measure(now.getTime()))
        assertClose(await scoresOf('trending_links', 'card_id', cards), ofLinks.measure(now.getTime()))
      }
    }),
    { numRuns: 40 },
  )
})

test('the scores of statuses are as defined, for any age and interactions', { timeout: 300_000 }, async () => {
  const interactions = fc.record({
    favourites: fc.oneof(fc.nat(12), fc.nat(2_000)),
    reblogs: fc.nat(6),
    ageMinutes: fc.oneof(fc.nat(600), fc.nat(2_000), fc.integer({ min: -60, max: 4_000 })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(interactions, { maxLength: 20 }), async (statuses) => {
      await sql`delete from statuses`.execute(db)
      now = new Date(START + 10 * HOUR_MS)
      const rows = statuses.map(({ favourites, reblogs, ageMinutes }, n) => {
        const at = new Date(now.getTime() - ageMinutes * 60_000)
        return {
          id: (BigInt(firstStatusIdAt(at)) + BigInt(n)).toString(),
          at: at.toISOString(),
          favourites,
          reblogs,
          age: ageMinutes / 60,
        }
      })
      await sql`insert into statuses (id, account_id, uri, url, visibility, language, created_at)
        select x.id, ${accountIds[0]}, 'https://linnet.test/s/' || x.id, '', 'public', 'en', x.at
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x (id bigint, at timestamptz)`.execute(db)
      await sql`insert into status_stats (status_id, favourites_count, reblogs_count)
        select x.id, x.favourites, x.reblogs
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x (id bigint, favourites int, reblogs int)`.execute(db)
      await refreshTrends(testServer.ctx)
      const found = await sql<{ id: string; score: number }>`
        select status_id as id, score from trending_statuses order by status_id`.execute(db)
      const expected = rows
        .map(({ id, favourites, reblogs, age }) => {
          const likes = favourites + reblogs
          return { id, score: likes >= 5 && age >= 0 ? (likes - 1) ** 2 * 0.5 ** age : 0 }
        })
        .filter(({ score }) => score >= 0.3)
        .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
      assert.deepEqual(
        found.rows.map(({ id }) => id),
        expected.map(({ id }) => id),
      )
      assertClose(
        found.rows.map(({ score }) => score),
        expected.map(({ score }) => score),
      )
    }),
    { numRuns: 60 },
  )
})

test('the review of a status is deleted when the status is too old to trend', async () => {
  await sql`insert into statuses (id, account_id, uri, url, visibility)
    select ${firstStatusIdAt(now)}::bigint - (n::bigint * 3600000 << 16), ${accountIds[0]}, 'https://linnet.test/h/' || n, '', 'public'
    from unnest(array[1, 47, 49]) n`.execute(db)
  await sql`insert into status_trend_reviews select id, true, now() from statuses where uri like 'https://linnet.test/h/%'`.execute(
    db,
  )
  await refreshTrends(testServer.ctx)
  const { rows } = await sql`select from status_trend_reviews`.execute(db)
  assert.equal(rows.length, 2)
})

test('only the 500 trends with the highest scores are stored', async () => {
  await sql`delete from statuses`.execute(db)
  await sql`with created as (
      insert into statuses (id, account_id, uri, url, visibility, language, created_at)
      select ${firstStatusIdAt(now)}::bigint + n, ${accountIds[0]}, 'https://linnet.test/many/' || n, '', 'public', 'en', ${now}
      from generate_series(1, 600) n returning id
    ) insert into status_stats (status_id, favourites_count) select id, 1000 + id - ${firstStatusIdAt(now)}::bigint from created`.execute(
    db,
  )
  await refreshTrends(testServer.ctx)
  const { rows } = await sql<{ count: number; least: number }>`
    select count(*)::int as count, min(score) as least from trending_statuses`.execute(db)
  assert.deepEqual([rows[0]!.count, rows[0]!.least], [500, 1_100 ** 2])
})
