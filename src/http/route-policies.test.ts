// Slow: calls every route as every kind of user.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import type { InjectOptions } from 'fastify'
import type { UserOptions } from '../../test/servers/create-user.ts'
import { disable, suspend } from '../../test/features/moderation.ts'
import { openAuthorizationServer, ERROR_TEXTS } from '../../test/http/authorization-outcomes.ts'
import type { AuthorizationOutcome } from '../../test/http/authorization-outcomes.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import {
  createCallerWithPermission,
  createSessionCallers,
  createStaffCallers,
  makeToken,
} from '../../test/http/callers.ts'
import type { Caller } from '../../test/http/callers.ts'
import { hashSecret } from '../lib/secrets.ts'
import { ALL_SCOPES, coversScope } from '../lib/http/scopes.ts'
import { ROUTE_POLICIES } from './route-policies.ts'
import { authorizeRoutes } from './support/auth/authorize-routes.ts'
import { open } from './support/auth/route-policy.ts'
import type { RoutePolicy } from './support/auth/route-policy.ts'

// No account has the id in the paths of the admin API: actions on an existing one also fail because of its state.
const ids = { accounts: '1', statuses: '1', admin: '4711' }
const { testServer, request } = await openAuthorizationServer({ ids })
after(testServer.close)

/**
 * The outcome that a route policy should have for a caller: an implementation of the rules independent of the tested
 * one.
 */
function expected(policy: RoutePolicy, kind: Caller): AuthorizationOutcome {
  const { caller, scopes, accountState, permission } = policy
  if (caller === 'open') return 'passed'
  const isSessionAccepted = { never: false, 'with-csrf-token': kind.session?.isValid === true, always: true }
  const hasSession = kind.session !== undefined && isSessionAccepted[policy.session]
  if (kind.token === undefined && !hasSession) return caller === 'optional' ? 'passed' : 'invalid'
  if (kind.tokenError) return policy.ignoresInvalidTokens ? 'passed' : kind.tokenError
  const fits = hasSession || scopes.length === 0 || scopes.some((scope) => coversScope(kind.scopes ?? [], scope))
  if (!fits) return 'scope'
  if (kind.account === 'none') return caller === 'user' ? 'user' : 'passed'
  // Suspended users are refused everywhere; other users who are not usable count as anonymous where that is permitted.
  if (kind.account === 'suspended') return 'disabled'
  if (caller === 'optional') return 'passed'
  if (kind.account === 'disabled') return 'disabled'
  if (kind.account === 'unconfirmed' || kind.account === 'pending')
    return accountState === 'any' ? 'passed' : kind.account
  return permission === null || kind.permissions?.includes(permission) ? 'passed' : 'permission'
}

const usable = await testServer.createUser()
const target = await testServer.createUser()

const API = Object.entries(ROUTE_POLICIES).filter(([, { caller }]) => caller !== 'page')
const KINDS: Caller[] = [
  { name: 'an anonymous client' },
  { name: 'an invalid token', token: 'garbage', tokenError: 'invalid' },
]

before(async () => {
  const { body } = await target.client.post('/api/v1/statuses', { status: 'x' })
  Object.assign(ids, { accounts: target.accountId, statuses: body.id })
  const revoked = await makeToken(testServer, { userId: usable.userId, scopes: ALL_SCOPES })
  await testServer.ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: testServer.ctx.now() })
    .where('token_hash', '=', hashSecret(revoked))
    .execute()
  KINDS.push(
    { name: 'a revoked token', token: revoked, tokenError: 'revoked' },
    {
      name: 'an app',
      token: await makeToken(testServer, { userId: null, scopes: ALL_SCOPES }),
      scopes: ALL_SCOPES,
      account: 'none',
    },
    await userKind('an unconfirmed user', 'unconfirmed', { confirmed: false }),
    await userKind('a pending user', 'pending', { approved: false }),
    await userKind('a disabled user', 'disabled', {}, (user) => disable(testServer.ctx, user)),
    await userKind('a suspended user', 'suspended', {}, (user) => suspend(testServer.ctx, user)),
  )
  KINDS.push(...(await createStaffCallers(testServer)))
  const restrictions = { memorial: true, moved_to_account_id: target.accountId }
  for (const [column, value] of Object.entries(restrictions)) {
    KINDS.push(
      await userKind(`a user with ${column}`, 'disabled', {}, async ({ accountId }) =>
        testServer.ctx.db
          .updateTable('accounts')
          .set({ [column]: value })
          .where('id', '=', accountId)
          .execute(),
      ),
    )
  }
})

async function userKind(
  name: string,
  account: Caller['account'],
  traits: UserOptions,
  change?: (user: TestUser) => Promise<unknown>,
): Promise<Caller> {
  const user = await testServer.createUser(traits)
  await change?.(user)
  return {
    name,
    token: await makeToken(testServer, { userId: user.userId, scopes: ALL_SCOPES }),
    scopes: ALL_SCOPES,
    account,
  }
}

const tokens = new Map<string, Promise<string>>()

/** Returns a usable user with a token that has this one scope. */
async function kindWith(scope: string): Promise<Caller> {
  const made = tokens.get(scope) ?? makeToken(testServer, { userId: usable.userId, scopes: [scope] })
  tokens.set(scope, made)
  return { name: `a token with ${scope}`, token: await made, scopes: [scope], account: 'usable' }
}

/** Returns the scopes of a route policy, the scopes that cover them, and some that must not suffice. */
function scopesFor({ scopes }: RoutePolicy): string[] {
  const parents = scopes.map((scope) => scope.slice(0, Math.max(0, scope.lastIndexOf(':'))))
  const flipped = scopes.map((scope) =>
    scope.includes('read') ? scope.replace('read', 'write') : scope.replace('write', 'read'),
  )
  const others = ['push', 'profile', 'follow', 'read', 'write', 'admin:read', 'admin:write']
  return [...new Set([...scopes, ...parents, ...flipped, ...others])].filter((scope) => ALL_SCOPES.includes(scope))
}

function bearer({ token, session }: Caller): InjectOptions {
  if (session) return { headers: session.headers }
  return token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }
}

for (const [key, row] of API) {
  test(`${key} permits the callers of its route policy, and returns the error to others`, async () => {
    const kinds = [...KINDS, ...(await Promise.all(scopesFor(row).map(kindWith)))]
    if (row.permission !== null) kinds.push(await createCallerWithPermission(testServer, row.permission))
    for (const kind of kinds) {
      const { outcome, status, body, headers } = await request(key, bearer(kind))
      const isOwners = row.role === 'owner' && expected(row, kind) === 'passed'
      if (isOwners) assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], kind.name)
      // Some routes of ordinary users return the same error for what belongs to other users.
      const rejection = outcome === 'permission' && row.permission === null ? 'passed' : outcome
      assert.equal(rejection, expected(row, kind), `${kind.name}: ${status} ${body.slice(0, 200)}`)
      if (kind.session) assert.equal(headers['set-cookie'], undefined, `${kind.name}: the cookie is untouched`)
      const isChallenged = outcome === 'invalid' || outcome === 'revoked'
      if (!isChallenged) continue
      const description = ERROR_TEXTS[outcome][1]
      const challenge = `Bearer realm="Doorkeeper", error="invalid_token", error_description="${description}"`
      assert.equal(headers['www-authenticate'], challenge)
      assert.equal(headers['cache-control'], 'private, no-store')
    }
  })
}

test('a route without a route policy, or a route policy without a route, prevents the start', async () => {
  const app = Fastify()
  authorizeRoutes(app, testServer.ctx)
  assert.throws(() => app.get('/api/v1/nothing', async () => ({})), /GET \/api\/v1\/nothing has no route policy/)
  assert.throws(() => app.post('/api/v1/instance', async () => ({})), /POST \/api\/v1\/instance has no route policy/)
  app.get('/api/v1/instance', async () => ({}))
  await assert.rejects(async () => app.ready(), /without a route: GET \/health, /)
})

test('OA3 scopes are checked before the user, and the user before the state of their account', async () => {
  const key = 'GET /api/v1/timelines/home'
  assert.equal(
    (await request(key, bearer({ name: '', token: await makeToken(testServer, { userId: null, scopes: ['push'] }) })))
      .outcome,
    'scope',
  )
  const pending = await testServer.createUser({ confirmed: false, approved: false, scopes: 'push' })
  assert.equal((await request(key, bearer({ name: '', token: pending.token }))).outcome, 'scope')
  const confirmed = await makeToken(testServer, { userId: pending.userId, scopes: ['read'] })
  assert.equal((await request(key, bearer({ name: '', token: confirmed }))).outcome, 'unconfirmed')
})

test('a token is read from the header, in any case, or from the query; the header has precedence', async () => {
  const get = (headers: Record<string, string>, query = '') =>
    testServer.server.inject({ url: `/api/v1/timelines/home${query}`, headers })
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

test('a session and a token together: the token decides', async () => {
  const key = 'GET /api/v1/admin/reports'
  const owner = await testServer.createUser({ role: 'owner' })
  const [valid] = await createSessionCallers(testServer, { name: 'an owner', user: owner })
  const token = await makeToken(testServer, { userId: usable.userId, scopes: ALL_SCOPES })
  const headers = { ...valid!.session!.headers, authorization: `Bearer ${token}` }
  assert.equal((await request(key, { headers })).outcome, 'permission')
  assert.equal((await request(key, bearer(valid!))).outcome, 'passed')
})

test('AD2 a demotion takes effect at the next request', async () => {
  const key = 'GET /api/v1/admin/reports'
  const staff = await testServer.createUser({ role: 'moderator' })
  const kind = { name: '', token: await makeToken(testServer, { userId: staff.userId, scopes: ALL_SCOPES }) }
  assert.equal((await request(key, bearer(kind))).outcome, 'passed')
  await testServer.ctx.db.updateTable('users').set({ role_id: '-99' }).where('id', '=', staff.userId).execute()
  assert.equal((await request(key, bearer(kind))).outcome, 'permission')
})

test('OA5 a revoked token is refused at the next request', async () => {
  const token = await makeToken(testServer, { userId: usable.userId, scopes: ['read'] })
  const key = 'GET /api/v1/timelines/home'
  assert.equal((await request(key, bearer({ name: '', token }))).outcome, 'passed')
  await testServer.ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: new Date() })
    .where('token_hash', '=', hashSecret(token))
    .execute()
  assert.equal((await request(key, bearer({ name: '', token }))).outcome, 'revoked')
})

test('route policies are consistent: known scopes, CSRF tokens for forms, caching, files', () => {
  for (const [key, row] of Object.entries(ROUTE_POLICIES)) {
    const { caller, scopes, csrf, files, cache } = row
    for (const scope of scopes) assert.ok(ALL_SCOPES.includes(scope), `${key}: ${scope}`)
    const isPage = caller === 'page'
    assert.equal(csrf && !isPage, false, key)
    if (isPage && !key.startsWith('GET ')) assert.ok(csrf, `${key} is a form without a token`)
    if (!key.startsWith('GET ')) assert.equal(cache, 'private', key)
    if (isPage && cache === 'brief') assert.equal(row.role, 'everyone', key)
    else if (caller !== 'open' && caller !== 'optional') assert.equal(cache, 'private', key)
    assert.equal(
      row.session === 'with-csrf-token' || row.permission !== null,
      key.includes(' /api/v1/admin/') || key.includes(' /api/v2/admin/'),
      key,
    )
    if (row.session === 'always') assert.ok(key.startsWith('GET '), `${key} changes something without a CSRF token`)
    if (files) assert.ok(caller === 'user' || csrf, `${key} accepts files of anonymous clients`)
  }
  assert.equal(open().csrf, false)
})
