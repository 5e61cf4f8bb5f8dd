// Slow: compares random worlds with an oracle.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { says, searchByHand } from '../../../test/search-oracle.ts'
import type { OracleClause, OraclePeople, OracleStatus } from '../../../test/search-oracle.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld()
after(world.close)

const PEOPLE = 4

// Some of them are alike: with accents and without, in other cases, one within the other.
const WORDS = ['apple', 'Äpple', 'plum', 'plumb', 'pear', 'PEAR', 'the', '黒猫', '猫', 'ねこ', 'ネコカフェ', '2026']
const TAGS = ['fruit', 'fruits']
const VISIBILITIES = ['public', 'public', 'unlisted', 'private', 'direct'] as const

const person = fc.nat({ max: PEOPLE - 1 })
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
const drafts = fc.array(
  fc.record({
    author: person,
    text,
    warning: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: text }),
    visibility: fc.constantFrom(...VISIBILITIES),
    language: fc.constantFrom('en', 'ja'),
    mentioned: fc.option(person, { nil: null, freq: 2 }),
    tag: fc.option(fc.constantFrom(...TAGS), { nil: null, freq: 2 }),
    isReply: fc.boolean(),
    hasPoll: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    /** What becomes of it. */
    fate: fc.constantFrom('stays', 'stays', 'stays', 'is edited', 'is deleted'),
    newText: text,
  }),
  { minLength: 12, maxLength: 20 },
)
const deeds = fc.array(
  fc.record({
    by: person,
    status: fc.nat({ max: 50 }),
    deed: fc.constantFrom('favourite', 'bookmark', 'reblog', 'vote'),
  }),
  { maxLength: 20 },
)
const pairs = fc.subarray(
  Array.from({ length: PEOPLE * PEOPLE }, (_, n) => [Math.floor(n / PEOPLE), n % PEOPLE] as const).filter(
    ([from, to]) => from !== to,
  ),
)
const everybody = fc.array(fc.boolean(), { minLength: PEOPLE, maxLength: PEOPLE })

/** A condition whose names are known only when the people are there. */
const conditions: fc.Arbitrary<(people: OraclePeople) => OracleClause> = fc.oneof(
  fc.constantFrom(...WORDS).map((word) => () => ({ typed: word, holds: hasText(word) })),
  fc.constantFrom(...WORDS).map((word) => () => ({ typed: `-${word}`, holds: not(hasText(word)) })),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((words) => () => {
    const phrase = words.join(' ')
    return { typed: `"${phrase}"`, holds: hasText(phrase) }
  }),
  fc.tuple(person, fc.boolean()).map(([author, negated]) => (people: OraclePeople) => {
    const holds = (status: OracleStatus) => status.author === author
    return { typed: `${negated ? '-' : ''}from:@${people.names[author]}`, holds: negated ? not(holds) : holds }
  }),
  fc.constant(() => ({ typed: 'from:me', holds: (status: OracleStatus, viewer: number) => status.author === viewer })),
  fc
    .constantFrom(...TAGS)
    .map((tag) => () => ({ typed: `#${tag}`, holds: (status: OracleStatus) => hashtags(status).includes(tag) })),
  fc.boolean().map((negated) => () => {
    const holds = (status: OracleStatus) => status.hasPoll
    return { typed: `${negated ? '-' : ''}has:poll`, holds: negated ? not(holds) : holds }
  }),
  fc.constant(() => ({ typed: 'is:reply', holds: (status: OracleStatus) => status.isReply })),
  fc.constant(() => ({ typed: 'is:sensitive', holds: (status: OracleStatus) => status.warning !== '' })),
  fc.constant(() => ({ typed: 'language:ja', holds: (status: OracleStatus) => status.language === 'ja' })),
)
const searches = fc.array(
  fc.record({
    viewer: person,
    conditions: fc.array(conditions, { minLength: 1, maxLength: 3 }),
    reach: fc.constantFrom('all', 'all', 'library', 'public'),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 30, maxLength: 30 },
)

const hashtags = (status: OracleStatus) => Array.from(status.text.matchAll(/#(\w+)/g), ([, name]) => name!)
const hasText =
  (phrase: string) =>
  ({ text: body, warning }: OracleStatus) =>
    says(body, phrase) || says(warning, phrase)
const not =
  (holds: (status: OracleStatus) => boolean) =>
  (status: OracleStatus): boolean =>
    !holds(status)

async function ok(answer: Promise<{ status: number; body: unknown }>): Promise<{ id: string; poll: { id: string } }> {
  const { status, body } = await answer
  assert.equal(status, 200, JSON.stringify(body))
  return body as { id: string; poll: { id: string } }
}

interface Plan {
  drafts: Arbitrary<typeof drafts>
  deeds: Arbitrary<typeof deeds>
  follows: Arbitrary<typeof pairs>
  blocks: Arbitrary<typeof pairs>
  mutes: Arbitrary<typeof pairs>
  indexable: boolean[]
  limited: boolean[]
}
type Arbitrary<A> = A extends fc.Arbitrary<infer T> ? T : never

/** New people who do what is planned, by the API, and what somebody remembers of it. */
async function settle(plan: Plan): Promise<{ everyone: Person[]; people: OraclePeople; statuses: OracleStatus[] }> {
  // What people of an earlier world wrote is not to be found in this one.
  await sql`update accounts set indexable = false`.execute(world.ctx.db)
  const everyone: Person[] = []
  for (let n = 0; n < PEOPLE; n += 1) everyone.push(await world.createPerson())
  const people: OraclePeople = {
    names: everyone.map(({ username }) => username),
    indexable: plan.indexable,
    limited: plan.limited,
    follows: new Set(plan.follows.map(([from, to]) => `${from}.${to}`)),
    blocks: new Set(plan.blocks.map(([from, to]) => `${from}.${to}`)),
    mutes: new Set(plan.mutes.map(([from, to]) => `${from}.${to}`)),
  }
  const act = (by: number, path: string, body?: object) => ok(everyone[by]!.client.post(`/api/v1/${path}`, body))
  const relate = async (some: Plan['follows'], deed: string) => {
    for (const [from, to] of some) await act(from, `accounts/${everyone[to]!.accountId}/${deed}`)
  }
  // Some let others search what they wrote from the beginning, some change their mind later.
  const [early, late] = [everyone.slice(0, PEOPLE / 2), everyone.slice(PEOPLE / 2)]
  for (const one of early) await setIndexable(one, plan.indexable[everyone.indexOf(one)]!)
  for (const one of late) await setIndexable(one, !plan.indexable[everyone.indexOf(one)]!)
  await relate(plan.follows, 'follow')
  const statuses: OracleStatus[] = []
  const polls = new Map<string, string>()
  for (const draft of plan.drafts) {
    const { author, visibility, mentioned, hasPoll, warning, language } = draft
    const suffix = `${mentioned === null ? '' : ` @${people.names[mentioned]}`}${draft.tag === null ? '' : ` #${draft.tag}`}`
    const parent = draft.isReply ? statuses.find((status) => status.author === author) : undefined
    const body = (said: string) => ({
      status: said + suffix,
      spoiler_text: warning,
      language,
      ...(hasPoll && { poll: { options: ['yes', 'no'], expires_in: 3_600 } }),
    })
    const { id, poll } = await act(author, 'statuses', {
      ...body(draft.text),
      visibility,
      ...(parent && { in_reply_to_id: parent.id }),
    })
    const path = `/api/v1/statuses/${id}`
    if (draft.fate === 'is edited') await ok(everyone[author]!.client.put(path, body(draft.newText)))
    if (draft.fate === 'is deleted') await ok(everyone[author]!.client.delete(path))
    if (draft.fate === 'is deleted') continue
    if (hasPoll) polls.set(id, poll.id)
    const said = (draft.fate === 'is edited' ? draft.newText : draft.text) + suffix
    statuses.push({ ...draft, id, text: said, isReply: parent !== undefined, kept: new Set() })
  }
  for (const { by, status: n, deed } of plan.deeds) {
    const status = statuses[n % statuses.length]
    if (!status) continue
    const { id, author } = status
    const path = deed === 'vote' ? `polls/${polls.get(id) ?? 0}/votes` : `statuses/${id}/${deed}`
    const { status: answer } = await everyone[by]!.client.post(
      `/api/v1/${path}`,
      deed === 'vote' ? { choices: [0] } : {},
    )
    // Whoever may not see it, boost it or vote in it has nothing to do with it.
    if (answer === 200 && by !== author) status.kept.add(by)
  }
  await relate(plan.mutes, 'mute')
  await relate(plan.blocks, 'block')
  for (const [from, to] of plan.blocks) {
    people.follows.delete(`${from}.${to}`)
    people.follows.delete(`${to}.${from}`)
  }
  for (const one of late) await setIndexable(one, plan.indexable[everyone.indexOf(one)]!)
  const limited = everyone.filter((_, n) => plan.limited[n]).map(({ accountId }) => accountId)
  await sql`update accounts set silenced_at = now() where id = any(${limited}::bigint[])`.execute(world.ctx.db)
  await world.settle()
  return { everyone, people, statuses }
}

async function setIndexable({ client }: Person, indexable: boolean): Promise<void> {
  await ok(client.patch('/api/v1/accounts/update_credentials', { indexable }))
}

test('VI3 VI17 a search finds just what somebody would find who reads everything that they may', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        drafts,
        deeds,
        follows: pairs,
        blocks: pairs,
        mutes: pairs,
        indexable: everybody,
        limited: everybody,
      }),
      searches,
      async (plan, asked) => {
        const { everyone, people, statuses } = await settle(plan)
        for (const { viewer, conditions: some, reach, limit } of asked) {
          const clauses = some.map((make) => make(people))
          const q = [...clauses.map(({ typed }) => typed), ...(reach === 'all' ? [] : [`in:${reach}`])].join(' ')
          const expected = searchByHand(people, { statuses, viewer, clauses, reach })
          const find = async (more: object) => {
            const { status, body } = await everyone[viewer]!.client.get('/api/v2/search', {
              q,
              type: 'statuses',
              ...more,
            })
            assert.equal(status, 200, `${q}: ${JSON.stringify(body)}`)
            return (body.statuses as { id: string }[]).map(({ id }) => id)
          }
          assert.deepEqual(await find({ limit: 40 }), expected, q)
          assert.deepEqual(await find({ limit, offset: limit }), expected.slice(limit, 2 * limit), q)
          const [cursor] = expected.slice(limit)
          if (cursor === undefined) continue
          assert.deepEqual(await find({ limit: 40, max_id: cursor }), expected.slice(limit + 1), q)
          assert.deepEqual(await find({ limit: 40, min_id: cursor }), expected.slice(0, limit), q)
        }
      },
    ),
    // Smaller worlds than the one that fails take minutes to find.
    { numRuns: 8, endOnFailure: true },
  )
})
