import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Mastodon } from 'megalodon'
import { findPort } from '../../../../test/linnet.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'

const port = await findPort()
const domain = `localhost:${port}`
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(world.close)
await world.listen()

const clientOf = ({ token }: Person) => new Mastodon(`http://${domain}`, token)
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

const [anna, ben, carla] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
const [annas, bens] = [clientOf(anna), clientOf(ben)]

test('megalodon looks people up, follows them, answers requests, and notes, mutes, blocks and recommends', async () => {
  await bens.updateCredentials({ locked: true, display_name: 'Ben', discoverable: true })
  assert.equal((await annas.lookupAccount(` @${ben.username}`)).data.display_name, 'Ben')
  assert.equal((await annas.searchAccount(ben.username, { limit: 1 })).data[0]?.id, ben.accountId)
  assert.equal((await annas.followAccount(ben.accountId, { reblog: false })).data.requested, true)
  assert.deepEqual(idsOf((await bens.getFollowRequests(5)).data), [anna.accountId])
  await bens.rejectFollowRequest(anna.accountId)
  assert.deepEqual((await bens.getFollowRequests()).data, [])
  await annas.followAccount(ben.accountId)
  assert.equal((await bens.acceptFollowRequest(anna.accountId)).data.followed_by, true)
  assert.equal((await annas.subscribeAccount(ben.accountId)).data.notifying, true)
  assert.equal((await annas.unsubscribeAccount(ben.accountId)).data.notifying, false)
  assert.deepEqual(idsOf((await bens.getAccountFollowers(ben.accountId)).data), [anna.accountId])
  assert.deepEqual(idsOf((await annas.getAccountFollowing(anna.accountId)).data), [ben.accountId])

  assert.equal((await annas.pinAccount(ben.accountId)).data.following, true)
  assert.deepEqual(idsOf((await annas.getEndorsements({ limit: 1 })).data), [ben.accountId])
  await annas.unpinAccount(ben.accountId)
  assert.deepEqual((await annas.getEndorsements()).data, [])
  assert.equal((await annas.setAccountNote(ben.accountId, 'from the choir')).data.note, 'from the choir')
  assert.equal((await annas.muteAccount(ben.accountId, false)).data.muting_notifications, false)
  assert.deepEqual(idsOf((await annas.getMutes({ limit: 1 })).data), [ben.accountId])
  assert.equal((await annas.unmuteAccount(ben.accountId)).data.muting, false)
  assert.equal((await annas.blockAccount(carla.accountId)).data.blocking, true)
  assert.deepEqual(idsOf((await annas.getBlocks({ limit: 1 })).data), [carla.accountId])
  assert.equal((await annas.unblockAccount(carla.accountId)).data.blocking, false)
  await annas.blockDomain('loud.test')
  assert.deepEqual((await annas.getDomainBlocks()).data, ['loud.test'])
  await annas.unblockDomain('loud.test')
  assert.deepEqual((await annas.getDomainBlocks()).data, [])
  assert.deepEqual((await annas.getIdentityProof(ben.accountId)).data, [])
  const { data: relationship } = await annas.getRelationship(ben.accountId)
  assert.deepEqual([relationship.following, relationship.showing_reblogs], [true, true])
})

test('megalodon keeps lists, filters, hashtags and markers', async () => {
  const { data: list } = await annas.createList('Friends')
  await annas.addAccountsToList(list.id, [ben.accountId])
  assert.deepEqual(idsOf((await annas.getAccountsInList(list.id, { limit: 1 })).data), [ben.accountId])
  assert.deepEqual(idsOf((await annas.getAccountLists(ben.accountId)).data), [list.id])
  assert.deepEqual(idsOf((await annas.getLists()).data), [list.id])
  const { data: posted } = await bens.postStatus('#Tea is #hot', { visibility: 'public' })
  await bens.postStatus('more #tea', { visibility: 'public' })
  await world.settle()
  assert.equal((await annas.getListTimeline(list.id, { limit: 5 })).data.at(-1)?.id, posted.id)
  assert.equal((await annas.updateList(list.id, 'Choir')).data.title, 'Choir')
  await annas.deleteAccountsFromList(list.id, [ben.accountId])
  assert.deepEqual((await annas.getAccountsInList(list.id)).data, [])
  await annas.deleteList(list.id)
  await assert.rejects(annas.getList(list.id), /404/)

  const { data: filter } = await annas.createFilter('coffee', ['home', 'public'], {
    irreversible: true,
    whole_word: false,
  })
  assert.deepEqual([filter.phrase, filter.irreversible], ['coffee', true])
  assert.deepEqual(idsOf((await annas.getFilters()).data), [filter.id])
  assert.equal((await annas.updateFilter(filter.id, 'mocha', ['home'])).data.phrase, 'mocha')
  assert.deepEqual((await annas.getFilter(filter.id)).data.context, ['home'])
  await annas.deleteFilter(filter.id)
  assert.deepEqual((await annas.getFilters()).data, [])

  assert.equal((await annas.followTag('tea')).data.following, true)
  assert.equal((await annas.getTag('tea')).data.name, 'Tea')
  assert.equal((await annas.getFollowedTags()).data.length, 1)
  assert.equal((await annas.unfollowTag('tea')).data.following, false)
  assert.deepEqual(
    (await bens.getSuggestedTags()).data.map(({ name }) => name),
    ['Tea'],
  )
  const { data: featured } = await bens.createFeaturedTag('tea')
  assert.deepEqual(
    (await bens.getFeaturedTags()).data.map(({ name }) => name),
    ['tea'],
  )
  await bens.deleteFeaturedTag(featured.id)
  assert.deepEqual((await bens.getFeaturedTags()).data, [])

  await annas.saveMarkers({ home: { last_read_id: posted.id }, notifications: { last_read_id: '1' } })
  const { data: markers } = await annas.getMarkers(['home', 'notifications'])
  assert.ok('home' in markers)
  assert.deepEqual([markers.home?.last_read_id, markers.notifications?.last_read_id], [posted.id, '1'])
})

test('megalodon finds people to follow, what one kept, and how one likes to read', async () => {
  assert.equal((await annas.getPreferences()).data['posting:default:visibility'], 'public')
  const { data: directory } = await annas.getInstanceDirectory({ order: 'new', local: true, limit: 5 })
  assert.deepEqual(idsOf(directory), [ben.accountId])
  const { data: suggested } = await clientOf(carla).getSuggestions(5)
  assert.deepEqual(idsOf(suggested), [ben.accountId])
  const { data: statuses } = await annas.getAccountStatuses(ben.accountId, { limit: 1, only_media: false })
  const id = statuses[0]!.id
  await annas.favouriteStatus(id)
  await annas.bookmarkStatus(id)
  assert.deepEqual(idsOf((await annas.getFavourites({ limit: 1 })).data), [id])
  assert.deepEqual(idsOf((await annas.getBookmarks({ limit: 1 })).data), [id])
  const { data: found } = await annas.search('tea', { type: 'hashtags', limit: 3 })
  assert.deepEqual(
    found.hashtags.map(({ name }) => name),
    ['Tea'],
  )
  assert.equal((await annas.unfollowAccount(ben.accountId)).data.following, false)
})
