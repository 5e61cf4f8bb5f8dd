import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import type { mastodon } from 'masto'
import { findPort } from '../../../../test/linnet.ts'
import { makeRemote } from '../../../../test/remote.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(world.close)
await world.listen()

const restOf = ({ token }: Person): mastodon.rest.Client =>
  createRestAPIClient({ url: `http://${domain}`, accessToken: token })
/** The library's types lack the end of a mute. */
type MutedAccount = mastodon.v1.Account & { muteExpiresAt?: string | null }

const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

test('masto.js follows on terms, answers requests, and removes a follower', async () => {
  const [anna, ben] = [await world.createPerson(), await world.createPerson({ locked: true })]
  const [annas, bens] = [restOf(anna), restOf(ben)]
  const [toBen, toAnna] = [annas.v1.accounts.$select(ben.accountId), bens.v1.accounts.$select(anna.accountId)]
  const asked = await toBen.follow({ reblogs: false, notify: true, languages: ['de'] })
  assert.deepEqual(
    [asked.requested, asked.showingReblogs, asked.notifying, asked.languages],
    [true, false, true, ['de']],
  )
  assert.deepEqual(idsOf(await bens.v1.followRequests.list()), [anna.accountId])
  assert.equal((await bens.v1.followRequests.$select(anna.accountId).reject()).requestedBy, false)
  await toBen.follow()
  assert.equal((await bens.v1.followRequests.$select(anna.accountId).authorize()).followedBy, true)
  assert.deepEqual(idsOf(await bens.v1.accounts.$select(ben.accountId).followers.list()), [anna.accountId])
  assert.deepEqual(idsOf(await annas.v1.accounts.$select(anna.accountId).following.list()), [ben.accountId])
  await toAnna.removeFromFollowers()
  assert.deepEqual(idsOf(await bens.v1.accounts.$select(ben.accountId).followers.list()), [])
  await toAnna.follow()
  assert.equal((await toAnna.unfollow()).following, false)
  assert.equal((await toAnna.fetch()).username, anna.username)
  assert.deepEqual(await toAnna.identityProofs.list(), [])
  const both = [ben.accountId, anna.accountId]
  assert.deepEqual(idsOf(await bens.v1.accounts.fetch({ id: both })), both)
})

test('masto.js blocks and mutes, for a time too, and lists whom', async () => {
  const [anna, ben, carla] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const annas = restOf(anna)
  const [toBen, toCarla] = [annas.v1.accounts.$select(ben.accountId), annas.v1.accounts.$select(carla.accountId)]
  assert.equal((await toBen.block()).blocking, true)
  assert.deepEqual(idsOf(await annas.v1.blocks.list()), [ben.accountId])
  assert.equal((await toBen.unblock()).blocking, false)
  const muted = await toCarla.mute({ notifications: false, duration: 3_600 })
  assert.deepEqual([muted.muting, muted.mutingNotifications], [true, false])
  const [listed]: MutedAccount[] = await annas.v1.mutes.list()
  assert.equal(listed?.id, carla.accountId)
  assert.ok(new Date(listed.muteExpiresAt!).getTime() > Date.now())
  assert.equal((await toCarla.unmute()).muting, false)
  assert.deepEqual([idsOf(await annas.v1.blocks.list()), idsOf(await annas.v1.mutes.list())], [[], []])
})

test('masto.js blocks a domain, lists it in pages, and unblocks it', async () => {
  const anna = await world.createPerson()
  const annas = restOf(anna)
  const stranger = await makeRemote(world.ctx, { handle: { username: 'loud', domain: 'sub.loud.test' } })
  for (const name of ['loud.test', 'b.test', 'c.test']) await annas.v1.domainBlocks.create({ domain: name })
  const pages: string[][] = []
  for await (const page of annas.v1.domainBlocks.list({ limit: 2 })) pages.push(page)
  assert.deepEqual(pages, [['c.test', 'b.test'], ['loud.test']])
  const [shown] = await annas.v1.accounts.relationships.fetch({ id: [stranger] })
  assert.equal(shown?.domainBlocking, true)
  await annas.v1.domainBlocks.remove({ domain: 'loud.test' })
  const [freed] = await annas.v1.accounts.relationships.fetch({ id: [stranger] })
  assert.equal(freed?.domainBlocking, false)
})

test('masto.js recommends, notes, and finds familiar followers', async () => {
  const [anna, ben, carla] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const annas = restOf(anna)
  const toBen = annas.v1.accounts.$select(ben.accountId)
  await toBen.follow()
  assert.equal((await toBen.endorse()).endorsed, true)
  assert.deepEqual(idsOf(await annas.v1.endorsements.list()), [ben.accountId])
  assert.deepEqual(idsOf(await restOf(carla).v1.accounts.$select(anna.accountId).endorsements.list()), [ben.accountId])
  assert.equal((await toBen.unpin()).endorsed, false)
  assert.equal((await toBen.pin()).endorsed, true)
  assert.equal((await toBen.unendorse()).endorsed, false)
  assert.equal((await toBen.note.create({ comment: 'from the choir' })).note, 'from the choir')
  await restOf(ben).v1.accounts.$select(carla.accountId).follow()
  // Its types ask for a bare list, which would be sent without a name.
  const asked = { id: [carla.accountId] } as unknown as string[]
  const [familiar] = await annas.v1.accounts.familiarFollowers.fetch(asked)
  assert.deepEqual([familiar?.id, idsOf(familiar!.accounts)], [carla.accountId, [ben.accountId]])
})
