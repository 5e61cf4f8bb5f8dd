import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createBrowser, fromSomewhere } from '../../../../test/browser.ts'
import type { Visit } from '../../../../test/browser.ts'
import { countQueries } from '../../../../test/count-queries.ts'
import { letterTo } from '../../../../test/letters.ts'
import { createAccountWithPassword, PASSWORD } from '../../../../test/passwords.ts'
import { signIn } from '../../../../test/sign-in.ts'
import { openWorld } from '../../../../test/world.ts'
import { issueToken } from '../../../domain/auth/tokens.ts'
import { mailPasswordForgotten } from '../../../mail/password.ts'

let ahead = 0
const world = await openWorld({ env: { DB_POOL: '10' }, now: () => new Date(Date.now() + ahead) })
after(world.close)
const { ctx, server } = world
const NEW = 'another horse entirely'
const HOUR_MS = 3_600_000

async function ask(email: string, headers: Record<string, string> = {}): Promise<Visit> {
  const browser = createBrowser(server)
  const page = await browser.get('/auth/password/new')
  return browser.submit(page, '/auth/password', { email }, { ...fromSomewhere(), ...headers })
}

/** The links in the letters to an address, oldest first. */
async function linksTo(email: string): Promise<string[]> {
  await world.settle()
  const mails = await ctx.db.selectFrom('mails').select('text').where('recipient', '=', email).orderBy('id').execute()
  return mails.flatMap(({ text }) => /^https?:\/\/\S+reset_password_token=\S+$/m.exec(text)?.[0] ?? [])
}
const pathOf = (link: string) => link.replace('https://linnet.test', '')

async function replace(link: string, password = NEW): Promise<Visit> {
  const browser = createBrowser(server)
  const page = await browser.get(pathOf(link), fromSomewhere())
  return page.status === 200 ? browser.submit(page, '/auth/password/edit', { password }, fromSomewhere()) : page
}
const tryLogIn = async (login: string, password: string) =>
  signIn(server, { login, password }).then(
    () => true,
    () => false,
  )

suite('a forgotten password', () => {
  test('is replaced by the link in a letter, which signs out everything', async () => {
    const { email, userId } = await createAccountWithPassword(ctx, 'ada')
    const { token } = await ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes: ['read'] }))
    const before = await signIn(server, { login: 'ada' })
    assert.match((await createBrowser(server).get('/auth/sign_in')).html, /href="\/auth\/password\/new"/)
    await ask(' ADA@mail.test ')
    const [link] = await linksTo(email)
    const short = await replace(link!, 'short')
    assert.equal(short.status, 422)
    assert.match(short.text, /This is too short/)
    const done = await replace(link!)
    assert.equal(done.status, 200)
    assert.match(done.text, /Log in with the new password/)
    assert.deepEqual([await tryLogIn('ada', PASSWORD), await tryLogIn('ada', NEW)], [false, true])
    assert.equal((await before.get('/account')).status, 303)
    const headers = { authorization: `Bearer ${token}` }
    assert.equal(
      (await world.anonymous.send({ url: '/api/v1/accounts/verify_credentials', headers })).status,
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

  test('AC2: gets the same answer, made by the same work, whoever has the address or nobody', async () => {
    await createAccountWithPassword(ctx, 'known')
    const { accountId } = await createAccountWithPassword(ctx, 'shut')
    await ctx.db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', accountId).execute()
    const done = new Map<string, unknown[]>()
    const quiet = await openWorld({ effects: false })
    const browser = createBrowser(quiet.server)
    await createAccountWithPassword(quiet.ctx, 'known')
    const page = await browser.get('/auth/password/new')
    for (const [email, work] of [
      ['first@mail.test', 'warm'],
      ['known@mail.test', 'known'],
      ['nobody@mail.test', 'nobody'],
    ] as const) {
      let answer: Visit | undefined
      const statements = await countQueries(async () => {
        answer = await browser.submit(page, '/auth/password', { email }, fromSomewhere())
      })
      done.set(work, [answer!.status, answer!.text, statements])
    }
    await quiet.close()
    assert.deepEqual(done.get('known'), done.get('nobody'))
    assert.equal(done.get('known')![0], 200)

    const pages = [await ask('known@mail.test'), await ask('nobody@mail.test'), await ask('shut@mail.test')]
    assert.equal(new Set(pages.map(({ text }) => text)).size, 1)
    assert.equal((await linksTo('known@mail.test')).length, 1)
    assert.deepEqual(await linksTo('shut@mail.test'), [])
    const wrong = await ask('no address')
    assert.equal(wrong.status, 422)
  })

  test('AC3: leads to the configured host, whatever the request says', async () => {
    await createAccountWithPassword(ctx, 'host')
    await ask('host@mail.test', { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' })
    const [link] = await linksTo('host@mail.test')
    assert.match(link!, /^https:\/\/linnet\.test\/auth\/password\/edit\?reset_password_token=\d+\.[\w-]+$/)
  })

  test('AC3: is replaced once by a link, also by many at once, and also when its letter is written again', async () => {
    const { email } = await createAccountWithPassword(ctx, 'once')
    await ask(email)
    const at = ctx.now().getTime()
    const [link] = await linksTo(email)
    const visits = await Promise.all(Array.from({ length: 6 }, async (_, i) => replace(link!, `another password ${i}`)))
    assert.equal(visits.filter(({ status }) => status === 200).length, 1)
    assert.equal((await replace(link!)).status, 422)
    assert.match((await replace(link!)).text, /This link is no longer valid/)
    const sent = await ctx.db.selectFrom('mails').select('key').where('recipient', '=', email).orderBy('id').execute()
    const moment = Number(sent[0]!.key.split(':').at(-1))
    assert.ok(moment <= at)
    await mailPasswordForgotten(ctx, { email, at: moment })
    assert.equal((await replace(link!)).status, 422)
  })

  test('AC3: is not replaced by a link that is old, older than another, changed, or somebody else’s', async () => {
    const [one, two] = [await createAccountWithPassword(ctx, 'one'), await createAccountWithPassword(ctx, 'two')]
    await ask(one.email)
    await linksTo(one.email)
    ahead += 1_000
    await ask(one.email)
    await ask(two.email)
    const [first, second] = await linksTo(one.email)
    const [others] = await linksTo(two.email)
    assert.equal((await replace(first!)).status, 422)
    const seal = second!.split('.').at(-1)!
    for (const forged of [
      second!.replace(/token=\d+/, `token=${two.userId}`),
      others!.replace(/\.[\w-]+$/, `.${seal}`),
      `${second!.slice(0, -1)}${second!.endsWith('A') ? 'B' : 'A'}`,
      second!.replace(/token=.*$/, 'token='),
      second!.replace(/token=.*$/, 'token=x.y'),
    ]) {
      assert.equal((await replace(forged)).status, 422, forged)
    }
    ahead += 6 * HOUR_MS + 1_000
    assert.equal((await replace(second!)).status, 422)
    assert.equal(await tryLogIn('one', PASSWORD), true)
  })

  test('is not replaced by a letter to an address that was given up since', async () => {
    const { email } = await createAccountWithPassword(ctx, 'mover')
    await ask(email)
    const [link] = await linksTo(email)
    const browser = await signIn(server, { login: 'mover' })
    const page = await browser.get('/settings/email')
    const wish = { email: 'mover@new.test', current_password: PASSWORD }
    await browser.submit(page, '/settings/email', wish, fromSomewhere())
    await browser.get((await letterTo(world, wish.email))!.link!)
    assert.equal((await replace(link!)).status, 422)
  })

  test('stays with who changed it or was shut out meanwhile', async () => {
    const { email, userId } = await createAccountWithPassword(ctx, 'meanwhile')
    await ask(email)
    const [link] = await linksTo(email)
    await ctx.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', userId).execute()
    assert.equal((await replace(link!)).status, 422)
    await ctx.db.updateTable('users').set({ disabled_at: null }).where('id', '=', userId).execute()
    const browser = await signIn(server, { login: email })
    const page = await browser.get('/auth/edit')
    await browser.submit(page, '/auth/edit', { current_password: PASSWORD, password: NEW }, fromSomewhere())
    assert.equal((await replace(link!)).status, 422)
  })
})
