import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { blockDomainAsStaff, suspend } from '../../../../test/features/moderation.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['lost.test', 'gone.test'] })
const { testServer, peer, deliver, followEachOther, uriOf } = fediverse
after(fediverse.close)
const { ctx, waitForJobs } = testServer

const friend = await peer.host('lost.test').createActor('friend')
const fan = await peer.host('lost.test').createActor('fan')

/** Returns the links of the page to the lists, with their texts. */
async function linksOf(user: TestUser): Promise<{ text: string; path: string }[]> {
  const browser = await openBrowserSession(testServer, user)
  const { html } = await browser.get('/severed_relationships')
  return [...html.matchAll(/<a href="(\/severed_relationships\/[^"]+)"[^>]*>([^<]*)</g)].map(([, path, text]) => ({
    path: path!,
    text: text!,
  }))
}

async function download(user: TestUser, path: string) {
  const { status, headers, html: content } = await (await openBrowserSession(testServer, user)).get(path)
  return { status, content, type: headers['content-type'], disposition: headers['content-disposition'] }
}

/** Lets a user follow the friend with options, and be followed by the friend and the fan. */
async function createConnectedUser(): Promise<TestUser> {
  const user = await testServer.createUser()
  const id = await followEachOther(user, friend)
  await user.client.post(`/api/v1/accounts/${id}/follow`, { reblogs: false, notify: true, languages: ['de', 'en'] })
  await deliver(friend, friend.activity('Follow', uriOf(user)))
  await deliver(fan, fan.activity('Follow', uriOf(user)))
  return user
}

const FOLLOWING = `Account address,Show boosts,Notify on new posts,Languages\nfriend@lost.test,false,true,"de, en"\n`
const FOLLOWERS = 'Account address\nfan@lost.test\nfriend@lost.test\n'

test('a user who blocks a domain can download the lists of the lost follows, and only this user', async () => {
  const [user, other] = [await createConnectedUser(), await testServer.createUser()]
  await user.client.post('/api/v1/domain_blocks', { domain: 'lost.test' })
  await waitForJobs()
  const links = await linksOf(user)
  assert.deepEqual(
    links.map(({ text }) => text),
    ['1 account that you followed', '2 followers'],
  )
  const [following, followers] = links.map(({ path }) => path)
  assert.deepEqual(await download(user, following!), {
    status: 200,
    content: FOLLOWING,
    type: 'text/csv; charset=utf-8',
    disposition: 'attachment; filename="following.csv"',
  })
  assert.equal((await download(user, followers!)).content, FOLLOWERS)
  assert.deepEqual(await linksOf(other), [])
  for (const path of [following!, followers!, '/severed_relationships/1234567/followers.csv'])
    assert.equal((await download(other, path)).status, 404)
})

test('the staff suspending a domain leaves the lists to each of the users', async () => {
  const users = [await createConnectedUser(), await createConnectedUser()]
  await blockDomainAsStaff(ctx, 'lost.test', { severity: 'suspend' })
  await waitForJobs()
  for (const user of users) {
    const [following, followers] = (await linksOf(user)).map(({ path }) => path)
    assert.equal((await download(user, following!)).content, FOLLOWING)
    assert.equal((await download(user, followers!)).content, FOLLOWERS)
  }
})

test('a follower who is suspended is in the list after the account was deleted, too', async () => {
  const gone = await peer.host('gone.test').createActor('gone')
  const user = await testServer.createUser()
  const id = await followEachOther(user, gone)
  await deliver(gone, gone.activity('Follow', uriOf(user)))
  await suspend(ctx, { accountId: id })
  await waitForJobs()
  const [link, ...others] = await linksOf(user)
  assert.deepEqual([link?.text, others], ['1 follower', []])
  await deliver(gone, gone.activity('Delete', gone.id))
  assert.equal((await download(user, link!.path)).content, 'Account address\ngone@gone.test\n')
})
