import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../../test/servers/linnet-process.ts'
import { createUserWithPassword } from '../../test/servers/create-user-with-password.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import type { TestServer } from '../../test/servers/test-server.ts'
import { expireMails, listUnsentMails } from '../domain/mails/outbox.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import { mailConfirmation } from './confirmation.ts'
import { sendMail } from './send.ts'
import { layOut } from './templates/layout.ts'

interface Delivery {
  /** The name in EHLO. */
  client: string
  from: string
  to: string[]
  data: string
}

let testServer: TestServer
let smtp: SMTPServer
let refusing = false
let now: Date | null = null
const deliveries: Delivery[] = []

before(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        if (refusing) return done(Object.assign(new Error('Not now'), { responseCode: 451 }))
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const client = session.hostNameAppearsAs
        deliveries.push({ client, from: mailFrom ? mailFrom.address : '', to, data: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve)
  })
  const { port } = smtp.server.address() as AddressInfo
  const env = {
    SMTP_SERVER: '127.0.0.1',
    SMTP_PORT: String(port),
    SMTP_ENABLE_STARTTLS: 'never',
    SMTP_FROM_ADDRESS: 'Our Pläce <notifications@linnet.test>',
    SMTP_REPLY_TO: 'staff@linnet.test',
  }
  testServer = await openTestServer({ env, now: () => now ?? new Date() })
})
after(async () => {
  await testServer.close()
  await new Promise<void>((resolve) => {
    smtp.close(resolve)
  })
})

test('a mail is sent once, to its recipient alone, and its text is deleted', async () => {
  const { accountId, email } = await createUserWithPassword(testServer.ctx, 'ada', { confirmed: false })
  await testServer.waitForJobs()
  const [sent] = deliveries
  assert.equal(deliveries.length, 1)
  assert.deepEqual([sent!.client, sent!.from], ['linnet.test', 'notifications@linnet.test'])
  assert.deepEqual(sent!.to, [email])
  assert.match(sent!.data, /^Subject: Confirm your e-mail address for linnet\.test\r$/m)
  assert.match(sent!.data, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(sent!.data, /^From: =\?UTF-8\?Q\?Our_Pl=C3=A4ce\?= <notifications@linnet\.test>\r$/m)
  assert.match(sent!.data, /^Reply-To: staff@linnet\.test\r$/m)
  assert.match(sent!.data, /confirmation_token/)

  await mailConfirmation(testServer.ctx, { accountId })
  const row = (await testServer.ctx.db.selectFrom('mails').selectAll().executeTakeFirst())!
  await sendMail(testServer.ctx, { mailId: row.id })
  await testServer.waitForJobs()
  assert.equal(deliveries.length, 1, 'effects that run twice send no second mail')
  assert.ok(row.sent_at)
  assert.equal(row.text + row.html, '')
  assert.deepEqual(await listUnsentMails(testServer.ctx, { limit: 10 }), [])
})

test('HT4, AC8: staff who manage reports get one mail about a report, with the comment escaped', async () => {
  deliveries.length = 0
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const staff = [await testServer.createUser({ role: 'moderator' }), await testServer.createUser({ role: 'owner' })]
  const comment = '<img src=x onerror=alert(1)>\r\n.\r\nBcc: victim@mail.test'
  for (const more of ['', ' again']) {
    const payload = { account_id: bob.accountId, comment: comment + more }
    assert.equal((await alice.client.post('/api/v1/reports', payload)).status, 200)
  }
  await testServer.waitForJobs()
  assert.equal(deliveries.length, staff.length)
  assert.deepEqual(new Set(deliveries.map(({ to }) => to.join())), new Set(staff.map(({ email }) => email)))
  for (const { data } of deliveries) {
    const [headers = ''] = data.split('\r\n\r\n')
    assert.match(headers, new RegExp(`^Subject: New report about @${bob.username} on linnet\\.test\r$`, 'm'))
    assert.doesNotMatch(headers, /^Bcc:/im)
    assert.doesNotMatch(data.split('Content-Type: text/html')[1]!, /<img/)
    assert.doesNotMatch(data, / again/)
    assert.match(data, /^https:\/\/linnet\.test\/admin\/reports\/\d+\r$/m)
  }
})

test('F11: a mail that the SMTP server rejects temporarily is retried, and then sent once', async () => {
  deliveries.length = 0
  refusing = true
  await createUserWithPassword(testServer.ctx, 'grace', { confirmed: false })
  await eventually(async () => {
    const { rows } = await sql`
      select from jobs j
      where j.name = 'sendMail' and j.last_error is not null and j.locked_at is null`.execute(testServer.ctx.db)
    assert.equal(rows.length, 1)
  })
  assert.equal(deliveries.length, 0)
  assert.equal((await listUnsentMails(testServer.ctx, { limit: 10 })).length, 1, 'it stays in the outbox')
  refusing = false
  await testServer.waitForJobs()
  assert.equal(deliveries.length, 1)
  assert.deepEqual(await listUnsentMails(testServer.ctx, { limit: 10 }), [])
})

test('AC8: user input cannot inject headers or recipients', async () => {
  deliveries.length = 0
  const subject = 'Hello\r\nBcc: victim@mail.test\nX-Evil: 1\u2028\u0000end'
  await testServer.ctx.write((tx) =>
    enqueueMail(tx, { key: 'evil', recipient: 'one@mail.test', subject, text: 'a\r\n.\r\nMAIL FROM:<x@y>', html: '' }),
  )
  await testServer.waitForJobs()
  assert.deepEqual(deliveries[0]!.to, ['one@mail.test'])
  const [headers = ''] = deliveries[0]!.data.split('\r\n\r\n')
  assert.doesNotMatch(headers, /^(Bcc|X-Evil):/im)
  assert.match(headers, /^Subject: Hello Bcc: victim@mail\.test X-Evil: 1 end\r$/m)
  assert.equal(deliveries.length, 1)
})

test('AC8, HT4: a mail contains user input as text, in plain text and in HTML', () => {
  const { text, html } = layOut({
    locale: 'en',
    subject: 'S',
    site: 'linnet.test',
    title: '<script>alert(1)</script>',
    paragraphs: ['"><img src=x onerror=alert(1)>'],
    quote: 'one\r\n-- \r\ntwo & <b>',
    note: 'n',
  })
  assert.doesNotMatch(html, /<script|<img|<b>/)
  assert.match(html, /two &amp; &lt;b&gt;/)
  assert.match(text, /^> one\n> -- \n> two & <b>$/m)
})

test('sent mails are deleted after a week, unsent ones after three months with their dead jobs', async () => {
  const count = async () => (await testServer.ctx.db.selectFrom('mails').select('id').execute()).length
  await testServer.ctx.db
    .insertInto('mails')
    .values({ key: 'stored', recipient: 'stored@mail.test', subject: 's', text: 't', html: 'h' })
    .execute()
  await sql`
    insert into jobs (queue, name, payload, attempts, max_attempts, run_at)
    select 'network', 'sendMail', json_build_object('mailId', id::text), 1, 1, now() from mails where key = 'stored'`.execute(
    testServer.ctx.db,
  )
  const countJobs = async () =>
    (await sql`select from jobs where name = 'sendMail'`.execute(testServer.ctx.db)).rows.length
  assert.ok((await count()) > 1)
  now = new Date(Date.now() + 8 * 86_400_000)
  await expireMails(testServer.ctx)
  assert.deepEqual([await count(), await countJobs()], [1, 1])
  now = new Date(Date.now() + 91 * 86_400_000)
  await expireMails(testServer.ctx)
  assert.deepEqual([await count(), await countJobs()], [0, 0])
})
