// Slow: calls every page as every kind of user.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createBrowser } from '../../test/http/browser.ts'
import type { Browser } from '../../test/http/browser.ts'
import { openAuthorizationServer } from '../../test/http/authorization-outcomes.ts'
import type { TestUser } from '../../test/servers/test-server.ts'
import { openSession } from '../domain/auth/sessions.ts'
import { ROUTE_POLICIES } from './route-policies.ts'

const { testServer, request } = await openAuthorizationServer()
after(testServer.close)

const usable = await testServer.createUser()

const PAGES = Object.entries(ROUTE_POLICIES).filter(([, { caller }]) => caller === 'page')

async function signIn(user: TestUser): Promise<Browser> {
  const browser = createBrowser(testServer.server)
  const id = await testServer.ctx.write((tx) =>
    openSession(tx, { userId: user.userId, browser: { ip: null, userAgent: '' } }),
  )
  browser.cookies.set('__Host-linnet-session', id)
  return browser
}

function cookiesOf({ cookies }: Browser): Record<string, string> {
  return { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
}

/** Returns the CSRF token of a form on a page for the browser. */
async function csrfOf(browser: Browser): Promise<string> {
  for (const path of ['/account', '/auth/sign_in', '/auth/setup']) {
    const { forms } = await browser.get(path)
    const csrf = forms.find(({ values }) => values['csrf'])?.values['csrf']
    if (csrf !== undefined) return csrf
  }
  throw new Error('No page has a form')
}

const pageKinds: Record<string, () => Promise<Browser>> = {
  'an anonymous visitor': async () => createBrowser(testServer.server),
  'a user': () => signIn(usable),
  'a moderator': async () => signIn(await testServer.createUser({ role: 'moderator' })),
  'an admin': async () => signIn(await testServer.createUser({ role: 'admin' })),
  'an unconfirmed user': async () => signIn(await testServer.createUser({ confirmed: false })),
  'an owner': async () => signIn(await testServer.createUser({ role: 'owner' })),
}

for (const [key, row] of PAGES) {
  test(`${key} is accessible to the users that its route policy permits`, async () => {
    for (const [name, open] of Object.entries(pageKinds)) {
      const browser = await open()
      const csrf = row.csrf ? await csrfOf(browser) : ''
      const { outcome, status, body, headers } = await request(key, {
        headers: { ...cookiesOf(browser), 'x-csrf-token': csrf },
      })
      const mayAccess = row.role === 'everyone' || name === 'an owner'
      const isAnonymous =
        name === 'an anonymous visitor' || (name === 'an unconfirmed user' && row.accountState !== 'any')
      if (!mayAccess && isAnonymous) assert.match(`${status} ${String(headers['location'])}`, /^303 \/auth\/sign_in\?/)
      else if (!mayAccess) assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], name)
      assert.equal(outcome, 'passed', `${name}: ${status} ${body.slice(0, 200)}`)
    }
  })

  if (row.csrf) {
    test(`OA9 ${key} is refused without the CSRF token of its own page`, async () => {
      const otherBrowser = createBrowser(testServer.server)
      for (const open of [async () => createBrowser(testServer.server), () => signIn(usable)]) {
        const browser = await open()
        const csrf = await csrfOf(browser)
        const before = createBrowser(testServer.server)
        const early = await csrfOf(before)
        before.cookies.set('__Host-linnet-session', browser.cookies.get('__Host-linnet-session') ?? 'none')
        const attempts: [string, Browser, string][] = [
          ['none', browser, ''],
          ['garbage', browser, 'x'],
          ['the token of another browser', browser, await csrfOf(otherBrowser)],
          ['a token without its cookie', createBrowser(testServer.server), csrf],
          ['a token from before the log-in', before, early],
          ['half a token', browser, csrf.slice(0, -1)],
        ]
        for (const [name, from, sent] of attempts) {
          const bodies: InjectOptions[] = [
            { headers: { 'x-csrf-token': sent } },
            { payload: { csrf: sent } },
            { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: `csrf=${sent}&_method=get` },
          ]
          for (const { headers, payload } of bodies) {
            const { outcome } = await request(key, {
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
        assert.equal((await request(key, asText)).outcome, 'csrf')
        const inBody = { headers: cookiesOf(browser), payload: { csrf } }
        assert.equal((await request(key, inBody)).outcome, 'passed')
      }
    })
  }
}

test('pages ignore bearer tokens, and the API ignores sessions', async () => {
  const owner = await testServer.createUser({ role: 'owner' })
  for (const [key] of PAGES.filter(([, { role }]) => role === 'owner')) {
    const { status, headers } = await request(key, { headers: { authorization: `Bearer ${owner.token}` } })
    assert.match(`${status} ${String(headers['location'])}`, /^303 \/auth\/sign_in\?/)
  }
  const browser = await signIn(owner)
  for (const [key] of Object.entries(ROUTE_POLICIES).filter(
    ([, { caller, session }]) => (caller === 'user' || caller === 'app') && session !== 'always',
  )) {
    assert.equal((await request(key, { headers: cookiesOf(browser) })).outcome, 'invalid', key)
  }
})
