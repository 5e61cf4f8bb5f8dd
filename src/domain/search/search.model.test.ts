// Slow: compares the server with an oracle over random data.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { containsPhrase, searchNaively } from '../../../test/oracles/search-oracle.ts'
import type { OracleClause, OracleAccounts, OracleStatus } from '../../../test/oracles/search-oracle.ts'
import { limit } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const ACCOUNTS = 4

// Some words are similar: with and without accents, in different case, or one is part of the other.
const WORDS = ['apple', 'Äpple', 'plum', 'plumb', 'pear', 'PEAR', 'the', '黒猫', '猫', 'ねこ', 'ネコカフェ', '2026']
const TAGS = ['fruit', 'fruits']
const VISIBILITIES = ['public', 'public', 'unlisted', 'private', 'direct'] as const

const account = fc.nat({ max: ACCOUNTS - 1 })
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))
const drafts = fc.array(
  fc.record({
    author: account,
    text,
    warning: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: text }),
    visibility: fc.constantFrom(...VISIBILITIES),
    language: fc.constantFrom('en', 'ja'),
    mentioned: fc.option(account, { nil: null, freq: 2 }),
    tag: fc.option(fc.constantFrom(...TAGS), { nil: null, freq: 2 }),
    isReply: fc.boolean(),
    hasPoll: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    /** What happens to the status later. */
    outcome: fc.constantFrom('stays', 'stays', 'stays', 'is edited', 'is deleted'),
    newText: text,
  }),
  { minLength: 12, maxLength: 20 },
)
const interactions = fc.array(
  fc.record({
    by: account,
    status: fc.nat({ max: 50 }),
    action: fc.constantFrom('favourite', 'bookmark', 'reblog', 'vote'),
  }),
  { maxLength: 20 },
)
const pairs = fc.subarray(
  Array.from({ length: ACCOUNTS * ACCOUNTS }, (_, n) => [Math.floor(n / ACCOUNTS), n % ACCOUNTS] as const).filter(
    ([from, to]) => from !== to,
  ),
)
const flags = fc.array(fc.boolean(), { minLength: ACCOUNTS, maxLength: ACCOUNTS })

/** A clause, which is created when the usernames are known. */
const conditions: fc.Arbitrary<(accounts: OracleAccounts) => OracleClause> = fc.oneof(
  fc.constantFrom(...WORDS).map((word) => () => ({ typed: word, matches: hasText(word) })),
  fc.constantFrom(...WORDS).map((word) => () => ({ typed: `-${word}`, matches: not(hasText(word)) })),
  fc.tuple(fc.constantFrom(...WORDS), fc.constantFrom(...WORDS)).map((words) => () => {
    const phrase = words.join(' ')
    return { typed: `"${phrase}"`, matches: hasText(phrase) }
  }),
  fc.tuple(account, fc.boolean()).map(([author, negated]) => (accounts: OracleAccounts) => {
    const holds = (status: OracleStatus) => status.author === author
    return { typed: `${negated ? '-' : ''}from:@${accounts.names[author]}`, matches: negated ? not(holds) : holds }
  }),
  fc.constant(() => ({
    typed: 'from:me',
    matches: (status: OracleStatus, viewer: number) => status.author === viewer,
  })),
  fc
    .constantFrom(...TAGS)
    .map((tag) => () => ({ typed: `#${tag}`, matches: (status: OracleStatus) => hashtags(status).includes(tag) })),
  fc.boolean().map((negated) => () => {
    const holds = (status: OracleStatus) => status.hasPoll
    return { typed: `${negated ? '-' : ''}has:poll`, matches: negated ? not(holds) : holds }
  }),
  fc.constant(() => ({ typed: 'is:reply', matches: (status: OracleStatus) => status.isReply })),
  fc.constant(() => ({ typed: 'is:sensitive', matches: (status: OracleStatus) => status.warning !== '' })),
  fc.constant(() => ({ typed: 'language:ja', matches: (status: OracleStatus) => status.language === 'ja' })),
)
const searches = fc.array(
  fc.record({
    viewer: account,
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
    containsPhrase(body, phrase) || containsPhrase(warning, phrase)
const not =
  (holds: (status: OracleStatus) => boolean) =>
  (status: OracleStatus): boolean =>
    !holds(status)

async function ok(response: Promise<{ status: number; body: unknown }>): Promise<{ id: string; poll: { id: string } }> {
  const { status, body } = await response
  assert.equal(status, 200, JSON.stringify(body))
  return body as { id: string; poll: { id: string } }
}

interface Scenario {
  drafts: Arbitrary<typeof drafts>
  interactions: Arbitrary<typeof interactions>
  follows: Arbitrary<typeof pairs>
  blocks: Arbitrary<typeof pairs>
  mutes: Arbitrary<typeof pairs>
  indexable: boolean[]
  limited: boolean[]
}
type Arbitrary<A> = A extends fc.Arbitrary<infer T> ? T : never

/** Creates users who perform the actions of the scenario by the API, and returns the data for the oracle. */
async function createScenario(
  scenario: Scenario,
): Promise<{ users: TestUser[]; accounts: OracleAccounts; statuses: OracleStatus[] }> {
  // The statuses of earlier scenarios must not be found.
  await sql`update accounts set indexable = false`.execute(testServer.ctx.db)
  const users: TestUser[] = []
  for (let n = 0; n < ACCOUNTS; n += 1) users.push(await testServer.createUser())
  const accounts: OracleAccounts = {
    names: users.map(({ username }) => username),
    indexable: scenario.indexable,
    limited: scenario.limited,
    follows: new Set(scenario.follows.map(([from, to]) => `${from}.${to}`)),
    blocks: new Set(scenario.blocks.map(([from, to]) => `${from}.${to}`)),
    mutes: new Set(scenario.mutes.map(([from, to]) => `${from}.${to}`)),
  }
  const act = (by: number, path: string, body?: object) => ok(users[by]!.client.post(`/api/v1/${path}`, body))
  const relate = async (relations: Scenario['follows'], action: string) => {
    for (const [from, to] of relations) await act(from, `accounts/${users[to]!.accountId}/${action}`)
  }
  // Half of the users have their final `indexable` setting from the beginning, the others change it later.
  const [early, late] = [users.slice(0, ACCOUNTS / 2), users.slice(ACCOUNTS / 2)]
  for (const user of early) await setIndexable(user, scenario.indexable[users.indexOf(user)]!)
  for (const user of late) await setIndexable(user, !scenario.indexable[users.indexOf(user)]!)
  await relate(scenario.follows, 'follow')
  const statuses: OracleStatus[] = []
  const polls = new Map<string, string>()
  for (const draft of scenario.drafts) {
    const { author, visibility, mentioned, hasPoll, warning, language } = draft
    const suffix = `${mentioned === null ? '' : ` @${accounts.names[mentioned]}`}${draft.tag === null ? '' : ` #${draft.tag}`}`
    const parent = draft.isReply ? statuses.find((status) => status.author === author) : undefined
    const body = (content: string) => ({
      status: content + suffix,
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
    if (draft.outcome === 'is edited') await ok(users[author]!.client.put(path, body(draft.newText)))
    if (draft.outcome === 'is deleted') await ok(users[author]!.client.delete(path))
    if (draft.outcome === 'is deleted') continue
    if (hasPoll) polls.set(id, poll.id)
    const content = (draft.outcome === 'is edited' ? draft.newText : draft.text) + suffix
    statuses.push({ ...draft, id, text: content, isReply: parent !== undefined, interactedBy: new Set() })
  }
  for (const { by, status: n, action } of scenario.interactions) {
    const status = statuses[n % statuses.length]
    if (!status) continue
    const { id, author } = status
    const path = action === 'vote' ? `polls/${polls.get(id) ?? 0}/votes` : `statuses/${id}/${action}`
    const { status: responseStatus } = await users[by]!.client.post(
      `/api/v1/${path}`,
      action === 'vote' ? { choices: [0] } : {},
    )
    // A refused interaction does not add the status to the library.
    if (responseStatus === 200 && by !== author) status.interactedBy.add(by)
  }
  await relate(scenario.mutes, 'mute')
  await relate(scenario.blocks, 'block')
  for (const [from, to] of scenario.blocks) {
    accounts.follows.delete(`${from}.${to}`)
    accounts.follows.delete(`${to}.${from}`)
  }
  for (const user of late) await setIndexable(user, scenario.indexable[users.indexOf(user)]!)
  for (const [n, user] of users.entries()) if (scenario.limited[n]) await limit(testServer.ctx, user)
  await testServer.waitForJobs()
  return { users, accounts, statuses }
}

async function setIndexable({ client }: TestUser, indexable: boolean): Promise<void> {
  await ok(client.patch('/api/v1/accounts/update_credentials', { indexable }))
}

test('VI3 VI17 a search returns the statuses that the oracle expects', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        drafts,
        interactions,
        follows: pairs,
        blocks: pairs,
        mutes: pairs,
        indexable: flags,
        limited: flags,
      }),
      searches,
      async (scenario, queries) => {
        const { users, accounts, statuses } = await createScenario(scenario)
        for (const { viewer, conditions: clauseFactories, reach, limit } of queries) {
          const clauses = clauseFactories.map((createClause) => createClause(accounts))
          const q = [...clauses.map(({ typed }) => typed), ...(reach === 'all' ? [] : [`in:${reach}`])].join(' ')
          const expected = searchNaively(accounts, { statuses, viewer, clauses, reach })
          const find = async (more: object) => {
            const { status, body } = await users[viewer]!.client.get('/api/v2/search', {
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
    // Shrinking a failing example takes minutes.
    { numRuns: 8, endOnFailure: true },
  )
})
