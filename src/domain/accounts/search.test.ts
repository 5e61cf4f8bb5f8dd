import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { createCrowd } from '../../../test/create-crowd.ts'
import { openWorld } from '../../../test/world.ts'
import { compareIds } from '../../lib/ids.ts'

/** Moved on for each request, so that no throttle is ever reached. */
let now = new Date()
const world = await openWorld({ effects: false, now: () => now })
after(world.close)
const { db } = world.ctx
const viewer = await world.createPerson({ username: 'Zz_viewer' })

const find = async (q: string, more: Record<string, unknown> = {}) => {
  now = new Date(now.getTime() + 60_000)
  const { status, body } = await viewer.client.get<{ id: string }[]>('/api/v1/accounts/search', { q, ...more })
  assert.equal(status, 200, q)
  return body.map(({ id }) => id)
}

interface Somebody {
  id: string
  username: string
  name: string
  domain: string
  followers: number
  followed: boolean
}

/** What a search has to find, told again without an index: every word in the text, and the order of the ranks. */
function expected(everybody: readonly Somebody[], query: string, { following = false } = {}): string[] {
  const typed = query.trim().replace(/^@/, '')
  const handle = /^(\w+)(?:@([\w.]+))?$/.exec(typed)
  const domain = (handle?.[2] ?? '').toLowerCase().replace('linnet.test', '')
  const words = (handle ? [handle[1]!, domain] : typed.split(/[\s@]+/)).filter(Boolean).slice(0, 4)
  if (words.length === 0) return []
  const low = (text: string) => text.toLowerCase()
  const isDense = (word: string) => /[\p{Script=Han}\p{Script=Hiragana}\p{Extended_Pictographic}]/u.test(word)
  const isIn = (word: string, text: string) =>
    Array.from(word).length >= 3 || isDense(word) ? text.includes(low(word)) : text.includes(` ${low(word)}`)
  const rank = (one: Somebody): number[] => [
    Number(handle !== null && low(one.username) === low(handle[1]!) && one.domain === domain),
    Number(handle !== null && low(one.username) === low(handle[1]!)),
    Number(low(one.username).startsWith(low(words[0]!))),
    Number(one.followed),
    one.followers,
  ]
  const compare = (a: Somebody, b: Somebody) => {
    const [left, right] = [rank(a), rank(b)]
    const place = left.findIndex((value, i) => value !== right[i])
    return place === -1 ? compareIds(b.id, a.id) : right[place]! - left[place]!
  }
  return everybody
    .filter((one) => words.every((word) => isIn(word, low(` ${one.username} ${one.name} ${one.domain}`))))
    .filter((one) => !following || one.followed)
    .toSorted(compare)
    .map(({ id }) => id)
}

async function insert({ username, name, domain, followers, followed }: Omit<Somebody, 'id'>): Promise<string> {
  const uri = `https://${domain || 'linnet.test'}/u/${Math.random()}`
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, display_name, domain, uri, url)
      values (${username}, ${name}, ${domain || null}, ${uri}, ${uri}) returning id
    ), stats as (
      insert into account_stats (account_id, followers_count) select id, ${followers} from made
    ), person as (
      insert into users (account_id, email, confirmed_at) select id, id || '@mail.test', now() from made
      where ${domain === ''}
    ), follow as (
      insert into follows (account_id, target_account_id) select ${viewer.accountId}::bigint, id from made where ${followed}
    )
    select id from made`.execute(db)
  return rows[0]!.id
}

test('BI14 a search finds exactly whom it should, in their order, whatever characters names and queries have', async () => {
  const piece = fc.constantFrom(
    ...'a ab Ana bar x_y % _ \\ \\% \' " & | ! :* (a) <-> -a $1 猫 田中 さ 🦊 é Éa д 100% . * ? [a] -- ; null and'.split(
      ' ',
    ),
    '  ',
    '\t',
  )
  const text = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''))
  const handle = fc.constantFrom(
    '@ana@a.test',
    'Ana@A.test',
    'ab@BAR.test',
    '@a',
    'x_y@linnet.test',
    '@null@nowhere.test',
  )
  const words = fc.oneof(
    { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')) },
    { weight: 5, arbitrary: fc.array(piece, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(' ')) },
    { weight: 1, arbitrary: handle },
  )
  const somebody = fc.record({
    username: fc.constantFrom('a', 'ab', 'ana', 'Ana', 'x_y', 'x1y', 'anaBar', 'null', 'bar_a'),
    name: text,
    domain: fc.constantFrom('', 'a.test', 'bar.test'),
    followers: fc.integer({ min: 0, max: 3 }),
    followed: fc.boolean(),
  })
  const world = fc.uniqueArray(somebody, {
    minLength: 4,
    maxLength: 12,
    selector: ({ username, domain }) => `${username.toLowerCase()}@${domain}`,
  })
  await fc.assert(
    fc.asyncProperty(world, fc.array(words, { minLength: 8, maxLength: 8 }), async (people, queries) => {
      await sql`delete from accounts where id <> ${viewer.accountId}`.execute(db)
      const everybody: Somebody[] = []
      for (const one of people) everybody.push({ ...one, id: await insert(one) })
      for (const query of queries) {
        if (query.trim() === '') continue
        for (const following of [false, true]) {
          const found = (await find(query, { following, limit: 80 })).filter((id) => id !== viewer.accountId)
          assert.deepEqual(found, expected(everybody, query, { following }), JSON.stringify(query))
        }
      }
    }),
    { numRuns: 30 },
  )
})

test('of a word that a crowd has, the followed and the most followed are found first, and pages do not repeat', async () => {
  const crowd = await createCrowd(world.ctx, { prefix: 'common', count: 700 })
  const star = crowd[3]!
  await sql`update account_stats set followers_count = 9 where account_id = ${star}`.execute(db)
  const friend = crowd[650]!
  await viewer.client.post(`/api/v1/accounts/${friend}/follow`)
  assert.deepEqual((await find('common')).slice(0, 2), [friend, star])
  assert.deepEqual(await find('common', { following: true }), [friend])
  assert.deepEqual(await find('common', { limit: 1, offset: 1 }), [star])
  const found: string[] = []
  for (let offset = 0; offset < 720; offset += 80) found.push(...(await find('common', { limit: 80, offset })))
  assert.deepEqual([found.length, new Set(found)], [700, new Set(crowd)])
  // Nobody else is in the way of who is called so.
  const named = await insert({ username: 'common', name: '', domain: '', followers: 0, followed: false })
  assert.equal((await find('common'))[0], named)
  assert.equal((await find('@COMMON@linnet.test'))[0], named)
})

test('names are found in whatever case they are written, in writings that have cases', async () => {
  const names = ['Юлия Ёлкина', 'ΟΔΥΣΣΕΥΣ', 'Ångström Ünal', 'İpek Işık', '김민수', 'สมชาย']
  for (const [n, name] of names.entries()) {
    const id = await insert({ username: `cased${n}`, name, domain: '', followers: 0, followed: false })
    assert.deepEqual(await find(name), [id], name)
    if (!name.includes('İ')) assert.deepEqual(await find(name.toUpperCase()), [id], name)
  }
})
