import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestAPIClient, createStreamingAPIClient } from 'masto'
import type { mastodon } from 'masto'
import sharp from 'sharp'
import { MIN_FORM_SECONDS } from '../../src/http/pages/sign-up/detect-programs.ts'
import { openBrowser } from '../services/browser.ts'
import { heading, openWindow, submit } from './browser.ts'
import { startServer } from './server.ts'
import { logStep } from './step.ts'
import { until } from './until.ts'

/**
 * Runs the first hour of a new server: the owner's link, a second user who signs up, an unmodified client, a status
 * with an image, interactions with it, and its deletion. The process is killed several times in between.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'linnet-first-hour-'))
const server = await startServer({ dataDir })
const browser = await openBrowser()
try {
  logStep(`The server is up at ${server.address} after ${server.seconds.toFixed(2)} s`)

  const link = /http:\/\/\S+\/setup\S*/.exec(server.output)?.[0]
  assert.ok(link, `no link for the owner in:\n${server.output}`)
  const ownersWindow = await openWindow(browser, { origin: server.address })
  await ownersWindow.goto(link)
  await submit(ownersWindow, {
    fields: { username: 'olivia', email: 'olivia@mail.example', password: 'correct horse battery' },
    button: /create/i,
  })
  const firstPath = new URL(ownersWindow.url()).pathname
  assert.equal(firstPath, '/start', 'the web client continues with the first steps')
  logStep(`The owner opens the link, has an account, and gets to ${firstPath}`)
  const second = await openWindow(browser, { origin: server.address })
  const used = await second.goto(link)
  assert.ok(used && used.status() >= 400, 'the link works once only')
  logStep('The link does not work a second time')

  await server.run('settings', 'registrations', 'open')
  logStep('bin/linnet opens registrations')

  const window = await openWindow(browser, { origin: server.address })
  await window.goto('/')
  await window.locator('header, main').getByRole('link', { name: 'Create account' }).first().click()
  // The server takes a form that is sent sooner for one of a program.
  await window.waitForTimeout(MIN_FORM_SECONDS * 1_000)
  await submit(window, {
    fields: { username: 'Pia', email: 'pia@mail.example', password: 'tulips in the rain', agreement: true },
    button: /create account/i,
  })
  logStep(`Pia signs up on the page: "${await heading(window)}"`)

  await server.killAndRestart()
  logStep(`The server is killed, and back after ${server.seconds.toFixed(2)} s`)

  const mailId = await until('the mail in the outbox', async () => {
    const line = (await server.run('mail', 'list')).split('\n').find((one) => one.includes('pia@mail.example'))
    return line?.split('\t')[0]
  })
  const mail = await server.run('mail', 'show', mailId)
  const confirmation = /http:\/\/\S+confirmation_token=\S+/.exec(mail)?.[0]
  assert.ok(confirmation, `no link in the mail:\n${mail}`)
  await window.goto(confirmation)
  logStep(`The mail in the outbox survived the kill; its link confirms the address: "${await heading(window)}"`)

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
  await submit(fresh, { fields: { login: 'pia@mail.example', password: 'tulips in the rain' }, button: /log in/i })
  logStep(`An unmodified masto.js registers; Pia logs in and sees the consent page: "${await heading(fresh)}"`)
  await submit(fresh, { button: /authorize/i })
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
  logStep('The code is exchanged for a token of Pia')

  const ownersToken = await server.run('tokens', 'create', 'olivia')
  const olivia = createRestAPIClient({ url: server.address, accessToken: ownersToken })
  const relation = await olivia.v1.accounts.$select(self.id).follow()
  assert.equal(relation.following, true)
  const { urls } = (await olivia.v2.instance.fetch()).configuration
  const stream = createStreamingAPIClient({ streamingApiUrl: urls.streaming, accessToken: ownersToken })
  const events: mastodon.streaming.Event[] = []
  const listening = (async () => {
    for await (const event of stream.user.subscribe()) events.push(event)
  })().catch(() => {})
  const waitForEvent = (name: string, matches: (payload: never) => boolean) =>
    until(`the event ${name}`, async () => events.find((one) => one.event === name && matches(one.payload as never)))
  logStep('Olivia follows Pia and opens her own stream')

  const file = await sharp({ create: { width: 1200, height: 800, channels: 3, background: '#2e6f57' } })
    .jpeg()
    .toBuffer()
  const image = await pia.v2.media.create({
    file: new File([new Uint8Array(file)], 'meadow.jpg', { type: 'image/jpeg' }),
    description: 'A green meadow',
  })
  assert.equal(image.description, 'A green meadow')
  assert.ok(image.blurhash)
  logStep('Pia uploads an image with a description')

  // The stream must be open before the next post; a post of the stream's owner shows that it is.
  const probe = await until('the stream', async () => {
    const { id } = await olivia.v1.statuses.create({ status: 'Anybody here?', visibility: 'direct' })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const echo = events.some((one) => one.event === 'update' && one.payload.id === id)
    await olivia.v1.statuses.$select(id).remove()
    return echo
  })
  assert.ok(probe)
  const since = performance.now()
  const status = await pia.v1.statuses.create({
    status: 'Good morning @olivia! #Spring is at https://example.org/meadow',
    mediaIds: [image.id],
    language: 'en',
  })
  const posted = performance.now()
  await waitForEvent('update', (payload: mastodon.v1.Status) => payload.id === status.id)
  await waitForEvent(
    'notification',
    (payload: mastodon.v1.Notification) => payload.type === 'mention' && payload.status?.id === status.id,
  )
  const seen = performance.now()
  logStep(
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
  logStep('Pia reads it back in her home timeline, with hashtag, mention and image')

  const favourited = await olivia.v1.statuses.$select(status.id).favourite()
  const reblog = await olivia.v1.statuses.$select(status.id).reblog()
  const reply = await olivia.v1.statuses.create({ status: '@Pia good morning!', inReplyToId: status.id })
  assert.equal(favourited.favouritesCount, 1)
  assert.equal(reblog.reblog?.id, status.id)

  await server.killAndRestart()
  logStep(
    `Olivia favourites, reblogs and replies; the server is killed at once, and back after ${server.seconds.toFixed(2)} s`,
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
  logStep('Every acknowledged change is there, exactly once')

  // Not logged in.
  await second.goto('/')
  assert.match(await second.locator('main').innerText(), /Good morning/)
  logStep('The landing page shows the post to anonymous visitors')

  await pia.v1.statuses.$select(status.id).remove()
  await until('the status to be gone', async () =>
    (await olivia.v1.timelines.home.list()).every(({ id, reblog }) => id !== status.id && reblog?.id !== status.id),
  )
  await assert.rejects(olivia.v1.statuses.$select(status.id).fetch(), /Record not found/)
  await assert.rejects(olivia.v1.statuses.$select(reblog.id).fetch(), /Record not found/)
  assert.ok((await pia.v1.notifications.list()).every((one) => one.status?.id !== status.id))
  // Another visitor, because browsers keep the landing page for some seconds.
  const third = await openWindow(browser, { origin: server.address })
  await third.goto('/')
  assert.doesNotMatch(await third.locator('main').innerText(), /Good morning @olivia/)
  logStep('Pia deletes the post: it disappears from timelines, reblogs, notifications and the landing page')

  stream.close()
  await listening
  assert.equal(await server.stop(), 0)
  logStep('The server stops cleanly')
} finally {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
}
