import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, remoteAccountRecord, uniqueName } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { recordRemoteAccount } from '../../accounts/remote/record-remote-account.ts'
import type { RemoteAccountFacts } from '../../accounts/remote/record-remote-account.ts'

const testServer = await openTestServer()
after(testServer.close)
const author = await testServer.createUser()

async function record(facts: RemoteAccountFacts): Promise<string> {
  const { accountId } = await testServer.ctx.write((tx) => recordRemoteAccount(tx, facts))
  await testServer.waitForJobs()
  return accountId
}

async function postMentionOf(name: string): Promise<() => Promise<Status['mentions']>> {
  const { body } = await author.client.post<Status>('/api/v1/statuses', { status: `Hello @${name}@far.test` })
  assert.deepEqual(
    body.mentions.map(({ acct }) => acct),
    [`${name}@far.test`],
  )
  return async () => (await testServer.anonymous.get<Status>(`/api/v1/statuses/${body.id}`)).body.mentions
}

test('mentions in statuses that were read before have the new handle and profile page of a remote account', async () => {
  const [name, newName] = [uniqueName('named'), uniqueName('renamed')]
  const id = await record(remoteAccountRecord(name))
  const findMentions = await postMentionOf(name)
  assert.deepEqual(await findMentions(), [{ id, username: name, url: `${HOST}/@${name}`, acct: `${name}@far.test` }])
  const renamed = remoteAccountRecord(newName, { uri: `${HOST}/users/${name}`, handleProven: true })
  await record(renamed)
  const mention = { id, username: newName, url: `${HOST}/@${newName}`, acct: `${newName}@far.test` }
  assert.deepEqual(await findMentions(), [mention])
  await record({ ...renamed, url: `${HOST}/profiles/${newName}` })
  assert.deepEqual(await findMentions(), [{ ...mention, url: `${HOST}/profiles/${newName}` }])
})

test('mentions of an account whose handle another actor has taken do not name that actor', async () => {
  const name = uniqueName('displaced')
  const id = await record(remoteAccountRecord(name))
  const findMentions = await postMentionOf(name)
  assert.equal((await findMentions())[0]?.acct, `${name}@far.test`)
  await record(remoteAccountRecord(name, { uri: `${HOST}/users/other-${name}`, handleProven: true }))
  assert.deepEqual(
    (await findMentions()).map((mention) => [mention.id, mention.acct]),
    [[id, `${name}@${id}.invalid`]],
  )
})
