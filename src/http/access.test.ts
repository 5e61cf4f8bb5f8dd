// Slow: calls every route as every kind of user.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import type { InjectOptions } from 'fastify'
import type { PersonTraits } from '../../test/create-person.ts'
import { openAskingWorld, REFUSALS } from '../../test/outcomes.ts'
import type { Outcome } from '../../test/outcomes.ts'
import type { Person } from '../../test/world.ts'
import { hashSecret, makeSecret } from '../lib/secrets.ts'
import { ALL_SCOPES, coversScope } from '../lib/scopes.ts'
import { ACCESS } from './access.ts'
import { authoriseRoutes } from './support/authorise.ts'
import { open } from './support/terms.ts'
import type { Access } from './support/terms.ts'

const ids = { accounts: '1', statuses: '1' }
const { world, ask } = await openAskingWorld({ ids })
after(world.close)

/** A kind of caller, and what a row says to it by the rules. Written again here, not taken from what is tested. */
interface Kind {
  name: string
  token?: string
  scopes?: readonly string[]
  /** What is wrong with the token itself. */
  refusal?: 'invalid' | 'revoked'
  person?: 'none' | 'usable' | 'unconfirmed' | 'pending' | 'suspended' | 'disabled'
}

function expected({ caller, scopes, state }: Access, kind: Kind): Outcome {
  if (caller === 'open') return 'passed'
  if (kind.token === undefined) return caller === 'optional' ? 'passed' : 'invalid'
  if (kind.refusal) return kind.refusal
  const fits = scopes.length === 0 || scopes.some((scope) => coversScope(kind.scopes ?? [], scope))
  if (!fits) return 'scope'
  if (kind.person === 'none') return caller === 'user' ? 'person' : 'passed'
  // As a suspended user, nobody may do anything; as any other who is not usable, one is anonymous where that is allowed.
  if (kind.person === 'suspended') return 'disabled'
  if (caller === 'optional') return 'passed'
  if (kind.person === 'disabled') return 'disabled'
  if (kind.person === 'unconfirmed' || kind.person === 'pending') return state === 'any' ? 'passed' : kind.person
  return 'passed'
}

const usable = await world.createPerson()
const target = await world.createPerson()

const API = Object.entries(ACCESS).filter(([, { caller }]) => caller !== 'page')
const KINDS: Kind[] = [{ name: 'nobody' }, { name: 'garbage', token: 'garbage', refusal: 'invalid' }]

before(async () => {
  const { body } = await target.client.post('/api/v1/statuses', { status: 'x' })
  Object.assign(ids, { accounts: target.accountId, statuses: body.id })
  const revoked = await makeToken(usable.userId, ALL_SCOPES)
  await world.ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: world.ctx.now() })
    .where('token_hash', '=', hashSecret(revoked))
    .execute()
  KINDS.push(
    { name: 'a revoked token', token: revoked, refusal: 'revoked' },
    { name: 'an app', token: await makeToken(null, ALL_SCOPES), scopes: ALL_SCOPES, person: 'none' },
    await personKind('an unconfirmed person', 'unconfirmed', { confirmed: false }),
    await personKind('a pending person', 'pending', { approved: false }),
    await personKind('a disabled person', 'disabled', {}, async ({ userId }) =>
      world.ctx.db.updateTable('users').set({ disabled_at: world.ctx.now() }).where('id', '=', userId).execute(),
    ),
  )
  const blows = { suspended_at: world.ctx.now(), memorial: true, moved_to_account_id: target.accountId }
  for (const [column, value] of Object.entries(blows)) {
    KINDS.push(
      await personKind(
        `a person with ${column}`,
        column === 'suspended_at' ? 'suspended' : 'disabled',
        {},
        async ({ accountId }) =>
          world.ctx.db
            .updateTable('accounts')
            .set({ [column]: value })
            .where('id', '=', accountId)
            .execute(),
      ),
    )
  }
})

async function makeToken(userId: string | null, scopes: readonly string[]): Promise<string> {
  const token = makeSecret()
  await world.ctx.db
    .insertInto('access_tokens')
    .values({ token_hash: hashSecret(token), user_id: userId, scopes: [...scopes] })
    .execute()
  return token
}

async function personKind(
  name: string,
  person: Kind['person'],
  traits: PersonTraits,
  change?: (person: Person) => Promise<unknown>,
): Promise<Kind> {
  const made = await world.createPerson(traits)
  await change?.(made)
  return { name, token: await makeToken(made.userId, ALL_SCOPES), scopes: ALL_SCOPES, person }
}

const tokens = new Map<string, Promise<string>>()

/** A usable person's token with this one scope. */
async function kindWith(scope: string): Promise<Kind> {
  const made = tokens.get(scope) ?? makeToken(usable.userId, [scope])
  tokens.set(scope, made)
  return { name: `a token with ${scope}`, token: await made, scopes: [scope], person: 'usable' }
}

/** The scopes that a row names, those above them, and some that must not do. */
function scopesFor({ scopes }: Access): string[] {
  const parents = scopes.map((scope) => scope.slice(0, Math.max(0, scope.lastIndexOf(':'))))
  const flipped = scopes.map((scope) =>
    scope.includes('read') ? scope.replace('read', 'write') : scope.replace('write', 'read'),
  )
  const others = ['push', 'profile', 'follow', 'read', 'write', 'admin:read', 'admin:write']
  return [...new Set([...scopes, ...parents, ...flipped, ...others])].filter((scope) => ALL_SCOPES.includes(scope))
}

function bearer({ token }: Kind): InjectOptions {
  return token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
}

for (const [key, row] of API) {
  test(`${key} lets in whom its row says, and tells the others why not`, async () => {
    const kinds = [...KINDS, ...(await Promise.all(scopesFor(row).map(kindWith)))]
    for (const kind of kinds) {
      const { outcome, status, body, headers } = await ask(key, bearer(kind))
      const isOwners = row.role === 'owner' && expected(row, kind) === 'passed'
      if (isOwners) assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], kind.name)
      assert.equal(outcome, expected(row, kind), `${kind.name}: ${status} ${body.slice(0, 200)}`)
      const isChallenged = outcome === 'invalid' || outcome === 'revoked'
      if (!isChallenged) continue
      const description = REFUSALS[outcome][1]
      const challenge = `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`
      assert.equal(headers['www-authenticate'], challenge)
      assert.equal(headers['cache-control'], 'private, no-store')
    }
  })
}

test('a route without a row does not start, and a row without a route neither', async () => {
  const app = Fastify()
  authoriseRoutes(app, world.ctx)
  assert.throws(() => app.get('/api/v1/nothing', async () => ({})), /GET \/api\/v1\/nothing has no row/)
  assert.throws(() => app.post('/api/v1/instance', async () => ({})), /POST \/api\/v1\/instance has no row/)
  app.get('/api/v1/instance', async () => ({}))
  await assert.rejects(async () => app.ready(), /without a route: GET \/health, /)
})

test('OA3 scopes are judged before persons, and persons before their standing', async () => {
  const key = 'GET /api/v1/timelines/home'
  assert.equal((await ask(key, bearer({ name: '', token: await makeToken(null, ['push']) }))).outcome, 'scope')
  const pending = await world.createPerson({ confirmed: false, approved: false, scopes: 'push' })
  assert.equal((await ask(key, bearer({ name: '', token: pending.token }))).outcome, 'scope')
  const confirmed = await makeToken(pending.userId, ['read'])
  assert.equal((await ask(key, bearer({ name: '', token: confirmed }))).outcome, 'unconfirmed')
})

test('a token comes in the header, in whatever case it is named, or in the query; the header wins', async () => {
  const get = (headers: Record<string, string>, query = '') =>
    world.server.inject({ url: `/api/v1/timelines/home${query}`, headers })
  const { token } = usable
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, `BEARER   ${token} `]) {
    assert.equal((await get({ authorization })).statusCode, 200, authorization)
  }
  assert.equal((await get({}, `?access_token=${token}`)).statusCode, 200)
  const wrong = [
    'Bearer',
    'Bearer ',
    token,
    `Basic ${token}`,
    `Bearer ${token} x`,
    `Bearer x ${token}`,
    `Token ${token}`,
  ]
  for (const authorization of wrong) {
    assert.equal((await get({ authorization })).statusCode, 401, authorization)
    assert.equal((await get({ authorization }, `?access_token=${token}`)).statusCode, 401, authorization)
  }
  assert.equal((await get({}, `?access_token[]=${token}`)).statusCode, 401)
  assert.equal((await get({}, `?access_token=${'x'.repeat(10_000)}`)).statusCode, 401)
})

test('OA5 a token that is revoked is dead at the next request', async () => {
  const token = await makeToken(usable.userId, ['read'])
  const key = 'GET /api/v1/timelines/home'
  assert.equal((await ask(key, bearer({ name: '', token }))).outcome, 'passed')
  await world.ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: new Date() })
    .where('token_hash', '=', hashSecret(token))
    .execute()
  assert.equal((await ask(key, bearer({ name: '', token }))).outcome, 'revoked')
})

test('rows make sense: a scope that exists, a form that is a page, a file that somebody may send', () => {
  for (const [key, row] of Object.entries(ACCESS)) {
    const { caller, scopes, csrf, files, cache } = row
    for (const scope of scopes) assert.ok(ALL_SCOPES.includes(scope), `${key}: ${scope}`)
    const isPage = caller === 'page'
    assert.equal(csrf && !isPage, false, key)
    if (isPage && !key.startsWith('GET ')) assert.ok(csrf, `${key} is a form without a token`)
    if (!key.startsWith('GET ')) assert.equal(cache, 'private', key)
    if (isPage && cache === 'brief') assert.equal(row.role, 'everyone', key)
    else if (caller !== 'open' && caller !== 'optional') assert.equal(cache, 'private', key)
    if (files) assert.ok(caller === 'user' || csrf, `${key} takes files from nobody`)
  }
  assert.equal(open().csrf, false)
})
