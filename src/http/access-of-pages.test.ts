// Slow: calls every page as every kind of user.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createBrowser } from '../../test/browser.ts'
import type { Browser } from '../../test/browser.ts'
import { openAskingWorld } from '../../test/outcomes.ts'
import type { Person } from '../../test/world.ts'
import { openSession } from '../domain/auth/sessions.ts'
import { ACCESS } from './access.ts'

const { world, ask } = await openAskingWorld()
after(world.close)

const usable = await world.createPerson()

const PAGES = Object.entries(ACCESS).filter(([, { caller }]) => caller === 'page')

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
      const { outcome, status, body, headers } = await ask(key, {
        headers: { ...cookiesOf(browser), 'x-csrf-token': csrf },
      })
      const seesOwn = row.role === 'everyone' || name === 'an owner'
      if (!seesOwn && name === 'nobody')
        assert.match(`${status} ${String(headers['location'])}`, /^303 \/auth\/sign_in\?/)
      else if (!seesOwn) assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], name)
      assert.equal(outcome, 'passed', `${name}: ${status} ${body.slice(0, 200)}`)
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
    const { status, headers } = await ask(key, { headers: { authorization: `Bearer ${owner.token}` } })
    assert.match(`${status} ${String(headers['location'])}`, /^303 \/auth\/sign_in\?/)
  }
  const browser = await signIn(owner)
  for (const [key] of Object.entries(ACCESS).filter(([, { caller }]) => caller === 'user' || caller === 'app')) {
    assert.equal((await ask(key, { headers: cookiesOf(browser) })).outcome, 'invalid', key)
  }
})
