// Slow: runs two servers.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openConnectedServers } from '../../../test/servers/connected-servers.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { deleteAccount } from './delete-account.ts'

const { servers, deliverAll, findStatus, close } = await openConnectedServers(['a.test', 'b.test'])
after(close)
const [a, b] = servers as [(typeof servers)[0], (typeof servers)[0]]

const interactions: Record<string, (reader: TestUser, status: Status) => Promise<unknown>> = {
  'a vote in its poll': ({ client }, { poll }) => client.post(`/api/v1/polls/${poll?.id}/votes`, { choices: [0] }),
  'a report': ({ client }, { account }) =>
    client.post('/api/v1/reports', { account_id: account.id, comment: 'spam', forward: true }),
}

for (const [name, interact] of Object.entries(interactions)) {
  test(`a deleted account disappears from a server that knows it only by ${name}`, async () => {
    const [author, reader] = [await a.createUser(), await b.createUser()]
    const { body } = await author.client.post<Status>('/api/v1/statuses', {
      status: 'tea or coffee',
      poll: { options: ['tea', 'coffee'], expires_in: 3600 },
    })
    const status = await findStatus(reader, body.uri)
    await interact(reader, status)
    await deliverAll()
    await a.ctx.write((tx) => deleteAccount(tx, { accountId: author.accountId }))
    await deliverAll()
    assert.equal((await reader.client.get(`/api/v1/statuses/${status.id}`)).status, 404)
    assert.equal((await reader.client.get(`/api/v1/accounts/${status.account.id}`)).status, 404)
  })
}
