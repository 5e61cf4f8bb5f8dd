import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, suite, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { eventually } from '../../test/servers/linnet-process.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { enqueueMail } from '../domain/mails/enqueue-mail.ts'
import type { AdminJob } from '../entities/admin/operations/admin-job.ts'
import type { AdminMail } from '../entities/admin/operations/admin-mail.ts'

type Step = 'AUTH' | 'MAIL' | 'RCPT' | 'DATA'

/** The reply that the mail server sends instead of accepting a mail. */
let refusal: { step: Step; code: number } | null = null
let received = 0

const replyTo = (step: Step) =>
  refusal?.step === step
    ? Object.assign(new Error('refused by a test: ada@mail.test'), { responseCode: refusal.code })
    : null

const smtp = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  allowInsecureAuth: true,
  onAuth: (auth, _, done) => done(replyTo('AUTH'), { user: auth.username }),
  onMailFrom: (_, __, done) => done(replyTo('MAIL')),
  onRcptTo: (_, __, done) => done(replyTo('RCPT')),
  onData(stream, _, done) {
    stream.resume().on('end', () => {
      const reply = replyTo('DATA')
      if (reply === null) received += 1
      done(reply)
    })
  },
})
await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))

const lines: { level: number; msg: string; effect?: string; err?: object }[] = []
const WARNING = 40
const testServer = await openTestServer({
  env: {
    SMTP_SERVER: '127.0.0.1',
    SMTP_PORT: String((smtp.server.address() as AddressInfo).port),
    SMTP_LOGIN: 'linnet',
    SMTP_PASSWORD: 'secret',
    SMTP_ENABLE_STARTTLS: 'never',
  },
  onLogLine: (line) => lines.push(JSON.parse(line)),
})
after(async () => {
  await testServer.close()
  await new Promise<void>((resolve) => {
    smtp.close(resolve)
  })
})
const { ctx } = testServer
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })

beforeEach(async () => {
  await ctx.db.deleteFrom('mails').execute()
  await ctx.db.deleteFrom('jobs').where('name', '=', 'sendMail').execute()
  lines.length = 0
  received = 0
})

/** Enqueues a mail that the mail server refuses. Returns it after the first attempt. */
async function attempt(step: Step, code: number): Promise<AdminMail> {
  refusal = { step, code }
  await ctx.write((tx) =>
    enqueueMail(tx, { key: 'refused', recipient: 'ada@mail.test', subject: 's', text: 't', html: 'h' }),
  )
  return eventually(async () => {
    const [mail] = (await owner.client.get<AdminMail[]>('/api/v1/admin/mails')).body
    assert.ok(mail?.last_error, 'not attempted yet')
    return mail
  })
}

const logged = () =>
  lines.filter(({ effect, level }) => effect === 'sendMail' && level >= WARNING).map(({ level, msg }) => [level, msg])

function assertNoAddressInLog(): void {
  assert.ok(!JSON.stringify(lines).includes('ada@mail.test'), 'the log contains the address of the recipient')
}

suite('F11: a mail waits for the next attempt', () => {
  // The log-in is first: later mails use the open connection.
  for (const [step, code, reason] of [
    ['AUTH', 535, 'the log-in fails'],
    ['MAIL', 530, 'the mail server requires a log-in'],
    ['RCPT', 450, 'the mail server rejects it temporarily'],
  ] as const) {
    test(`if ${reason}`, async () => {
      const { state, attempts, next_attempt_at: nextAttempt } = await attempt(step, code)
      assert.deepEqual([state, attempts], ['queued', 1])
      assert.ok(nextAttempt)
      assert.deepEqual(logged(), [[WARNING, 'Job failed']])
      assertNoAddressInLog()
      refusal = null
      await testServer.waitForJobs()
      assert.equal(received, 1)
    })
  }
})

suite('F11: a mail that the mail server rejects permanently', () => {
  for (const [step, code] of [
    ['MAIL', 553],
    ['RCPT', 550],
    ['DATA', 554],
  ] as const) {
    test(`by ${code} to ${step} is failed after one attempt, with one line in the log`, async () => {
      const { state, attempts, last_error: error, next_attempt_at: nextAttempt } = await attempt(step, code)
      assert.deepEqual([state, attempts, nextAttempt], ['failed', 1, null])
      assert.equal(error, `The mail server rejected the mail: ${code} refused by a test: …`)
      assert.deepEqual(logged(), [[WARNING, 'Job is dead: it would fail again']])
      assertNoAddressInLog()
      const [job] = (await owner.client.get<AdminJob[]>('/api/v1/admin/jobs', { state: 'dead' })).body
      assert.deepEqual([job?.name, job?.attempts], ['sendMail', 1])
    })
  }

  test('has all attempts again when the staff retry it', async () => {
    const { id } = await attempt('RCPT', 550)
    refusal = { step: 'RCPT', code: 450 }
    lines.length = 0
    assert.equal((await owner.client.post(`/api/v1/admin/mails/${id}/retry`)).status, 200)
    await eventually(async () => assert.deepEqual(logged(), [[WARNING, 'Job failed']]))
    refusal = null
    await testServer.waitForJobs()
    assert.equal(received, 1)
    assert.deepEqual((await owner.client.get('/api/v1/admin/mails')).body, [])
  })
})
