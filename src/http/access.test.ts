import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import type { InjectOptions } from 'fastify'
import { createBrowser } from '../../test/browser.ts'
import type { Browser } from '../../test/browser.ts'
import type { PersonTraits } from '../../test/create-person.ts'
import { openWorld } from '../../test/world.ts'
import type { Person } from '../../test/world.ts'
import { openSession } from '../domain/auth/sessions.ts'
import { hashSecret, makeSecret } from '../lib/secrets.ts'
import { ALL_SCOPES, coversScope } from '../lib/scopes.ts'
import { ACCESS } from './access.ts'
import { authoriseRoutes } from './support/authorise.ts'
import { open } from './support/terms.ts'
import type { Access } from './support/terms.ts'

/** Moved on by more than any throttle's window for each request, so that none is reached. */
let now = new Date('2026-11-05T00:00:00Z')
const DAY_MS = 86_400_000
const world = await openWorld({ effects: false, now: () => now })
after(world.close)

/** What the table of authorisation can say to a caller. */
const REFUSALS = {
  invalid: [401, 'The access token is invalid'],
  revoked: [401, 'The access token was revoked'],
  'log in': [401, 'You need to log in first'],
  scope: [403, 'This action is outside the authorized scopes'],
  unconfirmed: [403, 'Your login is missing a confirmed e-mail address'],
  pending: [403, 'Your login is currently pending approval'],
  disabled: [403, 'Your login is currently disabled'],
  person: [422, 'This method requires an authenticated user'],
  csrf: [422, 'This page has expired. Please go back, reload it, and try again.'],
} as const

type Outcome = keyof typeof REFUSALS | 'passed'

/** A kind of caller, and what a row says to it by the rules. Written again here, not taken from what is tested. */
interface Kind {
  name: string
  token?: string
  scopes?: readonly string[]
  /** What is wrong with the token itself. */
  refusal?: 'invalid' | 'revoked'
  person?: 'none' | 'usable' | 'unconfirmed' | 'pending' | 'disabled'
}

function expected({ caller, scopes, state }: Access, kind: Kind): Outcome {
  if (caller === 'open') return 'passed'
  if (kind.token === undefined) return caller === 'optional' ? 'passed' : 'invalid'
  if (kind.refusal) return kind.refusal
  const fits = scopes.length === 0 || scopes.some((scope) => coversScope(kind.scopes ?? [], scope))
  if (!fits) return 'scope'
  if (kind.person === 'none') return caller === 'user' ? 'person' : 'passed'
  if (kind.person === 'disabled') return 'disabled'
  if (kind.person === 'unconfirmed' || kind.person === 'pending') {
    return state === 'any' || caller === 'optional' ? 'passed' : kind.person
  }
  return 'passed'
}

const usable = await world.createPerson()
const target = await world.createPerson()
const ids = { accounts: target.accountId, statuses: '1' }

const API = Object.entries(ACCESS).filter(([, { caller }]) => caller !== 'page' && caller !== 'session')
const PAGES = Object.entries(ACCESS).filter(([, { caller }]) => caller === 'page' || caller === 'session')
const KINDS: Kind[] = [{ name: 'nobody' }, { name: 'garbage', token: 'garbage', refusal: 'invalid' }]

before(async () => {
  const { body } = await target.client.post('/api/v1/statuses', { status: 'x' })
  ids.statuses = body.id
  const revoked = await makeToken(usable.userId, ALL_SCOPES)
  await world.ctx.db
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('token_hash', '=', hashSecret(revoked))
    .execute()
  KINDS.push(
    { name: 'a revoked token', token: revoked, refusal: 'revoked' },
    { name: 'an app', token: await makeToken(null, ALL_SCOPES), scopes: ALL_SCOPES, person: 'none' },
    await personKind('an unconfirmed person', 'unconfirmed', { confirmed: false }),
    await personKind('a pending person', 'pending', { approved: false }),
    await personKind('a disabled person', 'disabled', {}, async ({ userId }) =>
      world.ctx.db.updateTable('users').set({ disabled_at: now }).where('id', '=', userId).execute(),
    ),
  )
  const blows = { suspended_at: now, memorial: true, moved_to_account_id: target.accountId }
  for (const [column, value] of Object.entries(blows)) {
    KINDS.push(
      await personKind(`a person with ${column}`, 'disabled', {}, async ({ accountId }) =>
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

let addresses = 0

interface Got {
  outcome: Outcome
  status: number
  body: string
  headers: Record<string, unknown>
}

/** Asks a route, with ids that are somebody else's, and reads what the table said. A stream is not read to its end. */
async function ask(key: string, options: InjectOptions): Promise<Got> {
  const [method, path] = key.split(' ') as ['GET', string]
  const kind = path.split('/')[3] as keyof typeof ids
  now = new Date(now.getTime() + DAY_MS)
  addresses += 1
  const ip = `198.${18 + (addresses >> 16)}.${(addresses >> 8) & 255}.${addresses & 255}`
  const answer = await world.server.inject({
    method,
    url: path.replace(/:\w+|\*/g, ids[kind] ?? '1'),
    payloadAsStream: true,
    ...options,
    headers: { 'x-forwarded-for': ip, ...options.headers },
  })
  const isStream = String(answer.headers['content-type']).startsWith('text/event-stream')
  const body = isStream ? '' : await text(answer.stream())
  if (isStream) answer.stream().destroy()
  assert.ok(answer.statusCode < 500, `${key} fails: ${answer.statusCode} ${body}`)
  assert.notEqual(answer.statusCode, 429, `${key} is throttled`)
  return { outcome: outcomeOf(answer.statusCode, body), status: answer.statusCode, body, headers: answer.headers }
}

function outcomeOf(status: number, body: string): Outcome {
  for (const [name, [refused, error]] of Object.entries(REFUSALS)) {
    if (status === refused && body === JSON.stringify({ error })) return name as Outcome
  }
  return 'passed'
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

async function signIn(person: Person): Promise<Browser> {
  const browser = createBrowser(world.server)
  const id = await world.ctx.write((tx) =>
    openSession(tx, { userId: person.userId, browser: { ip: null, userAgent: '' } }),
  )
  browser.cookies.set('__Host-linnet-session', id)
  return browser
}

function cookiesOf({ cookies }: Browser): Record<string, string> {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** The token of a form on a page that the browser is shown. */
async function csrfOf(browser: Browser): Promise<string> {
  for (const path of ['/account', '/auth/sign_in', '/auth/setup']) {
    const { forms } = await browser.get(path)
    const csrf = forms.find(({ values }) => values['csrf'])?.values['csrf']
    if (csrf !== undefined) return csrf
  }
  throw new Error('No page has a form')
}

const pageKinds: Record<string, () => Promise<Browser>> = {
  nobody: async () => createBrowser(world.server),
  'a person': () => signIn(usable),
  'a moderator': async () => signIn(await world.createPerson({ role: 'moderator' })),
  'an admin': async () => signIn(await world.createPerson({ role: 'admin' })),
  'an unconfirmed person': async () => signIn(await world.createPerson({ confirmed: false })),
  'an owner': async () => signIn(await world.createPerson({ role: 'owner' })),
}

for (const [key, row] of PAGES) {
  test(`${key} is shown to whom its row says`, async () => {
    for (const [name, open] of Object.entries(pageKinds)) {
      const browser = await open()
      const csrf = row.csrf ? await csrfOf(browser) : ''
      const { outcome, status, body } = await ask(key, { headers: { ...cookiesOf(browser), 'x-csrf-token': csrf } })
      const seesOwn = row.role === 'everyone' || name === 'an owner'
      if (!seesOwn) assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], name)
      const mustLogIn = row.caller === 'session' && name === 'nobody'
      const mustConfirm = row.caller === 'session' && row.state === 'usable' && name === 'an unconfirmed person'
      assert.equal(
        outcome,
        mustLogIn ? 'log in' : mustConfirm ? 'unconfirmed' : 'passed',
        `${name}: ${status} ${body.slice(0, 200)}`,
      )
    }
  })

  if (row.csrf) {
    test(`OA9 ${key} does nothing without the token of its own page`, async () => {
      const stranger = createBrowser(world.server)
      for (const open of [async () => createBrowser(world.server), () => signIn(usable)]) {
        const browser = await open()
        const csrf = await csrfOf(browser)
        const before = createBrowser(world.server)
        const early = await csrfOf(before)
        before.cookies.set('__Host-linnet-session', browser.cookies.get('__Host-linnet-session') ?? 'none')
        const tries: [string, Browser, string][] = [
          ['none', browser, ''],
          ['garbage', browser, 'x'],
          ['the token of another browser', browser, await csrfOf(stranger)],
          ['a token without its cookie', createBrowser(world.server), csrf],
          ['a token from before the log-in', before, early],
          ['half a token', browser, csrf.slice(0, -1)],
        ]
        for (const [name, from, sent] of tries) {
          const bodies: InjectOptions[] = [
            { headers: { 'x-csrf-token': sent } },
            { payload: { csrf: sent } },
            { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: `csrf=${sent}&_method=get` },
          ]
          for (const { headers, payload } of bodies) {
            const { outcome } = await ask(key, {
              headers: { ...cookiesOf(from), ...headers },
              ...(payload ? { payload } : {}),
            })
            assert.equal(outcome, 'csrf', name)
          }
        }
        const asText = {
          headers: { ...cookiesOf(browser), 'content-type': 'text/plain' },
          payload: JSON.stringify({ csrf }),
        }
        assert.equal((await ask(key, asText)).outcome, 'csrf')
        const inBody = { headers: cookiesOf(browser), payload: { csrf } }
        assert.equal((await ask(key, inBody)).outcome, 'passed')
      }
    })
  }
}

test('a bearer token is nothing to a page, and a session is nothing to the API', async () => {
  const owner = await world.createPerson({ role: 'owner' })
  for (const [key] of PAGES.filter(([, { role }]) => role === 'owner')) {
    const { status } = await ask(key, { headers: { authorization: `Bearer ${owner.token}` } })
    assert.equal(status, 404)
  }
  const browser = await signIn(owner)
  for (const [key] of API.filter(([, { caller }]) => caller === 'user' || caller === 'app')) {
    assert.equal((await ask(key, { headers: cookiesOf(browser) })).outcome, 'invalid', key)
  }
})

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
    const isPage = caller === 'page' || caller === 'session'
    assert.equal(csrf && !isPage, false, key)
    if (isPage && !key.startsWith('GET ')) assert.ok(csrf, `${key} is a form without a token`)
    if (!key.startsWith('GET ')) assert.equal(cache, 'private', key)
    if (caller !== 'open' && caller !== 'optional') assert.equal(cache, 'private', key)
    if (files) assert.ok(caller === 'user' || csrf, `${key} takes files from nobody`)
  }
  assert.equal(open().csrf, false)
})
