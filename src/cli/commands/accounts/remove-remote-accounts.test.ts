import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../../test/command-line.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { resetConnection } from '../../../../test/federation/peer/behaviour.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'

const fediverse = await openFediverse({ hosts: ['here.test', 'silent.test'] })
after(fediverse.close)
const { peer, testServer } = fediverse
const { ctx } = testServer
const linnet = await openCommandLine(testServer, { ...peer.env, NODE_EXTRA_CA_CERTS: peer.caFile })
const alice = await testServer.createUser({ username: 'alice' })

async function createAccount(domain: string, username: string, type = 'Person'): Promise<string> {
  const uri = `https://${domain}/users/${username}`
  return createRemoteAccount(ctx, { uri, url: uri, handle: { username, domain }, type: type as 'Person' })
}

/** Makes all known remote accounts as old as if they had not been seen for a year. */
async function age(): Promise<void> {
  const past = new Date(Date.now() - 365 * 86_400_000)
  await ctx.db
    .updateTable('accounts')
    .set({ updated_at: past, refreshed_at: past })
    .where('domain', 'is not', null)
    .execute()
}

async function knownAccounts(): Promise<string[]> {
  await testServer.waitForJobs()
  const rows = await ctx.db
    .selectFrom('accounts')
    .select('username')
    .where('domain', 'is not', null)
    .orderBy('username')
    .execute()
  return rows.map((row) => row.username)
}

test('cull deletes accounts that are gone, and lists the servers that do not respond', async () => {
  await peer.host('here.test').createActor('alive')
  await createAccount('here.test', 'alive')
  const goneId = await createAccount('here.test', 'gone')
  for (const name of ['silent1', 'silent2']) await createAccount('silent.test', name)
  peer.host('silent.test').behave(/.*/, resetConnection)
  await alice.client.post(`/api/v1/accounts/${goneId}/follow`)
  await age()
  await createAccount('here.test', 'seen_lately')

  const dryRun = ['gone@here.test', 'Would delete 1 of 2 accounts', 'no response: silent.test']
  const first = await linnet.run('accounts', 'cull', '--dry-run')
  assert.deepEqual([first.code, first.stdout], [0, `${dryRun.join('\n')}\n`])
  assert.equal((await knownAccounts()).length, 5)
  assert.deepEqual(await linnet.json('accounts', 'cull', 'here.test'), {
    dry_run: false,
    checked: 2,
    removed: ['gone@here.test'],
    unreachable: [],
  })
  assert.deepEqual(await knownAccounts(), ['alive', 'seen_lately', 'silent1', 'silent2'])
  const entries = await ctx.db
    .selectFrom('audit_log_entries')
    .select(['action', 'account_id', 'label'])
    .where('target_id', '=', goneId)
    .orderBy('id')
    .execute()
  assert.deepEqual(entries, [{ action: 'delete', account_id: null, label: 'gone@here.test' }])
  assert.equal(await linnet.error('accounts', 'cull', 'no domain'), '"no domain" is not a domain')
})

test('prune removes only remote accounts without relations, and they may return', async () => {
  const author = await createAccount('far.test', 'author')
  await createRemoteStatus(ctx, { accountId: author })
  const noted = await createAccount('far.test', 'noted')
  await alice.client.post(`/api/v1/accounts/${noted}/note`, { comment: 'A friend' })
  await createAccount('far.test', 'robot', 'Service')
  await createAccount('far.test', 'unused')
  await linnet.lines('accounts', 'limit', 'alive@here.test')
  await age()
  await createAccount('far.test', 'fresh')

  // Beside `unused`, the accounts of the test before have no relations.
  const before = await knownAccounts()
  assert.deepEqual(await linnet.json('accounts', 'prune', '--dry-run'), { dry_run: true, removed: 4 })
  assert.deepEqual(await knownAccounts(), before)
  assert.deepEqual(await linnet.json('accounts', 'prune'), { dry_run: false, removed: 4 })
  assert.deepEqual(await knownAccounts(), ['alive', 'author', 'fresh', 'noted', 'robot'])
  await createAccount('far.test', 'unused')
  assert.equal((await knownAccounts()).length, 6)
})
