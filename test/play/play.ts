import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestAPIClient, createStreamingAPIClient } from 'masto'
import type { mastodon } from 'masto'
import sharp from 'sharp'
import { heading, openBrowser, openWindow, submit } from './browser.ts'
import { startServer } from './server.ts'
import { step } from './step.ts'
import { until } from './until.ts'

/**
 * Plays a server's first hour, as people have it: the owner's link, a second person who signs up, an unmodified client,
 * a status with a picture, what others do with it, its end — and the process killed without warning in between.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'linnet-play-'))
const server = await startServer({ dataDir })
const browser = await openBrowser()
try {
  step(`The server is up at ${server.address} after ${server.seconds.toFixed(2)} s`)

  const link = /http:\/\/\S+\/setup\S*/.exec(server.output)?.[0]
  assert.ok(link, `no link for the owner in:\n${server.output}`)
  const ownersWindow = await openWindow(browser, { origin: server.address })
  await ownersWindow.goto(link)
  await submit(ownersWindow, {
    fields: { username: 'olivia', email: 'olivia@mail.example', password: 'correct horse battery' },
    button: /create/i,
  })
  step(`The owner follows the link and has an account: "${await heading(ownersWindow)}"`)
  const second = await openWindow(browser, { origin: server.address })
  const used = await second.goto(link)
  assert.ok(used && used.status() >= 400, 'the link works once only')
  step('The link does not work a second time')

  await server.run('settings', 'registrations', 'open')
  step('bin/linnet opens registrations')

  const window = await openWindow(browser, { origin: server.address })
  await window.goto('/')
  await window.locator('header, main').getByRole('link', { name: 'Create account' }).first().click()
  await submit(window, {
    fields: { username: 'Pia', email: 'pia@mail.example', password: 'tulips in the rain', agreement: true },
    button: /create account/i,
  })
  step(`Pia signs up on the page: "${await heading(window)}"`)

  await server.killAndStart()
  step(`The server is killed, and back after ${server.seconds.toFixed(2)} s`)

  const mailId = await until('a letter in the outbox', async () => {
    const line = (await server.run('mail', 'list')).split('\n').find((one) => one.includes('pia@mail.example'))
    return line?.split('\t')[0]
  })
  const letter = await server.run('mail', 'show', mailId)
  const confirmation = /http:\/\/\S+confirmation_token=\S+/.exec(letter)?.[0]
  assert.ok(confirmation, `no link in the letter:\n${letter}`)
  await window.goto(confirmation)
  step(`The letter in the kept outbox has a link, which confirms: "${await heading(window)}"`)

  const anonymous = createRestAPIClient({ url: server.address })
  const app = await anonymous.v1.apps.create({
    clientName: 'Play',
    redirectUris: 'urn:ietf:wg:oauth:2.0:oob',
    scopes: 'read write follow push',
  })
  const fresh = await openWindow(browser, { origin: server.address })
  const authorize = new URLSearchParams({
    response_type: 'code',
    client_id: String(app.clientId),
    redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
    scope: 'read write follow push',
  })
  await fresh.goto(`/oauth/authorize?${authorize.toString()}`)
  await submit(fresh, { fields: { login: 'pia@mail.example', password: 'tulips in the rain' }, button: /sign in/i })
  step(`An unmodified masto.js registers; Pia logs in and is asked: "${await heading(fresh)}"`)
  await submit(fresh, { button: /allow/i })
  const code = new URL(fresh.url()).searchParams.get('code') ?? (await fresh.locator('main code').first().innerText())
  const answer = await fetch(`${server.address}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      client_id: String(app.clientId),
      client_secret: String(app.clientSecret),
      redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
    }),
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  assert.ok(token, `no token: ${answer.status}`)
  const pia = createRestAPIClient({ url: server.address, accessToken: token })
  const self = await pia.v1.accounts.verifyCredentials()
  assert.equal(self.acct, 'Pia')
  step('The code becomes a token, and the token is Pia')

  const ownersToken = await server.run('tokens', 'create', 'olivia')
  const olivia = createRestAPIClient({ url: server.address, accessToken: ownersToken })
  const relation = await olivia.v1.accounts.$select(self.id).follow()
  assert.equal(relation.following, true)
  const { urls } = (await olivia.v2.instance.fetch()).configuration
  const stream = createStreamingAPIClient({ streamingApiUrl: urls.streaming, accessToken: ownersToken })
  const heard: mastodon.streaming.Event[] = []
  const listening = (async () => {
    for await (const event of stream.user.subscribe()) heard.push(event)
  })().catch(() => {})
  const hears = (name: string, found: (payload: never) => boolean) =>
    until(`the event ${name}`, async () => heard.find((one) => one.event === name && found(one.payload as never)))
  step('Olivia follows Pia and listens to her own stream')

  const file = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#2e6f57' } })
    .jpeg()
    .toBuffer()
  const picture = await pia.v2.media.create({
    file: new File([new Uint8Array(file)], 'meadow.jpg', { type: 'image/jpeg' }),
    description: 'A green meadow',
  })
  assert.equal(picture.description, 'A green meadow')
  assert.ok(picture.blurhash)
  step('Pia uploads a picture with its description')

  // The stream must be open before what it shall show happens; an event of its own says that it is.
  const probe = await until('the stream', async () => {
    const { id } = await olivia.v1.statuses.create({ status: 'Anybody here?', visibility: 'direct' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const echo = heard.some((one) => one.event === 'update' && one.payload.id === id)
    await olivia.v1.statuses.$select(id).remove()
    return echo
  })
  assert.ok(probe)
  const since = performance.now()
  const status = await pia.v1.statuses.create({
    status: 'Good morning @olivia! #Spring is at https://example.org/meadow',
    mediaIds: [picture.id],
    language: 'en',
  })
  const posted = performance.now()
  await hears('update', (payload: mastodon.v1.Status) => payload.id === status.id)
  await hears(
    'notification',
    (payload: mastodon.v1.Notification) => payload.type === 'mention' && payload.status?.id === status.id,
  )
  const seen = performance.now()
  step(
    `Pia posts (${(posted - since).toFixed(0)} ms); Olivia's stream has status and mention ${(seen - posted).toFixed(0)} ms later`,
  )

  const home = await pia.v1.timelines.home.list()
  assert.equal(home[0]?.id, status.id)
  assert.deepEqual(
    home[0].tags.map(({ name }) => name),
    ['spring'],
  )
  assert.equal(home[0].mentions[0]?.acct, 'olivia')
  assert.equal(home[0].mediaAttachments[0]?.description, 'A green meadow')
  step('Pia reads it back in her home timeline, with tag, mention and picture')

  const favourited = await olivia.v1.statuses.$select(status.id).favourite()
  const boost = await olivia.v1.statuses.$select(status.id).reblog()
  const reply = await olivia.v1.statuses.create({ status: '@Pia good morning!', inReplyToId: status.id })
  assert.equal(favourited.favouritesCount, 1)
  assert.equal(boost.reblog?.id, status.id)

  await server.killAndStart()
  step(
    `Olivia favourites, boosts and answers; at once the server is killed, and back after ${server.seconds.toFixed(2)} s`,
  )

  const notifications = await until('three notifications for Pia', async () => {
    const list = await pia.v1.notifications.list()
    return list.filter(({ type }) => ['favourite', 'reblog', 'mention'].includes(type)).length >= 3 && list
  })
  const types = notifications.map(({ type }) => type).toSorted()
  assert.deepEqual(types, ['favourite', 'follow', 'mention', 'reblog'])
  const after = await pia.v1.statuses.$select(status.id).fetch()
  assert.deepEqual([after.favouritesCount, after.reblogsCount, after.repliesCount], [1, 1, 1])
  const thread = await pia.v1.statuses.$select(status.id).context.fetch()
  assert.deepEqual(
    thread.descendants.map(({ id }) => id),
    [reply.id],
  )
  const feed = await olivia.v1.timelines.home.list()
  assert.equal(new Set(feed.map(({ id }) => id)).size, feed.length)
  step('Nothing acknowledged is missing, and nothing is there twice')

  await window.goto('/')
  assert.match(await window.locator('main').innerText(), /Good morning/)
  step('The landing page shows it to everybody')

  await pia.v1.statuses.$select(status.id).remove()
  await until('the status to be gone', async () =>
    (await olivia.v1.timelines.home.list()).every(({ id, reblog }) => id !== status.id && reblog?.id !== status.id),
  )
  await assert.rejects(olivia.v1.statuses.$select(status.id).fetch(), /Record not found/)
  await assert.rejects(olivia.v1.statuses.$select(boost.id).fetch(), /Record not found/)
  assert.ok((await pia.v1.notifications.list()).every((one) => one.status?.id !== status.id))
  await window.goto('/')
  assert.doesNotMatch(await window.locator('main').innerText(), /Good morning @olivia/)
  step('Pia deletes it: gone from timelines, boosts, notifications and the landing page')

  stream.close()
  await listening
  assert.equal(await server.stop(), 0)
  step('The server stops cleanly')
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
