import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createUsers } from '../../test/servers/create-users.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { countTermsRecipients, notifyUsersOfTerms } from '../domain/instance/notify-users-of-terms.ts'
import { publishTerms } from '../domain/instance/terms-of-service.ts'
import { PostponedError } from '../platform/jobs/postponed-error.ts'
import { notifyOfTerms } from './terms-of-service.ts'

const effectiveDate = '2099-01-31'

/** Publishes terms on a server with 250 users, whose jobs the test runs, and requests the notification. */
async function announceTerms(env: Record<string, string>) {
  const testServer = await openTestServer({ env, effects: false })
  after(testServer.close)
  const { ctx } = testServer
  await createUsers(ctx, { prefix: 'many', count: 250 })
  await ctx.write(async (tx) => {
    await publishTerms(tx, { by: null, text: 'Terms', effectiveDate })
    await notifyUsersOfTerms(tx, { by: null, effectiveDate })
  })
  const recipients = async () =>
    (await ctx.db.selectFrom('mails').select('recipient').execute()).map((m) => m.recipient)
  const findNext = async () => {
    const terms = await ctx.db.selectFrom('terms_of_service').select('notified_until').executeTakeFirstOrThrow()
    return terms.notified_until
  }
  return { ctx, recipients, findNext }
}

test('each user gets one mail in steps that wait for their mails, also if steps run twice at the same time', async () => {
  const { ctx, recipients, findNext } = await announceTerms({ SMTP_SERVER: '127.0.0.1', SMTP_PORT: '1' })
  const runTwice = async (from: string) => {
    const step = { effectiveDate, after: from }
    await Promise.all([notifyOfTerms(ctx, step), notifyOfTerms(ctx, step)])
  }
  await runTwice('0')
  assert.equal((await recipients()).length, 200)
  const next = await findNext()
  assert.ok(next !== null)
  await assert.rejects(notifyOfTerms(ctx, { effectiveDate, after: next }), PostponedError)
  assert.equal((await recipients()).length, 200)
  // As if the mails were sent.
  await ctx.db.deleteFrom('jobs').where('name', '=', 'sendMail').execute()
  await runTwice('0')
  await runTwice(next)
  assert.equal(await findNext(), null)
  await runTwice(next)
  const all = await recipients()
  assert.deepEqual([all.length, new Set(all).size], [250, 250])
})

test('without a mail server, all users see the page about new terms when they return', async () => {
  const { ctx, recipients, findNext } = await announceTerms({})
  assert.deepEqual(await countTermsRecipients(ctx, { effectiveDate }), { mails: 0, reviews: 250 })
  for (let next: string | null = '0'; next !== null; next = await findNext())
    await notifyOfTerms(ctx, { effectiveDate, after: next })
  assert.deepEqual(await recipients(), [])
  const { count } = await ctx.db
    .selectFrom('terms_reviews')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 250)
})
