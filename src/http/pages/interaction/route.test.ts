import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser, fromSomewhere } from '../../../../test/browser.ts'
import type { Browser } from '../../../../test/browser.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { createAccountWithPassword, PASSWORD } from '../../../../test/passwords.ts'
import type { Person } from '../../../../test/world.ts'
import { openSession } from '../../../domain/auth/sessions.ts'

const fediverse = await openFediverse({ hosts: ['remote.test'] })
const { world, peer } = fediverse
after(fediverse.close)
const far = await peer.host('remote.test').createActor('bob')
const ada = await world.createPerson({ username: 'ada' })
const cora = await world.createPerson({ username: 'cora', displayName: 'Cora' })
const locked = await world.createPerson({ username: 'locked', locked: true })

async function signedIn({ userId }: Person): Promise<Browser> {
  const browser = createBrowser(world.server)
  const id = await world.ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
  browser.cookies.set('__Host-linnet-session', id)
  return browser
}

const PATH = '/authorize_interaction'
const at = (uri: string) => `${PATH}?${new URLSearchParams({ uri }).toString()}`

async function relation(person: Person, id: string) {
  const { body } = await person.client.get('/api/v1/accounts/relationships', { id: [id] })
  return body[0] as { following: boolean; requested: boolean }
}

test('who is not signed in signs in first, and comes back to the very question', async () => {
  await createAccountWithPassword(world.ctx, 'dan')
  const browser = createBrowser(world.server)
  const { status, location } = await browser.get(at('acct:cora@linnet.test'))
  assert.equal(status, 303)
  assert.match(location ?? '', /^\/auth\/sign_in\?next=/)
  const visit = await browser.get(location ?? '')
  const after = await browser.submit(visit, '/auth/sign_in', { login: 'dan', password: PASSWORD }, fromSomewhere())
  assert.equal(after.location, at('acct:cora@linnet.test'))
  assert.match((await browser.get(after.location ?? '')).text, /Follow Cora\?/)
})

test('somebody of here is followed by one button, whichever way they are named', async () => {
  const browser = await signedIn(ada)
  for (const uri of [
    'acct:cora@linnet.test',
    '@cora',
    'cora@linnet.test',
    'https://linnet.test/@cora',
    cora.accountId,
  ]) {
    const { status, text } = await browser.get(at(uri))
    if (uri === cora.accountId) assert.equal(status, 404)
    else assert.match(text, /Follow Cora\?/, uri)
  }
  const page = await browser.get(at('acct:cora@linnet.test'))
  assert.deepEqual(await relation(ada, cora.accountId).then(({ following }) => following), false)
  const done = await browser.submit(page, PATH, { deed: 'follow' })
  assert.equal(done.status, 200)
  assert.match(done.text, /You follow this account/)
  assert.ok((await relation(ada, cora.accountId)).following)
  assert.match((await browser.get(at('acct:ada@linnet.test'))).text, /This is your account/)
})

test('somebody who answers follows by hand is asked', async () => {
  const browser = await signedIn(ada)
  const page = await browser.get(at('acct:locked@linnet.test'))
  assert.match(page.text, /This account approves follow requests manually/)
  assert.match((await browser.submit(page, PATH, { deed: 'follow' })).text, /You have sent a follow request/)
  assert.ok((await relation(ada, locked.accountId)).requested)
})

test('somebody of another server is looked for there, and hears of the follow', async () => {
  const browser = await signedIn(ada)
  const page = await browser.get(at(far.id))
  assert.match(page.text, /@bob@remote\.test/)
  await browser.submit(page, PATH, { deed: 'follow' })
  const { activity } = await far.inbox.next(({ type }) => type === 'Follow')
  assert.equal(activity.actor, fediverse.uriOf(ada))
  assert.match((await browser.get(at('@bob@remote.test'))).text, /@bob@remote\.test/)
})

test('a post can be favourited and boosted, and says where to answer it', async () => {
  const { body: post } = await cora.client.post('/api/v1/statuses', { status: 'from elsewhere' })
  const browser = await signedIn(ada)
  const page = await browser.get(at(post.url))
  assert.match(page.text, /from elsewhere.*Favourite.*Boost.*search for this URL/)
  const once = await browser.submit(page, PATH, { deed: 'favourite' })
  assert.match(once.text, /You have favourited this post/)
  const twice = await browser.submit(once, PATH, { deed: 'boost' })
  assert.match(twice.text, /You have boosted this post/)
  const { body } = await ada.client.get(`/api/v1/statuses/${post.id}`)
  assert.deepEqual([body.favourited, body.reblogged], [true, true])
})

test('VI3 what the reader may not see is not found, like what is not there', async () => {
  const { body: secret } = await cora.client.post('/api/v1/statuses', { status: 'secret', visibility: 'direct' })
  const browser = await signedIn(locked)
  for (const uri of [secret.url, secret.uri, 'https://linnet.test/@cora/1', 'https://remote.test/nothing', 'x y', '']) {
    const { status, text } = await browser.get(at(uri))
    assert.equal(status, 404, uri)
    assert.match(text, /Nothing found/)
    assert.doesNotMatch(text, /secret/)
  }
  const page = await browser.get(at('acct:cora@linnet.test'))
  assert.equal((await browser.submit(page, PATH, { uri: secret.url, deed: 'boost' })).status, 404)
})

test('what can not be done says so', async () => {
  await cora.client.post(`/api/v1/accounts/${locked.accountId}/block`)
  const browser = await signedIn(locked)
  const page = await browser.get(at('acct:cora@linnet.test'))
  for (const deed of ['follow', 'boost', 'delete', '']) {
    const { status, text } = await browser.submit(page, PATH, { deed })
    assert.equal(status, 422, deed)
    assert.match(text, /The action failed/)
  }
})

test('OA9 nothing is done without the token of the page, nor by those who wait or are shut out', async () => {
  const browser = await signedIn(ada)
  assert.equal((await browser.post(PATH, { uri: 'acct:dan@linnet.test', deed: 'follow' })).status, 422)
  const pending = await signedIn(await world.createPerson({ approved: false }))
  const { status, location } = await pending.get(at('acct:cora@linnet.test'))
  assert.deepEqual([status, location], [303, '/account'])
})

test('links of the web+ap scheme come the same way', async () => {
  const { status, headers } = await world.anonymous.get('/.well-known/proxy', {
    target: 'web+ap://remote.test/users/bob',
  })
  assert.deepEqual([status, headers['location']], [302, at('https://remote.test/users/bob')])
})
