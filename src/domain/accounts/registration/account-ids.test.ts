import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uniqueName, remoteAccountRecord } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { recordRemoteAccount } from '../remote/record-remote-account.ts'

/** Creates two local accounts, with a remote one between them, in a new database. Returns their ids. */
async function createFirstAccounts(): Promise<string[]> {
  const { ctx, createUser, close } = await openTestServer({ effects: false })
  try {
    const first = await createUser()
    const remote = await ctx.write((tx) => recordRemoteAccount(tx, remoteAccountRecord(uniqueName())))
    const last = await createUser()
    return [first.accountId, remote.accountId, last.accountId]
  } finally {
    await close()
  }
}

test('no account has the id, and so the URI, of an account that was lost with its database', async () => {
  const lost = await createFirstAccounts()
  const accounts = await createFirstAccounts()
  assert.deepEqual(
    lost.filter((id) => accounts.includes(id)),
    [],
  )
})

test('newer accounts have higher ids, local and remote', async () => {
  const ids = (await createFirstAccounts()).map(Number)
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  )
})

test('accounts that are created at the same time have different ids', async () => {
  const { createUser, close } = await openTestServer({ effects: false, env: { DB_POOL: '10' } })
  try {
    const users = await Promise.all(Array.from({ length: 20 }, () => createUser()))
    assert.equal(new Set(users.map(({ accountId }) => accountId)).size, 20)
  } finally {
    await close()
  }
})
