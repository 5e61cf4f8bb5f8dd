import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { PageResponse } from '../../../../test/http/browser.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { keepCaches } from '../../../../test/performance/keep-caches.ts'
import { findMailTo } from '../../../../test/features/mails.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { disable, suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'
import { mailPasswordForgotten } from '../../../mail/password.ts'

let ahead = 0
const testServer = await openTestServer({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + ahead) })
after(testServer.close)
const { ctx, server } = testServer
const NEW = 'another horse entirely'
const HOUR_MS = 3_600_000

async function requestReset(email: string, headers: Record<string, string> = {}): Promise<PageResponse> {
  const browser = createBrowser(server)
  const page = await browser.get('/auth/password/new')
  return browser.submit(page, '/auth/password', { email }, { ...uniqueAddressHeaders(), ...headers })
}

/** Returns the links in the mails to an address, oldest first. */
async function linksTo(email: string): Promise<string[]> {
  await testServer.waitForJobs()
  const mails = await ctx.db.selectFrom('mails').select('text').where('recipient', '=', email).orderBy('id').execute()
  return mails.flatMap(({ text }) => /^https?:\/\/\S+reset_password_token=\S+$/m.exec(text)?.[0] ?? [])
}
const pathOf = (link: string) => link.replace('https://linnet.test', '')

async function resetByLink(link: string, password = NEW): Promise<PageResponse> {
  const browser = createBrowser(server)
  const page = await browser.get(pathOf(link), uniqueAddressHeaders())
  return page.status === 200 ? browser.submit(page, '/auth/password/edit', { password }, uniqueAddressHeaders()) : page
}
const memorialize = async ({ accountId }: { accountId: string }) =>
  ctx.db.updateTable('accounts').set({ memorial: true }).where('id', '=', accountId).execute()
const tryLogIn = async (login: string, password: string) =>
  signIn(server, { login, password }).then(
    () => true,
    () => false,
  )

suite('a forgotten password', () => {
  test('is reset by the link in a mail, which ends all sessions and tokens', async () => {
    const { email, userId } = await createUserWithPassword(ctx, 'ada')
    const { token } = await ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes: ['read'] }))
    const before = await signIn(server, { login: 'ada' })
    assert.match((await createBrowser(server).get('/auth/sign_in')).html, /href="\/auth\/password\/new"/)
    await requestReset(' ADA@mail.test ')
    const [link] = await linksTo(email)
    const short = await resetByLink(link!, 'short')
    assert.equal(short.status, 422)
    assert.match(short.text, /This is too short/)
    const done = await resetByLink(link!)
    assert.equal(done.status, 200)
    assert.match(done.text, /Log in with the new password/)
    assert.deepEqual([await tryLogIn('ada', PASSWORD), await tryLogIn('ada', NEW)], [false, true])
    assert.equal((await before.get('/account')).status, 303)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal(
      (await testServer.anonymous.send({ url: '/api/v1/accounts/verify_credentials', headers })).status,
      401,
      'OA5',
    )
    const { subject } = await ctx.db
      .selectFrom('mails')
      .select('subject')
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(subject, 'Your password for linnet.test was changed')
  })

  test('AC2: an address without an account gets the same response, by the same queries', async () => {
    await createUserWithPassword(ctx, 'known')
    await memorialize(await createUserWithPassword(ctx, 'shut'))
    const outcomes = new Map<string, unknown[]>()
    const quietServer = await openTestServer({ effects: false })
    const browser = createBrowser(quietServer.server)
    await createUserWithPassword(quietServer.ctx, 'known')
    const page = await browser.get('/auth/password/new')
    await keepCaches(async () => {
      for (const [email, name] of [
        ['first@mail.test', 'warm'],
        ['known@mail.test', 'known'],
        ['nobody@mail.test', 'nobody'],
      ] as const) {
        let response: PageResponse | undefined
        const statements = await countQueries(async () => {
          response = await browser.submit(page, '/auth/password', { email }, uniqueAddressHeaders())
        })
        outcomes.set(name, [response!.status, response!.text, statements])
      }
    })
    await quietServer.close()
    assert.deepEqual(outcomes.get('known'), outcomes.get('nobody'))
    assert.equal(outcomes.get('known')![0], 200)

    const pages = [
      await requestReset('known@mail.test'),
      await requestReset('nobody@mail.test'),
      await requestReset('shut@mail.test'),
    ]
    assert.equal(new Set(pages.map(({ text }) => text)).size, 1)
    assert.equal((await linksTo('known@mail.test')).length, 1)
    assert.deepEqual(await linksTo('shut@mail.test'), [])
    const wrong = await requestReset('no address')
    assert.equal(wrong.status, 422)
  })

  test('AC3: the link has the configured host, whatever the headers of the request say', async () => {
    await createUserWithPassword(ctx, 'host')
    await requestReset('host@mail.test', {
      host: 'evil.test',
      'x-forwarded-host': 'evil.test',
      forwarded: 'host=evil.test',
    })
    const [link] = await linksTo('host@mail.test')
    assert.match(link!, /^https:\/\/linnet\.test\/auth\/password\/edit\?reset_password_token=\d+\.[\w-]+$/)
  })

  test('AC3: a link works once, also with concurrent requests, and also if its mail is enqueued again', async () => {
    const { email } = await createUserWithPassword(ctx, 'once')
    await requestReset(email)
    const at = ctx.now().getTime()
    const [link] = await linksTo(email)
    const visits = await Promise.all(
      Array.from({ length: 6 }, async (_, i) => resetByLink(link!, `another password ${i}`)),
    )
    assert.equal(visits.filter(({ status }) => status === 200).length, 1)
    assert.equal((await resetByLink(link!)).status, 422)
    assert.match((await resetByLink(link!)).text, /This link is no longer valid/)
    const sent = await ctx.db.selectFrom('mails').select('key').where('recipient', '=', email).orderBy('id').execute()
    const moment = Number(sent[0]!.key.split(':').at(-1))
    assert.ok(moment <= at)
    await mailPasswordForgotten(ctx, { email, at: moment })
    assert.equal((await resetByLink(link!)).status, 422)
  })

  test('AC3: expired, superseded and forged links, and links of another user, do not work', async () => {
    const [one, two] = [await createUserWithPassword(ctx, 'one'), await createUserWithPassword(ctx, 'two')]
    await requestReset(one.email)
    await linksTo(one.email)
    ahead += 1_000
    await requestReset(one.email)
    await requestReset(two.email)
    const [first, second] = await linksTo(one.email)
    const [others] = await linksTo(two.email)
    assert.equal((await resetByLink(first!)).status, 422)
    const seal = second!.split('.').at(-1)!
    for (const forged of [
      second!.replace(/token=\d+/, `token=${two.userId}`),
      others!.replace(/\.[\w-]+$/, `.${seal}`),
      `${second!.slice(0, -1)}${second!.endsWith('A') ? 'B' : 'A'}`,
      second!.replace(/token=.*$/, 'token='),
      second!.replace(/token=.*$/, 'token=x.y'),
    ]) {
      assert.equal((await resetByLink(forged)).status, 422, forged)
    }
    ahead += 6 * HOUR_MS + 1_000
    assert.equal((await resetByLink(second!)).status, 422)
    assert.equal(await tryLogIn('one', PASSWORD), true)
  })

  test('a link does not work after the e-mail address was changed', async () => {
    const { email } = await createUserWithPassword(ctx, 'mover')
    await requestReset(email)
    const [link] = await linksTo(email)
    const browser = await signIn(server, { login: 'mover' })
    const page = await browser.get('/settings/email')
    const fields = { email: 'mover@new.test' }
    await browser.submit(page, '/settings/email', fields, uniqueAddressHeaders())
    await browser.get((await findMailTo(testServer, fields.email))!.link!)
    assert.equal((await resetByLink(link!)).status, 422)
  })

  test('users whose accounts are frozen or suspended reset it, too, since they log in to appeal', async () => {
    for (const [login, restrict] of [
      ['frozen', disable],
      ['suspended', suspend],
    ] as const) {
      const user = await createUserWithPassword(ctx, login)
      await restrict(ctx, user)
      await requestReset(user.email)
      const [link] = await linksTo(user.email)
      assert.equal((await resetByLink(link!)).status, 200)
      const browser = await signIn(server, { login, password: NEW })
      assert.equal((await browser.get('/settings/strikes')).status, 200)
    }
  })

  test('a link does not work after the password was changed', async () => {
    const { email } = await createUserWithPassword(ctx, 'meanwhile')
    await requestReset(email)
    const [link] = await linksTo(email)
    const browser = await signIn(server, { login: email })
    const page = await browser.get('/auth/edit')
    await browser.submit(page, '/auth/edit', { password: NEW }, uniqueAddressHeaders())
    assert.equal((await resetByLink(link!)).status, 422)
  })
})
