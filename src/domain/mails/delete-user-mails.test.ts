import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { mailConfirmation } from '../../mail/confirmation.ts'
import { mailEmailChanged } from '../../mail/email-changed.ts'
import { mailPasswordChanged } from '../../mail/password.ts'
import { mailWarning } from '../../mail/warning.ts'
import { changeEmailAsStaff } from '../accounts/email/change-email.ts'
import { deleteAccount } from '../account-deletion/delete-account.ts'

// No worker runs, so mails wait.
const testServer = await openTestServer({ effects: false, env: { SMTP_SERVER: '127.0.0.1', SMTP_PORT: '1' } })
after(testServer.close)
const { ctx } = testServer

/** Returns the recipients of the waiting mails that have a job. */
async function listWaiting(): Promise<string[]> {
  const { rows } = await sql<{ recipient: string }>`
    select m.recipient from mails m where sent_at is null
      and exists (select from jobs where name = 'sendMail' and payload ->> 'mailId' = m.id::text) order by m.id`.execute(
    ctx.db,
  )
  return rows.map(({ recipient }) => recipient)
}

const countSendingJobs = async () => (await sql`select from jobs where name = 'sendMail'`.execute(ctx.db)).rows.length

beforeEach(async () => {
  await sql`delete from mails`.execute(ctx.db)
  await sql`delete from jobs where name = 'sendMail'`.execute(ctx.db)
})

test('mails that wait for a user are deleted with the user and their jobs, also those to a new address', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  for (const { accountId } of [alice, bob]) await mailPasswordChanged(ctx, { accountId, at: 1 })
  await ctx.write((tx) => changeEmailAsStaff(tx, { userId: alice.userId, email: 'new@mail.test' }))
  await mailConfirmation(ctx, { accountId: alice.accountId })
  assert.deepEqual(await listWaiting(), [alice.email, bob.email, 'new@mail.test'])
  await ctx.write((tx) => deleteAccount(tx, { accountId: alice.accountId }))
  assert.deepEqual([await listWaiting(), await countSendingJobs()], [[bob.email], 1])
})

test('a user who has requested the address of another one, or has a former one, does not delete their mails', async () => {
  const [alice, mallory] = [await testServer.createUser(), await testServer.createUser()]
  await mailPasswordChanged(ctx, { accountId: alice.accountId, at: 1 })
  await mailEmailChanged(ctx, {
    accountId: alice.accountId,
    formerEmail: mallory.email,
    newEmail: alice.email,
    at: 1,
  })
  await ctx.db.updateTable('users').set({ unconfirmed_email: alice.email }).where('id', '=', mallory.userId).execute()
  await ctx.write((tx) => deleteAccount(tx, { accountId: mallory.accountId }))
  assert.deepEqual(await listWaiting(), [alice.email, mallory.email])
})

test('the notice of a suspension still waits after the data of the account were deleted', async () => {
  const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:write' })
  const user = await testServer.createUser()
  await mailPasswordChanged(ctx, { accountId: user.accountId, at: 1 })
  const path = `/api/v1/admin/accounts/${user.accountId}`
  assert.equal((await admin.client.post(`${path}/action`, { type: 'suspend' })).status, 200)
  const { id: warningId } = await ctx.db.selectFrom('account_warnings').select('id').executeTakeFirstOrThrow()
  await mailWarning(ctx, { warningId })
  assert.equal((await listWaiting()).length, 2)
  assert.equal((await admin.client.delete(path)).status, 200)
  assert.deepEqual(await listWaiting(), [user.email])
  const { subject } = await ctx.db.selectFrom('mails').select('subject').executeTakeFirstOrThrow()
  assert.match(subject, /^Your account was suspended/)
})
