// Slow: searches every page for hidden texts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../../test/browser.ts'
import type { Browser } from '../../../../test/browser.ts'
import { multipart } from '../../../../test/client.ts'
import { makeRemote, makeRemoteStatus } from '../../../../test/remote.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import { openSession } from '../../../domain/auth/sessions.ts'

/**
 * One post for every visibility and every fate of it and its author. Each is told apart by a mark in everything that it
 * says; all have one hashtag, answer one thread, are boosted, quoted and pinned as far as anybody may. Then every page,
 * feed and preview is looked at, by everybody.
 */
const VISIBILITIES = ['public', 'unlisted', 'private', 'direct', 'local_only'] as const
const FATES = ['stays', 'is deleted', 'author suspended', 'author unapproved', 'author unconfirmed'] as const

interface Case {
  visibility: (typeof VISIBILITIES)[number]
  fate: (typeof FATES)[number]
  author: Person
  mark: string
  id: string
  url: string
  uri: string
}

const world = await openWorld()
after(world.close)
const cases: Case[] = []
const paths = new Set<string>()
let root: { id: string; url: string }
let follower: Person

const isOpen = ({ visibility, fate }: Case) =>
  fate === 'stays' && (visibility === 'public' || visibility === 'unlisted')

async function post(person: Person, body: Record<string, unknown>) {
  const answer = await person.client.post('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as { id: string; url: string; uri: string }
}

async function upload(person: Person, description: string): Promise<string> {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  )
  const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes }, description })
  return (await person.client.post('/api/v2/media', payload, headers)).body.id as string
}

before(async () => {
  const host = await world.createPerson({ username: 'host' })
  const booster = await world.createPerson({ username: 'booster' })
  follower = await world.createPerson({ username: 'follower' })
  root = await post(host, { status: 'the root #shared' })
  for (const fate of FATES) {
    const author = await world.createPerson({ displayName: `name of ${fate}` })
    await follower.client.post(`/api/v1/accounts/${author.accountId}/follow`)
    for (const visibility of VISIBILITIES) {
      const mark = `mark${cases.length}x`
      const made = await post(author, {
        status: `@host ${mark} #shared #only${cases.length}`,
        spoiler_text: `${mark} warned`,
        media_ids: [await upload(author, `${mark} described`)],
        ...(visibility === 'local_only' ? { local_only: true } : { visibility }),
        in_reply_to_id: root.id,
      })
      await author.client.put(`/api/v1/statuses/${made.id}`, {
        status: `@host ${mark} edited #shared`,
        spoiler_text: `${mark} warned`,
      })
      await author.client.post(`/api/v1/statuses/${made.id}/pin`)
      await author.client.post(`/api/v1/statuses/${made.id}/reblog`)
      await booster.client.post(`/api/v1/statuses/${made.id}/reblog`)
      await booster.client.post('/api/v1/statuses', { status: 'see this', quoted_status_id: made.id })
      await author.client.post('/api/v1/featured_tags', { name: 'shared' })
      const answer = await host.client.post('/api/v1/statuses', {
        status: `an open answer to ${cases.length}`,
        visibility: 'public',
        in_reply_to_id: made.id,
      })
      for (const url of [answer.body.url, made.url]) if (url) paths.add(new URL(url).pathname)
      cases.push({ ...made, visibility, fate, author, mark })
    }
  }
  const far = await makeRemote(world.ctx)
  const closed = await makeRemoteStatus(world.ctx, {
    accountId: far,
    visibility: 'private',
    content: '<p>mark_remote</p>',
    inReplyTo: `https://linnet.test/ap/users/${host.accountId}/statuses/${root.id}`,
  })
  paths.add(`/@host/${closed}`)
  await world.settle()
  for (const one of cases) {
    const { db } = world.ctx
    const { accountId, userId } = one.author
    if (one.fate === 'is deleted') await one.author.client.delete(`/api/v1/statuses/${one.id}`)
    if (one.fate === 'author suspended') {
      await db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', accountId).execute()
    }
    if (one.fate === 'author unapproved') {
      await db.updateTable('users').set({ approved: false }).where('id', '=', userId).execute()
    }
    if (one.fate === 'author unconfirmed') {
      await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', userId).execute()
    }
  }
  await world.settle()
  const { rows } = { rows: await world.ctx.db.selectFrom('statuses').select(['id', 'account_id']).execute() }
  const people = await world.ctx.db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('domain', 'is', null)
    .execute()
  const nameOf = new Map(people.map(({ id, username }) => [id, username]))
  for (const { id, account_id: accountId } of rows) paths.add(`/@${nameOf.get(accountId) ?? 'host'}/${id}`)
  for (const path of paths) for (const part of ['/embed', '/history']) if (/\/\d+$/.test(path)) paths.add(path + part)
  for (const { username } of people) {
    for (const part of ['', '.rss', '/with_replies', '/media', '/tagged/shared']) paths.add(`/@${username}${part}`)
  }
  for (const tag of ['shared', ...cases.map((_, n) => `only${n}`)]) {
    paths.add(`/tags/${tag}`)
    paths.add(`/tags/${tag}.rss`)
  }
  for (const path of ['/', '/about']) paths.add(path)
  for (const { url, uri } of cases) {
    for (const address of [url, uri]) paths.add(`/api/oembed?${new URLSearchParams({ url: address }).toString()}`)
  }
})

/** Everything that is answered at the known addresses, and at all of ours that these lead to. */
async function readAll(browser: Browser): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const waiting = [...paths]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const { html, headers, status } = await browser.get(path)
    assert.ok(status < 500, `${path}: ${status}`)
    found.set(path, `${JSON.stringify(headers)}\n${html}`)
    for (const [, link = ''] of html.matchAll(/(?:href|content)="(?:https:\/\/linnet\.test)?(\/[^"]*)"/g)) {
      const next = link.replaceAll('&amp;', '&').replace(/#.*/, '')
      if (/^\/(@|tags\/|about|$|api\/oembed)/.test(next)) waiting.push(next)
    }
  }
  return found
}

for (const [who, open] of [
  ['somebody unknown', async () => createBrowser(world.server)],
  [
    'a follower who is signed in',
    async () => {
      const browser = createBrowser(world.server)
      const id = await world.ctx.write((tx) =>
        openSession(tx, { userId: follower.userId, browser: { ip: null, userAgent: '' } }),
      )
      browser.cookies.set('__Host-linnet-session', id)
      return browser
    },
  ],
] as const) {
  test(`VI6, VI7 no page, feed or preview shows ${who} what is not for the whole world`, async () => {
    const all = await readAll(await open())
    assert.ok(all.size > 250, String(all.size))
    for (const one of cases) {
      const shown = [...all].filter(([, body]) => body.includes(one.mark)).map(([path]) => path)
      const told = `${one.visibility}, ${one.fate}`
      if (!isOpen(one)) assert.deepEqual(shown, [], told)
      else {
        const path = new URL(one.url).pathname
        for (const part of ['', '/embed', '/history']) assert.ok(shown.includes(path + part), `${told}: ${path}${part}`)
        assert.ok(shown.includes(`/@${one.author.username}/with_replies`), told)
        assert.ok(shown.includes('/@booster'), told)
        assert.ok(shown.includes(new URL(root.url).pathname), told)
        assert.equal(shown.includes('/tags/shared'), one.visibility === 'public', told)
      }
    }
    for (const [path, body] of all) {
      assert.ok(!body.includes('mark_remote'), path)
      if (!/^\/(@host|api)/.test(path))
        assert.doesNotMatch(body, /name of author (suspended|unapproved|unconfirmed)/, path)
    }
  })
}
