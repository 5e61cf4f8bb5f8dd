import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import sharp from 'sharp'
import { publishAnnouncement } from '../src/domain/announcements/publish.ts'
import { addRule } from '../src/domain/instance/rules.ts'
import { ALL_SCOPES } from '../src/lib/scopes.ts'
import { hashSecret, makeSecret } from '../src/lib/secrets.ts'
import { readApi } from './api-document.ts'
import type { ApiDocument, Operation, Route } from './api-document.ts'
import { multipart } from './client.ts'
import { openWorld } from './world.ts'
import type { Person, World } from './world.ts'

interface Got {
  status: number
  type: string
  link: string
  text: string
  json: unknown
}

/** A world in which each kind of thing is there once, and the way to ask all of its routes. */
export interface SmallWorld {
  world: World
  document: ApiDocument
  routes: Route[]
  /** Asks as a person with every scope, whom no throttle ever stops. A stream is not read to its end. */
  call(method: string, url: string, options?: InjectOptions): Promise<Got>
  /** The path of a route with ids of samples, or of the first things in the lists above. */
  fill(path: string): Promise<string>
  /** What parameters of a query are given where they are needed, or make an answer fuller. */
  wishes: Readonly<Record<string, string>>
}

/** The query that a route needs to say anything. */
export function queryOf({ parameters = [] }: Operation, wishes: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    if (place === 'query' && wishes[name] !== undefined) query.set(name, wishes[name])
  }
  return query.size > 0 ? `?${query.toString()}` : ''
}

export async function openSmallWorld(): Promise<SmallWorld> {
  /** Moved on for each request by more than any throttle's window. */
  let now = new Date('2026-11-05T00:00:00Z')
  const world = await openWorld({ now: () => now })
  const { token, samples, wishes } = await settle(world)

  const call: SmallWorld['call'] = async (method, url, options = {}) => {
    now = new Date(now.getTime() + 86_400_000)
    const headers = { authorization: `Bearer ${token}`, ...options.headers }
    const request = { method: method as 'GET', url, payloadAsStream: true as const, ...options, headers }
    const answer = await world.server.inject(request)
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
  /** What stands first in the list at this path, if there is one. */
  const firstOf = async (path: string) => {
    const { status, json } = await call('GET', path)
    return status === 200 && Array.isArray(json) ? (json as { id?: string }[])[0]?.id : undefined
  }
  const fill: SmallWorld['fill'] = async (path) => {
    const hole = /^(.*?\/([^/]+)\/)\{[^}]+\}(.*)$/.exec(path)
    if (!hole) return path
    const [, before = '', word = '', rest = ''] = hole
    const id = samples[before] ?? samples[word] ?? (await firstOf(before.slice(0, -1))) ?? '1'
    return fill(before + id + rest)
  }
  return { world, ...(await readApi(world)), call, fill, wishes }
}

/**
 * Fills the world by its own API. `samples` are ids by what stands before them in a path: all of it, or the last word.
 * `wishes` are values by the name of a parameter.
 */
async function settle(
  world: World,
): Promise<{ token: string; samples: Record<string, string>; wishes: Record<string, string> }> {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const locked = await world.createPerson({ locked: true })
  const app = await world.anonymous.post('/api/v1/apps', {
    client_name: 'A test',
    redirect_uris: 'urn:ietf:wg:oauth:2.0:oob',
  })
  const token = await tokenOf(world, { person: alice, applicationId: app.body.id })
  const done = async (answer: Promise<{ status: number; body: unknown }>) => {
    const { status, body } = await answer
    assert.equal(status, 200, JSON.stringify(body))
    return body as { id: string }
  }
  const pixels = { width: 8, height: 8, channels: 3 as const, background: 'teal' }
  const png = await sharp({ create: pixels }).png().toBuffer()
  const upload = async () => {
    const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes: png }, description: 'teal' })
    return done(alice.client.post('/api/v2/media', form.payload, form.headers))
  }
  const post = (person: Person, body: object) => done(person.client.post('/api/v1/statuses', body))
  const follow = (person: Person, target: Person) =>
    done(person.client.post(`/api/v1/accounts/${target.accountId}/follow`))
  await follow(alice, bob)
  await follow(bob, alice)
  const picture = await upload()
  const root = await post(alice, {
    status: 'Hello #world https://example.org',
    spoiler_text: 'x',
    media_ids: [picture.id],
  })
  const reply = await post(bob, { status: `@${alice.username} and you?`, in_reply_to_id: root.id })
  await post(alice, { status: 'fine', in_reply_to_id: reply.id })
  await post(bob, { status: `@${alice.username} between us`, visibility: 'direct' })
  await done(bob.client.post(`/api/v1/statuses/${root.id}/favourite`))
  await done(alice.client.post(`/api/v1/statuses/${root.id}/favourite`))
  await done(bob.client.post(`/api/v1/statuses/${root.id}/reblog`))
  await done(alice.client.post(`/api/v1/accounts/${carol.accountId}/block`))
  for (const deed of ['follow', 'feature']) await done(alice.client.post(`/api/v1/tags/world/${deed}`))
  const list = await done(alice.client.post('/api/v1/lists', { title: 'Friends' }))
  await done(alice.client.post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] }))
  await done(alice.client.post(`/api/v1/accounts/${locked.accountId}/mute`))
  const filter = await done(
    alice.client.post('/api/v2/filters', {
      title: 'Weather',
      context: ['home'],
      keywords_attributes: [{ keyword: 'rain' }, { keyword: 'snow' }],
    }),
  )
  const filtered = await done(alice.client.post(`/api/v2/filters/${filter.id}/statuses`, { status_id: reply.id }))
  const [, keyword] = (await alice.client.get(`/api/v2/filters/${filter.id}/keywords`)).body
  const phrase = await done(alice.client.post('/api/v1/filters', { phrase: 'fog', context: ['home'] }))
  await done(carol.client.patch('/api/v1/accounts/update_credentials', { discoverable: true }))
  await done(bob.client.patch('/api/v1/accounts/update_credentials', { discoverable: true }))
  const made = await alice.client.post('/api/v1/collections', {
    name: 'People',
    sensitive: false,
    discoverable: true,
    account_ids: [bob.accountId],
  })
  const { collection } = made.body
  const asked = await post(bob, { status: 'Which?', poll: { options: ['tea', 'coffee'], expires_in: 86_400 } })
  const scheduled = await done(
    alice.client.post('/api/v1/statuses', { status: 'later', scheduled_at: '2030-01-01T00:00:00Z' }),
  )
  const { poll } = (await alice.client.get(`/api/v1/statuses/${asked.id}`)).body
  await world.ctx.write(async (tx) => {
    await publishAnnouncement(tx, { text: 'Hello #world', startsAt: null, endsAt: null, allDay: false })
    await addRule(tx, { text: 'Be kind', hint: '' })
  })
  await done(alice.client.patch('/api/v1/accounts/update_credentials', { locked: true, display_name: 'Alice' }))
  await done((await world.createPerson()).client.post(`/api/v1/accounts/${alice.accountId}/follow`))
  await world.settle()
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
      scheduled_statuses: scheduled.id,
    },
    wishes: {
      q: 'person',
      id: bob.accountId,
      'id[]': bob.accountId,
      acct: bob.username,
      url: `https://linnet.test/@${alice.username}/${root.id}`,
    },
  }
}

async function tokenOf(
  world: World,
  { person, applicationId }: { person: Person; applicationId: string },
): Promise<string> {
  const made = makeSecret()
  await world.ctx.db
    .insertInto('access_tokens')
    .values({
      token_hash: hashSecret(made),
      user_id: person.userId,
      application_id: applicationId,
      scopes: [...ALL_SCOPES],
    })
    .execute()
  return made
}
