import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { createUserWithPassword, PASSWORD } from '../../../../test/servers/create-user-with-password.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { openSession } from '../../../domain/auth/sessions.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { testServer, peer } = fediverse
after(fediverse.close)
const remoteBob = await peer.host('remote.test').createActor('bob')
const ada = await testServer.createUser({ username: 'ada' })
const cora = await testServer.createUser({ username: 'cora', displayName: 'Cora' })
const locked = await testServer.createUser({ username: 'locked', locked: true })

async function signedIn({ userId }: TestUser): Promise<Browser> {
  const browser = createBrowser(testServer.server)
  const id = await testServer.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
  browser.cookies.set('__Host-linnet-session', id)
  return browser
}

const PATH = '/authorize_interaction'
const interactionPath = (uri: string) => `${PATH}?${new URLSearchParams({ uri }).toString()}`

async function readRelationship(user: TestUser, id: string) {
  const { body } = await user.client.get('/api/v1/accounts/relationships', { id: [id] })
  return body[0] as { following: boolean; requested: boolean }
}

test('a visitor who is not logged in logs in first, and then returns to the same page', async () => {
  await createUserWithPassword(testServer.ctx, 'dan')
  const browser = createBrowser(testServer.server)
  const { status, location } = await browser.get(interactionPath('acct:cora@linnet.test'))
  assert.equal(status, 303)
  assert.match(location ?? '', /^\/auth\/sign_in\?next=/)
  const visit = await browser.get(location ?? '')
  const after = await browser.submit(
    visit,
    '/auth/sign_in',
    { login: 'dan', password: PASSWORD },
    uniqueAddressHeaders(),
  )
  assert.equal(after.location, interactionPath('acct:cora@linnet.test'))
  assert.match((await browser.get(after.location ?? '')).text, /Follow Cora\?/)
})

test('a local account is followed by one button, by any form of its handle or URL', async () => {
  const browser = await signedIn(ada)
  for (const uri of [
    'acct:cora@linnet.test',
    '@cora',
    'cora@linnet.test',
    'https://linnet.test/@cora',
    cora.accountId,
  ]) {
    const { status, text } = await browser.get(interactionPath(uri))
    if (uri === cora.accountId) assert.equal(status, 404)
    else assert.match(text, /Follow Cora\?/, uri)
  }
  const page = await browser.get(interactionPath('acct:cora@linnet.test'))
  assert.deepEqual(await readRelationship(ada, cora.accountId).then(({ following }) => following), false)
  const done = await browser.submit(page, PATH, { action: 'follow' })
  assert.equal(done.status, 200)
  assert.match(done.text, /You follow this account/)
  assert.ok((await readRelationship(ada, cora.accountId)).following)
  assert.match((await browser.get(interactionPath('acct:ada@linnet.test'))).text, /This is your account/)
})

test('an account that is not confirmed or not approved gets the same page as a missing one', async () => {
  await testServer.createUser({ username: 'unapproved', approved: false })
  await testServer.createUser({ username: 'unconfirmed', confirmed: false })
  const browser = await signedIn(ada)
  for (const name of ['unapproved', 'unconfirmed', 'missing']) {
    const { status, text } = await browser.get(interactionPath(`acct:${name}@linnet.test`))
    assert.equal(status, 404, name)
    assert.match(text, /Nothing found/, name)
  }
})

test('a locked account gets a follow request', async () => {
  const browser = await signedIn(ada)
  const page = await browser.get(interactionPath('acct:locked@linnet.test'))
  assert.match(page.text, /This account approves follow requests manually/)
  assert.match((await browser.submit(page, PATH, { action: 'follow' })).text, /You have sent a follow request/)
  assert.ok((await readRelationship(ada, locked.accountId)).requested)
})

test('an account of another server is resolved there, and gets the Follow activity', async () => {
  const browser = await signedIn(ada)
  const page = await browser.get(interactionPath(remoteBob.id))
  assert.match(page.text, /@bob@remote\.test/)
  await browser.submit(page, PATH, { action: 'follow' })
  const { activity } = await remoteBob.inbox.next(({ type }) => type === 'Follow')
  assert.equal(activity.actor, fediverse.uriOf(ada))
  assert.match((await browser.get(interactionPath('@bob@remote.test'))).text, /@bob@remote\.test/)
})

test('a post can be favourited and boosted, and the page says how to reply to it', async () => {
  const { body: post } = await cora.client.post('/api/v1/statuses', { status: 'from elsewhere' })
  const browser = await signedIn(ada)
  const page = await browser.get(interactionPath(post.url))
  assert.match(page.text, /from elsewhere.*Favourite.*Boost.*search for this URL/)
  const favourited = await browser.submit(page, PATH, { action: 'favourite' })
  assert.match(favourited.text, /You have favourited this post/)
  const reblogged = await browser.submit(favourited, PATH, { action: 'boost' })
  assert.match(reblogged.text, /You have boosted this post/)
  const { body } = await ada.client.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([body.favourited, body.reblogged], [true, true])
})

test('a post for followers can be boosted by its author only', async () => {
  const { body: post } = await ada.client.post('/api/v1/statuses', { status: 'for followers', visibility: 'private' })
  await cora.client.post(`/api/v1/accounts/${ada.accountId}/follow`)
  const canBoost = ({ html }: { html: string }) => html.includes('value="boost"')
  assert.equal(canBoost(await (await signedIn(cora)).get(interactionPath(post.url))), false)
  const browser = await signedIn(ada)
  const page = await browser.get(interactionPath(post.url))
  assert.equal(canBoost(page), true)
  assert.match((await browser.submit(page, PATH, { action: 'boost' })).text, /You have boosted this post/)
})

test('VI3 posts that are not visible to the viewer get the same 404 page as missing ones', async () => {
  const { body: secret } = await cora.client.post('/api/v1/statuses', { status: 'secret', visibility: 'direct' })
  const browser = await signedIn(locked)
  for (const uri of [secret.url, secret.uri, 'https://linnet.test/@cora/1', 'https://remote.test/nothing', 'x y', '']) {
    const { status, text } = await browser.get(interactionPath(uri))
    assert.equal(status, 404, uri)
    assert.match(text, /Nothing found/)
    assert.doesNotMatch(text, /secret/)
  }
  const page = await browser.get(interactionPath('acct:cora@linnet.test'))
  assert.equal((await browser.submit(page, PATH, { uri: secret.url, action: 'boost' })).status, 404)
})

test('an action that fails shows an error', async () => {
  await cora.client.post(`/api/v1/accounts/${locked.accountId}/block`)
  const browser = await signedIn(locked)
  const page = await browser.get(interactionPath('acct:cora@linnet.test'))
  for (const action of ['follow', 'boost', 'delete', '']) {
    const { status, text } = await browser.submit(page, PATH, { action })
    assert.equal(status, 422, action)
    assert.match(text, /The action failed/)
  }
})

test('BI19 a follow from the page counts as one of the API', async () => {
  const user = await testServer.createUser()
  const browser = await signedIn(user)
  const page = await browser.get(interactionPath('@cora'))
  const { ctx } = testServer
  const readRemaining = async () =>
    (await ctx.rateLimiter.peek(THROTTLES.follows, `account:${user.accountId}`, ctx.now())).remaining
  assert.equal((await browser.submit(page, PATH, { action: 'follow' })).status, 200)
  assert.equal(await readRemaining(), 399)
  while ((await readRemaining()) >= 0)
    await ctx.rateLimiter.take(THROTTLES.follows, `account:${user.accountId}`, ctx.now())
  const refused = await browser.submit(page, PATH, { action: 'follow' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
})

test('OA9 nothing happens without a valid CSRF token, and pending users are redirected', async () => {
  const browser = await signedIn(ada)
  assert.equal((await browser.post(PATH, { uri: 'acct:dan@linnet.test', action: 'follow' })).status, 422)
  const pending = await signedIn(await testServer.createUser({ approved: false }))
  const { status, location } = await pending.get(interactionPath('acct:cora@linnet.test'))
  assert.deepEqual([status, location], [303, '/account'])
})

test('links with the scheme web+ap redirect to the same page', async () => {
  const { status, headers } = await testServer.anonymous.get('/.well-known/proxy', {
    target: 'web+ap://remote.test/users/bob',
  })
  assert.deepEqual([status, headers['location']], [302, interactionPath('https://remote.test/users/bob')])
})
