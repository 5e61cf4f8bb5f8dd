import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Mastodon } from 'megalodon'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
await testServer.listen()

const clientOf = ({ token }: TestUser) => new Mastodon(`http://${domain}`, token)
const idsOf = (list: { id: string }[]) => list.map(({ id }) => id)

const [anna, ben, carla] = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
const [annaClient, benClient] = [clientOf(anna), clientOf(ben)]

test('megalodon looks up, follows, mutes, blocks, endorses accounts, sets notes, handles follow requests', async () => {
  await benClient.updateCredentials({ locked: true, display_name: 'Ben', discoverable: true })
  assert.equal((await annaClient.lookupAccount(` @${ben.username}`)).data.display_name, 'Ben')
  assert.equal((await annaClient.searchAccount(ben.username, { limit: 1 })).data[0]?.id, ben.accountId)
  assert.equal((await annaClient.followAccount(ben.accountId, { reblog: false })).data.requested, true)
  assert.deepEqual(idsOf((await benClient.getFollowRequests(5)).data), [anna.accountId])
  await benClient.rejectFollowRequest(anna.accountId)
  assert.deepEqual((await benClient.getFollowRequests()).data, [])
  await annaClient.followAccount(ben.accountId)
  assert.equal((await benClient.acceptFollowRequest(anna.accountId)).data.followed_by, true)
  assert.equal((await annaClient.subscribeAccount(ben.accountId)).data.notifying, true)
  assert.equal((await annaClient.unsubscribeAccount(ben.accountId)).data.notifying, false)
  assert.deepEqual(idsOf((await benClient.getAccountFollowers(ben.accountId)).data), [anna.accountId])
  assert.deepEqual(idsOf((await annaClient.getAccountFollowing(anna.accountId)).data), [ben.accountId])

  assert.equal((await annaClient.pinAccount(ben.accountId)).data.following, true)
  assert.deepEqual(idsOf((await annaClient.getEndorsements({ limit: 1 })).data), [ben.accountId])
  await annaClient.unpinAccount(ben.accountId)
  assert.deepEqual((await annaClient.getEndorsements()).data, [])
  assert.equal((await annaClient.setAccountNote(ben.accountId, 'from the choir')).data.note, 'from the choir')
  assert.equal((await annaClient.muteAccount(ben.accountId, false)).data.muting_notifications, false)
  assert.deepEqual(idsOf((await annaClient.getMutes({ limit: 1 })).data), [ben.accountId])
  assert.equal((await annaClient.unmuteAccount(ben.accountId)).data.muting, false)
  assert.equal((await annaClient.blockAccount(carla.accountId)).data.blocking, true)
  assert.deepEqual(idsOf((await annaClient.getBlocks({ limit: 1 })).data), [carla.accountId])
  assert.equal((await annaClient.unblockAccount(carla.accountId)).data.blocking, false)
  await annaClient.blockDomain('loud.test')
  assert.deepEqual((await annaClient.getDomainBlocks()).data, ['loud.test'])
  await annaClient.unblockDomain('loud.test')
  assert.deepEqual((await annaClient.getDomainBlocks()).data, [])
  assert.deepEqual((await annaClient.getIdentityProof(ben.accountId)).data, [])
  const { data: relationship } = await annaClient.getRelationship(ben.accountId)
  assert.deepEqual([relationship.following, relationship.showing_reblogs], [true, true])
})

test('megalodon manages lists, filters, hashtags and markers', async () => {
  const { data: list } = await annaClient.createList('Friends')
  await annaClient.addAccountsToList(list.id, [ben.accountId])
  assert.deepEqual(idsOf((await annaClient.getAccountsInList(list.id, { limit: 1 })).data), [ben.accountId])
  assert.deepEqual(idsOf((await annaClient.getAccountLists(ben.accountId)).data), [list.id])
  assert.deepEqual(idsOf((await annaClient.getLists()).data), [list.id])
  const { data: posted } = await benClient.postStatus('#Tea is #hot', { visibility: 'public' })
  await benClient.postStatus('more #tea', { visibility: 'public' })
  await testServer.waitForJobs()
  assert.equal((await annaClient.getListTimeline(list.id, { limit: 5 })).data.at(-1)?.id, posted.id)
  assert.equal((await annaClient.updateList(list.id, 'Choir')).data.title, 'Choir')
  await annaClient.deleteAccountsFromList(list.id, [ben.accountId])
  assert.deepEqual((await annaClient.getAccountsInList(list.id)).data, [])
  await annaClient.deleteList(list.id)
  await assert.rejects(annaClient.getList(list.id), /404/)

  const { data: filter } = await annaClient.createFilter('coffee', ['home', 'public'], {
    irreversible: true,
    whole_word: false,
  })
  assert.deepEqual([filter.phrase, filter.irreversible], ['coffee', true])
  assert.deepEqual(idsOf((await annaClient.getFilters()).data), [filter.id])
  assert.equal((await annaClient.updateFilter(filter.id, 'mocha', ['home'])).data.phrase, 'mocha')
  assert.deepEqual((await annaClient.getFilter(filter.id)).data.context, ['home'])
  await annaClient.deleteFilter(filter.id)
  assert.deepEqual((await annaClient.getFilters()).data, [])

  assert.equal((await annaClient.followTag('tea')).data.following, true)
  assert.equal((await annaClient.getTag('tea')).data.name, 'Tea')
  assert.equal((await annaClient.getFollowedTags()).data.length, 1)
  assert.equal((await annaClient.unfollowTag('tea')).data.following, false)
  assert.deepEqual(
    (await benClient.getSuggestedTags()).data.map(({ name }) => name),
    ['Tea'],
  )
  const { data: featured } = await benClient.createFeaturedTag('tea')
  assert.deepEqual(
    (await benClient.getFeaturedTags()).data.map(({ name }) => name),
    ['tea'],
  )
  await benClient.deleteFeaturedTag(featured.id)
  assert.deepEqual((await benClient.getFeaturedTags()).data, [])

  await annaClient.saveMarkers({ home: { last_read_id: posted.id }, notifications: { last_read_id: '1' } })
  const { data: markers } = await annaClient.getMarkers(['home', 'notifications'])
  assert.ok('home' in markers)
  assert.deepEqual([markers.home?.last_read_id, markers.notifications?.last_read_id], [posted.id, '1'])
})

test('megalodon reads the directory, suggestions, favourites, bookmarks and preferences, and searches', async () => {
  assert.equal((await annaClient.getPreferences()).data['posting:default:visibility'], 'public')
  const { data: directory } = await annaClient.getInstanceDirectory({ order: 'new', local: true, limit: 5 })
  assert.deepEqual(idsOf(directory), [ben.accountId])
  const { data: suggested } = await clientOf(carla).getSuggestions(5)
  assert.deepEqual(idsOf(suggested), [ben.accountId])
  const { data: statuses } = await annaClient.getAccountStatuses(ben.accountId, { limit: 1, only_media: false })
  const id = statuses[0]!.id
  await annaClient.favouriteStatus(id)
  await annaClient.bookmarkStatus(id)
  assert.deepEqual(idsOf((await annaClient.getFavourites({ limit: 1 })).data), [id])
  assert.deepEqual(idsOf((await annaClient.getBookmarks({ limit: 1 })).data), [id])
  const { data: found } = await annaClient.search('tea', { type: 'hashtags', limit: 3 })
  assert.deepEqual(
    found.hashtags.map(({ name }) => name),
    ['Tea'],
  )
  assert.equal((await annaClient.unfollowAccount(ben.accountId)).data.following, false)
})
