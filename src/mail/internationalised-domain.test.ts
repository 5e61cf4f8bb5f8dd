import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openTestServer } from '../../test/servers/test-server.ts'
import { mailArchive } from './archive.ts'
import { mailConfirmation } from './confirmation.ts'
import { mailEmailChange } from './email-change.ts'
import { mailPasswordChanged } from './password.ts'
import { mailPending } from './pending.ts'
import { mailRegistrationsClosed } from './registrations-closed.ts'
import { mailTest } from './test-mail.ts'
import { mailSecondFactorFailure, mailTwoFactorChange } from './two-factor.ts'
import { mailWelcome } from './welcome.ts'

const testServer = await openTestServer({ effects: false, env: { LOCAL_DOMAIN: 'bücher.example' } })
after(testServer.close)
const { ctx } = testServer

test('mails show an internationalised domain in Unicode, and link to its ASCII form', async () => {
  const { accountId } = await testServer.createUser({ role: 'owner' })
  const fresh = await testServer.createUser({ confirmed: false })
  const pending = await testServer.createUser({ approved: false })
  await mailConfirmation(ctx, fresh)
  await mailPending(ctx, pending)
  await mailArchive(ctx, { accountId, archiveId: '1' })
  await mailEmailChange(ctx, { accountId, email: 'old@mail.test', newEmail: 'new@mail.test', at: 1 })
  await mailPasswordChanged(ctx, { accountId, at: 1 })
  await mailRegistrationsClosed(ctx, { at: 1 })
  await mailTest(ctx, { accountId, requestId: '1' })
  await mailTwoFactorChange(ctx, { accountId, change: 'totp_enabled', at: 1 })
  await mailSecondFactorFailure(ctx, { accountId, firstFactor: 'password', at: 1 })
  const mails = await ctx.db.selectFrom('mails').select(['subject', 'text', 'html']).orderBy('id').execute()
  assert.equal(mails.length, 9)
  for (const { subject, text, html } of mails) {
    const [words, markup] = [text, html].map((part) => part.replaceAll(/https:\/\/[^\s"<]+/g, ''))
    for (const part of [words!, markup!]) assert.ok(part.includes('bücher.example'), subject)
    assert.doesNotMatch(subject + words! + markup!, /xn--/)
  }
  assert.ok(mails[0]!.text.includes('\nhttps://xn--bcher-kva.example/auth/confirmation?'))
})

test('the welcome mail shows the handle in Unicode, and the server for apps in ASCII', async () => {
  const { accountId, username } = await testServer.createUser()
  await mailWelcome(ctx, { accountId })
  const { subject, text } = await ctx.db
    .selectFrom('mails')
    .select(['subject', 'text'])
    .where('key', 'like', 'welcome:%')
    .executeTakeFirstOrThrow()
  assert.equal(subject, 'Welcome to bücher.example')
  assert.ok(text.includes(`@${username}@bücher.example`))
  assert.match(text, /When it asks for your server, enter xn--bcher-kva\.example\./)
})
