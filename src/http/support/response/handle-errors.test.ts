import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Ctx } from '../../../domain/context.ts'
import { changeSettings } from '../../../domain/instance/instance-settings.ts'
import {
  BadRequestError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  InsufficientStorageError,
  ParameterMissingError,
  RequestError,
  PayloadTooLargeError,
  TooManyRequestsError,
  UnauthorizedError,
  ServiceUnavailableError,
  UnprocessableError,
  ValidationError,
} from '../../../lib/errors.ts'
import { StorageFullError, StorageUnavailableError } from '../../../platform/storage/storage.ts'
import { handleErrors, handleBadPath } from './handle-errors.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const logged: { level: string; facts: object; text: string }[] = []
const note = (level: string) => (facts: object, text: string) => void logged.push({ level, facts, text })
const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') }
const ctx: Ctx = { ...testServer.ctx, log }

/** What the handlers of the test routes do. */
let handle: () => Promise<unknown> = async () => ({})

const app = Fastify({ frameworkErrors: handleBadPath(ctx) })
handleErrors(app, ctx)
app.get('/api/work', async () => handle())
app.get('/page', async () => handle())
app.post('/api/work', { bodyLimit: 10 }, async () => handle())
await app.ready()
after(() => app.close())

async function respondTo(task: () => Promise<unknown>) {
  logged.length = 0
  handle = task
  const response = await app.inject('/api/work')
  return { status: response.statusCode, body: response.json<Record<string, unknown>>(), headers: response.headers }
}

const fails = (err: unknown) => async () => {
  throw err
}

test('every request error becomes the response of its class, and is not logged', async () => {
  const duplicate = { attribute: 'user_name', code: 'ERR_TAKEN', text: 'has already been taken' }
  const cases: [RequestError, number, object][] = [
    [new BadRequestError(), 400, { error: 'Bad request' }],
    [new ParameterMissingError('id'), 400, { error: 'param is missing or the value is empty or invalid: id' }],
    [new UnauthorizedError(), 401, { error: 'The access token is invalid' }],
    [new ForbiddenError(), 403, { error: 'This action is not allowed' }],
    [new NotFoundError(), 404, { error: 'Record not found' }],
    [new ConflictError(), 409, { error: 'Conflict during update, please try again' }],
    [new PayloadTooLargeError(), 413, { error: 'Request body is too large' }],
    [new RequestError(416, 'Outside'), 416, { error: 'Outside' }],
    [new UnprocessableError('No', { detail: 1 }), 422, { error: 'No', detail: 1 }],
    [new ValidationError([duplicate]), 422, { error: 'Validation failed: User name has already been taken' }],
    [
      new ValidationError([duplicate], { details: true }),
      422,
      {
        error: 'Validation failed: User name has already been taken',
        details: { user_name: [{ error: 'ERR_TAKEN', description: 'User name has already been taken' }] },
      },
    ],
    [new TooManyRequestsError(), 429, { error: 'Too many requests' }],
    [
      new ServiceUnavailableError(),
      503,
      { error: 'There was a temporary problem serving your request, please try again' },
    ],
    [new InsufficientStorageError(), 507, { error: 'There is no room left to store the file' }],
  ]
  for (const [error, status, body] of cases) {
    const answer = await respondTo(fails(error))
    assert.deepEqual([answer.status, answer.body], [status, body])
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'private, no-store')
    assert.deepEqual(logged, [])
  }
})

const query = (text: string) => async () => sql.raw(text).execute(testServer.ctx.db)

test('data that PostgreSQL rejects gets 422, and neither response nor log contains it', async () => {
  const inputs = {
    'a text for a number': `select 'my secret'::bigint`,
    'a number out of range': `select 99999999999999999999::bigint`,
    'invalid UTF-8': `select convert_from('\\xff'::bytea, 'UTF8')`,
    'an invalid date': `select 'Feb 30 my secret'::timestamptz`,
    'a date out of range': `select '2026-02-30'::date`,
    'a text that is too long': `create temp table short (a varchar(3)); insert into short values ('my secret')`,
    'a violated check': `create temp table checked (a int check (a > 0)); insert into checked values (0)`,
    'a text too long for an index': `create temp table wide (a text unique);
       insert into wide select string_agg(gen_random_uuid()::text, '') from generate_series(1, 2000)`,
  }
  for (const [name, text] of Object.entries(inputs)) {
    const { status, body } = await respondTo(query(text))
    assert.deepEqual([status, body], [422, { error: 'The request holds a value that can not be stored' }], name)
    assert.equal(logged.length, 1)
    assert.doesNotMatch(JSON.stringify(logged), /secret|select|insert/)
  }
})

test('a duplicate gets 422, and a reference to a deleted row gets 404', async () => {
  const twice = query(`create temp table once (a int primary key); insert into once values (1), (1)`)
  const { status, body } = await respondTo(twice)
  assert.deepEqual([status, body], [422, { error: 'Duplicate record' }])
  const orphan = await respondTo(async () =>
    testServer.ctx.write(({ db }) =>
      db.insertInto('follows').values({ account_id: '901', target_account_id: '902' }).execute(),
    ),
  )
  assert.deepEqual([orphan.status, orphan.body], [404, { error: 'Record not found' }])
})

test('F8 errors that a retry may resolve get 503', async () => {
  const again = { error: 'There was a temporary problem serving your request, please try again' }
  const slow = async () =>
    testServer.ctx.write(async ({ db }) => {
      await sql`set local statement_timeout = 10`.execute(db)
      await sql`select pg_sleep(1)`.execute(db)
    })
  const failWith = (code: string) => fails(Object.assign(new Error('a text'), { code }))
  const conflicts = [slow, ...['40001', '40P01', '55P03'].map(failWith)]
  const broken = [
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ].map((message) => fails(new Error(message)))
  const outages: (() => Promise<unknown>)[] = [
    ...['53300', '53100', '25006', '57P01', '08006', 'ECONNREFUSED'].map(failWith),
    ...broken,
    ...['ENOENT', 'EMFILE', 'EAGAIN'].map((code) =>
      fails(Object.assign(new Error(code), { code, syscall: 'connect' })),
    ),
  ]
  for (const task of [...conflicts, ...outages]) {
    const { status, body, headers } = await respondTo(task)
    assert.deepEqual([status, body, headers['retry-after']], [503, again, '5'])
    // Of the requests that fail during an outage of the database, only the first one is a warning.
    const isReported = outages.indexOf(task) > 0
    assert.deepEqual(
      logged.map(({ level }) => level),
      [isReported ? 'debug' : 'warn'],
    )
    assert.doesNotMatch(logged[0]!.text, /rejected the data/)
  }
})

test('a server fault gets 500 without internal details, and is logged', async () => {
  const faults = [
    query('select my_secret from nowhere'),
    fails(new TypeError('Cannot read properties of my_secret')),
    fails(Object.assign(new Error('my_secret'), { statusCode: 500 })),
    fails('my_secret'),
    fails({ code: 12, message: 'my_secret' }),
  ]
  for (const fault of faults) {
    const { status, body } = await respondTo(fault)
    assert.deepEqual([status, body], [500, { error: 'An unexpected error occurred' }])
    assert.deepEqual(
      logged.map(({ level, text }) => [level, text]),
      [['error', 'Request failed']],
    )
  }
})

test('a failure of the storage is logged with its cause, which the client does not see', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED my_secret'), { code: 'ECONNREFUSED' })
  const cases: [RequestError, number][] = [
    [new StorageUnavailableError(cause), 503],
    [new StorageFullError(cause), 507],
  ]
  for (const [err, expected] of cases) {
    const { status, body } = await respondTo(fails(err))
    assert.equal(status, expected)
    assert.doesNotMatch(JSON.stringify(body), /my_secret/)
    const facts = { err, method: 'GET', route: '/api/work' }
    assert.deepEqual(logged, [{ level: 'warn', facts, text: 'The storage failed during a request' }])
    // Of the requests that fail during an outage of the storage, only the first one is a warning.
    await respondTo(fails(err))
    assert.deepEqual(
      logged.map(({ level }) => level),
      ['debug'],
    )
  }
})

test('errors of Fastify itself have the same format', async () => {
  const large = await app.inject({ method: 'POST', url: '/api/work', payload: { text: 'longer than ten' } })
  assert.deepEqual([large.statusCode, large.json()], [413, { error: 'Request body is too large' }])
  const untyped = await app.inject({
    method: 'POST',
    url: '/api/work',
    headers: { 'content-type': 'image/png' },
    payload: 'x',
  })
  assert.deepEqual([untyped.statusCode, untyped.json()], [415, { error: 'The content type is not supported' }])
})

test('unknown, malformed and overlong paths get the same 404', async () => {
  const urls = ['/api/nothing', '/api/%zz', '/%ff', `/api/${'x'.repeat(20_000)}`, '/api/work/']
  for (const url of urls) {
    const answer = await app.inject(url)
    assert.deepEqual([answer.statusCode, answer.json()], [404, { error: 'Record not found' }], url.slice(0, 20))
  }
})

test('browsers get an error page outside of the API, and other clients get JSON', async () => {
  handle = fails(new TypeError('my_secret'))
  const browser = { accept: 'text/html,application/xhtml+xml' }
  const page = await app.inject({ url: '/page', headers: browser })
  assert.equal(page.statusCode, 500)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
  assert.doesNotMatch(page.body, /my_secret|TypeError/)
  assert.deepEqual((await app.inject({ url: '/api/work', headers: browser })).json(), {
    error: 'An unexpected error occurred',
  })
  assert.equal((await app.inject({ url: '/page' })).json<{ error: string }>().error, 'An unexpected error occurred')
  for (const url of ['/api', '/api/x', '/api?x', '/oauth/token', '/.well-known/x', '/health', '/metrics']) {
    const { headers } = await app.inject({ url, headers: browser })
    assert.match(String(headers['content-type']), /^application\/json/, url)
  }
})

test('the pages of errors that the database does not cause have the name of the site', async () => {
  await testServer.ctx.write((tx) => changeSettings(tx, { by: null, changes: { title: 'The Hedge' } }))
  const titleAfter = async (error: Error) => {
    handle = fails(error)
    const { body } = await app.inject({ url: '/page', headers: { accept: 'text/html' } })
    return /<title>(.*)<\/title>/.exec(body)![1]!
  }
  assert.match(await titleAfter(new NotFoundError()), /Page not found · .?The Hedge/)
  assert.match(await titleAfter(new TypeError('a fault')), /linnet\.test/)
})

test('errors of the API are in the preferred language of the client', async () => {
  const headers = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.5' }
  const { statusCode, body } = await testServer.server.inject({ url: '/api/v1/statuses/404', headers })
  assert.deepEqual([statusCode, JSON.parse(body)], [404, { error: 'Der Eintrag wurde nicht gefunden' }])
})

test('the parameter `lang` chooses the language of errors, then the client, then the setting of the user', async () => {
  const { accountId, token } = await testServer.createUser({ username: 'ada' })
  await testServer.ctx.db.updateTable('users').set({ locale: 'es' }).where('account_id', '=', accountId).execute()
  const headers = { 'accept-language': 'de' }
  const own = { authorization: `Bearer ${token}` }
  const errorOf = async (query: string, sent: Record<string, string>) =>
    (await testServer.server.inject({ url: `/api/v1/statuses/404${query}`, headers: sent })).json().error as string
  assert.equal(await errorOf('?lang=fr', own), 'Élément introuvable')
  assert.equal(await errorOf('', own), 'No se ha encontrado el elemento')
  assert.equal(await errorOf('', { ...headers, ...own }), 'Der Eintrag wurde nicht gefunden')
  assert.equal(await errorOf('?lang=fr', headers), 'Élément introuvable')
  assert.equal(await errorOf('?lang=en', headers), 'Record not found')
  for (const unknown of ['?lang=tlh', '?lang=', '?lang=%22%3E']) {
    assert.equal(await errorOf(unknown, headers), 'Der Eintrag wurde nicht gefunden', unknown)
    assert.equal(await errorOf(unknown, own), 'No se ha encontrado el elemento', unknown)
  }
})
