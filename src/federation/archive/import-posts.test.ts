import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmArchiveImport, uploadArchive } from '../../../test/features/archives.ts'
import { ACTOR, archiveOf, create, FOLLOWERS, PUBLIC } from '../../../test/features/mastodon-archives.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import type { Browser } from '../../../test/http/browser.ts'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import { createImage } from '../../../test/media/images.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { timeOfStatusId } from '../../lib/ids.ts'
import { importPosts } from './import-posts.ts'

const fediverse = await openFediverse({ hosts: ['far.test'] })
after(fediverse.close)
const { testServer, peer, deliver, uriOf } = fediverse
const { ctx } = testServer

async function createImporter(): Promise<{
  user: TestUser
  browser: Browser
  import(bytes: Buffer): Promise<{ text: string; failures: string; path: string }>
  statuses(): Promise<Status[]>
}> {
  const user = await testServer.createUser()
  const browser = await openBrowserSession(testServer, user)
  return {
    user,
    browser,
    async import(bytes) {
      const path = await confirmArchiveImport(browser, bytes)
      await testServer.waitForJobs()
      const { text } = await browser.get(path)
      assert.match(text, /Finished/)
      return { text, failures: (await browser.get(`${path}/failures.csv`)).html, path }
    },
    statuses: async () =>
      (await user.client.get<Status[]>(`/api/v1/accounts/${user.accountId}/statuses`, { limit: 40 })).body,
  }
}

const texts = (statuses: readonly Status[]) => statuses.map(({ content }) => content!.replace(/<[^>]+>/g, ' ').trim())
const listStored = async () =>
  (await Array.fromAsync(ctx.storage.list({ folder: 'archives/uploaded/' }))).map(({ key }) => key)

test('the posts of an archive of Mastodon are imported with their dates, texts, media, polls and threads', async () => {
  const { user, import: importArchive, statuses } = await createImporter()
  const follower = await testServer.createUser()
  await follower.client.post(`/api/v1/accounts/${user.accountId}/follow`)
  const bob = await testServer.createUser({ username: 'bob' })
  const far = await peer.host('far.test').createActor('Far')
  await deliver(far, far.activity('Follow', uriOf(user)))
  const parentUri = 'https://written.test/statuses/1'
  await createRemoteStatus(ctx, {
    accountId: await createRemoteAccount(ctx, { handle: { username: 'writer', domain: 'written.test' } }),
    uri: parentUri,
  })
  const image = await createImage('png', { width: 64, height: 32 })
  const link =
    '<a href="https://long.example/a/path?x=1&amp;y=2" target="_blank"><span class="invisible">https://</span>' +
    '<span class="ellipsis">long.example/a/pa</span><span class="invisible">th?x=1&amp;y=2</span></a>'
  const mention = (host: string, name: string) =>
    `<span class="h-card"><a href="https://${host}/@${name}" class="u-url mention">@<span>${name}</span></a></span>`
  const archive = await archiveOf(
    [
      create('1', {
        content:
          `<p>First &lt;3<br>second ${link}</p><p>Hi ${mention('old.example', 'bob')} and ${mention('far.test', 'Far')} ` +
          '<a href="https://old.example/tags/Art" class="mention hashtag" rel="tag">#<span>Art</span></a> ' +
          '<a href="https://words.example/">some words</a></p>',
        contentMap: { de: 'x' },
        tag: [
          { type: 'Mention', href: 'https://old.example/users/bob', name: '@bob' },
          { type: 'Mention', href: far.id, name: '@Far@far.test' },
          { type: 'Hashtag', href: 'https://old.example/tags/art', name: '#art' },
        ],
      }),
      create('2', {
        content: '<p>Reply to myself</p>',
        inReplyTo: `${ACTOR}/statuses/1`,
        published: '2019-03-04T05:06:08Z',
        to: [FOLLOWERS],
        cc: [PUBLIC],
        summary: 'Careful',
        sensitive: true,
      }),
      create('3', {
        content: '',
        published: '2020-01-01T00:00:00Z',
        to: [FOLLOWERS],
        cc: [],
        attachment: [
          {
            type: 'Document',
            mediaType: 'image/png',
            url: '/bucket/media_attachments/files/000/001/original/a.png',
            name: 'A red square',
            focalPoint: [0.5, -0.5],
          },
        ],
      }),
      create('4', {
        type: 'Question',
        content: '<p>Tea?</p>',
        published: '2021-01-01T00:00:00Z',
        endTime: '2021-01-02T00:00:00Z',
        votersCount: 5,
        oneOf: [
          { type: 'Note', name: 'yes', replies: { type: 'Collection', totalItems: 4 } },
          { type: 'Note', name: 'no', replies: { type: 'Collection', totalItems: 1 } },
        ],
      }),
      create('5', { content: '<p>Known parent</p>', inReplyTo: parentUri, published: '2021-02-01T00:00:00Z' }),
      create('6', {
        content: '<p>Unknown parent</p>',
        inReplyTo: 'https://gone.test/1',
        published: '2021-03-01T00:00:00Z',
      }),
      create('7', { content: '<p>Secret</p>', to: ['https://old.example/users/bob'], cc: [] }),
      { id: 'x', type: 'Announce', actor: ACTOR, object: 'https://far.test/1', to: [PUBLIC] },
    ],
    { 'media_attachments/files/000/001/original/a.png': image },
  )
  const { text, failures } = await importArchive(archive)
  assert.match(text, /Imported: 6 of 6/)
  assert.equal(failures, '#uri,Reason\n')

  const list = await statuses()
  assert.deepEqual(
    list.map(({ created_at: at, visibility }) => [at, visibility]),
    [
      ['2021-03-01T00:00:00.000Z', 'public'],
      ['2021-02-01T00:00:00.000Z', 'public'],
      ['2021-01-01T00:00:00.000Z', 'public'],
      ['2020-01-01T00:00:00.000Z', 'private'],
      ['2019-03-04T05:06:08.000Z', 'unlisted'],
      ['2019-03-04T05:06:07.000Z', 'public'],
    ],
  )
  const [unknown, known, poll, media, reply, first] = list
  assert.ok(Math.abs(timeOfStatusId(first!.id).getTime() - Date.parse('2019-03-04T05:06:07Z')) < 1_000)
  const { body: source } = await user.client.get(`/api/v1/statuses/${first!.id}/source`)
  assert.equal(
    source.text,
    'First <3\nsecond https://long.example/a/path?x=1&y=2\n\n' +
      'Hi @bob@old.example and @Far@far.test #Art some words (https://words.example/)',
  )
  assert.deepEqual([first!.mentions, first!.language, first!.card], [[], 'de', null])
  assert.deepEqual(
    first!.tags.map(({ name }) => name),
    ['art'],
  )
  assert.deepEqual([reply!.in_reply_to_id, reply!.spoiler_text, reply!.sensitive], [first!.id, 'Careful', true])
  assert.equal((await user.client.get(`/api/v1/statuses/${first!.id}`)).body.replies_count, 1)
  assert.deepEqual(
    media!.media_attachments.map(({ type, description }) => [type, description]),
    [['image', 'A red square']],
  )
  assert.deepEqual(
    [poll!.poll!.expired, poll!.poll!.voters_count, poll!.poll!.options.map(({ votes_count: votes }) => votes)],
    [true, 5, [4, 1]],
  )
  assert.ok(known!.in_reply_to_id)
  assert.equal(unknown!.in_reply_to_id, null)

  // Nobody notices.
  assert.deepEqual((await bob.client.get('/api/v1/notifications')).body, [])
  assert.deepEqual((await follower.client.get('/api/v1/timelines/home')).body, [])
  assert.deepEqual(far.inbox.all('Create'), [])
  const tag = (await user.client.get('/api/v1/tags/Art')).body
  assert.ok(tag.history.every(({ uses }: { uses: string }) => uses === '0'))
  const account = (await user.client.get(`/api/v1/accounts/${user.accountId}`)).body
  assert.deepEqual([account.statuses_count, account.last_status_at], [6, '2021-03-01'])
  assert.equal((await user.client.get('/api/v2/search', { q: 'from:me tea' })).body.statuses[0].id, poll!.id)
  assert.deepEqual(await listStored(), [], 'the uploaded archive is deleted')
})

test('the same archive adds nothing twice, and an undone post can be imported again', async () => {
  const { user, import: importArchive, statuses } = await createImporter()
  const archive = await archiveOf([create('1'), create('2', { published: '2020-01-01T00:00:00Z' })])
  await importArchive(archive)
  const before = await statuses()
  assert.equal(before.length, 2)
  assert.match((await importArchive(archive)).text, /Imported: 2 of 2/)
  assert.deepEqual(
    (await statuses()).map(({ id }) => id),
    before.map(({ id }) => id),
  )
  await user.client.delete(`/api/v1/statuses/${before[0]!.id}`)
  assert.equal((await user.client.get(`/api/v1/accounts/${user.accountId}`)).body.statuses_count, 1)
  await importArchive(archive)
  assert.equal((await statuses()).length, 2)
})

test('posts that cannot be imported are listed with the reason, and posts of other accounts are left out', async () => {
  const { user, browser, import: importArchive, statuses } = await createImporter()
  const file = { type: 'Document', mediaType: 'image/png', url: 'media_attachments/files/1.png' }
  const { text, failures, path } = await importArchive(
    await archiveOf(
      [
        create('ok', { content: '<p>Kept</p><script>alert(1)</script><img src=x onerror=alert(1)>&lt;b&gt;' }),
        create('foreign', { attributedTo: 'https://other.example/users/eve' }),
        { ...create('sent'), actor: 'https://other.example/users/eve' },
        create('undated', { published: 'yesterday' }),
        create('long', { content: `<p>${'x'.repeat(33_000)}</p>` }),
        create('large', { content: 'x'.repeat(600_000) }),
        create('poll', { type: 'Question', oneOf: [{ type: 'Note', name: 'only' }] }),
        create('missing', { content: '', attachment: [{ ...file, url: 'media_attachments/files/none.png' }] }),
        create('damaged', { attachment: [file] }),
        create('outside', { content: '', attachment: [{ ...file, url: '../../../../etc/passwd' }] }),
        [[[]]],
        'text',
      ],
      { 'media_attachments/files/1.png': Buffer.from('no image') },
    ),
  )
  assert.match(text, /Imported: 2 of 10 .*9 entries could not be imported, or not with all their files/)
  const uri = (id: string) => `${ACTOR}/statuses/${id}`
  assert.equal(
    failures,
    [
      '#uri,Reason',
      `${uri('undated')},The post has no date.`,
      `${uri('long')},The post is too long.`,
      ',The entry is too large.',
      `${uri('poll')},The poll cannot be imported.`,
      `${uri('missing')},The files of the post are missing or cannot be converted.`,
      `${uri('damaged')},"Imported without 1 of 1 files, which are missing or cannot be converted."`,
      `${uri('outside')},The files of the post are missing or cannot be converted.`,
      ',The entry cannot be read.',
      ',The entry cannot be read.',
      '',
    ].join('\n'),
  )
  await ctx.db.updateTable('users').set({ locale: 'de' }).where('id', '=', user.userId).execute()
  const german = (await browser.get(`${path}/failures.csv`)).html.split('\n')
  const partly = `${uri('damaged')},"Ohne 1 von 1 Dateien importiert, die fehlen oder sich nicht umwandeln lassen."`
  assert.deepEqual(
    [german[0], german[1], german[6]],
    ['#uri,Grund', `${uri('undated')},Der Beitrag hat kein Datum.`, partly],
  )
  const list = await statuses()
  assert.deepEqual(list.map(({ content }) => content!).toSorted(), ['<p>Hello</p>', '<p>Kept</p><p>&lt;b&gt;</p>'])
})

test('a crash between posts loses nothing and adds nothing twice', async () => {
  const { user, browser, statuses } = await createImporter()
  const items = Array.from({ length: 30 }, (_, i) => create(`${i}`, { content: `<p>Post ${i}</p>` }))
  const { location } = await uploadArchive(browser, await archiveOf(items))
  await ctx.db
    .updateTable('account_imports')
    .set({ state: 'scheduled' })
    .where('account_id', '=', user.accountId)
    .execute()
  let writes = 0
  const crashing = {
    ...ctx,
    write: (work: Parameters<typeof ctx.write>[0]) => {
      if ((writes += 1) > 11) throw new Error('crash')
      return ctx.write(work)
    },
  } as typeof ctx
  await assert.rejects(importPosts(crashing, user), /crash/)
  assert.match((await browser.get(location!)).text, /In progress: 10 of 30/)
  await Promise.all([importPosts(ctx, user), importPosts(ctx, user)])
  await testServer.waitForJobs()
  assert.match((await browser.get(location!)).text, /Finished.*Imported: 30 of 30/)
  assert.deepEqual(texts(await statuses()).toSorted(), items.map((_, i) => `Post ${i}`).toSorted())
})

test('the import of a user who is suspended meanwhile adds nothing more', async () => {
  const { user, browser, statuses } = await createImporter()
  const { location } = await uploadArchive(browser, await archiveOf([create('1')]))
  const suspend = (at: Date | null) =>
    ctx.db.updateTable('accounts').set({ suspended_at: at }).where('id', '=', user.accountId).execute()
  await ctx.db
    .updateTable('account_imports')
    .set({ state: 'scheduled' })
    .where('account_id', '=', user.accountId)
    .execute()
  await suspend(new Date())
  await importPosts(ctx, user)
  await suspend(null)
  assert.match((await browser.get(location!)).text, /Finished.*Imported: 0 of 1.*1 entry could not be imported/)
  assert.deepEqual(await statuses(), [])
  await testServer.waitForJobs()
  assert.deepEqual(await listStored(), [])
})
