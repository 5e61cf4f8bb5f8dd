// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { enqueueJobs } from '../../src/platform/jobs/job-queue.ts'
import { createRemoteAccount, createRemoteStatus } from '../federation/remote-records.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { eventually } from '../servers/linnet-process.ts'
import type { TestUser } from '../servers/test-server.ts'
import { openMailServer } from '../services/mail-server.ts'
import type { MailServer } from '../services/mail-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkPages } from './views.ts'
import { untilFocused } from './wait-until.ts'

const BLOCK_LIST = `#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
bad.test,suspend,true,false,Spam,false
quiet.test,silence,false,false,,false
strict.test,silence,false,false,,false
not a domain,suspend,false,false,,false
quiet.test,silence,false,false,,false
`

suite('the web client has pages of operations and block lists', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let mailServer: MailServer
  let owner: TestUser

  before(async () => {
    mailServer = await openMailServer()
    web = await openWebClientTest({ env: mailServer.env })
    const scopes = 'read write admin:read admin:write'
    owner = await web.testServer.createUser({ username: 'owner', role: 'owner', scopes })
  })
  after(async () => {
    await web?.close()
    await mailServer?.close()
  })

  const file = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

  test('the audit log is filtered without losing the focus, and its entries lead to their targets', async () => {
    const target = await web.testServer.createUser({ username: 'target' })
    const path = `/api/v1/admin/accounts/${target.accountId}`
    await owner.client.post(`${path}/action`, { type: 'silence' })
    await owner.client.post(`${path}/unsilence`)
    for (let number = 0; number < 40; number += 1)
      await owner.client.post('/api/v1/admin/ip_blocks', { ip: `192.0.2.${number}`, severity: 'no_access' })
    const page = await web.openClient(owner, { path: '/admin/action_logs' })
    await page.getByRole('article', { name: '@owner: Create · IP rule IPv4 /32' }).first().waitFor()
    const filters = page.getByRole('search', { name: 'Filters' })
    const limited = page.getByRole('article', { name: '@owner: Limit · Account target' })
    assert.equal(await limited.count(), 0)
    await page.getByRole('button', { name: 'Show more' }).click()
    await untilFocused(page.getByRole('article', { name: '@owner: Undo limit · Account target' }))
    await limited.waitFor()
    await filters.getByLabel('Action').focus()
    await filters.getByLabel('Action').selectOption({ label: 'Create' })
    await page.waitForURL(/action=create/)
    await untilFocused(filters.getByLabel('Action'))
    await limited.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Reset' }).click()
    await filters.getByLabel('Target').selectOption({ label: 'Account' })
    await page.waitForURL(/targetType=account/)
    await limited.getByRole('link', { name: 'History of this target' }).click()
    await page.waitForURL(/targetId=/)
    await page.getByRole('article', { name: '@owner: Undo limit · Account target' }).waitFor()
    assert.equal(await page.getByRole('article').count(), 2)
    await checkPage(page, 'the history of a target')
    await limited.getByRole('link', { name: 'target', exact: true }).click()
    await page.waitForURL(`**/admin/accounts/${target.accountId}`)
    await page.context().close()
  })

  test('the audit log links only to pages that the role of the reader permits', async () => {
    const reader = await web.testServer.createUser({ username: 'auditor' })
    const role = { name: 'Auditor', position: 5, permissions: ['view_audit_log', 'manage_blocks'] }
    const { body } = await owner.client.post('/api/v1/admin/roles', role)
    await owner.client.put(`/api/v1/admin/accounts/${reader.accountId}/role`, { role_id: body.id })
    await owner.client.post('/api/v1/admin/ip_blocks', { ip: '198.51.100.0/27', severity: 'no_access' })
    const page = await web.openClient(reader, { path: '/admin/action_logs' })
    const linksOf = (name: string) =>
      page.getByRole('article', { name, exact: true }).getByRole('link').allTextContents()
    await page.getByRole('article', { name: '@owner: Change role · Account auditor' }).waitFor()
    assert.deepEqual(await linksOf('@owner: Change role · Account auditor'), ['@owner', 'History of this target'])
    assert.deepEqual(await linksOf('@owner: Create · Role Auditor'), ['@owner', 'History of this target'])
    const ipRule = await linksOf('@owner: Create · IP rule IPv4 /27')
    assert.deepEqual(ipRule, ['IPv4 /27', '@owner', 'History of this target'])
    await page.context().close()
  })

  test('a failed job is retried, and a parked one is deleted', async () => {
    const { db } = web.testServer.ctx
    const { id: mailId } = await createMail('ada@mail.test')
    await db.transaction().execute(async (tx) => {
      await enqueueJobs(tx, [{ name: 'sendMail', payload: { mailId }, maxAttempts: 8, queue: 'network' }])
      await enqueueJobs(tx, [{ name: 'flyAway', payload: {}, maxAttempts: 8 }])
      await sql`update jobs
        set attempts = 8, last_error = 'Mailbox unavailable' where payload ->> 'mailId' = ${mailId}`.execute(tx)
    })
    const page = await web.openClient(owner, { path: '/admin/jobs' })
    await page.getByRole('link', { name: 'Failed' }).click()
    const failed = page.getByRole('article', { name: /^sendMail / })
    await failed.getByText('Mailbox unavailable').waitFor()
    await failed.getByRole('button', { name: /^Try again: / }).click()
    await failed.waitFor({ state: 'detached' })
    await eventually(async () => assert.deepEqual(mailServer.mails.at(-1)?.to, ['ada@mail.test']))
    await page.getByRole('link', { name: 'Parked' }).click()
    const parked = page.getByRole('article', { name: /^flyAway / })
    await parked.getByRole('button', { name: /^Delete: / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('There are no jobs here').waitFor()
    assert.deepEqual((await owner.client.get('/api/v1/admin/jobs', { state: 'parked' })).body, [])
    await page.context().close()
  })

  /** Stores a mail without a job that sends it. */
  async function createMail(recipient: string): Promise<{ id: string }> {
    const texts = { subject: `Hello ${recipient}`, text: 'Hello', html: '<p>Hello</p>' }
    return web.testServer.ctx.db
      .insertInto('mails')
      .values({ key: recipient, recipient, ...texts, created_at: new Date() })
      .returning('id')
      .executeTakeFirstOrThrow()
  }

  test('a stored mail is sent, and another one is deleted', async () => {
    await createMail('bob@mail.test')
    await createMail('cat@mail.test')
    const page = await web.openClient(owner, { path: '/admin/mails' })
    await page.getByRole('button', { name: 'Send: Hello bob@mail.test' }).click()
    await page.getByText('The e-mail to bob@mail.test is being sent').first().waitFor()
    await eventually(async () => assert.deepEqual(mailServer.mails.at(-1)?.to, ['bob@mail.test']))
    await page.getByRole('button', { name: 'Delete: Hello cat@mail.test' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('article', { name: /cat@mail/ }).waitFor({ state: 'detached' })
    assert.deepEqual((await owner.client.get('/api/v1/admin/mails', { state: 'stored' })).body, [])
    await page.context().close()
  })

  test('the cache of remote media is purged, and an invalid domain has its error at the field', async () => {
    const page = await web.openClient(owner, { path: '/admin/media' })
    await page.getByRole('button', { name: 'Purge the cache' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Domain').fill('no domain')
    await dialog.getByLabel('Days since the last view').fill('3')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await dialog.getByText('By domain is invalid', { exact: true }).waitFor()
    await dialog.getByLabel('Domain').fill('far.test')
    await checkPage(page, 'the dialog of a purge')
    await dialog.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('heading', { name: 'Last purge' }).waitFor()
    const { body } = await owner.client.get('/api/v1/admin/media')
    assert.deepEqual([body.purge.days, body.purge.by_domain, body.purge.running], [3, 'far.test', false])
    await page.context().close()
  })

  test('a retention period is changed, the change is undone, and the periods are applied at once', async () => {
    const daysOf = async () => (await owner.client.get('/api/v1/admin/retention_policy')).body.notifications_days
    const page = await web.openClient(owner, { path: '/admin/retention_policy' })
    await page.getByLabel('Notifications, in days').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The retention periods were changed').first().waitFor()
    assert.equal(await daysOf(), 30)
    await page.getByRole('button', { name: 'Undo z' }).click()
    await eventually(async () => assert.equal(await page.getByLabel('Notifications, in days').inputValue(), '180'))
    assert.equal(await daysOf(), 180)

    const remote = { handle: { username: 'old', domain: 'old.test' }, uri: 'https://old.test/users/old' }
    const { ctx } = web.testServer
    const publishedAt = new Date(Date.now() - 200 * 86_400_000)
    await createRemoteStatus(ctx, { accountId: await createRemoteAccount(ctx, remote), publishedAt })
    await sql`update conversations set created_at = ${publishedAt}`.execute(ctx.db)
    await page.getByRole('button', { name: 'Run now' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click()
    await page.getByText('The server is deleting older data').first().waitFor()
    await page.getByRole('row', { name: 'Remote posts' }).getByText('1 deleted').waitFor()
    await page.context().close()
  })

  test('a list of domain blocks is imported as drafts, confirmed in part, and exported', async () => {
    const remote = { handle: { username: 'pest', domain: 'bad.test' }, uri: 'https://bad.test/users/pest' }
    await createRemoteAccount(web.testServer.ctx, remote)
    await owner.client.post('/api/v1/admin/domain_blocks', { domain: 'strict.test', severity: 'suspend' })
    const blocks = async () => {
      const { body } = await owner.client.get<{ domain: string; severity: string }[]>('/api/v1/admin/domain_blocks')
      return body.map(({ domain, severity }) => `${domain} ${severity}`).toSorted()
    }
    const page = await web.openClient(owner, { path: '/admin/domain_blocks' })
    await page.getByRole('link', { name: 'Import a list' }).click()
    await page.getByLabel('CSV file').setInputFiles(file('empty.csv', '#severity\nsuspend\n'))
    await page.getByRole('button', { name: 'Upload' }).click()
    await page.getByRole('alert').filter({ hasText: 'The list has no column #domain' }).waitFor({ state: 'attached' })
    assert.equal(await page.getByLabel('CSV file').getAttribute('aria-invalid'), 'true')
    await page.getByLabel('CSV file').setInputFiles(file('blocks.csv', BLOCK_LIST))
    await page.getByRole('button', { name: 'Upload' }).click()
    const bad = page.getByRole('article', { name: 'bad.test' })
    await bad.getByText('Impact').click()
    await bad.getByText('Known accounts').waitFor()
    await page.getByRole('article', { name: 'not a domain' }).getByText('This is not a valid domain').waitFor()
    await page.getByText('The domain is also in line 3').waitFor()
    await page
      .getByRole('article', { name: 'strict.test' })
      .getByText(/^The present block is stricter/)
      .waitFor()
    await checkPage(page, 'the drafts of a list')
    assert.deepEqual(await blocks(), ['strict.test suspend'])

    await bad.getByRole('checkbox', { name: 'bad.test' }).click()
    await page.getByRole('checkbox', { name: 'strict.test' }).click()
    await page.getByRole('button', { name: 'Apply selected (2)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The blocks were applied').waitFor()
    await bad.getByText('Applied').waitFor()
    await untilFocused(page.getByRole('heading', { name: 'Imported list', level: 1 }))
    await page.getByRole('article', { name: 'strict.test' }).getByText('Skipped').waitFor()
    assert.deepEqual(await blocks(), ['bad.test suspend', 'strict.test suspend'])

    await page.goto('/admin/domain_blocks')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'domain_blocks.csv')
    const text = await readFile(await download.path(), 'utf8')
    assert.match(text, /^#domain,#severity/)
    assert.match(text, /bad\.test,suspend,true,false,Spam,false/i)

    await page.getByRole('link', { name: 'Import a list' }).click()
    const earlier = page.getByRole('region', { name: 'Earlier lists' }).getByRole('article')
    await earlier.getByText('The blocks were applied').waitFor()
    await earlier.getByText('Applied: 1 · Skipped, because a stricter block exists: 1').waitFor()
    await checkPage(page, 'the earlier lists')
    await earlier.getByRole('link').click()
    await bad.getByText('Applied').waitFor()
    await page.context().close()
  })

  test('an e-mail address is blocked, found by a check, unblocked and blocked again', async () => {
    const page = await web.openClient(owner, { path: '/admin/canonical_email_blocks' })
    await page.getByRole('button', { name: 'Block an address' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('spam@mail.test')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('article')
    await row.waitFor()
    await page.getByLabel('Is this address blocked?').fill('S.pam+x@mail.test')
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByText('S.pam+x@mail.test is blocked').waitFor()
    await row.getByRole('button', { name: /^Delete / }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo z' }).click()
    await row.waitFor()
    const { body } = await owner.client.post('/api/v1/admin/canonical_email_blocks/test', { email: 'spam@mail.test' })
    assert.equal(body.length, 1)
    await page.context().close()
  })

  test('a double click on a button deletes one row, and the message with its undo moves nothing', async () => {
    for (const username of ['king', 'queen'])
      await owner.client.post('/api/v1/admin/username_blocks', { username, comparison: 'equals' })
    const page = await web.openClient(owner, { path: '/admin/username_blocks' })
    const queen = page.getByRole('article', { name: 'queen' })
    const king = page.getByRole('article', { name: 'king' })
    const place = await queen.boundingBox()
    await queen.getByRole('button', { name: 'Delete queen' }).click()
    await queen.waitFor({ state: 'detached' })
    assert.deepEqual(await king.boundingBox(), place)
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await page.keyboard.press('z')
    await Promise.all([queen.waitFor(), king.waitFor()])
    await page.context().close()
  })

  test('the pages are accessible, light and dark, from 320 pixels', async () => {
    await createMail('dan@mail.test')
    const { body: list } = await owner.client.post('/api/v1/admin/domain_block_imports', { text: BLOCK_LIST })
    const paths = [
      'action_logs',
      'jobs?state=dead',
      'mails',
      'media',
      'retention_policy',
      'domain_blocks/import',
      `domain_blocks/imports/${list.id}`,
      'canonical_email_blocks',
      'domain_allows',
    ]
    const page = await web.openClient(owner, { path: '/admin/action_logs' })
    await checkPages(
      page,
      paths.map((path) => `/admin/${path}`),
    )
    await page.context().close()
  })
})
