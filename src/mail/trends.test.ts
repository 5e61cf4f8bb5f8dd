import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { ENOUGH_ACCOUNTS, openTrendServer } from '../../test/features/trends.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { mailTrends } from './trends.ts'

let aheadMs = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer
const { users, post, favourite, measure, set } = await openTrendServer(testServer)
const owner = await testServer.createUser({ role: 'owner' })
const moderator = await testServer.createUser({ role: 'moderator' })

const sendAndTakeMails = async () => {
  await mailTrends(ctx)
  const { rows } = await sql<{ recipient: string; text: string }>`
    delete from mails where key like 'trends:%' returning recipient, text`.execute(ctx.db)
  return rows
}
async function useTag(name: string): Promise<void> {
  for (const user of users.slice(0, ENOUGH_ACCOUNTS)) await post(user, `#${name}`)
  // Statuses have the date of the database, which may be before that of the test server.
  await sql`
    update tag_uses set day = (${ctx.now()}::timestamptz at time zone 'UTC')::date
    where tag_id = (select id from tags where name = ${name})`.execute(ctx.db)
}

test('staff who review trends get a mail about each trend once, and not too often', async () => {
  assert.deepEqual(await sendAndTakeMails(), [])
  await useTag('first')
  const id = await post(users[0]!, 'A popular post')
  await favourite(id)
  await measure()
  const mails = await sendAndTakeMails()
  const [mail] = mails
  assert.deepEqual(mails.map(({ recipient }) => recipient).toSorted(), [owner.email, moderator.email].toSorted())
  assert.match(mail!.text, /^> #first$/m)
  assert.ok(mail!.text.includes(`/${id}\n`))
  await useTag('second')
  await measure()
  assert.deepEqual(await sendAndTakeMails(), [])
  aheadMs = 6 * 3_600_000 + 60_000
  await measure()
  const [next] = await sendAndTakeMails()
  assert.match(next!.text, /^> #second$/m)
  assert.doesNotMatch(next!.text, /#first/)
  assert.match(next!.text, /^https:\/\/linnet\.test\/admin\/trends\?kind=tags&review=pending$/m)
})

test('staff get no mail if trends need no review, or are turned off', async () => {
  aheadMs += 7 * 3_600_000
  await sql`delete from trending_tags`.execute(ctx.db)
  await useTag('third')
  await measure()
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await sendAndTakeMails(), [])
  await set('trends-unreviewed', 'off')
  await set('trends', 'off')
  assert.deepEqual(await sendAndTakeMails(), [])
  await set('trends', 'on')
  assert.equal((await sendAndTakeMails()).length, 2)
})
