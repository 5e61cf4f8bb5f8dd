import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { respondWith } from '../../../test/federation/peer/behaviour.ts'
import { recordPeerActor } from '../../../test/federation/record-peer-actor.ts'
import { createUsers } from '../../../test/servers/create-users.ts'
import { digestOfIds } from './follower-digest.ts'
import { reconcileFollowers } from './reconcile-followers.ts'

const fediverse = await openFediverse({ hosts: ['far.test'], effects: false })
after(fediverse.close)
const { testServer, peer } = fediverse
const { ctx } = testServer
const host = peer.host('far.test')
const bob = await host.createActor('bob')
const bobId = await recordPeerActor(ctx, bob)

/** Returns the ids of the accounts that have an activity to send after bob's server listed these as his followers. */
async function sendersAfterListing(accountIds: readonly string[]): Promise<(string | null)[]> {
  const url = `${bob.id}/followers_synchronization`
  const uris = accountIds.map((accountId) => fediverse.uriOf({ accountId }))
  const list = { '@context': 'https://www.w3.org/ns/activitystreams', id: url, type: 'OrderedCollection' }
  const body = JSON.stringify({ ...list, orderedItems: uris })
  const headers = { 'content-type': 'application/activity+json' }
  host.behave(/followers_synchronization/, respondWith(200, { headers, body }))
  await reconcileFollowers(ctx, { accountId: bobId, url, digest: digestOfIds(uris) })
  const sent = await ctx.db.selectFrom('sent_activities').select('account_id').orderBy('account_id').execute()
  return sent.map((row) => row.account_id)
}

test('AC11 no Undo reveals an account that is not confirmed or approved to a server that lists it as a follower', async () => {
  const visible = await testServer.createUser()
  const unconfirmed = await testServer.createUser({ confirmed: false })
  const unapproved = await testServer.createUser({ approved: false })
  const listed = [visible, unconfirmed, unapproved].map(({ accountId }) => accountId)
  assert.deepEqual(await sendersAfterListing(listed), [visible.accountId])
})

test('a server that lists very many accounts as followers makes only 200 of them send an Undo at a time', async () => {
  await ctx.db.deleteFrom('sent_activities').execute()
  const accountIds = await createUsers(ctx, { prefix: 'listed', count: 203 })
  assert.deepEqual(await sendersAfterListing(accountIds), accountIds.slice(0, 200))
})
