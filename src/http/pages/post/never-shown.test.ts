// Slow: searches every page for hidden texts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import type { Browser } from '../../../../test/http/browser.ts'
import { multipart } from '../../../../test/http/client.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { openSession } from '../../../domain/auth/sessions.ts'

/**
 * One post for every combination of visibility and state of the post and its author. Each has a unique mark in all its
 * texts; all have the same hashtag, reply to one thread, and are reblogged, quoted and pinned as far as possible. Then
 * the test reads every page, feed and preview, as an anonymous visitor and as a follower.
 */
const VISIBILITIES = ['public', 'unlisted', 'private', 'direct', 'local_only'] as const
const STATES = ['published', 'deleted', 'author suspended', 'author unapproved', 'author unconfirmed'] as const

interface Case {
  visibility: (typeof VISIBILITIES)[number]
  state: (typeof STATES)[number]
  author: TestUser
  mark: string
  id: string
  url: string
  uri: string
}

const testServer = await openTestServer()
after(testServer.close)
const cases: Case[] = []
const paths = new Set<string>()
let root: { id: string; url: string }
let follower: TestUser

const isPubliclyVisible = ({ visibility, state }: Case) =>
  state === 'published' && (visibility === 'public' || visibility === 'unlisted')

async function post(user: TestUser, body: Record<string, unknown>) {
  const answer = await user.client.post('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as { id: string; url: string; uri: string }
}

async function upload(user: TestUser, description: string): Promise<string> {
  const bytes = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
    'base64',
  )
  const { payload, headers } = await multipart({ file: { filename: 'a.png', type: 'image/png', bytes }, description })
  return (await user.client.post('/api/v2/media', payload, headers)).body.id as string
}

before(async () => {
  const host = await testServer.createUser({ username: 'host' })
  const booster = await testServer.createUser({ username: 'booster' })
  follower = await testServer.createUser({ username: 'follower' })
  root = await post(host, { status: 'the root #shared' })
  for (const state of STATES) {
    const author = await testServer.createUser({ displayName: `name of ${state}` })
    await follower.client.post(`/api/v1/accounts/${author.accountId}/follow`)
    for (const visibility of VISIBILITIES) {
      const mark = `mark${cases.length}x`
      const created = await post(author, {
        status: `@host ${mark} #shared #only${cases.length}`,
        spoiler_text: `${mark} warned`,
        media_ids: [await upload(author, `${mark} described`)],
        ...(visibility === 'local_only' ? { local_only: true } : { visibility }),
        in_reply_to_id: root.id,
      })
      await author.client.put(`/api/v1/statuses/${created.id}`, {
        status: `@host ${mark} edited #shared`,
        spoiler_text: `${mark} warned`,
      })
      await author.client.post(`/api/v1/statuses/${created.id}/pin`)
      await author.client.post(`/api/v1/statuses/${created.id}/reblog`)
      await booster.client.post(`/api/v1/statuses/${created.id}/reblog`)
      await booster.client.post('/api/v1/statuses', { status: 'see this', quoted_status_id: created.id })
      await author.client.post('/api/v1/featured_tags', { name: 'shared' })
      const answer = await host.client.post('/api/v1/statuses', {
        status: `an open answer to ${cases.length}`,
        visibility: 'public',
        in_reply_to_id: created.id,
      })
      for (const url of [answer.body.url, created.url]) if (url) paths.add(new URL(url).pathname)
      cases.push({ ...created, visibility, state, author, mark })
    }
  }
  const remoteAccountId = await createRemoteAccount(testServer.ctx)
  const remotePrivateId = await createRemoteStatus(testServer.ctx, {
    accountId: remoteAccountId,
    visibility: 'private',
    content: '<p>mark_remote</p>',
    inReplyTo: `https://linnet.test/ap/users/${host.accountId}/statuses/${root.id}`,
  })
  paths.add(`/@host/${remotePrivateId}`)
  await testServer.waitForJobs()
  for (const one of cases) {
    const { db } = testServer.ctx
    const { userId } = one.author
    if (one.state === 'deleted') await one.author.client.delete(`/api/v1/statuses/${one.id}`)
    if (one.state === 'author suspended') await suspend(testServer.ctx, one.author)
    if (one.state === 'author unapproved') {
      await db.updateTable('users').set({ approved: false }).where('id', '=', userId).execute()
    }
    if (one.state === 'author unconfirmed') {
      await db.updateTable('users').set({ confirmed_at: null }).where('id', '=', userId).execute()
    }
  }
  await testServer.waitForJobs()
  const { rows } = { rows: await testServer.ctx.db.selectFrom('statuses').select(['id', 'account_id']).execute() }
  const accounts = await testServer.ctx.db
    .selectFrom('accounts')
    .select(['id', 'username'])
    .where('domain', 'is', null)
    .execute()
  const nameOf = new Map(accounts.map(({ id, username }) => [id, username]))
  for (const { id, account_id: accountId } of rows) paths.add(`/@${nameOf.get(accountId) ?? 'host'}/${id}`)
  for (const path of paths) for (const part of ['/embed', '/history']) if (/\/\d+$/.test(path)) paths.add(path + part)
  for (const { username } of accounts) {
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

/** Returns the responses of all known paths, and of all paths of this server to which they link. */
async function readAll(browser: Browser): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const queue = [...paths]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    const { html, headers, status } = await browser.get(path)
    assert.ok(status < 500, `${path}: ${status}`)
    found.set(path, `${JSON.stringify(headers)}\n${html}`)
    for (const [, link = ''] of html.matchAll(/(?:href|content)="(?:https:\/\/linnet\.test)?(\/[^"]*)"/g)) {
      const next = link.replaceAll('&amp;', '&').replace(/#.*/, '')
      if (/^\/(@|tags\/|about|$|api\/oembed)/.test(next)) queue.push(next)
    }
  }
  return found
}

const ANONYMOUS = 'an anonymous visitor'

for (const [viewer, open] of [
  [ANONYMOUS, async () => createBrowser(testServer.server)],
  [
    'a follower who is logged in',
    async () => {
      const browser = createBrowser(testServer.server)
      const id = await testServer.ctx.write((tx) =>
        openSession(tx, { userId: follower.userId, browser: { ip: null, userAgent: '' } }),
      )
      browser.cookies.set('__Host-linnet-session', id)
      return browser
    },
  ],
] as const) {
  test(`VI6, VI7 no page, feed or preview shows ${viewer} posts that are not publicly visible`, async () => {
    const all = await readAll(await open())
    assert.ok(all.size > 250, String(all.size))
    for (const one of cases) {
      const shown = [...all].filter(([, body]) => body.includes(one.mark)).map(([path]) => path)
      const label = `${one.visibility}, ${one.state}`
      if (!isPubliclyVisible(one)) assert.deepEqual(shown, [], label)
      else {
        const path = new URL(one.url).pathname
        for (const part of ['/embed', '/history']) assert.ok(shown.includes(path + part), `${label}: ${path}${part}`)
        // The other pages are the web client, which contains no posts.
        if (viewer !== ANONYMOUS) continue
        assert.ok(shown.includes(path), label)
        assert.ok(shown.includes(`/@${one.author.username}/with_replies`), label)
        assert.ok(shown.includes('/@booster'), label)
        assert.ok(shown.includes(new URL(root.url).pathname), label)
        assert.equal(shown.includes('/tags/shared'), one.visibility === 'public', label)
      }
    }
    for (const [path, body] of all) {
      assert.ok(!body.includes('mark_remote'), path)
      if (!/^\/(@host|api)/.test(path))
        assert.doesNotMatch(body, /name of author (suspended|unapproved|unconfirmed)/, path)
    }
  })
}
