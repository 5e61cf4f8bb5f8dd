import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { logInExternally } from '../../../../test/http/external-login.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'

const provider = 'openid_connect'
const oidc = await openOidcServer()
const env = {
  ...oidc.env,
  OIDC_ROLES_CLAIM: 'groups',
  OIDC_ROLE_MAP: 'staff=Moderator;admins=Admin;owners=Owner;lost=No such role',
}
const testServer = await openTestServer({ env, effects: false })
after(async () => {
  await testServer.close()
  await oidc.close()
})

/** Logs in as the user with these groups; returns the name of the role that they then have. */
async function roleWith(groups: unknown): Promise<string> {
  oidc.user = { sub: '1', preferred_username: 'ada', email: 'ada@corp.test', email_verified: true, groups }
  const { browser, response } = await logInExternally(testServer, { provider })
  if (response.location !== '/account') {
    const page = await browser.get(response.location!)
    const done = await browser.submit(page, '/auth/external', { agreement: '1' }, uniqueAddressHeaders())
    assert.equal(done.location, '/account')
  }
  const user = await testServer.ctx.db
    .selectFrom('users')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .select('roles.name')
    .where('users.email', '=', 'ada@corp.test')
    .executeTakeFirstOrThrow()
  return user.name
}

const setRole = (roleId: string) =>
  testServer.ctx.db.updateTable('users').set({ role_id: roleId }).where('email', '=', 'ada@corp.test').execute()

test('each log-in gives the highest mapped role of the groups, and takes a mapped role without its group', async () => {
  assert.equal(await roleWith(['staff']), 'Moderator', 'a new account')
  assert.equal(await roleWith(['staff', 'admins', 'others']), 'Admin')
  assert.equal(await roleWith('staff'), 'Moderator', 'one group as a text')
  assert.equal(await roleWith(['Admin', 'lost', '']), '', 'names of roles and unknown roles grant nothing')
  assert.equal(await roleWith(['admins']), 'Admin')
  assert.equal(await roleWith(undefined), '')
  const entries = await testServer.ctx.db
    .selectFrom('audit_log_entries')
    .select(['action', 'label', 'account_id'])
    .orderBy('id')
    .execute()
  assert.equal(entries.length, 6)
  assert.deepEqual(entries[0], { action: 'change_role', label: 'ada', account_id: null })
})

test('a role that the mapping does not name stays, and so does that of the last owner', async () => {
  const { ctx } = testServer
  const row = { id: '50', name: 'Helper', position: 5, permissions: '0', highlighted: false } as const
  await ctx.db.insertInto('roles').values(row).execute()
  await setRole('50')
  assert.equal(await roleWith(['admins']), 'Helper')
  await setRole('3')
  assert.equal(await roleWith([]), 'Owner', 'the last owner')
  await testServer.createUser({ role: 'owner' })
  assert.equal(await roleWith([]), '')
})
