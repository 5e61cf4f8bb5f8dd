import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../../test/http/browser.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { expireSignUpAddresses } from '../accounts/registration/expire-sign-up-addresses.ts'
import { expireLoginActivities, recordLoginActivity } from './login-activities.ts'
import { expireSessionAddresses, expireSessions, openSession } from './sessions.ts'

const MINUTE_MS = 60_000
let aheadMs = 0
const testServer = await openTestServer({
  env: { SESSION_RETENTION_PERIOD: '7200', IP_RETENTION_PERIOD: '3600' },
  now: () => new Date(Date.now() + aheadMs),
  effects: false,
})
after(testServer.close)
const { ctx } = testServer

test('sessions end, and addresses are deleted, after the periods that the administrator has set', async () => {
  const { userId } = await testServer.createUser()
  const browser = { ip: '192.0.2.1', userAgent: '' }
  await ctx.db.updateTable('users').set({ sign_up_ip: browser.ip }).where('id', '=', userId).execute()
  const secret = await ctx.write(async (tx) => {
    await recordLoginActivity(tx, { userId, by: { method: 'password' }, browser })
    return openSession(tx, { userId, browser })
  })
  const web = createBrowser(testServer.server)
  web.cookies.set('__Host-linnet-session', secret)
  const sessions = ctx.db.selectFrom('sessions').select(['ip', 'expires_at']).where('user_id', '=', userId)
  const minutesLeft = async () =>
    Math.round(((await sessions.executeTakeFirstOrThrow()).expires_at.getTime() - Date.now()) / MINUTE_MS)
  assert.equal(await minutesLeft(), 120)
  const used = { last_used_at: new Date(Date.now() - 61 * MINUTE_MS), expires_at: new Date(Date.now() + MINUTE_MS) }
  await ctx.db.updateTable('sessions').set(used).where('user_id', '=', userId).execute()
  assert.equal((await web.get('/account')).status, 200)
  assert.equal(await minutesLeft(), 120, 'each use extends the session')

  const expire = async () => {
    for (const job of [expireSessions, expireSessionAddresses, expireLoginActivities, expireSignUpAddresses])
      await job(ctx)
    const activities = await ctx.db.selectFrom('login_activities').select('id').where('user_id', '=', userId).execute()
    const { sign_up_ip: signUpIp } = await ctx.db
      .selectFrom('users')
      .select('sign_up_ip')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    return { sessions: (await sessions.execute()).map(({ ip }) => ip), activities: activities.length, signUpIp }
  }
  aheadMs = 59 * MINUTE_MS
  assert.deepEqual(await expire(), { sessions: ['192.0.2.1'], activities: 1, signUpIp: '192.0.2.1' })
  aheadMs = 61 * MINUTE_MS
  assert.deepEqual(await expire(), { sessions: [null], activities: 0, signUpIp: null })
  // As after the period was shortened.
  await ctx.db
    .updateTable('sessions')
    .set({ expires_at: new Date('2999-01-01') })
    .where('user_id', '=', userId)
    .execute()
  aheadMs = 121 * MINUTE_MS
  assert.deepEqual((await expire()).sessions, [])
})
