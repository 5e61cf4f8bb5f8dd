// Slow: hashes passwords.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { untilLockWaits } from '../../../test/features/lock-waits.ts'
import { uniqueAddressHeaders } from '../../../test/http/browser.ts'
import type { PageResponse } from '../../../test/http/browser.ts'
import { authorizePath, createOAuthApps, redirectLocation } from '../../../test/http/oauth-apps.ts'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { createUserWithPassword } from '../../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { issueToken } from '../../domain/auth/access-tokens.ts'
import { passwordResetToken, recordPasswordResetMail, resetPassword } from '../../domain/auth/password-reset.ts'
import { resetPasswordOfUser } from '../../domain/moderation/accounts/modify-user.ts'

const testServer = await openTestServer({ env: { DB_POOL: '10' } })
after(testServer.close)
const { ctx } = testServer
const apps = createOAuthApps(testServer)
const NEW = 'another horse entirely'

type Owner = Awaited<ReturnType<typeof createUserWithPassword>>

type Change = () => Promise<unknown>

/** Prepare what replaces the password of a user and ends the other sessions. */
const CHANGES: Record<string, (owner: Owner) => Promise<Change>> = {
  'a password change': async ({ userId }) => {
    const browser = await openBrowserSession(testServer, { userId })
    const page = await browser.get('/auth/edit')
    return () => browser.submit(page, '/auth/edit', { password: NEW }, uniqueAddressHeaders())
  },
  'a password reset': async ({ userId, email }) => {
    const sentAt = new Date()
    await ctx.write((tx) => recordPasswordResetMail(tx, { email, sentAt }))
    const token = passwordResetToken(ctx.secrets, { userId, sentAt })
    return () => resetPassword(ctx, { token, password: NEW })
  },
  'a password reset by the command line':
    async ({ accountId }) =>
    () =>
      resetPasswordOfUser(ctx, { accountId, by: null, password: NEW }),
}

/** Returns a user with a stolen session that is about to send the consent to an app, and the change of the password. */
async function prepare(username: string, prepareChange: (owner: Owner) => Promise<Change>) {
  const owner = await createUserWithPassword(ctx, username)
  const app = await apps.register()
  const stolen = await openBrowserSession(testServer, owner)
  const page = await stolen.get(authorizePath(app))
  const change = await prepareChange(owner)
  const consent = async (): Promise<PageResponse> => stolen.submit(page, '/oauth/authorize', { decision: 'allow' })
  return { owner, app, change, consent }
}

suite('codes of sessions that end', () => {
  for (const [index, [name, prepareChange]] of Object.entries(CHANGES).entries()) {
    test(`OA5: a consent that waits for ${name} gets no code`, async () => {
      const { owner, change, consent } = await prepare(`waiting${index}`, prepareChange)
      const { id } = await ctx.write((tx) =>
        issueToken(tx, { applicationId: null, userId: owner.userId, scopes: ['read'] }),
      )
      const [changed, consents] = await ctx.db.transaction().execute(async (blocker) => {
        // The last row that the change locks.
        await sql`select from access_tokens where id = ${id} for update`.execute(blocker)
        const pendingChange = change()
        await untilLockWaits(testServer, 1)
        const pendingConsents = Array.from({ length: 3 }, consent)
        await untilLockWaits(testServer, 4)
        return [pendingChange, pendingConsents] as const
      })
      await changed
      for (const { status, location } of await Promise.all(consents)) {
        assert.equal(status, 303)
        assert.match(location!, /^\/auth\/sign_in\?next=%2Foauth%2Fauthorize/)
      }
    })

    test(`OA5: the code of a consent that ${name} waits for cannot be exchanged`, async () => {
      const { app, change, consent } = await prepare(`awaited${index}`, prepareChange)
      const [consented, changed] = await ctx.db.transaction().execute(async (blocker) => {
        await sql`select from applications where client_id = ${app.client_id} for update`.execute(blocker)
        const pendingConsent = consent()
        await untilLockWaits(testServer, 1)
        const pendingChange = change()
        await untilLockWaits(testServer, 2)
        return [pendingConsent, pendingChange] as const
      })
      await changed
      const code = redirectLocation(await consented).searchParams.get('code')
      const { status, body } = await apps.exchange(app, code!)
      assert.deepEqual([status, body.error], [400, 'invalid_grant'])
    })
  }
})
