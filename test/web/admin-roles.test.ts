import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { AuditActions } from '../../src/domain/core/record-audit-entry.ts'
import { PERMISSION_NAMES } from '../../src/domain/roles/parse-permissions.ts'
import type { AdminRole } from '../../src/entities/admin/accounts/admin-role.ts'
import type { AdminDomainBlock } from '../../src/entities/admin/federation/admin-domain-block.ts'
import type { AdminIpBlock } from '../../src/entities/admin/sign-up-blocks/admin-ip-block.ts'
import { AUDIT_ACTIONS, AUDIT_TARGETS } from '../../web/src/features/admin/audit-log/audit-names.ts'
import { PERMISSION_GROUPS } from '../../web/src/features/admin/roles/permission-groups.ts'
import { checkPage } from '../http/pages/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { until } from '../streaming/streams.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkPages, NARROW } from './views.ts'
import { visit } from './visit.ts'
import { untilFocused } from './wait-until.ts'

// Slow: starts a browser.

test('every permission of roles is in one group, with the bit of the server', () => {
  const places = Object.fromEntries(Object.values(PERMISSION_GROUPS).flatMap((group) => Object.entries(group)))
  const names = Object.keys(places).toSorted((a, b) => places[a]! - places[b]!)
  assert.deepEqual(names, PERMISSION_NAMES)
})

test('the audit log of the web client has texts for all actions and targets of the server', () => {
  // These do not compile if the server has others.
  const actionOf = (action: AuditActions[keyof AuditActions]): (typeof AUDIT_ACTIONS)[number] => action
  const targetOf = (target: keyof AuditActions): (typeof AUDIT_TARGETS)[number] => target
  assert.ok(AUDIT_ACTIONS.includes(actionOf('suspend')))
  assert.ok(AUDIT_TARGETS.includes(targetOf('account')))
})

suite('the administration of roles, invites and the audit log in the web client', { skip: withoutChromium }, () => {
  let web: WebClientTest
  let owner: TestUser
  let user: TestUser

  before(async () => {
    web = await openWebClientTest()
    const scopes = 'read write admin:read admin:write'
    owner = await web.testServer.createUser({ username: 'owner', role: 'owner', scopes })
    user = await web.testServer.createUser({ username: 'bo' })
  })
  after(() => web?.close())

  test('creates a role with permissions, a badge and a number as position, compares roles, and deletes them', async () => {
    const page = await web.openClient(owner, { path: '/admin/roles' })
    await page.getByRole('link', { name: 'New role' }).click()
    await page.getByLabel('Position').fill('5000')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText("Name can't be blank", { exact: true }).waitFor()
    await page.getByText('Position must be lower than that of your own role', { exact: true }).waitFor()
    assert.equal(await page.evaluate(`document.activeElement?.labels?.[0]?.textContent`), 'Name')
    await page.getByLabel('Name', { exact: true }).fill('Translators')
    const position = page.getByLabel('Position')
    await position.fill('')
    await position.pressSequentially('-1')
    assert.equal(await position.inputValue(), '-1')
    for (const wrong of ['', '1.5']) {
      await position.fill(wrong)
      await page.getByRole('button', { name: 'Save', exact: true }).click()
      await untilFocused(position)
    }
    const { body: saved } = await owner.client.get<AdminRole[]>('/api/v1/admin/roles')
    assert.ok(saved.every(({ name }) => name !== 'Translators'))
    await position.fill('5')
    await page.getByLabel('Display the role as a badge').click()
    await page.getByLabel('A colour of its own').click()
    await page.getByRole('group', { name: 'Content' }).getByLabel('Manage rules').click()
    await page.getByLabel('Require two-factor authentication').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Translators was saved').first().waitFor()
    const row = page.getByRole('article', { name: 'Translators' })
    await row.getByText('Position 5 · 1 permission · Badge on profiles · Requires two-factor authentication').waitFor()
    const table = page.getByRole('table', { name: 'Permissions' })
    const headers = await table.getByRole('columnheader').allTextContents()
    const cells = await table
      .getByRole('row', { name: /^Manage rules/ })
      .getByRole('cell')
      .allTextContents()
    assert.match(cells[headers.indexOf('Translators') - 1]!, /Yes/)
    assert.match(cells[headers.indexOf('All users') - 1]!, /No/)
    const { body: roles } = await owner.client.get('/api/v1/admin/roles')
    const role = roles.find(({ name }: { name: string }) => name === 'Translators')
    assert.deepEqual([role.permissions, role.require_2fa, role.highlighted], [String(1 << 12), true, true])

    await row.getByRole('link', { name: 'Edit Translators' }).click()
    await page.getByLabel('Require two-factor authentication').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Translators was saved').first().waitFor()
    await owner.client.put(`/api/v1/admin/accounts/${user.accountId}/role`, { role_id: role.id })
    const profile = await user.client.get(`/api/v1/accounts/${user.accountId}`)
    assert.deepEqual(profile.body.roles, [{ id: role.id, name: 'Translators', color: '#a92449' }])
    await row.getByRole('button', { name: 'Delete Translators' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual((await user.client.get(`/api/v1/accounts/${user.accountId}`)).body.roles, [])
    await page.context().close()
  })

  test('creates invites, copies their links, and lets them expire', async () => {
    const page = await web.openClient(owner, { path: '/admin/invites' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'New invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Number of uses').selectOption('5')
    await dialog.getByLabel('Expires after').selectOption({ label: '1 day' })
    await dialog.getByLabel('New users follow you').click()
    await dialog.getByLabel('Comment').fill('Reading group')
    await checkPage(page, 'the dialog of an invite')
    await dialog.getByRole('button', { name: 'Create invite' }).click()
    const row = page.getByRole('article', { name: 'Reading group' })
    await row.getByText(/^Used 0 of 5 times · Expires on .* · New users follow the inviter$/).waitFor()
    await row.getByRole('button', { name: 'Copy link: Reading group' }).click()
    await page.getByText('Link copied').waitFor()
    const link = await page.evaluate<string>('navigator.clipboard.readText()')
    const visitor = await web.browser.newPage()
    await visitor.goto(link)
    await visitor.getByLabel('Username').waitFor()
    await row.getByRole('button', { name: 'Expire: Reading group' }).click()
    await row.waitFor({ state: 'detached' })
    await visitor.goto(link)
    assert.equal(await visitor.getByLabel('Username').count(), 0)
    await visitor.close()
    await page.getByRole('link', { name: 'Expired or used up' }).click()
    await row.waitFor()
    assert.equal(await row.getByRole('button').count(), 0)

    await owner.client.post('/api/v1/admin/invites', { comment: 'Press' })
    await page.getByRole('link', { name: 'Active' }).click()
    await page.reload()
    await page.getByRole('article', { name: 'Press' }).waitFor()
    await page.getByRole('button', { name: 'Expire all invites' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Expire all invites' }).click()
    await page.getByText('There are no invites here').waitFor()
    const { body: available } = await owner.client.get('/api/v1/admin/invites', { state: 'available' })
    assert.deepEqual(available, [])
    await page.context().close()
  })

  test('shows these pages only to roles that permit them', async () => {
    const { body: role } = await owner.client.post('/api/v1/admin/roles', {
      name: 'Rule writers',
      permissions: ['manage_rules'],
    })
    const member = await web.testServer.createUser({ username: 'cora' })
    await owner.client.put(`/api/v1/admin/accounts/${member.accountId}/role`, { role_id: role.id })
    const page = await web.openClient(member, { path: '/admin/rules' })
    await page.getByRole('button', { name: 'Add rule' }).waitFor()
    const navigation = page.getByRole('navigation', { name: 'Administration pages' })
    assert.deepEqual(await navigation.getByRole('link').allTextContents(), ['Dashboard', 'Server rules'])
    for (const path of [
      'settings',
      'settings/terms',
      'announcements',
      'announcements/new',
      'roles',
      'roles/new',
      'invites',
    ]) {
      await visit(page, `/admin/${path}`)
      await page.getByText('Your role does not permit this page').waitFor()
    }
    await page.context().close()
  })

  test('a user gets a role below that of the staff by a button, and the role of staff above them cannot be changed', async () => {
    const admin = await web.testServer.createUser({ username: 'admin', role: 'admin' })
    const page = await web.openClient(admin, { path: `/admin/accounts/${user.accountId}` })
    const choice = page.getByRole('combobox', { name: 'Role' })
    await choice.waitFor()
    const names = await choice.getByRole('option').allTextContents()
    assert.deepEqual(
      [names.includes('Moderator'), names.includes('Admin'), names.includes('Owner')],
      [true, false, false],
    )
    const roleOf = async () => (await owner.client.get(`/api/v1/admin/accounts/${user.accountId}`)).body.role.name
    const before = await roleOf()
    await choice.press('M')
    assert.equal(await choice.locator('option:checked').textContent(), 'Moderator')
    await choice.press('Tab')
    assert.equal(await roleOf(), before)
    await page.keyboard.press('Enter')
    await page.getByText(`The role of @${user.username} was changed`).first().waitFor()
    await untilFocused(page.getByRole('button', { name: 'Save' }))
    assert.equal(await roleOf(), 'Moderator')
    await page.keyboard.press('z')
    await until(async () => (await roleOf()) === before)
    await visit(page, `/admin/accounts/${owner.accountId}`)
    await choice.and(page.locator(':disabled')).waitFor()
    assert.deepEqual(await choice.getByRole('option').allTextContents(), ['Owner'])
    await page.context().close()
  })

  test('staff get no buttons for what the server refuses against staff of the same or a higher role', async () => {
    const cora = await web.testServer.createUser({ username: 'cleo', role: 'moderator' })
    const { body: report } = await user.client.post('/api/v1/reports', { account_id: owner.accountId })
    await owner.client.post(`/api/v1/admin/accounts/${owner.accountId}/notes`, { content: 'A note of the owner' })
    const page = await web.openClient(cora, { path: `/admin/accounts/${owner.accountId}` })
    await page.getByText('A note of the owner').waitFor()
    for (const name of ['Suspend', 'Warn', 'Delete note'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name)
    await visit(page, `/admin/reports/${report.id}`)
    const decisions = page.getByRole('group', { name: 'Decisions' })
    await decisions.waitFor()
    const [dismiss, ...others] = await decisions.getByRole('button').all()
    assert.equal(await dismiss!.isEnabled(), true)
    for (const other of others) assert.equal(await other.isDisabled(), true)
    await visit(page, `/admin/accounts/${user.accountId}`)
    await page.getByRole('button', { name: 'Suspend' }).waitFor()
    await page.context().close()
  })

  test('a sign-up that other staff have approved meanwhile disappears from the list with the reason', async () => {
    const { accountId } = await web.testServer.createUser({ username: 'eve', approved: false })
    const page = await web.openClient(owner, { path: '/admin/approvals' })
    const applicant = page.getByRole('article', { name: '@eve' })
    await applicant.waitFor()
    await owner.client.post(`/api/v1/admin/accounts/${accountId}/approve`)
    await applicant.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('alert').filter({ hasText: 'This action is not allowed' }).waitFor()
    await applicant.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('a saved form keeps what other staff have changed since it was opened', async () => {
    const [roles, blocks] = ['/api/v1/admin/roles', '/api/v1/admin/domain_blocks']
    const role = await owner.client.post<AdminRole>(roles, { name: 'Helpers', permissions: ['manage_rules'] })
    const block = await owner.client.post<AdminDomainBlock>(blocks, { domain: 'pest.test' })
    const page = await web.openClient(owner, { path: `/admin/roles/${role.body.id}` })
    await page.getByLabel('Name', { exact: true }).fill('Assistants')
    await owner.client.put(`${roles}/${role.body.id}`, { permissions: [] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('article', { name: 'Assistants' }).getByText('No permissions').waitFor()
    await visit(page, '/admin/domain_blocks')
    await page.getByRole('button', { name: 'Edit pest.test' }).click()
    await page.getByLabel('Public comment').fill('Spam')
    await owner.client.put(`${blocks}/${block.body.id}`, { severity: 'suspend' })
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const row = page.getByRole('article', { name: 'pest.test' })
    await row.getByText('Spam').waitFor()
    await row.getByText('Suspend').waitFor()
    await page.context().close()
  })

  test('the audit log says in the words and times of the reader what has changed', async () => {
    const { client } = owner
    await client.patch('/api/v1/admin/settings', { registrations: 'approved' })
    await client.post('/api/v1/admin/ip_blocks', { ip: '198.51.100.0/24', severity: 'no_access', expires_in: 86_400 })
    const loud = { domain: 'loud.test', severity: 'silence', reject_media: true }
    const { body: created } = await client.post('/api/v1/admin/domain_blocks', loud)
    await client.delete(`/api/v1/admin/domain_blocks/${created.id}`)
    const [rule] = (await client.get<AdminIpBlock[]>('/api/v1/admin/ip_blocks')).body
    const page = await web.openClient(owner, { path: '/admin/action_logs' })
    const setting = page.getByRole('article', { name: '@owner: Update · Setting Registration mode' })
    await setting.getByText('Everyone, after approval by the staff').waitFor()
    const ip = page.getByRole('article', { name: '@owner: Create · IP rule IPv4 /24' })
    await ip.getByText('Block access').waitFor()
    assert.equal(await ip.locator('dd time').getAttribute('datetime'), rule!.expires_at)
    const block = page.getByRole('article', { name: '@owner: Create · Domain block loud.test' })
    assert.match(await block.innerText(), /Severity\s+Limit\s.*Reject media files\s+Yes/s)
    const texts = await page.getByRole('main').innerText()
    assert.doesNotMatch(texts, /\d{4}-\d\d-\d\dT|[a-z]_[a-z]|[a-z][A-Z]/, 'no names and times of the API')
    await setting.getByRole('link', { name: 'Registration mode' }).click()
    await page.waitForURL('**/admin/settings/registrations')

    await web.testServer.ctx.db.updateTable('users').set({ locale: 'de' }).where('id', '=', owner.userId).execute()
    await page.goto('/admin/action_logs')
    const german = page.getByRole('article', { name: '@owner: Ändern · Einstellung Registrierungsmodus' })
    await german.getByText('Alle, nach Genehmigung durch das Team').waitFor()
    const time = await page
      .getByRole('article', { name: /IPv4 \/24/ })
      .locator('dd time')
      .innerText()
    assert.equal(
      time,
      new Intl.DateTimeFormat('de', { dateStyle: 'long', timeStyle: 'short' }).format(new Date(rule!.expires_at!)),
    )
    await web.testServer.ctx.db.updateTable('users').set({ locale: 'en' }).where('id', '=', owner.userId).execute()
    await page.context().close()
  })

  test('is accessible, light and dark, from 320 pixels', async () => {
    await owner.client.post('/api/v1/admin/invites', { comment: 'Friends' })
    const page = await web.openClient(owner, { path: '/admin/roles' })
    await checkPages(page, ['/admin/roles', '/admin/roles/1'])
    await checkPages(page, ['/admin/invites', '/admin/roles/-99'], [NARROW])
    await page.context().close()
  })
})
