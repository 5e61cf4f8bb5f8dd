import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countDeadlocks, untilLockWaits } from '../../../test/features/lock-waits.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { registerApplication } from './applications.ts'
import { exchangeCode, issueCode } from './authorization-codes.ts'
import { linkIdentity, unlinkIdentity } from './external/identities.ts'
import { logInExternally } from './external/log-in-externally.ts'
import { deleteOwnApplication } from './own-applications.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

type Tx = Parameters<Parameters<typeof ctx.write>[0]>[0]

/** Runs `second` once `first` has begun, and ends `first` when `second` waits for it. Returns the result of `second`. */
async function overlap<Result>(
  first: { begin: (tx: Tx) => Promise<unknown>; end: (tx: Tx) => Promise<unknown> },
  second: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const deadlocks = await countDeadlocks(ctx.db)
  let result: Promise<Result> | undefined
  await ctx.write(async (tx) => {
    await first.begin(tx)
    result = ctx.write(second)
    await untilLockWaits(testServer, 1)
    await first.end(tx)
  })
  const value = await result!
  assert.equal(await countDeadlocks(ctx.db), deadlocks)
  return value
}

test('an application that is deleted while a code is exchanged gets no token, without a deadlock', async () => {
  const { userId } = await testServer.createUser()
  const redirectUri = 'https://bot.example/callback'
  const id = await ctx.write(async (tx) => {
    const application = await registerApplication(tx, { name: 'bot', redirectUris: redirectUri })
    await sql`update applications set owner_user_id = ${userId} where id = ${application.id}`.execute(tx.db)
    return application.id
  })
  const grant = { applicationId: id, redirectUri }
  const code = await ctx.write((tx) =>
    issueCode(tx, { ...grant, userId, scopes: ['read'], codeChallenge: null, sessionId: null }),
  )
  const token = await overlap(
    {
      begin: ({ db }) => sql`select from applications where id = ${id} for update`.execute(db),
      end: (tx) => deleteOwnApplication(tx, { userId, id }),
    },
    (tx) => exchangeCode(tx, { ...grant, code, codeVerifier: null }),
  )
  assert.equal(token, null)
})

test('a log-in with an external identity that is removed at the same time is refused, without a deadlock', async () => {
  const { userId } = await testServer.createUser()
  const provider = 'openid_connect'
  for (const one of [provider, 'cas'] as const)
    await ctx.write((tx) => linkIdentity(tx, { userId, provider: one, uid: 'alice' }))
  const identity = {
    uid: 'alice',
    nickname: 'alice',
    displayName: '',
    email: null,
    emailVerified: false,
    pictureUrl: null,
    roles: null,
  }
  const result = await overlap(
    {
      begin: ({ db }) => sql`select from users where id = ${userId} for no key update`.execute(db),
      end: (tx) => unlinkIdentity(tx, { userId, provider, usable: ['cas'], acceptsPasswords: false }),
    },
    (tx) =>
      logInExternally(tx, {
        provider,
        identity,
        browser: { ip: null, userAgent: '' },
        previousSessionId: null,
        alsoDo: async () => {},
      }),
  )
  assert.equal(result, 'unknown')
})
