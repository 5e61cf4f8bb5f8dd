// Slow: decodes images.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openPeer } from '../../../../test/federation/peer/open-peer.ts'
import { uniqueAddressHeaders } from '../../../../test/http/browser.ts'
import { logInExternally } from '../../../../test/http/external-login.ts'
import { createImage } from '../../../../test/media/images.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { openCasServer } from '../../../../test/services/login/cas-server.ts'
import { openOidcServer } from '../../../../test/services/login/oidc-server.ts'
import { importPicture } from '../../../domain/accounts/profile/import-picture.ts'

const HOST = 'https://pictures.test'
const peer = await openPeer({ hosts: ['pictures.test'] })
const site = peer.host('pictures.test')
const [oidc, cas] = [await openOidcServer(), await openCasServer()]
const testServer = await openTestServer({ env: { ...peer.env, ...oidc.env, ...cas.env }, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await Promise.all([oidc.close(), cas.close(), peer.close()])
})
const { ctx } = testServer

const serve = (path: string, body: Buffer | string, type = 'image/png') =>
  site.serveAt(path, () => ({ status: 200, headers: { 'content-type': type }, body }))

/** Creates the account of the user who is logged in at the provider. */
async function signUp(provider: 'openid_connect' | 'cas', username: string) {
  const { browser, response } = await logInExternally(testServer, { provider })
  const page = await browser.get(response.location!)
  const done = await browser.submit(page, '/auth/external', { username, agreement: '1' }, uniqueAddressHeaders())
  assert.equal(done.status, 303, done.text)
  await testServer.waitForJobs()
  return findAccount(username)
}

const findAccount = (username: string) =>
  ctx.db
    .selectFrom('accounts')
    .select(['id', 'avatar_key', 'avatar_static_key'])
    .where('username', '=', username)
    .executeTakeFirstOrThrow()

function setUser(sub: string, picture: unknown): void {
  oidc.user = { sub, email: `${sub}@corp.test`, email_verified: true, picture }
}

test('the picture of a new user is imported from OpenID Connect and CAS, once', async () => {
  serve('/ada.png', await createImage('png', { width: 600, height: 500 }))
  setUser('ada', `${HOST}/ada.png`)
  const ada = await signUp('openid_connect', 'ada')
  assert.match(ada.avatar_key!, /^avatars\//)
  const { body } = await testServer.anonymous.get('/api/v1/accounts/lookup?acct=ada')
  assert.equal(body.avatar, `https://linnet.test/system/${ada.avatar_key}`)
  assert.equal((await testServer.server.inject({ url: new URL(body.avatar).pathname })).statusCode, 200)

  cas.user = { name: 'bea', attributes: { email: 'bea@campus.test', image: `${HOST}/ada.png` } }
  assert.ok((await signUp('cas', 'bea')).avatar_key)

  assert.equal((await logInExternally(testServer, { provider: 'openid_connect' })).response.location, '/account')
  await testServer.waitForJobs()
  assert.equal(site.countRequests('/ada.png'), 2, 'later log-ins import nothing')
  await importPicture(ctx, { accountId: ada.id, url: `${HOST}/ada.png` })
  assert.deepEqual(await findAccount('ada'), ada, 'an avatar that is there already stays')
})

test('FE4 a picture that is missing, no image, or at a private address leaves the account without one', async () => {
  serve('/page', '<h1>No picture</h1>', 'text/html')
  serve('/fake.png', 'no picture')
  const pictures = [
    `${HOST}/missing.png`,
    `${HOST}/page`,
    `${HOST}/fake.png`,
    'https://10.0.0.1/me.png',
    'https://linnet.test/me.png',
    'javascript:alert(1)',
    'me.png',
    7,
  ]
  for (const [n, picture] of pictures.entries()) {
    setUser(`user${n}`, picture)
    assert.equal((await signUp('openid_connect', `user${n}`)).avatar_key, null, String(picture))
  }
  const keys = await Array.fromAsync(ctx.storage.list({ folder: 'avatars/' }))
  assert.equal(keys.length, 2, 'no file remains')
})
