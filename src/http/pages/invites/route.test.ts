// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { signIn } from '../../../../test/http/sign-in.ts'
import { slowFields } from '../../../../test/http/pages/sign-up-form.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx, server } = testServer
await ctx.write((tx) => changeSetting(tx, { by: null, name: 'registrations', text: 'none' }))

const inviter = await createUserWithPassword(ctx, 'inviter')
const browser = await signIn(server, { login: 'inviter' })

const create = async (fields: Record<string, string> = {}, by: Browser = browser) =>
  by.submit(await by.get('/invites'), '/invites', { max_uses: '', expires_in: '', ...fields }, uniqueAddressHeaders())
const linkIn = (html: string) => /\/invite\/(\w{8})"/.exec(html)![1]!
const find = async (code: string) =>
  ctx.db.selectFrom('invites').selectAll().where('code', '=', code).executeTakeFirstOrThrow()

suite('the page of invites', () => {
  test('is linked from the settings, and creates an invite whose link signs up a user', async () => {
    assert.match((await browser.get('/auth/edit')).html, /href="\/invites"/)
    assert.match((await browser.get('/invites')).text, /You have not created any invites/)
    const page = await create({ max_uses: '5', expires_in: '1800', autofollow: '1', comment: 'For <friends>' })
    assert.equal(page.status, 200)
    const code = linkIn(page.html)
    const invite = await find(code)
    assert.deepEqual([invite.max_uses, invite.autofollow, invite.comment], [5, true, 'For <friends>'])
    assert.ok(Math.abs(invite.expires_at!.getTime() - Date.now() - 1_800_000) < 60_000)
    assert.match(page.text, /For <friends> Used: 0 of 5 · Expires: .* New users follow you\./)

    const guest = createBrowser(server)
    const fields = { username: 'guest', email: 'guest@mail.test', password: PASSWORD, agreement: '1' }
    const form = await guest.get(`/invite/${code}`)
    const done = await guest.submit(form, '/auth', { ...fields, ...slowFields(testServer) }, uniqueAddressHeaders())
    assert.equal(done.location, '/auth/setup')
    assert.match((await browser.get('/invites')).text, /Used: 1 of 5/)
  })

  test('offers the limits of Mastodon, and refuses others beside the form', async () => {
    const { html } = await browser.get('/invites')
    const choicesOf = (name: string) => {
      const [, options = ''] = new RegExp(`name="${name}">([^]*?)</select>`).exec(html)!
      return [...options.matchAll(/value="(\d*)"/g)].map(([, value]) => value)
    }
    assert.deepEqual(choicesOf('max_uses'), ['', '1', '5', '10', '25', '50', '100'])
    assert.deepEqual(choicesOf('expires_in'), ['1800', '3600', '21600', '43200', '86400', '604800', ''])
    const unlimited = await find(linkIn((await create()).html))
    assert.deepEqual([unlimited.max_uses, unlimited.expires_at], [null, null])
    const wrong: Record<string, string>[] = [
      { max_uses: '7' },
      { expires_in: '-1' },
      { max_uses: 'x' },
      { comment: 'x'.repeat(421) },
    ]
    for (const fields of wrong) {
      const page = await create({ comment: 'kept', ...fields })
      assert.equal(page.status, 422, JSON.stringify(fields))
      assert.match(page.text, /Please correct one problem/)
    }
    assert.match((await create({ max_uses: '7', comment: 'kept' })).html, /value="kept"/)
  })

  test('deactivates an own invite, which stays in the list, and no other one', async () => {
    const code = linkIn((await create()).html)
    const { id } = await find(code)
    const thief = await createUserWithPassword(ctx, 'thief')
    const other = await signIn(server, { login: 'thief' })
    await create({}, other)
    const page = await other.get('/invites')
    assert.ok(!page.html.includes(code))
    for (const one of [id, '4711', 'nonsense'])
      assert.equal((await other.submit(page, '/invites/expire', { id: one }, uniqueAddressHeaders())).status, 404)
    assert.equal((await createBrowser(server).get(`/invite/${code}`)).status, 200)
    const own = await browser.get('/invites')
    const done = await browser.submit(own, '/invites/expire', { id }, uniqueAddressHeaders())
    assert.match(done.text, /The invite has expired\./)
    assert.ok(done.text.includes(code) && !done.html.includes(`/invite/${code}`))
    assert.equal((await createBrowser(server).get(`/invite/${code}`)).status, 410)
    assert.notEqual(thief.userId, inviter.userId)
  })

  test('shows that an invite has expired, and older invites on further pages', async () => {
    const code = linkIn((await create({ expires_in: '3600' })).html)
    aheadMs = 3_601_000
    assert.ok(!(await browser.get('/invites')).html.includes(`/invite/${code}`))
    const rows = Array.from({ length: 25 }, (_, n) => ({
      code: `many${n}`,
      user_id: inviter.userId,
      autofollow: false,
      comment: '',
      created_at: new Date(),
    }))
    await ctx.db.insertInto('invites').values(rows).execute()
    const first = await browser.get('/invites')
    const [, older = ''] = /rel="next" href="([^"]+)"/.exec(first.html)!
    const second = await browser.get(older.replaceAll('&amp;', '&'))
    assert.ok(first.html.includes('many24') && !first.html.includes('many4"'))
    assert.ok(second.html.includes('many4"') && !second.html.includes('many24'))
  })

  test('is for users who may invite others', async () => {
    assert.equal((await createBrowser(server).get('/invites')).location, '/auth/sign_in?next=%2Finvites')
    await ctx.db.updateTable('roles').set({ permissions: '0' }).where('id', '=', '-99').execute()
    const page = await browser.get('/invites')
    assert.equal(page.status, 403)
    assert.doesNotMatch((await browser.get('/auth/edit')).html, /href="\/invites"/)
    await ctx.db
      .updateTable('roles')
      .set({ permissions: String(1 << 16) })
      .where('id', '=', '-99')
      .execute()
    await ctx.db
      .updateTable('accounts')
      .set({ moved_to_account_id: inviter.accountId })
      .where('username', '=', 'thief')
      .execute()
    const moved = await signIn(server, { login: 'thief' })
    assert.equal((await moved.get('/invites')).location, '/account')
  })
})
