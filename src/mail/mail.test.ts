import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../../test/linnet.ts'
import { createAccountWithPassword } from '../../test/passwords.ts'
import { openWorld } from '../../test/world.ts'
import type { World } from '../../test/world.ts'
import { expireMails, listMails } from '../domain/mails/outbox.ts'
import { writeMail } from '../domain/mails/write-mail.ts'
import { everyJob } from '../../test/every-job.ts'
import { mailConfirmation } from './confirmation.ts'
import { sendMail } from './send.ts'
import { layOut } from './templates/layout.ts'

interface Delivery {
  from: string
  to: string[]
  data: string
}

let world: World
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
        deliveries.push({ from: mailFrom ? mailFrom.address : '', to, data: Buffer.concat(parts).toString() })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve)
  })
  const { port } = smtp.server.address() as AddressInfo
  const env = { SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(port), SMTP_ENABLE_STARTTLS: 'never' }
  world = await openWorld({ env, now: () => now ?? new Date() })
})
after(async () => {
  await world.close()
  await new Promise<void>((resolve) => {
    smtp.close(resolve)
  })
})

test('a mail is sent once, to its recipient alone, and its text is deleted', async () => {
  const { accountId, email } = await createAccountWithPassword(world.ctx, 'ada', { confirmed: false })
  await world.settle()
  const [sent] = deliveries
  assert.equal(deliveries.length, 1)
  assert.equal(sent!.from, 'notifications@linnet.test')
  assert.deepEqual(sent!.to, [email])
  assert.match(sent!.data, /^Subject: Confirm your e-mail address for linnet\.test\r$/m)
  assert.match(sent!.data, /^Auto-Submitted: auto-generated\r$/m)
  assert.match(sent!.data, /confirmation_token/)

  await mailConfirmation(world.ctx, { accountId })
  const row = (await world.ctx.db.selectFrom('mails').selectAll().executeTakeFirst())!
  await sendMail(world.ctx, { mailId: row.id })
  await world.settle()
  assert.equal(deliveries.length, 1, 'effects that run twice send nothing more')
  assert.ok(row.sent_at)
  assert.equal(row.text + row.html, '')
  assert.deepEqual(await listMails(world.ctx, { limit: 10 }), [])
})

test('HT4, AC8: a report reaches each of those who manage reports once, and what was typed is text in it', async () => {
  deliveries.length = 0
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const staff = [await world.createPerson({ role: 'moderator' }), await world.createPerson({ role: 'owner' })]
  const comment = '<img src=x onerror=alert(1)>\r\n.\r\nBcc: victim@mail.test'
  for (const more of ['', ' again']) {
    const payload = { account_id: bob.accountId, comment: comment + more }
    assert.equal((await alice.client.post('/api/v1/reports', payload)).status, 200)
  }
  await world.settle()
  assert.equal(deliveries.length, staff.length)
  assert.deepEqual(new Set(deliveries.map(({ to }) => to.join())), new Set(staff.map(({ email }) => email)))
  for (const { data } of deliveries) {
    const [headers = ''] = data.split('\r\n\r\n')
    assert.match(headers, new RegExp(`^Subject: New report about @${bob.username} on linnet\\.test\r$`, 'm'))
    assert.doesNotMatch(headers, /^Bcc:/im)
    assert.doesNotMatch(data.split('Content-Type: text/html')[1]!, /<img/)
    assert.doesNotMatch(data, / again/)
  }
})

test('F11: a mail that the mail server does not take now is tried again, and then sent once', async () => {
  deliveries.length = 0
  refusing = true
  await createAccountWithPassword(world.ctx, 'grace', { confirmed: false })
  await eventually(async () => {
    const { rows } = await sql`
      select from ${everyJob} j
      where j.name = 'sendMail' and j.last_error is not null and j.locked_at is null`.execute(world.ctx.db)
    assert.equal(rows.length, 1)
  })
  assert.equal(deliveries.length, 0)
  assert.equal((await listMails(world.ctx, { limit: 10 })).length, 1, 'it waits in the outbox')
  refusing = false
  await world.settle()
  assert.equal(deliveries.length, 1)
  assert.deepEqual(await listMails(world.ctx, { limit: 10 }), [])
})

test('AC8: nothing that somebody typed begins a new header or reaches another person', async () => {
  deliveries.length = 0
  const subject = 'Hello\r\nBcc: victim@mail.test\nX-Evil: 1\u2028\u0000end'
  await world.ctx.write((tx) =>
    writeMail(tx, { key: 'evil', recipient: 'one@mail.test', subject, text: 'a\r\n.\r\nMAIL FROM:<x@y>', html: '' }),
  )
  await world.settle()
  assert.deepEqual(deliveries[0]!.to, ['one@mail.test'])
  const [headers = ''] = deliveries[0]!.data.split('\r\n\r\n')
  assert.doesNotMatch(headers, /^(Bcc|X-Evil):/im)
  assert.match(headers, /^Subject: Hello Bcc: victim@mail\.test X-Evil: 1 end\r$/m)
  assert.equal(deliveries.length, 1)
})

test('AC8, HT4: a mail shows what was typed as text, in both of its forms', () => {
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

test('sent mails are deleted after a week, stored ones after three months', async () => {
  const count = async () => (await world.ctx.db.selectFrom('mails').select('id').execute()).length
  await world.ctx.db
    .insertInto('mails')
    .values({ key: 'kept', recipient: 'kept@mail.test', subject: 's', text: 't', html: 'h' })
    .execute()
  assert.ok((await count()) > 1)
  now = new Date(Date.now() + 8 * 86_400_000)
  await expireMails(world.ctx)
  assert.equal(await count(), 1)
  now = new Date(Date.now() + 91 * 86_400_000)
  await expireMails(world.ctx)
  assert.equal(await count(), 0)
})
