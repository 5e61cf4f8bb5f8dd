import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import sharp from 'sharp'
import { createAnnouncement } from '../../src/domain/announcements/write-announcement.ts'
import { allowDomain } from '../../src/domain/domain-blocks/allow-domain.ts'
import { submitAppeal } from '../../src/domain/moderation/strikes/submit-appeal.ts'
import { warnAccount } from '../../src/domain/moderation/accounts/warn-account.ts'
import { saveEmoji } from '../../src/domain/emojis/save-emoji.ts'
import { addRule, translateRule } from '../../src/domain/instance/rules.ts'
import { publishTerms } from '../../src/domain/instance/terms-of-service.ts'
import { ALL_SCOPES } from '../../src/lib/http/scopes.ts'
import { hashSecret, generateSecret } from '../../src/lib/secrets.ts'
import { blockDomainAsStaff } from '../features/moderation.ts'
import { readApiDocument } from '../http/entities/api-document.ts'
import type { ApiDocument, Operation, Route } from '../http/entities/api-document.ts'
import { multipart } from '../http/client.ts'
import { openTestServer } from './test-server.ts'
import type { TestUser, TestServer } from './test-server.ts'

interface ResponseSummary {
  status: number
  type: string
  link: string
  text: string
  json: unknown
}

/** A test server with one object of each kind, and functions to call all of its routes. */
export interface SampleData {
  testServer: TestServer
  document: ApiDocument
  routes: Route[]
  /** Sends a request as a user with all scopes, without reaching a throttle. Streams are not read. */
  call(method: string, url: string, options?: InjectOptions): Promise<ResponseSummary>
  /** Fills the parameters of a path with ids of samples, or of the first items in the lists at the path before them. */
  fill(path: string): Promise<string>
  /** The values of query parameters that are required or that make a response complete. */
  parameterValues: Readonly<Record<string, string>>
}

/** Returns the query of a request to a route. Leaves out the values that a parameter of the route does not allow. */
export function queryOf({ parameters = [] }: Operation, parameterValues: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams()
  for (const { name, in: place, schema } of parameters) {
    const value = parameterValues[name]
    if (place === 'query' && value !== undefined && schema.enum?.includes(value) !== false) query.set(name, value)
  }
  return query.size > 0 ? `?${query.toString()}` : ''
}

const TERMS_DATE = '2026-10-01'

export async function openSampleData(): Promise<SampleData> {
  /** Each request moves the clock by more than the window of any throttle. */
  let now = new Date('2026-11-05T00:00:00Z')
  const testServer = await openTestServer({ now: () => now })
  const { token, samples, parameterValues } = await createSampleData(testServer)

  const call: SampleData['call'] = async (method, url, options = {}) => {
    now = new Date(now.getTime() + 86_400_000)
    const headers = { authorization: `Bearer ${token}`, ...options.headers }
    const request = { method: method as 'GET', url, payloadAsStream: true as const, ...options, headers }
    const answer = await testServer.server.inject(request)
    const type = (answer.headers['content-type'] ?? '').split(';')[0]!
    if (type === 'text/event-stream') answer.stream().destroy()
    const body = type === 'text/event-stream' ? '' : await text(answer.stream())
    return {
      status: answer.statusCode,
      type,
      link: String(answer.headers['link'] ?? ''),
      text: body,
      json: type === 'application/json' ? JSON.parse(body) : undefined,
    }
  }
  /** Returns the id of the first item in the list at this path, if there is one. */
  const firstOf = async (path: string) => {
    const { status, json } = await call('GET', path)
    return status === 200 && Array.isArray(json) ? (json as { id?: string }[])[0]?.id : undefined
  }
  const fill: SampleData['fill'] = async (path) => {
    const match = /^(.*?\/([^/]+)\/)\{[^}]+\}(.*)$/.exec(path)
    if (!match) return path
    const [, before = '', word = '', rest = ''] = match
    const id = samples[before] ?? samples[word] ?? (await firstOf(before.slice(0, -1))) ?? '1'
    return fill(before + id + rest)
  }
  return { testServer, ...(await readApiDocument(testServer)), call, fill, parameterValues }
}

/**
 * Creates the sample data by the API. `samples` are ids by the path before them, or by its last segment;
 * `parameterValues` are values by the name of a parameter.
 */
async function createSampleData(
  testServer: TestServer,
): Promise<{ token: string; samples: Record<string, string>; parameterValues: Record<string, string> }> {
  const [alice, bob, carol] = [
    await testServer.createUser({ role: 'owner' }),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const locked = await testServer.createUser({ locked: true })
  const app = await testServer.anonymous.post('/api/v1/apps', {
    client_name: 'A test',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
  })
  const token = await tokenOf(testServer, { user: alice, applicationId: app.body.id })
  const succeed = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
    return body as { id: string }
  }
  const pixels = { width: 8, height: 8, channels: 3 as const, background: 'teal' }
  const png = await sharp({ create: pixels }).png().toBuffer()
  const upload = async () => {
    const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description: 'teal' })
    return succeed(alice.client.post('/api/v2/media', form.payload, form.headers))
  }
  const post = (user: TestUser, body: object) => succeed(user.client.post('/api/v1/statuses', body))
  const follow = (user: TestUser, target: TestUser) =>
    succeed(user.client.post(`/api/v1/accounts/${target.accountId}/follow`))
  await follow(alice, bob)
  await follow(bob, alice)
  const image = await upload()
  const root = await post(alice, {
    status: 'Hello #world https://example.org',
    spoiler_text: 'x',
    media_ids: [image.id],
  })
  const reply = await post(bob, { status: `@${alice.username} and you?`, in_reply_to_id: root.id })
  await post(alice, { status: 'fine', in_reply_to_id: reply.id })
  await post(bob, { status: `@${alice.username} between us`, visibility: 'direct' })
  await succeed(bob.client.post(`/api/v1/statuses/${root.id}/favourite`))
  await succeed(alice.client.post(`/api/v1/statuses/${root.id}/favourite`))
  await succeed(bob.client.post(`/api/v1/statuses/${root.id}/reblog`))
  await succeed(alice.client.post(`/api/v1/accounts/${carol.accountId}/block`))
  for (const action of ['follow', 'feature']) await succeed(alice.client.post(`/api/v1/tags/world/${action}`))
  const list = await succeed(alice.client.post('/api/v1/lists', { title: 'Friends' }))
  await succeed(alice.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }))
  await succeed(alice.client.post(`/api/v1/accounts/${locked.accountId}/mute`))
  const filter = await succeed(
    alice.client.post('/api/v2/filters', {
      title: 'Weather',
      context: ['home'],
      keywords_attributes: [{ keyword: 'rain' }, { keyword: 'snow' }],
    }),
  )
  const filtered = await succeed(alice.client.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: reply.id }))
  const [, keyword] = (await alice.client.get(`/api/v2/filters/${filter.id}/keywords`)).body
  const phrase = await succeed(alice.client.post('/api/v1/filters', { phrase: 'fog', context: ['home'] }))
  await succeed(carol.client.patch('/api/v1/accounts/update_credentials', { discoverable: true }))
  await succeed(bob.client.patch('/api/v1/accounts/update_credentials', { discoverable: true }))
  const created = await alice.client.post('/api/v1/collections', {
    name: 'People',
    sensitive: false,
    discoverable: true,
    account_ids: [bob.accountId],
  })
  const { collection } = created.body
  const pollStatus = await post(bob, { status: 'Which?', poll: { options: ['tea', 'coffee'], expires_in: 86_400 } })
  const scheduled = await succeed(
    alice.client.post('/api/v1/statuses', { status: 'later', scheduled_at: '2030-01-01T00:00:00Z' }),
  )
  const { poll } = (await alice.client.get(`/api/v1/statuses/${pollStatus.id}`)).body
  await testServer.ctx.write(async (tx) => {
    await createAnnouncement(tx, { by: null, text: 'Hello #world', startsAt: null, endsAt: null, allDay: false })
    const rule = await addRule(tx, { by: null, text: 'Be kind', hint: '' })
    await translateRule(tx, { by: null, id: rule, language: 'de', text: 'Sei nett', hint: '' })
    await publishTerms(tx, { by: null, text: 'Terms', effectiveDate: TERMS_DATE })
    await allowDomain(tx, { by: null, domain: 'far.example' })
  })
  await saveEmoji(testServer.ctx, {
    by: null,
    shortcode: 'teal',
    image: { buffer: png },
    category: null,
    listed: true,
    replaces: false,
  })
  await blockDomainAsStaff(testServer.ctx, 'far.example')
  await succeed(alice.client.patch('/api/v1/accounts/update_credentials', { locked: true, display_name: 'Alice' }))
  await succeed((await testServer.createUser()).client.post(`/api/v1/accounts/${alice.accountId}/follow`))
  const adminToken = { authorization: `Bearer ${token}` }
  await succeed(
    testServer.anonymous.post('/api/v1/admin/ip_blocks', { ip: '203.0.113.0/24', severity: 'no_access' }, adminToken),
  )
  await succeed(testServer.anonymous.post('/api/v1/admin/email_domain_blocks', { domain: 'trash.test' }, adminToken))
  await succeed(testServer.anonymous.post('/api/v1/admin/username_blocks', { username: 'boss' }, adminToken))
  await succeed(
    testServer.anonymous.post('/api/v1/admin/canonical_email_blocks', { email: 'spam@mail.test' }, adminToken),
  )
  await succeed(
    testServer.anonymous.post('/api/v1/admin/warning_presets', { title: 'Spam', text: 'Please stop' }, adminToken),
  )
  await testServer.ctx.write(async (tx) => {
    const { accountId } = bob
    const strikeId = await warnAccount(tx, { by: alice.accountId, targetAccountId: accountId, action: 'none' })
    await submitAppeal(tx, { accountId, strikeId, text: 'That was not me' })
  })
  const report = await succeed(bob.client.post('/api/v1/reports', { account_id: carol.accountId, comment: 'Look' }))
  for (const path of [`accounts/${bob.accountId}`, `reports/${report.id}`])
    await succeed(testServer.anonymous.post(`/api/v1/admin/${path}/notes`, { content: 'Be patient' }, adminToken))
  const webhook = { url: 'https://hooks.example/1', events: ['status.created'] }
  const { id: webhookId } = await succeed(testServer.anonymous.post('/api/v1/admin/webhooks', webhook, adminToken))
  await succeed(testServer.anonymous.post(`/api/v1/admin/webhooks/${webhookId}/test`, {}, adminToken))
  const blockList = await succeed(
    testServer.anonymous.post('/api/v1/admin/domain_block_imports', { text: 'worse.test,silence' }, adminToken),
  )
  await succeed(
    testServer.anonymous.post('/api/v1/admin/relays', { inbox_url: 'https://relay.test/inbox' }, adminToken),
  )
  const invite = await alice.client.post('/api/v1/invites', { max_uses: 5 })
  await testServer.waitForJobs()
  const trends = await createTrends(testServer)
  await sql`insert into hosts (domain, consecutive_failures) values ('slow.example', 1)`.execute(testServer.ctx.db)
  return {
    token,
    samples: {
      tags: 'world',
      accounts: bob.accountId,
      statuses: root.id,
      media: (await upload()).id,
      lists: list.id,
      list: list.id,
      tag: 'world',
      reactions: encodeURIComponent('🎉'),
      filters: filter.id,
      '/api/v1/filters/': phrase.id,
      keywords: keyword.id,
      '/api/v2/filters/statuses/': filtered.id,
      collections: collection.id,
      items: collection.items[0].id,
      polls: poll.id,
      annual_reports: '2026',
      '/api/v1/invites/': invite.body.code,
      scheduled_statuses: scheduled.id,
      [`/api/v1/admin/accounts/${bob.accountId}/statuses/`]: reply.id,
      translations: 'de',
      '/api/v1/admin/settings/': 'title',
      '/api/v1/admin/terms_of_service/': TERMS_DATE,
      '/api/v1/admin/deliveries/': 'slow.example',
      domain_block_imports: blockList.id,
      '/api/v1/admin/tags/': trends.tagId,
      '/api/v1/admin/trends/tags/': trends.tagId,
      '/api/v1/admin/trends/links/': trends.cardId,
    },
    parameterValues: {
      q: 'person',
      id: bob.accountId,
      'id[]': bob.accountId,
      acct: bob.username,
      domain: 'far.example',
      // of an action against an account or a status
      type: 'delete',
      status_ids: reply.id,
      'status_ids[]': reply.id,
      url: `https://linnet.test/@${alice.username}/${root.id}`,
    },
  }
}

/** Makes a hashtag and a page trend. */
async function createTrends({ ctx: { db } }: TestServer): Promise<{ tagId: string; cardId: string }> {
  const { rows: tags } = await sql<{ id: string }>`
    insert into trending_tags (tag_id, peak, peaked_at, score)
    select id, 7.5, now(), 3.25 from tags where name = 'world' returning tag_id as id`.execute(db)
  const { rows: cards } = await sql<{ id: string }>`
    with publisher as (
      insert into preview_card_providers (domain, trendable, reviewed_at) values ('page.test', true, now()) returning id
    ), card as (
      insert into preview_cards (url, type, title, language, image_key, image_width, image_height, trendable)
      values ('https://page.test/1', 'link', 'A page', 'en', 'cards/page.png', 640, 480, true) returning id
    )
    insert into trending_links (card_id, publisher_id, peak, peaked_at, score)
    select card.id, publisher.id, 7.5, now(), 3.25 from card, publisher returning card_id as id`.execute(db)
  return { tagId: tags[0]!.id, cardId: cards[0]!.id }
}

async function tokenOf(
  testServer: TestServer,
  { user, applicationId }: { user: TestUser; applicationId: string },
): Promise<string> {
  const token = generateSecret()
  await testServer.ctx.db
    .insertInto('access_tokens')
    .values({
      token_hash: hashSecret(token),
      user_id: user.userId,
      application_id: applicationId,
      scopes: [...ALL_SCOPES],
    })
    .execute()
  return token
}
