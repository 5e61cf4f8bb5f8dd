// Slow: calls every route of servers with several settings.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openAuthorizationServer } from '../../test/http/authorization-outcomes.ts'
import { makeToken } from '../../test/http/callers.ts'
import { openSession } from '../domain/auth/sessions.ts'
import { ALL_SCOPES } from '../lib/http/scopes.ts'
import { ROUTE_POLICIES } from './route-policies.ts'

const REFUSED = JSON.stringify({ error: 'This method requires an authenticated user' })

/** The routes of the API that serve requests without a user on every server, as in Mastodon. */
const ALWAYS_OPEN = new Set([
  'GET /api/openapi.json',
  'GET /api/docs',
  'GET /api/docs/reference.js',
  'GET /api/v1/instance',
  'GET /api/v2/instance',
  'GET /api/v1/invites/:code',
  'POST /api/v1/apps',
  'POST /api/v1/accounts',
])

/** The routes of the API that serve such requests unless federation is limited. */
const OPEN_UNLESS_LIMITED = new Set([
  'GET /api/v1/instance/peers',
  'GET /api/v1/instance/activity',
  'GET /api/v1/instance/rules',
  'GET /api/v1/instance/extended_description',
  'GET /api/v1/instance/privacy_policy',
  'GET /api/v1/instance/terms_of_service',
  'GET /api/v1/instance/terms_of_service/:date',
  'GET /api/v1/instance/languages',
  'GET /api/v1/instance/translation_languages',
  'GET /api/v1/instance/domain_blocks',
  'GET /api/v1/peers/search',
])

/** What shows posts or profiles outside of the API. */
const CONTENT = new Set([
  'GET /@:name as page',
  'GET /@:name/with_replies',
  'GET /@:name/media',
  'GET /@:name/tagged/:tag',
  'GET /@:name/:id as page',
  'GET /@:name/:id/embed',
  'GET /@:name/:id/history',
  'GET /tags/:tag as page',
  'GET /media/:id',
  'GET /media/:id/player',
  'GET /@:name.rss',
  'GET /@:name/with_replies.rss',
  'GET /@:name/media.rss',
  'GET /@:name/tagged/:tag.rss',
  'GET /tags/:tag.rss',
])

const SETTINGS = {
  DISALLOW_UNAUTHENTICATED_API_ACCESS: { isClosed: true, isLimited: false },
  LIMITED_FEDERATION_MODE: { isClosed: true, isLimited: true },
  AUTHORIZED_FETCH: { isClosed: false, isLimited: false },
  SINGLE_USER_MODE: { isClosed: false, isLimited: false },
}

/** Routes without those of other servers and of streaming, which authorise requests themselves. */
const ROUTES = Object.entries(ROUTE_POLICIES).filter(
  ([key, { cache }]) => cache !== 'document' && !/ \/api\/v1\/streaming\/| \/(?:.*\/)?inbox$/.test(key),
)
const isApi = (key: string) => / \/(?:api\/|oauth\/userinfo)/.test(key)

for (const [setting, { isClosed, isLimited }] of Object.entries(SETTINGS)) {
  suite(`with ${setting}=true`, async () => {
    const { testServer, request } = await openAuthorizationServer({ env: { [setting]: 'true' } })
    after(testServer.close)
    const user = await testServer.createUser()
    const pending = await testServer.createUser({ approved: false })
    const withToken = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const app = withToken(await makeToken(testServer, { userId: null, scopes: ALL_SCOPES }))
    const callers = { anonymous: {}, invalid: withToken('x'), app, user: withToken(user.token) }
    const cookieOf = async ({ userId }: { userId: string }) => {
      const browser = { ip: null, userAgent: '' }
      const id = await testServer.ctx.write((tx) => openSession(tx, { userId, browser }))
      return { headers: { cookie: `__Host-linnet-session=${id}` } }
    }

    const refusesAnonymous = (key: string) => {
      if (!isClosed || !(isApi(key) || CONTENT.has(key)) || ALWAYS_OPEN.has(key)) return false
      return isLimited || !OPEN_UNLESS_LIMITED.has(key)
    }

    test('CA1 API routes answer to requests without a user only where Mastodon leaves them open', async () => {
      for (const [key] of ROUTES.filter(([name, { caller }]) => isApi(name) && caller !== 'page')) {
        for (const [name, options] of Object.entries(isClosed ? callers : { anonymous: {}, app })) {
          const { status, body, headers } = await request(key, options)
          const isRefused = status === 401 && body === REFUSED
          assert.equal(isRefused, name !== 'user' && refusesAnonymous(key), `${key}, ${name}: ${status} ${body}`)
          if (refusesAnonymous(key)) assert.equal(headers['cache-control'], 'private, no-store', `${key}, ${name}`)
        }
      }
    })

    test('CA1 pages and feeds with posts or profiles are for users where the API is closed', async () => {
      const cookies = await cookieOf(user)
      const pendingCookies = await cookieOf(pending)
      for (const [key, { caller }] of ROUTES.filter(([name]) => !isApi(name) && name.startsWith('GET '))) {
        const anonymous = await request(key)
        const path = String(anonymous.headers['location'])
        const isRefused = CONTENT.has(key) && (anonymous.status === 401 || path.startsWith('/auth/sign_in?next='))
        assert.equal(isRefused, refusesAnonymous(key), `${key}: ${anonymous.status}`)
        if (!isRefused) continue
        const shown = await request(key, cookies)
        assert.ok([200, 302, 403, 404].includes(shown.status), `${key}: ${shown.status}`)
        const refused = await request(key, pendingCookies)
        if (caller === 'page') assert.equal(refused.headers['location'], '/account', key)
        else assert.equal(refused.status, 403, key)
        for (const { headers } of [anonymous, shown, refused])
          assert.equal(headers['cache-control'], 'private, no-store', key)
      }
    })

    test('a token still needs the scope, and a user who awaits approval reads nothing', async () => {
      const narrow = withToken(await makeToken(testServer, { userId: user.userId, scopes: ['push'] }))
      assert.equal((await request('GET /api/v1/timelines/public', narrow)).outcome, 'scope')
      if (!isClosed) return
      assert.equal((await request('GET /api/v1/timelines/public', withToken(pending.token))).outcome, 'pending')
      assert.equal((await request('GET /@:name.rss', narrow)).outcome, 'scope')
    })
  })
}
