import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { createRemoteAccount, uniqueName } from '../../../../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { deleteAccount } from '../../../../../domain/account-deletion/delete-account.ts'
import { disableUser, limitAccount, suspendAccount } from '../../../../../domain/moderation/accounts/account-states.ts'
import type { AdminAccount } from '../../../../../entities/admin/accounts/admin-account.ts'
import { compareIds } from '../../../../../lib/ids.ts'

const V1 = '/api/v1/admin/accounts'
const V2 = '/api/v2/admin/accounts'

// Without effects, a deleted account keeps its row.
const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read' })
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'admin:read:accounts' })

/** Creates a remote account and returns its id and username. */
async function createRemote(domain = 'far.test') {
  const username = uniqueName('guest')
  const id = await createRemoteAccount(ctx, {
    handle: { username, domain },
    uri: `https://${domain}/users/${username}`,
  })
  return { id, username }
}

/** Creates a user in each state; `plain` has none. */
async function createUsersInStates() {
  const create = () => testServer.createUser()
  const plain = await create()
  const pending = await create()
  await db.updateTable('users').set({ approved: false }).where('id', '=', pending.userId).execute()
  const disabled = await create()
  await ctx.write((tx) => disableUser(tx, disabled))
  const silenced = await create()
  await ctx.write((tx) => limitAccount(tx, silenced))
  const suspended = await create()
  await ctx.write((tx) => suspendAccount(tx, suspended))
  const sensitized = await create()
  await db.updateTable('accounts').set({ sensitized_at: new Date() }).where('id', '=', sensitized.accountId).execute()
  return { plain, pending, disabled, sensitized, silenced, suspended }
}

const states = await createUsersInStates()
const remote = await createRemote()
const remoteSuspended = await createRemote()
await ctx.write((tx) => suspendAccount(tx, { accountId: remoteSuspended.id }))
const KNOWN: Record<string, string> = {
  ...Object.fromEntries(Object.entries(states).map(([state, { accountId }]) => [accountId, state])),
  [owner.accountId]: 'owner',
  [moderator.accountId]: 'moderator',
  [remote.id]: 'remote',
  [remoteSuspended.id]: 'remote suspended',
}

async function list(query: string, path = V1): Promise<AdminAccount[]> {
  const { status, body } = await owner.client.get<AdminAccount[]>(`${path}?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  for (const account of body) assertEntity('AdminAccount', account)
  return body
}

/** Returns which of the accounts of this file a query finds, in the order of the response. */
async function find(query: string, path = V1): Promise<string[]> {
  return (await list(query, path)).flatMap(({ id }) => KNOWN[id] ?? [])
}

async function view(id: string): Promise<AdminAccount> {
  const { status, body } = await owner.client.get<AdminAccount>(`${V1}/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminAccount', body)
  return body
}

const LOCAL_ACTIVE = ['sensitized', 'silenced', 'disabled', 'pending', 'plain', 'moderator', 'owner']

/** Each status with the local accounts that have it, and the same in the second version of the list. */
const STATUSES: Record<string, [local: string[], all: string[]]> = {
  active: [LOCAL_ACTIVE, ['remote', ...LOCAL_ACTIVE]],
  pending: [['pending'], ['pending']],
  disabled: [['disabled'], ['disabled']],
  sensitized: [['sensitized'], ['sensitized']],
  silenced: [['silenced'], ['silenced']],
  suspended: [['suspended'], ['remote suspended', 'suspended']],
}

suite('the first version of the list', () => {
  test('has local accounts that are not suspended by default, newest first', async () => {
    assert.deepEqual(await find(''), LOCAL_ACTIVE)
    assert.deepEqual(await find('local=true&active=true'), LOCAL_ACTIVE)
    const ids = (await list('')).map(({ id }) => id)
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => compareIds(b, a)),
    )
  })

  for (const [status, [local]] of Object.entries(STATUSES)) {
    test(`has the accounts with the status ${status} if the parameter is present and not blank`, async () => {
      for (const value of ['true', 'false']) assert.deepEqual(await find(`${status}=${value}`), local, value)
      for (const value of ['', '%20']) assert.deepEqual(await find(`${status}=${value}`), LOCAL_ACTIVE, value)
    })
  }

  test('has remote accounts if the parameter is present and not blank, also of one domain', async () => {
    const neighbour = await createRemote('sub.far.test')
    for (const value of ['true', 'false']) assert.deepEqual(await find(`remote=${value}`), ['remote'], value)
    assert.deepEqual(await find('remote='), LOCAL_ACTIVE)
    assert.deepEqual(await find('remote=true&suspended=true'), ['remote suspended'])
    assert.deepEqual(
      (await list('remote=true&by_domain=%20FAR.test.')).map(({ id }) => id),
      [remote.id],
    )
    assert.deepEqual(
      (await list('remote=true&by_domain=sub.far.test')).map(({ id }) => id),
      [neighbour.id],
    )
    for (const domain of ['linnet.test', 'unknown.test', 'not a domain', 'est'])
      assert.deepEqual(await list(`remote=true&by_domain=${domain}`), [], domain)
    // Local accounts, which are the default, have no domain.
    assert.deepEqual(await list('by_domain=far.test'), [])
  })

  test('uses the last of several statuses', async () => {
    assert.deepEqual(await find('active=true&suspended=true'), ['suspended'])
  })

  test('has the staff if the parameter is present', async () => {
    assert.deepEqual(await find('staff=false'), ['moderator', 'owner'])
    assert.deepEqual(await find('staff=true&suspended=true'), [])
  })

  test('refers to other pages with the filters', async () => {
    const { body, headers } = await owner.client.get<AdminAccount[]>(`${V1}?limit=1&staff=false`)
    assert.equal(body[0]?.id, moderator.accountId)
    const link = String(headers['link'])
    assert.match(link, new RegExp(`limit=1&staff=false&max_id=${moderator.accountId}>; rel="next"`))
    assert.match(link, new RegExp(`limit=1&staff=false&min_id=${moderator.accountId}>; rel="prev"`))
    assert.deepEqual(await find(`staff=false&limit=1&max_id=${moderator.accountId}`), ['owner'])
    assert.deepEqual(await find(`staff=false&limit=1&min_id=${owner.accountId}`), ['moderator'])
  })
})

suite('the second version of the list', () => {
  test('has all accounts without filters', async () => {
    const found = await find('', V2)
    for (const name of Object.values(KNOWN)) assert.ok(found.includes(name), name)
    assert.deepEqual(await find('origin=local', V2), ['sensitized', 'suspended', ...LOCAL_ACTIVE.slice(1)])
    assert.deepEqual(await find('origin=remote', V2), ['remote suspended', 'remote'])
  })

  for (const [status, [local, all]] of Object.entries(STATUSES)) {
    test(`has the accounts with the status ${status}`, async () => {
      assert.deepEqual(await find(`status=${status}`, V2), all)
      assert.deepEqual(await find(`status=${status}&origin=local`, V2), local)
    })
  }

  test('has the users with roles', async () => {
    assert.deepEqual(await find('permissions=staff', V2), ['moderator', 'owner'])
    assert.deepEqual(await find('role_ids[]=1', V2), ['moderator'])
    assert.deepEqual(await find('role_ids[]=1&role_ids[]=3', V2), ['moderator', 'owner'])
    assert.deepEqual(await find('role_ids[]=1&permissions=staff', V2), ['moderator', 'owner'])
    assert.ok((await find('role_ids[]=-99', V2)).includes('plain'))
    assert.ok(!(await find('role_ids[]=-99', V2)).includes('owner'))
    for (const id of ['4711', 'nonsense']) assert.deepEqual(await find(`role_ids[]=${id}`, V2), [], id)
  })

  test('rejects an unknown origin and an unknown status', async () => {
    for (const query of ['origin=moon', 'status=happy'])
      assert.equal((await owner.client.get(`${V2}?${query}`)).status, 422, query)
  })
})

suite('filters by the beginnings of texts', () => {
  for (const path of [V1, V2]) {
    test(`ignore case and have no wildcards: ${path}`, async () => {
      const { plain, disabled } = states
      const setName = (user: TestUser, name: string) =>
        db.updateTable('accounts').set({ display_name: name }).where('id', '=', user.accountId).execute()
      await setName(plain, `Sea_Otter ${'x'.repeat(80)}y`)
      await setName(disabled, `Sea_Otter ${'x'.repeat(80)}z`)
      const user = plain.username
      assert.deepEqual(await find(`username=${user.toUpperCase()}&email=${user}`, path), ['plain'])
      assert.deepEqual(await find(`username=%20${user}%20`, path), ['plain'])
      assert.deepEqual(await find(`username=${user.slice(1)}`, path), [])
      assert.deepEqual(await find(`email=${plain.email.toUpperCase()}`, path), ['plain'])
      assert.deepEqual(await find('email=%25@', path), [])
      assert.deepEqual(await find('display_name=sea_o', path), ['disabled', 'plain'])
      assert.deepEqual(await find('display_name=sea%25', path), [])
      assert.deepEqual(await find(`display_name=SEA_OTTER%20${'x'.repeat(80)}Y`, path), ['plain'])
      assert.deepEqual(await find('display_name=otter', path), [])
      assert.equal((await find('username=&email=%20&display_name=&ip=&by_domain=', path)).includes('plain'), true)
    })
  }
})

suite('an account for the staff', () => {
  test('has the data of its user', async () => {
    const account = await view(states.pending.accountId)
    const { id, username, domain, email, confirmed, approved, disabled, role } = account
    assert.deepEqual(
      { id, username, domain, email, confirmed, approved, disabled, role: role?.id },
      {
        id: states.pending.accountId,
        username: states.pending.username,
        domain: null,
        email: states.pending.email,
        confirmed: true,
        approved: false,
        disabled: false,
        role: '-99',
      },
    )
    assert.equal((await view(states.suspended.accountId)).suspended, true)
    assert.equal((await view(states.silenced.accountId)).silenced, true)
    assert.equal((await view(states.sensitized.accountId)).sensitized, true)
    assert.equal((await view(states.disabled.accountId)).disabled, true)
  })

  test('has null for the data of a user if it is remote, or if its user deleted it', async () => {
    const gone = await testServer.createUser()
    await ctx.write((tx) => deleteAccount(tx, gone))
    for (const id of [remote.id, gone.accountId]) {
      const { email, ip, ips, locale, invite_request, role, confirmed, approved, disabled } = await view(id)
      assert.deepEqual(
        [email, ip, ips, locale, invite_request, role, confirmed, approved, disabled],
        [null, null, [], null, null, null, null, null, null],
      )
    }
    assert.equal((await view(remote.id)).domain, 'far.test')
    const idsOf = async (query: string) => (await list(query, V2)).map(({ id }) => id)
    for (const query of ['', 'origin=local', 'status=suspended', 'origin=local&status=suspended'])
      assert.ok((await idsOf(query)).includes(gone.accountId), query)
  })

  test('that does not exist is 404', async () => {
    for (const id of ['4711000', '0', '-99', 'nonsense']) {
      const { status, body } = await owner.client.get(`${V1}/${id}`)
      assert.deepEqual([status, body.error], [404, 'Record not found'], id)
    }
  })

  test('works with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: moderator.token })
    const [first] = await masto.v1.admin.accounts.list({ staff: true })
    assert.equal(first?.id, moderator.accountId)
    assert.equal((await masto.v1.admin.accounts.$select(remote.id).fetch()).username, remote.username)
  })

  test('says whether the role of the member of the staff is above that of the user', async () => {
    const admin = await testServer.createUser({ role: 'admin', scopes: 'admin:read:accounts' })
    const accounts = [states.plain.accountId, remote.id, moderator.accountId, admin.accountId, owner.accountId]
    const manageableBy = async ({ client }: TestUser) =>
      Promise.all(accounts.map(async (id) => (await client.get<AdminAccount>(`${V1}/${id}`)).body.manageable))
    assert.deepEqual(await manageableBy(moderator), [true, true, false, false, false])
    assert.deepEqual(await manageableBy(admin), [true, true, true, false, false])
    assert.deepEqual(await manageableBy(owner), [true, true, true, true, false])
  })
})
