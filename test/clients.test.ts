// Slow: drives client libraries through the whole API.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createOAuthAPIClient, createRestAPIClient } from 'masto'
import type { mastodon } from 'masto'
import { detector, Mastodon } from 'megalodon'
import sharp from 'sharp'
import { createOAuthApps, REDIRECT } from './http/oauth-apps.ts'
import { findPort } from './servers/linnet-process.ts'
import { createUserWithPassword } from './servers/create-user-with-password.ts'
import { openTestServer } from './servers/test-server.ts'

const port = await findPort()
const domain = `localhost:${port}`
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
after(testServer.close)
await testServer.listen()
const url = `http://${domain}`
const browsers = createOAuthApps(testServer)

const SCOPES = 'read write follow push'

const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#2b7a78' } })
  .png()
  .toBuffer()

const restOf = (token?: string): mastodon.rest.Client =>
  createRestAPIClient({ url, ...(token === undefined ? {} : { accessToken: token }) })

test('masto.js registers an app, logs a user in, and revokes its token', async () => {
  const { accountId } = await createUserWithPassword(testServer.ctx, 'reader')
  const app = await restOf().v1.apps.create({ clientName: 'A reader', redirectUris: REDIRECT, scopes: SCOPES })
  assert.ok(app.clientId && app.clientSecret)
  const keys = { client_id: app.clientId, client_secret: app.clientSecret }
  const code = await browsers.obtainCode(keys, await browsers.logIn('reader'), { scope: SCOPES })
  const oauth = createOAuthAPIClient({ url })
  const client = { clientId: app.clientId, clientSecret: app.clientSecret }
  const token = await oauth.token.create({
    ...client,
    grantType: 'authorization_code',
    code,
    redirectUri: REDIRECT,
    scope: SCOPES,
  })
  const rest = restOf(token.accessToken)
  const self = await rest.v1.accounts.verifyCredentials()
  assert.deepEqual([self.id, self.acct, self.url], [accountId, 'reader', `${url}/@reader`])
  assert.equal((await rest.v1.apps.verifyCredentials()).name, 'A reader')
  await oauth.revoke({ ...client, token: token.accessToken })
  await assert.rejects(rest.v1.accounts.verifyCredentials(), { name: 'MastoHttpError', statusCode: 401 })
})

test('masto.js signs up a user, whose token is rejected until the e-mail address is confirmed', async () => {
  const app = await restOf().v1.apps.create({ clientName: 'A sign-up app', redirectUris: REDIRECT, scopes: SCOPES })
  const oauth = createOAuthAPIClient({ url })
  const { accessToken } = await oauth.token.create({
    grantType: 'client_credentials',
    clientId: app.clientId!,
    clientSecret: app.clientSecret!,
    redirectUri: REDIRECT,
    scope: SCOPES,
  })
  const token = await restOf(accessToken).v1.accounts.create({
    username: 'newcomer',
    email: 'newcomer@mail.test',
    password: 'long enough to be accepted',
    agreement: true,
    locale: 'en',
  })
  assert.equal(token.scope, SCOPES)
  const refused = {
    name: 'MastoHttpError',
    statusCode: 403,
    message: 'Your login is missing a confirmed e-mail address',
  }
  await assert.rejects(restOf(token.accessToken).v1.accounts.verifyCredentials(), refused)
  assert.equal((await restOf().v1.accounts.lookup({ acct: 'newcomer' })).username, 'newcomer')
})

test('masto.js posts with an image, performs every interaction with the post, and undoes them', async () => {
  const [anna, ben] = [await testServer.createUser(), await testServer.createUser()]
  const [annas, bens] = [restOf(anna.token), restOf(ben.token)]
  const instance = await restOf().v2.instance.fetch()
  assert.equal(instance.domain, domain)
  assert.equal(instance.configuration.urls.streaming, `ws://${domain}`)

  const media = await annas.v2.media.create({
    file: new Blob([picture], { type: 'image/png' }),
    description: 'A field',
    skipPolling: true,
  })
  const posted = await annas.v1.statuses.create({
    status: `A #field for @${ben.username} https://example.com/fields`,
    mediaIds: [media.id],
    sensitive: true,
    spoilerText: 'grass',
    visibility: 'public',
    language: 'en',
  })
  assert.equal(posted.mediaAttachments[0]?.description, 'A field')
  assert.deepEqual(
    [posted.spoilerText, posted.tags[0]?.name, posted.mentions[0]?.id],
    ['grass', 'field', ben.accountId],
  )
  const preview = await testServer.server.inject(new URL(posted.mediaAttachments[0]?.previewUrl ?? '').pathname)
  assert.equal(preview.statusCode, 200)

  const one = bens.v1.statuses.$select(posted.id)
  assert.deepEqual((await one.favourite()).favouritesCount, 1)
  await one.bookmark()
  for (const savedStatuses of [bens.v1.favourites, bens.v1.bookmarks]) {
    assert.deepEqual(
      (await savedStatuses.list()).map(({ id }) => id),
      [posted.id],
    )
  }
  const reblog = await one.reblog()
  assert.deepEqual([reblog.reblog?.id, reblog.reblog?.reblogged], [posted.id, true])
  const reply = await bens.v1.statuses.create({ status: 'How green!', inReplyToId: posted.id })
  const context = await annas.v1.statuses.$select(reply.id).context.fetch()
  assert.deepEqual([context.ancestors.map(({ id }) => id), context.descendants], [[posted.id], []])
  assert.equal((await one.unfavourite()).favouritesCount, 0)
  assert.equal((await one.unreblog()).reblogged, false)
  await one.favourite()

  await testServer.waitForJobs()
  const kinds = async (rest: mastodon.rest.Client) => (await rest.v1.notifications.list()).map((one) => one.type)
  assert.deepEqual(await kinds(annas), ['favourite'])
  assert.deepEqual(await kinds(bens), ['mention'])
  const [mention] = await bens.v1.notifications.list({ types: ['mention'] })
  assert.deepEqual([mention?.account.id, mention?.status?.id], [anna.accountId, posted.id])
  await bens.v1.notifications.$select(mention!.id).dismiss()
  assert.deepEqual(await kinds(bens), [])

  const own = annas.v1.statuses.$select(posted.id)
  const source = await own.source.fetch()
  assert.equal(source.text, `A #field for @${ben.username} https://example.com/fields`)
  const edited = await own.update({ status: 'A #meadow', mediaIds: [media.id], language: 'en' })
  assert.ok(edited.editedAt)
  assert.deepEqual(
    (await own.history.list()).map(({ spoilerText }) => spoilerText),
    ['grass', ''],
  )
  await own.remove()
  await assert.rejects(one.fetch(), { name: 'MastoHttpError', statusCode: 404 })
})

test('masto.js follows accounts and pages through a home timeline by its links', async () => {
  const [author, fan] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  const [authors, fans] = [restOf(author.token), restOf(fan.token)]
  const relationship = await fans.v1.accounts.$select(author.accountId).follow()
  assert.deepEqual([relationship.following, relationship.requested], [true, false])
  assert.equal((await authors.v1.accounts.$select(fan.accountId).follow()).requested, true)
  const [request] = await fans.v1.followRequests.list()
  assert.equal(request?.id, author.accountId)
  assert.equal((await fans.v1.followRequests.$select(author.accountId).authorize()).followedBy, true)
  const [both] = await authors.v1.accounts.relationships.fetch({ id: [fan.accountId] })
  assert.deepEqual([both?.following, both?.followedBy], [true, true])
  assert.equal((await restOf().v1.accounts.lookup({ acct: author.username })).id, author.accountId)
  const found = await fans.v1.accounts.search.list({ q: author.username })
  assert.equal(found[0]?.id, author.accountId)

  const results = await fans.v2.search.list({ q: author.username, type: 'accounts' })
  assert.equal(results.accounts[0]?.id, author.accountId)

  const ids: string[] = []
  for (let n = 0; n < 7; n += 1) ids.unshift((await authors.v1.statuses.create({ status: `Post ${n}` })).id)
  await testServer.waitForJobs()
  const pages: string[][] = []
  for await (const page of fans.v1.timelines.home.list({ limit: 3 })) pages.push(page.map(({ id }) => id))
  // As in Mastodon, a page that is not full also has a link to the next one.
  assert.deepEqual(pages, [ids.slice(0, 3), ids.slice(3, 6), ids.slice(6), []])
  const local = await restOf().v1.timelines.public.list({ local: true, limit: 7 })
  assert.deepEqual(
    local.map(({ id }) => id),
    ids,
  )
  const profile = await restOf().v1.accounts.$select(author.accountId).statuses.list({ limit: 40 })
  assert.equal(profile.length, 7)
})

test('megalodon detects the server as Mastodon', async () => {
  assert.equal(await detector(url), 'mastodon')
})

test('megalodon registers an app, posts with an image, favourites, reblogs, follows and reads the results', async () => {
  const [carla, dora] = [await testServer.createUser(), await testServer.createUser()]
  const [carlas, doras] = [new Mastodon(url, carla.token), new Mastodon(url, dora.token)]
  const app = await new Mastodon(url).registerApp('Another reader', { scopes: ['read', 'write', 'follow'] })
  assert.match(app.url ?? '', new RegExp(`^${url}/oauth/authorize\\?.*client_id=`))

  assert.equal((await carlas.verifyAccountCredentials()).data.id, carla.accountId)
  const { data: media } = await carlas.uploadMedia(Buffer.from(picture), { description: 'A field' })
  const { data: posted } = await carlas.postStatus(`For @${dora.username}`, { media_ids: [media.id] })
  assert.ok('media_attachments' in posted)
  assert.equal(posted.media_attachments?.[0]?.description, 'A field')
  assert.equal((await doras.followAccount(carla.accountId)).data.following, true)
  assert.equal((await doras.favouriteStatus(posted.id)).data.favourited, true)
  assert.equal((await doras.reblogStatus(posted.id)).data.reblogged, true)
  await testServer.waitForJobs()
  const { data: home } = await doras.getHomeTimeline({ limit: 5 })
  assert.ok(home.some(({ id }) => id === posted.id))
  const { data: notices } = await carlas.getNotifications()
  assert.deepEqual(notices.map(({ type }) => type).toSorted(), ['favourite', 'follow', 'reblog'])
  const { data: relationships } = await doras.getRelationships([carla.accountId])
  assert.deepEqual([relationships[0]?.following, relationships[0]?.followed_by], [true, false])
  const { data: context } = await doras.getStatusContext(posted.id)
  assert.deepEqual([context.ancestors, context.descendants], [[], []])
  assert.equal((await doras.unfavouriteStatus(posted.id)).data.favourites_count, 0)
  assert.equal((await doras.unreblogStatus(posted.id)).data.reblogs_count, 0)
  const { data: found } = await doras.search(carla.username, { type: 'accounts' })
  assert.equal(found.accounts[0]?.id, carla.accountId)
  assert.equal((await new Mastodon(url).getInstance()).data.uri, domain)
  const { data: shown } = await new Mastodon(url).getLocalTimeline({ limit: 1 })
  assert.equal(shown[0]?.account.acct, carla.username)
})
