// Slow: starts a server and a browser.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { permissionBit, PERMISSIONS } from '../../src/domain/access/permissions.ts'
import { hasPermission, STAFF_PERMISSIONS } from '../../web/src/features/accounts/staff-permissions.ts'
import { submitAppeal } from '../../src/domain/moderation/strikes/submit-appeal.ts'
import type { AdminIpBlock } from '../../src/entities/admin/sign-up-blocks/admin-ip-block.ts'
import type { AdminReport } from '../../src/entities/admin/content/admin-report.ts'
import type { TestUser } from '../servers/test-server.ts'
import { checkPage } from '../http/pages/check-page.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkPages } from './views.ts'
import { until } from '../streaming/streams.ts'
import { untilFocused } from './wait-until.ts'

const ADMIN_SCOPES = 'read write admin:read admin:write'

test('the bits of permissions in the web client are those of the server', () => {
  for (const permission of STAFF_PERMISSIONS) {
    const others = PERMISSIONS.filter((name) => name !== permission && name !== 'administrator')
    assert.equal(hasPermission(String(permissionBit(permission)), permission), true)
    for (const other of others) assert.equal(hasPermission(String(permissionBit(other)), permission), false)
  }
})

suite('the web client has an administration', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let owner: TestUser
  let cora: TestUser
  let reporter: TestUser
  let offenders: TestUser[]
  const reportIds: string[] = []

  before(async () => {
    web = await openWebClientTest()
    const { testServer } = web
    owner = await testServer.createUser({ username: 'owner', role: 'owner', scopes: ADMIN_SCOPES })
    cora = await testServer.createUser({ username: 'cora', role: 'moderator', scopes: ADMIN_SCOPES })
    reporter = await testServer.createUser({ username: 'reporter' })
    offenders = [await testServer.createUser({ username: 'bo' }), await testServer.createUser({ username: 'dan' })]
    for (const offender of offenders) {
      const parent = await reporter.client.post('/api/v1/statuses', { status: 'What do you sell?' })
      const { body: status } = await offender.client.post('/api/v1/statuses', {
        status: `Buy now, says @${offender.username}`,
        in_reply_to_id: parent.body.id,
      })
      const { body: report } = await reporter.client.post('/api/v1/reports', {
        account_id: offender.accountId,
        status_ids: [status.id],
        comment: `Spam by ${offender.username}`,
        category: 'spam',
      })
      reportIds.push(report.id)
    }
    await owner.client.post('/api/v1/admin/rules', { text: 'No advertising' })
    await owner.client.post('/api/v1/admin/warning_presets', { title: 'Spam', text: 'Please do not advertise here.' })
    const pending = await testServer.createUser({ username: 'eve', approved: false })
    await testServer.createUser({ username: 'finn', approved: false })
    await testServer.ctx.db
      .updateTable('users')
      .set({ sign_up_reason: 'I like birds' })
      .where('id', '=', pending.userId)
      .execute()
    await testServer.waitForJobs()
  })
  after(() => web?.close())

  test('a report is decided by keys after its impact was shown, the next one opens, and the decision is undone', async () => {
    const page = await web.openClient(owner, { path: `/admin/reports/${reportIds[1]}` })
    await page.getByText('Buy now, says @dan').waitFor()
    await page.getByText('What do you sell?').waitFor()
    const readReport = async () => (await owner.client.get<AdminReport>(`/api/v1/admin/reports/${reportIds[1]}`)).body
    await page.getByLabel('Category').selectOption({ label: 'Rule violation' })
    await page.getByRole('checkbox', { name: 'No advertising' }).click()
    await until(async () => (await readReport()).rules.map(({ text }) => text).join() === 'No advertising')
    await page.getByRole('checkbox', { name: 'No advertising', checked: true }).click()
    await until(async () => (await readReport()).rules.length === 0)
    await page.keyboard.press('5')
    const dialog = page.getByRole('dialog', { name: 'Limit @dan?' })
    await dialog.getByText('This can be undone.').waitFor()
    await dialog.getByText('Open reports that are resolved').waitFor()
    await dialog.getByLabel('Warning preset').selectOption({ label: 'Spam' })
    await checkPage(page, 'the dialog of a decision')
    await dialog.getByRole('button', { name: 'Limit' }).click()
    await page.getByText('@dan was limited').first().waitFor()
    await page.waitForURL(`**/admin/reports/${reportIds[0]}`)
    await page.getByText('Buy now, says @bo').waitFor()
    const limited = await owner.client.get(`/api/v1/admin/accounts/${offenders[1]!.accountId}`)
    assert.equal(limited.body.silenced, true)
    await page.keyboard.press('z')
    await page.waitForURL(`**/admin/reports/${reportIds[1]}`)
    await page.getByText('Nobody works on this report').waitFor()
    const undone = await owner.client.get(`/api/v1/admin/accounts/${offenders[1]!.accountId}`)
    assert.equal(undone.body.silenced, false)
    await page.context().close()
  })

  test('a sign-up shows its reason, and is approved by a key, which approves only one while it is held down', async () => {
    const page = await web.openClient(owner, { path: '/admin/approvals' })
    await page.getByText('I like birds').waitFor()
    await page.getByRole('article', { name: '@eve' }).focus()
    await page.keyboard.down('a')
    await page.getByText('@eve was approved').first().waitFor()
    await untilFocused(page.getByRole('article', { name: '@finn' }))
    await page.keyboard.down('a')
    await page.keyboard.press('x')
    await page.getByRole('dialog', { name: 'Reject @finn?' }).waitFor()
    await page.context().close()
  })

  test('an appeal is rejected after a question, and the heading gets the focus', async () => {
    const { accountId } = offenders[0]!
    await owner.client.post(`/api/v1/admin/accounts/${accountId}/action`, { type: 'none', text: 'No ads' })
    const { body: strikes } = await owner.client.get(`/api/v1/admin/accounts/${accountId}/strikes`)
    await web.testServer.ctx.write((tx) => submitAppeal(tx, { accountId, strikeId: strikes[0].id, text: 'Art' }))
    const page = await web.openClient(owner, { path: '/admin/appeals' })
    await page.getByText('Art', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The appeal of @bo was rejected').first().waitFor()
    await page.getByText('There are no appeals here').waitFor()
    await untilFocused(page.getByRole('heading', { name: 'Appeals', level: 1 }))
    await page.getByRole('link', { name: 'Rejected' }).click()
    await page.getByText('Art', { exact: true }).waitFor()
    await page.context().close()
  })

  test('accounts are filtered in the URL, and one is frozen until the decision is undone, and unfrozen', async () => {
    const page = await web.openClient(owner, { path: '/admin/accounts' })
    await page.getByLabel('Username').fill('da')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/accounts?username=da')
    await page.getByRole('article', { name: '@bo' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'dan @dan' }).click()
    await page.getByText('dan@mail.test').waitFor()
    await page.getByRole('button', { name: 'Freeze' }).click()
    await page.getByRole('dialog', { name: 'Freeze @dan?' }).getByRole('button', { name: 'Freeze' }).click()
    await page.getByRole('button', { name: 'Undo z' }).click()
    await page.getByRole('button', { name: 'Freeze', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Freeze' }).click()
    await page.getByRole('button', { name: 'Unfreeze' }).click()
    await page.getByText('@dan was unfrozen').first().waitFor()
    await page.context().close()
  })

  test('a domain is blocked after a preview, and the block is removed and restored', async () => {
    await web.testServer.ctx.db
      .insertInto('accounts')
      .values({
        username: 'pest',
        domain: 'pests.example',
        uri: 'https://pests.example/pest',
        url: 'https://pests.example/@pest',
      })
      .execute()
    const page = await web.openClient(owner, { path: '/admin/domain_blocks' })
    await page.getByRole('button', { name: 'Block a domain' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Domain', { exact: true }).fill('no domain')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    await dialog.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await dialog.getByLabel('Domain', { exact: true }).fill('pests.example')
    await dialog.getByText('Known accounts').waitFor()
    await dialog.getByLabel('Severity').selectOption('suspend')
    await dialog.getByLabel('Public comment').fill('Nothing but spam')
    await checkPage(page, 'the dialog of a domain block')
    await dialog.getByRole('button', { name: 'Block', exact: true }).click()
    const row = page.getByRole('article', { name: 'pests.example' })
    await row.getByText('Nothing but spam').waitFor()
    await row.getByRole('button', { name: 'Delete pests.example' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo z' }).click()
    await row.getByText('Nothing but spam').waitFor()
    await page.context().close()
  })

  test('an IP rule is created, changed, deleted and restored', async () => {
    const page = await web.openClient(owner, { path: '/admin/ip_blocks' })
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByLabel('IP address or range').fill('192.0.2.0/24')
    await page.getByLabel('Expires').selectOption({ label: 'In 30 days' })
    await page.getByLabel('Comment, for the staff').fill('A botnet')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('article', { name: '192.0.2.0/24' })
    await row.getByText('A botnet').waitFor()
    const readRule = async () => (await owner.client.get<AdminIpBlock[]>('/api/v1/admin/ip_blocks')).body[0]!
    const before = await readRule()
    await row.getByRole('button', { name: 'Edit 192.0.2.0/24' }).click()
    await page.getByLabel('Severity').selectOption({ label: 'Block access' })
    await page.getByLabel('Comment, for the staff').fill('A large botnet')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('A large botnet').waitFor()
    const { severity, expires_at } = await readRule()
    assert.deepEqual([severity, expires_at], ['no_access', before.expires_at], 'the time of its end stays')
    await row.getByRole('button', { name: 'Edit 192.0.2.0/24' }).click()
    await page.getByLabel('Expires').selectOption({ label: 'Never' })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('until').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo z' }).click()
    await row.getByText('until').waitFor()
    await row.getByRole('button', { name: 'Delete 192.0.2.0/24' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo z' }).click()
    await row.getByText('A large botnet').waitFor()
    await page.context().close()
  })

  test('a username rule is changed, and the change is undone', async () => {
    await owner.client.post('/api/v1/admin/username_blocks', { username: 'king', comparison: 'equals' })
    const page = await web.openClient(owner, { path: '/admin/username_blocks' })
    const row = page.getByRole('article', { name: 'king' })
    await row.getByRole('button', { name: 'Edit king' }).click()
    await page.getByLabel('Method of comparison').selectOption({ label: 'Contains' })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row.getByText('Contains').waitFor()
    await page.getByRole('button', { name: 'Undo z' }).click()
    await row.getByText('Equals').waitFor()
    await page.context().close()
  })

  test('deliveries to a server that is unavailable are deleted after a question', async () => {
    const { db } = web.testServer.ctx
    await db
      .insertInto('sent_activities')
      .values({ uri: `${web.origin}/1`, body: '{}' })
      .execute()
    await db
      .insertInto('deliveries')
      .values({
        activity_id: db.selectFrom('sent_activities').select('id').limit(1),
        inbox_url: 'https://dead.example/inbox',
        domain: 'dead.example',
        state: 'abandoned',
        attempts: 18,
        last_error: 'dead.example was not found',
        next_attempt_at: new Date(),
      })
      .execute()
    const page = await web.openClient(owner, { path: '/admin/deliveries' })
    const row = page.getByRole('article', { name: 'dead.example' })
    await row.getByText('Abandoned: 1').waitFor()
    await row.getByRole('button', { name: 'Delete dead.example' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('The deliveries to dead.example were deleted').first().waitFor()
    await page.context().close()
  })

  test('a role sees only the entries and pages that it permits, and other users no administration', async () => {
    const permissions = String(permissionBit('manageReports'))
    const { db } = web.testServer.ctx
    const roleOfCora = db.selectFrom('users').select('role_id').where('id', '=', cora.userId)
    await db.updateTable('roles').set({ permissions }).where('id', '=', roleOfCora).execute()
    const page = await web.openClient(cora, { path: '/admin' })
    const navigation = page.getByRole('navigation', { name: 'Administration pages' })
    await navigation.getByRole('link', { name: 'Reports' }).waitFor()
    assert.equal(await navigation.getByRole('link', { name: 'Sign-ups' }).count(), 0)
    await page.goto('/admin/approvals')
    await page.getByText('Your role does not permit this page').waitFor()
    await page.context().close()
    const other = await web.openClient(reporter)
    await other.getByRole('button', { name: 'Account menu of @reporter' }).click()
    await other.getByRole('menuitem', { name: 'Your profile' }).waitFor()
    assert.equal(await other.getByRole('menuitem', { name: 'Administration' }).count(), 0)
    await other.goto('/admin')
    await other.getByText('Your role does not permit this page').waitFor()
    assert.equal(await other.getByRole('navigation', { name: 'Administration pages' }).count(), 0)
    await other.context().close()
  })

  test('the dashboard has charts whose numbers are in tables', async () => {
    const page = await web.openClient(owner)
    await page.getByRole('button', { name: 'Account menu of @owner' }).click()
    await page.getByRole('menuitem', { name: 'Administration' }).click()
    await page.getByRole('img', { name: /^New users: / }).waitFor()
    await page.getByRole('button', { name: 'Show as table: New users' }).click()
    assert.equal(await page.getByRole('region', { name: 'New users' }).getByRole('rowheader').count(), 30)
    await page.context().close()
  })

  test('the pages are accessible, light and dark, from 320 pixels', async () => {
    const paths = [
      '/admin',
      '/admin/reports',
      `/admin/reports/${reportIds[0]}`,
      '/admin/approvals',
      '/admin/appeals',
      '/admin/accounts',
      `/admin/accounts/${offenders[0]!.accountId}`,
      '/admin/domain_blocks',
      '/admin/ip_blocks',
      '/admin/warning_presets',
      '/admin/deliveries',
    ]
    const page = await web.openClient(owner, { path: '/admin' })
    await checkPages(page, paths)
    await page.context().close()
  })
})
