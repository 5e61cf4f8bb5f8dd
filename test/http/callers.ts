import { generateSecret, hashSecret } from '../../src/lib/secrets.ts'
import { ALL_SCOPES } from '../../src/lib/http/scopes.ts'
import { PERMISSIONS, permissionBit } from '../../src/domain/access/permissions.ts'
import type { Permission } from '../../src/domain/access/permissions.ts'
import { openSession } from '../../src/domain/auth/sessions.ts'
import type { TestServer, TestUser } from '../servers/test-server.ts'
import { createBrowser } from './browser.ts'

/** A kind of caller of the API. */
export interface Caller {
  name: string
  token?: string
  scopes?: readonly string[]
  /** The error of the token itself. */
  tokenError?: 'invalid' | 'revoked'
  account?: 'none' | 'usable' | 'unconfirmed' | 'pending' | 'suspended' | 'disabled'
  /** The permissions of the user's role; default: those of the base role. */
  permissions?: readonly Permission[]
  /** A browser session instead of a token. */
  session?: { headers: Record<string, string>; isValid: boolean }
}

/** What the roles may do, as Mastodon's documentation lists it. */
const MODERATOR: readonly Permission[] = [
  'inviteUsers',
  'viewDashboard',
  'viewAuditLog',
  'viewFeeds',
  'manageUsers',
  'manageReports',
  'manageTaxonomies',
]
const ADMIN: readonly Permission[] = PERMISSIONS.filter(
  (permission) => !['administrator', 'devops', 'inviteBypassApproval', 'manageEmailSubscriptions'].includes(permission),
)
const OWNER = PERMISSIONS

/** Returns a new token; without a user, it is one of an application alone. */
export async function makeToken(
  testServer: TestServer,
  { userId, scopes }: { userId: string | null; scopes: readonly string[] },
): Promise<string> {
  const token = generateSecret()
  await testServer.ctx.db
    .insertInto('access_tokens')
    .values({ token_hash: hashSecret(token), user_id: userId, scopes: [...scopes] })
    .execute()
  return token
}

/** Returns members of the staff: with all scopes, without those of the admin API, and with browser sessions. */
export async function createStaffCallers(testServer: TestServer): Promise<Caller[]> {
  const callers: Caller[] = []
  for (const [name, role, permissions] of [
    ['a moderator', 'moderator', MODERATOR],
    ['an admin', 'admin', ADMIN],
    ['an owner', 'owner', OWNER],
  ] as const) {
    const staff = await testServer.createUser({ role })
    const withScopes = async (label: string, scopes: readonly string[]): Promise<Caller> => ({
      name: label,
      token: await makeToken(testServer, { userId: staff.userId, scopes }),
      scopes,
      account: 'usable',
      permissions,
    })
    const otherScopes = ALL_SCOPES.filter((scope) => !scope.startsWith('admin:'))
    callers.push(await withScopes(name, ALL_SCOPES), await withScopes(`${name} without admin scopes`, otherScopes))
    callers.push(...(await createSessionCallers(testServer, { name, user: staff, permissions })))
  }
  return callers
}

/** Returns callers with the browser session of a user, and a valid, a wrong or no CSRF token. */
export async function createSessionCallers(
  testServer: TestServer,
  { name, user, permissions = OWNER }: { name: string; user: TestUser; permissions?: readonly Permission[] },
): Promise<Caller[]> {
  const browser = createBrowser(testServer.server)
  const id = await testServer.ctx.write((tx) =>
    openSession(tx, { userId: user.userId, browser: { ip: null, userAgent: '' } }),
  )
  browser.cookies.set('__Host-linnet-session', id)
  const { forms } = await browser.get('/account')
  const csrf = forms.find(({ values }) => values['csrf'])!.values['csrf']!
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const caller = (token: string, headers: Record<string, string>, isValid: boolean): Caller => ({
    name: `the session of ${name} with ${token} CSRF token`,
    session: { headers: { cookie, ...headers }, isValid },
    account: 'usable',
    permissions,
  })
  return [
    caller('a valid', { 'x-csrf-token': csrf }, true),
    caller('a wrong', { 'x-csrf-token': 'wrong' }, false),
    caller('no', {}, false),
  ]
}

/** Returns a user whose role has only this permission. */
export async function createCallerWithPermission(testServer: TestServer, permission: Permission): Promise<Caller> {
  const role = await testServer.ctx.db
    .insertInto('roles')
    .values({
      id: String(100 + PERMISSIONS.indexOf(permission)),
      name: permission,
      position: 5,
      permissions: String(permissionBit(permission)),
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name: permission }))
    .returning('id')
    .executeTakeFirstOrThrow()
  const user = await testServer.createUser()
  await testServer.ctx.db.updateTable('users').set({ role_id: role.id }).where('id', '=', user.userId).execute()
  return {
    name: `a user with only the permission ${permission}`,
    token: await makeToken(testServer, { userId: user.userId, scopes: ALL_SCOPES }),
    scopes: ALL_SCOPES,
    account: 'usable',
    permissions: ['inviteUsers', permission],
  }
}
