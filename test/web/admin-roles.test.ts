import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { PERMISSION_NAMES } from '../../src/domain/roles/parse-permissions.ts'
import { PERMISSION_GROUPS } from '../../web/src/features/admin/roles/permission-groups.ts'
import { checkPage } from '../http/check-page.ts'
import type { TestUser } from '../servers/test-server.ts'
import { withoutChromium } from '../services/browser.ts'
import { openWebClientTest } from './open-web-client.ts'
import type { WebClientTest } from './open-web-client.ts'
import { checkPages, NARROW } from './views.ts'

// Slow: starts a browser.

test('every permission of roles is in one group, with the bit of the server', () => {
  const places = Object.fromEntries(Object.values(PERMISSION_GROUPS).flatMap((group) => Object.entries(group)))
  const names = Object.keys(places).toSorted((a, b) => places[a]! - places[b]!)
  assert.deepEqual(names, PERMISSION_NAMES)
})

suite('the administration of roles and invites in the web client', { skip: withoutChromium }, () => {
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

  test('creates a role with permissions and a badge, compares roles, and deletes them', async () => {
    const page = await web.openClient(owner, { path: '/admin/roles' })
    await page.getByRole('link', { name: 'New role' }).click()
    await page.getByLabel('Position').fill('5000')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText("Name can't be blank", { exact: true }).waitFor()
    await page.getByText('Position must be lower than that of your own role', { exact: true }).waitFor()
    assert.equal(await page.evaluate(`document.activeElement?.labels?.[0]?.textContent`), 'Name')
    await page.getByLabel('Name', { exact: true }).fill('Translators')
    await page.getByLabel('Position').fill('5')
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
      await page.goto(`/admin/${path}`)
      await page.getByText('Your role does not permit this page').waitFor()
    }
    await page.context().close()
  })

  test('is accessible, light and dark, from 320 pixels', async () => {
    await owner.client.post('/api/v1/admin/invites', { comment: 'Friends' })
    const page = await web.openClient(owner, { path: '/admin' })
    await checkPages(page, ['/admin/roles', '/admin/roles/1'])
    await checkPages(page, ['/admin/roles/-99', '/admin/invites'], [NARROW])
    await page.context().close()
  })
})
