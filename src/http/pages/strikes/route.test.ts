// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { disable, suspend } from '../../../../test/features/moderation.ts'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { createClient } from '../../../../test/http/client.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { createUserWithPassword } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { issueToken } from '../../../domain/auth/access-tokens.ts'
import { warnAccount } from '../../../domain/moderation/accounts/warn-account.ts'
import type { WarningAction } from '../../../domain/moderation/accounts/warn-account.ts'

const DAY_MS = 86_400_000

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx, server } = testServer
const moderator = await testServer.createUser({ role: 'moderator', username: 'secret_moderator' })

async function strike(
  targetAccountId: string,
  more: { action?: WarningAction; text?: string; statusIds?: string[] } = {},
): Promise<string> {
  return ctx.write((tx) => warnAccount(tx, { by: moderator.accountId, targetAccountId, action: 'none', ...more }))
}

/** Submits the form of a strike's page. */
async function appeal(browser: Browser, id: string, text: string) {
  const path = `/settings/strikes/${id}`
  return browser.submit(await browser.get(path), path, { text }, uniqueAddressHeaders())
}

suite('the pages of strikes', () => {
  test('VI19: show what happened and which posts it is about, and never the moderator', async () => {
    const ada = await createUserWithPassword(ctx, 'ada')
    const browser = await signIn(server, { login: 'ada' })
    assert.match((await browser.get('/settings/strikes')).text, /There are no strikes against your account/)
    for (const path of ['/account', '/auth/edit'])
      assert.match((await browser.get(path)).html, /href="\/settings\/strikes"/)
    const { userId } = ada
    const token = { applicationId: null, userId, scopes: ['read', 'write'] }
    const client = createClient(server, await ctx.write((tx) => issueToken(tx, token)))
    const { body: kept } = await client.post('/api/v1/statuses', { status: 'First\nline <b>', spoiler_text: 'Careful' })
    const { body: gone } = await client.post('/api/v1/statuses', { status: 'Second' })
    await client.delete(`/api/v1/statuses/${gone.id}`)
    await testServer.waitForJobs()
    const statusIds = [kept.id, gone.id]
    const id = await strike(ada.accountId, { action: 'mark_statuses_as_sensitive', text: 'Not <i> here', statusIds })
    const pages = [await browser.get('/settings/strikes'), await browser.get(`/settings/strikes/${id}`)]
    for (const { status, text } of pages) {
      assert.equal(status, 200)
      assert.match(text, /Some of your posts were marked as sensitive/)
    }
    assert.match(pages[1]!.text, /Not <i> here.*Careful.*First\s+line <b>.*One post is no longer stored/s)
    assert.ok(pages[1]!.html.includes(`href="${kept.url}"`))
    assert.match(pages[1]!.text, /you can appeal once, until/)
    await appeal(browser, id, 'Please look again')
    pages.push(await browser.get(`/settings/strikes/${id}`))
    await testServer.waitForJobs()
    const { body: notifications } = await client.get('/api/v1/notifications', { types: ['moderation_warning'] })
    const mails = await ctx.db.selectFrom('mails').selectAll().where('recipient', '=', ada.email).execute()
    assert.ok(notifications.length > 0 && mails.length > 0)
    for (const shown of [...pages.map(({ html }) => html), JSON.stringify([notifications, mails])]) {
      assert.ok(!shown.includes(moderator.username))
    }
  })

  test('are only for the account itself', async () => {
    const [bea, other] = [await createUserWithPassword(ctx, 'bea'), await createUserWithPassword(ctx, 'other')]
    const id = await strike(bea.accountId)
    const anonymous = await createBrowser(server).get(`/settings/strikes/${id}`)
    assert.equal(anonymous.location, `/auth/sign_in?next=%2Fsettings%2Fstrikes%2F${id}`)
    assert.equal((await createBrowser(server).get('/settings/strikes')).status, 303)
    const browser = await signIn(server, { login: 'other' })
    assert.equal((await browser.get(`/settings/strikes/${id}`)).status, 404)
    const own = await strike(other.accountId)
    const page = await browser.get(`/settings/strikes/${own}`)
    const { csrf } = page.forms.find(({ action }) => action === `/settings/strikes/${own}`)!.values
    const fields = { csrf: csrf!, text: 'Mine' }
    assert.equal((await browser.post(`/settings/strikes/${id}`, fields, uniqueAddressHeaders())).status, 404)
    assert.equal((await browser.post(`/settings/strikes/${own}`, { text: 'x' }, uniqueAddressHeaders())).status, 422)
    assert.equal((await browser.get('/settings/strikes/x')).status, 404)
  })

  test('are divided into pages', async () => {
    const { accountId } = await createUserWithPassword(ctx, 'many')
    const ids: string[] = []
    for (let count = 0; count < 21; count += 1) ids.unshift(await strike(accountId))
    const browser = await signIn(server, { login: 'many' })
    const found = ({ html }: { html: string }) =>
      [...html.matchAll(/href="\/settings\/strikes\/(\d+)"/g)].map(([, id]) => id)
    assert.deepEqual(found(await browser.get('/settings/strikes')), ids.slice(0, 20))
    assert.deepEqual(found(await browser.get(`/settings/strikes?max_id=${ids[19]}`)), ids.slice(20))
  })
})

suite('an appeal', () => {
  test('is submitted once, with a text', async () => {
    const cleo = await createUserWithPassword(ctx, 'cleo')
    const id = await strike(cleo.accountId)
    const browser = await signIn(server, { login: 'cleo' })
    const path = `/settings/strikes/${id}`
    const form = await browser.get(path)
    const blank = await appeal(browser, id, '  ')
    assert.equal(blank.status, 422)
    assert.match(blank.text, /This field is required/)
    const long = await appeal(browser, id, 'x'.repeat(2_001))
    assert.equal(long.status, 422)
    assert.match(long.text, /This is too long/)
    const sent = await appeal(browser, id, ' It was a joke <script> ')
    assert.deepEqual([sent.status, sent.location], [303, path])
    const page = await browser.get(path)
    assert.match(page.text, /You have appealed\. The moderators will reply by e-mail\..*It was a joke <script>/s)
    assert.ok(page.forms.every(({ action }) => action !== path))
    const again = await browser.submit(form, path, { text: 'Once more' }, uniqueAddressHeaders())
    assert.equal(again.status, 422)
    assert.match(again.text, /You have already appealed/)
    assert.match((await browser.get('/settings/strikes')).text, /Appeal pending/)
  })

  test('is possible for 20 days', async () => {
    const dora = await createUserWithPassword(ctx, 'dora')
    const [first, second] = [await strike(dora.accountId), await strike(dora.accountId)]
    aheadMs = 20 * DAY_MS - 60_000
    const browser = await signIn(server, { login: 'dora' })
    const form = await browser.get(`/settings/strikes/${second}`)
    assert.equal((await appeal(browser, first, 'In time')).status, 303)
    aheadMs = 20 * DAY_MS + 60_000
    const path = `/settings/strikes/${second}`
    const late = await browser.submit(form, path, { text: 'Too late' }, uniqueAddressHeaders())
    assert.equal(late.status, 422)
    assert.match(late.text, /It is too late to appeal/)
    const page = await browser.get(path)
    assert.match(page.text, /It was possible to appeal until/)
    assert.ok(page.forms.every(({ action }) => action !== path))
    aheadMs = 0
  })

  for (const restrict of [disable, suspend]) {
    test(`is submitted by a user who logs in after the account was restricted: ${restrict.name}`, async () => {
      const name = `eve_${restrict.name}`
      const user = await createUserWithPassword(ctx, name)
      const id = await strike(user.accountId, { action: restrict.name as WarningAction })
      await restrict(ctx, user)
      const browser = await signIn(server, { login: name })
      const list = await browser.get('/settings/strikes')
      assert.match(list.html, new RegExp(`href="/settings/strikes/${id}"`))
      assert.equal((await appeal(browser, id, 'Please')).status, 303)
      assert.match((await browser.get(`/settings/strikes/${id}`)).text, /You have appealed/)
    })
  }

  test('is not for users who are not approved yet', async () => {
    const { accountId } = await createUserWithPassword(ctx, 'newcomer')
    await ctx.db.updateTable('users').set({ approved: false }).where('account_id', '=', accountId).execute()
    const id = await strike(accountId)
    const browser = await signIn(server, { login: 'newcomer' })
    for (const path of ['/settings/strikes', `/settings/strikes/${id}`])
      assert.equal((await browser.get(path)).location, '/account')
  })
})
