import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { gone } from '../../../../test/federation/peer/behaviour.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf, deliver } = fediverse
const { db } = testServer.ctx
const remote = peer.host('remote.test')

test('followers whose inbox has moved or is gone are fetched again, once a day', async () => {
  const user = await testServer.createUser()
  const former = { endpoints: { sharedInbox: 'https://remote.test/former-inbox' } }
  const [first, second, left] = [
    await remote.createActor('first', { document: former }),
    await remote.createActor('second', { document: former }),
    await remote.createActor('left', { document: former }),
  ]
  for (const follower of [first, second, left]) await deliver(follower, follower.activity('Follow', uriOf(user)))
  for (const follower of [first, second]) follower.document['endpoints'] = { sharedInbox: 'https://remote.test/inbox' }
  remote.behave(/users\/left$/, gone)
  const receivedBy = ({ inbox }: typeof first) => inbox.all('Create').map(({ object }) => object.content)
  const post = async (status: string) => {
    await user.client.post('/api/v1/statuses', { status })
    await testServer.waitForJobs()
  }
  const fetches = () =>
    remote.requests.filter(({ method, path }) => method === 'GET' && /users\/\w+$/.test(path)).length
  const before = fetches()
  await post('not yet due')
  assert.equal(fetches(), before)
  await db
    .updateTable('accounts')
    .set({ refreshed_at: new Date(0) })
    .where('domain', '=', 'remote.test')
    .execute()
  await post('lost')
  assert.equal(fetches(), before + 3)
  await post('arrives')
  assert.deepEqual([first, second].map(receivedBy), [['<p>arrives</p>'], ['<p>arrives</p>']])
  const { body } = await user.client.get(`/api/v1/accounts/${user.accountId}`)
  assert.equal(body.followers_count, 2)
})
