import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import type { mastodon } from 'masto'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { createRemoteAccount } from '../../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
await testServer.listen()

const restOf = ({ token }: TestUser): mastodon.rest.Client =>
  createRestAPIClient({ url: `http://${domain}`, accessToken: token })
/** The library's type lacks `muteExpiresAt`. */
type MutedAccount = mastodon.v1.Account & { muteExpiresAt?: string | null }

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('masto.js follows with options, answers follow requests and removes a follower', async () => {
  const [anna, ben] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const [annaClient, benClient] = [restOf(anna), restOf(ben)]
  const [toBen, toAnna] = [annaClient.v1.accounts.$select(ben.accountId), benClient.v1.accounts.$select(anna.accountId)]
  const requested = await toBen.follow({ reblogs: false, notify: true, languages: ['de'] })
  assert.deepEqual(
    [requested.requested, requested.showingReblogs, requested.notifying, requested.languages],
    [true, false, true, ['de']],
  )
  assert.deepEqual(idsOf(await benClient.v1.followRequests.list()), [anna.accountId])
  assert.equal((await benClient.v1.followRequests.$select(anna.accountId).reject()).requestedBy, false)
  await toBen.follow()
  assert.equal((await benClient.v1.followRequests.$select(anna.accountId).authorize()).followedBy, true)
  assert.deepEqual(idsOf(await benClient.v1.accounts.$select(ben.accountId).followers.list()), [anna.accountId])
  assert.deepEqual(idsOf(await annaClient.v1.accounts.$select(anna.accountId).following.list()), [ben.accountId])
  await toAnna.removeFromFollowers()
  assert.deepEqual(idsOf(await benClient.v1.accounts.$select(ben.accountId).followers.list()), [])
  await toAnna.follow()
  assert.equal((await toAnna.unfollow()).following, false)
  assert.equal((await toAnna.fetch()).username, anna.username)
  assert.deepEqual(await toAnna.identityProofs.list(), [])
  const both = [ben.accountId, anna.accountId]
  assert.deepEqual(idsOf(await benClient.v1.accounts.fetch({ id: both })), both)
})

test('masto.js blocks and mutes accounts, also with a duration, and lists them', async () => {
  const [anna, ben, carla] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const annaClient = restOf(anna)
  const [toBen, toCarla] = [
    annaClient.v1.accounts.$select(ben.accountId),
    annaClient.v1.accounts.$select(carla.accountId),
  ]
  assert.equal((await toBen.block()).blocking, true)
  assert.deepEqual(idsOf(await annaClient.v1.blocks.list()), [ben.accountId])
  assert.equal((await toBen.unblock()).blocking, false)
  const muted = await toCarla.mute({ notifications: false, duration: 3_600 })
  assert.deepEqual([muted.muting, muted.mutingNotifications], [true, false])
  const [listed]: MutedAccount[] = await annaClient.v1.mutes.list()
  assert.equal(listed?.id, carla.accountId)
  assert.ok(new Date(listed.muteExpiresAt!).getTime() > Date.now())
  assert.equal((await toCarla.unmute()).muting, false)
  assert.deepEqual([idsOf(await annaClient.v1.blocks.list()), idsOf(await annaClient.v1.mutes.list())], [[], []])
})

test('masto.js blocks a domain, lists it in pages, and unblocks it', async () => {
  const anna = await testServer.createUser()
  const annaClient = restOf(anna)
  const remoteId = await createRemoteAccount(testServer.ctx, { handle: { username: 'loud', domain: 'sub.loud.test' } })
  for (const name of ['loud.test', 'b.test', 'c.test']) await annaClient.v1.domainBlocks.create({ domain: name })
  const pages: string[][] = []
  for await (const page of annaClient.v1.domainBlocks.list({ limit: 2 })) pages.push(page)
  assert.deepEqual(pages, [['c.test', 'b.test'], ['loud.test']])
  const [blocked] = await annaClient.v1.accounts.relationships.fetch({ id: [remoteId] })
  assert.equal(blocked?.domainBlocking, true)
  await annaClient.v1.domainBlocks.remove({ domain: 'loud.test' })
  const [unblocked] = await annaClient.v1.accounts.relationships.fetch({ id: [remoteId] })
  assert.equal(unblocked?.domainBlocking, false)
})

test('masto.js endorses accounts, sets notes and finds familiar followers', async () => {
  const [anna, ben, carla] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const annaClient = restOf(anna)
  const toBen = annaClient.v1.accounts.$select(ben.accountId)
  await toBen.follow()
  assert.equal((await toBen.endorse()).endorsed, true)
  assert.deepEqual(idsOf(await annaClient.v1.endorsements.list()), [ben.accountId])
  assert.deepEqual(idsOf(await restOf(carla).v1.accounts.$select(anna.accountId).endorsements.list()), [ben.accountId])
  assert.equal((await toBen.unpin()).endorsed, false)
  assert.equal((await toBen.pin()).endorsed, true)
  assert.equal((await toBen.unendorse()).endorsed, false)
  assert.equal((await toBen.note.create({ comment: 'from the choir' })).note, 'from the choir')
  await restOf(ben).v1.accounts.$select(carla.accountId).follow()
  // Its types require a bare array, which it would send without a parameter name.
  const params = { id: [carla.accountId] } as unknown as string[]
  const [familiar] = await annaClient.v1.accounts.familiarFollowers.fetch(params)
  assert.deepEqual([familiar?.id, idsOf(familiar!.accounts)], [carla.accountId, [ben.accountId]])
})
