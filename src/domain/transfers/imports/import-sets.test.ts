import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { confirmImport, importFile, uploadImport } from '../../../../test/features/imports.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { countReadRows } from '../../../../test/performance/count-read-rows.ts'
import { createUsers } from '../../../../test/servers/create-users.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { ValidationError } from '../../../lib/errors.ts'
import type { Ctx, Tx } from '../../context.ts'
import { createImport } from './create-import.ts'
import { listImports } from './find-imports.ts'
import { runImports } from './run-imports.ts'

// One server runs all effects. On the other one, no worker runs statements that would be counted.
const fediverse = await openFediverse({ hosts: ['far.test'], env: { MEDIA_CACHE_GB: '0' } })
after(fediverse.close)
const { testServer, peer, deliver, uriOf, followEachOther, notificationsOf } = fediverse
const idle = await openTestServer({ effects: false })
after(idle.close)

const user = await testServer.createUser()
const browser = await openBrowserSession(testServer, user)
const importList = (type: string, content: string) => importFile(testServer, { browser, type, content })
const bob = await testServer.createUser({ username: 'bob' })

test('rows that are refused fail alone, and the others of their set are imported with their effects', async () => {
  const [carl, dora] = [await testServer.createUser(), await testServer.createUser({ locked: true })]
  await carl.client.post(`/api/v1/accounts/${user.accountId}/block`)
  const { text, failures } = await importList(
    'following',
    `bob,true,false,not a language\n${carl.username}\n${dora.username}\n${user.username}\n`,
  )
  assert.match(text, /Imported: 1 of 4/)
  const names = failures.split('\n').map((line) => line.split(',')[0])
  assert.deepEqual(names, ['Account address', 'bob', carl.username, user.username, ''])
  assert.deepEqual(await notificationsOf(dora), ['follow_request'])
  // A title that is too long prevents the whole set, so its rows are imported one by one.
  const lists = await importList('lists', `${'x'.repeat(300)},bob\nFriends,bob\nFriends,${carl.username}\n`)
  assert.match(lists.text, /Imported: 1 of 3/)
  assert.deepEqual(await notificationsOf(bob), ['follow'])
})

test('a follow of a set counts towards the limit of follows', async () => {
  const others = [bob, await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
  const content = others.map(({ username }) => username).join('\n')
  const { location: path } = await uploadImport(browser, { type: 'following', content })
  await sql`update account_stats set following_count = 7498 where account_id = ${user.accountId}`.execute(
    testServer.ctx.db,
  )
  await browser.submit(await browser.get(path!), `${path}/confirm`)
  await testServer.waitForJobs()
  assert.match((await browser.get(path!)).text, /Imported: 3 of 4.*1 entry could not be imported/)
})

test('imported blocks of remote accounts end follows, empty feeds, and are delivered; mutes empty feeds', async () => {
  const reader = await testServer.createUser()
  const own = await openBrowserSession(testServer, reader)
  const [blocked, muted] = [
    await peer.host('far.test').createActor('blocked'),
    await peer.host('far.test').createActor('muted'),
  ]
  await followEachOther(reader, blocked)
  await followEachOther(reader, muted)
  await deliver(blocked, blocked.activity('Follow', uriOf(reader)))
  await deliver(blocked, blocked.activity('Create', blocked.note()))
  await deliver(muted, muted.activity('Create', muted.note()))
  const home = async () => (await reader.client.get('/api/v1/timelines/home')).body.length
  assert.equal(await home(), 2)
  for (const actor of [blocked, muted]) actor.inbox.clear()
  await importFile(testServer, { browser: own, type: 'muting', content: muted.handle })
  assert.equal(await home(), 1)
  await importFile(testServer, { browser: own, type: 'blocking', content: `${blocked.handle}\nbob` })
  assert.equal(await home(), 0)
  const types = blocked.inbox.received.map(({ activity }) => activity.type)
  assert.deepEqual(new Set(types), new Set(['Block', 'Reject', 'Undo']))
  assert.equal(types.length, 3)
  assert.deepEqual(muted.inbox.received, [])
  const { followers_count, following_count } = (await reader.client.get(`/api/v1/accounts/${reader.accountId}`)).body
  assert.deepEqual([followers_count, following_count], [0, 1])
  assert.deepEqual(await notificationsOf(reader), [])
  // A second import of the same file changes nothing.
  await importFile(testServer, { browser: own, type: 'blocking', content: blocked.handle })
  assert.equal(blocked.inbox.received.length, 3)
})

test('an imported block of domains is one job, and replies from these domains are not counted any more', async () => {
  const author = await testServer.createUser()
  const own = await openBrowserSession(testServer, author)
  const { body: post } = await author.client.post('/api/v1/statuses', { status: 'A question' })
  const replier = await peer.host('far.test').createActor('replier')
  await deliver(replier, replier.activity('Create', replier.note({ inReplyTo: post.uri })))
  const count = async () => (await author.client.get(`/api/v1/statuses/${post.id}`)).body.replies_count
  assert.equal(await count(), 1)
  await importFile(testServer, { browser: own, type: 'domain_blocking', content: 'unused.test\nfar.test' })
  assert.equal(await count(), 0)
  const importer = await idle.createUser()
  await confirmImport(await openBrowserSession(idle, importer), { type: 'domain_blocking', content: 'a.test\nb.test' })
  await runImports(idle.ctx, importer)
  const { rows } = await sql<{ name: string; domains: string[] | null }>`
    select name, payload -> 'domains' as domains from jobs where name like 'user_domain_block.%'`.execute(idle.ctx.db)
  assert.deepEqual(rows, [{ name: 'user_domain_block.many_created', domains: ['a.test', 'b.test'] }])
})

test('the limit of follows is checked by reading only the follows that the file names', async () => {
  const { ctx } = idle
  const importer = await idle.createUser()
  const followed = await createUsers(ctx, { prefix: 'followed', count: 500 })
  await sql`insert into follows (account_id, target_account_id)
    select ${importer.accountId}, unnest(${followed}::bigint[])`.execute(ctx.db)
  await sql`update account_stats set following_count = 7499 where account_id = ${importer.accountId}`.execute(ctx.db)
  await sql`analyze accounts, follows`.execute(ctx.db)
  const path = join(tmpdir(), 'follows.csv')
  const create = (rows: string) => async (tx: Tx) => {
    await writeFile(path, rows)
    const file = { path, byteSize: rows.length, fileName: 'follows.csv' }
    const { accountId } = importer
    const work = () =>
      createImport(
        { ...ctx, db: tx.db, write: (write) => write(tx) },
        { accountId, type: 'following', overwrite: false, file },
      )
    return countReadRows(tx, { table: 'follows', work })
  }
  const rows = await ctx.write(create('followed1\nfollowed2\nbob\n'))
  assert.ok(rows < 50, `${rows} rows`)
  await assert.rejects(ctx.write(create('followed1\nbob\nnobody\n')), ValidationError)
})

test('an import of known accounts and posts needs as many statements for a hundred rows as for twenty', async () => {
  const { ctx } = idle
  await sql`insert into accounts (username, domain, uri, url, inbox_url, display_name)
    select 'known' || n, 'h' || n || '.test', 'https://h' || n || '.test/known', 'https://h' || n || '.test/@known',
      'https://h' || n || '.test/inbox', '' from generate_series(1, 100) n`.execute(ctx.db)
  await sql`insert into account_stats (account_id) select id from accounts on conflict do nothing`.execute(ctx.db)
  await sql`insert into statuses (id, account_id, uri, url, content, visibility, local, created_at)
    select next_status_id(), id, uri || '/1', uri || '/1', '', 'public', false, now()
    from accounts where domain is not null`.execute(ctx.db)
  const handles = Array.from({ length: 100 }, (_, n) => `known${n + 1}@h${n + 1}.test`)
  const files: [type: string, rows: string[]][] = [
    ['following', handles],
    ['lists', handles.map((handle) => `Friends,${handle}`)],
    ['muting', handles],
    ['bookmarks', handles.map((_, n) => `https://h${n + 1}.test/known/1`)],
    ['blocking', handles],
    ['domain_blocking', handles.map((_, n) => `unrelated${n}.test`)],
  ]
  for (const [type, rows] of files) {
    const counts = []
    for (const length of [20, 100]) {
      const importer = await idle.createUser()
      const page = await openBrowserSession(idle, importer)
      const path = await confirmImport(page, { type, content: rows.slice(0, length).join('\n') })
      counts.push(await countQueries(() => runImports(ctx, importer)))
      assert.match((await page.get(path)).text, new RegExp(`${length} of ${length}`), type)
    }
    assert.equal(counts[0], counts[1], type)
    assert.ok(counts[1]! <= 40, `${type}: ${counts[1]}`)
  }
})

test('blocks of domains that a file lacks are removed together, a hundred in one job', async () => {
  const { ctx } = idle
  const counts = []
  for (const length of [20, 100]) {
    const importer = await idle.createUser()
    const page = await openBrowserSession(idle, importer)
    await sql`insert into account_domain_blocks (account_id, domain)
      select ${importer.accountId}, 'blocked' || n || '.test' from generate_series(1, ${length}::int + 1) n`.execute(
      ctx.db,
    )
    await confirmImport(page, { type: 'domain_blocking', mode: 'overwrite', content: 'blocked1.test' })
    counts.push(await countQueries(() => runImports(ctx, importer)))
    assert.deepEqual((await importer.client.get('/api/v1/domain_blocks')).body, ['blocked1.test'])
    const { rows: jobs } = await sql<{ name: string; domains: string[] }>`
      select name, payload -> 'domains' as domains from jobs
      where payload ->> 'accountId' = ${importer.accountId} and payload ->> 'domains' is not null`.execute(ctx.db)
    assert.deepEqual(
      jobs.map(({ name, domains }) => [name, domains.length]),
      [['recountReplies', length]],
    )
  }
  assert.equal(counts[0], counts[1])
})

test('a large file is stored in several transactions, and its import is hidden until it has all rows', async () => {
  const { ctx } = idle
  const { accountId } = await idle.createUser()
  const path = join(tmpdir(), 'domains.csv')
  const content = Array.from({ length: 4_500 }, (_, n) => `domain${n}.test`).join('\n')
  await writeFile(path, content)
  const listed = async () => (await listImports(ctx, { accountId, now: ctx.now() })).map(({ total }) => total)
  const stored = async () =>
    (
      await sql`select from account_import_rows r join account_imports i on i.id = r.import_id
      where i.account_id = ${accountId}`.execute(ctx.db)
    ).rows.length
  const create = (write: Ctx['write']) =>
    createImport(
      { ...ctx, write },
      {
        accountId,
        type: 'domain_blocking',
        overwrite: false,
        file: { path, byteSize: content.length, fileName: 'domains.csv' },
      },
    )
  const seen: [rows: number, listed: number[]][] = []
  const failAfter = (writes: number) =>
    create(async (work) => {
      seen.push([await stored(), await listed()])
      if (seen.length === writes) throw new Error('interrupted')
      return ctx.write(work)
    })
  await assert.rejects(failAfter(4), /interrupted/)
  assert.deepEqual([await stored(), await listed()], [0, []])
  seen.length = 0
  await failAfter(Infinity)
  assert.deepEqual(seen, [
    [0, []],
    [0, []],
    [2_000, []],
    [4_000, []],
    [4_500, []],
  ])
  assert.deepEqual([await stored(), await listed()], [4_500, [4_500]])
})

test('a filter with a hundred posts is imported with as many statements and messages as one with twenty', async () => {
  const { ctx } = idle
  const accountId = await createRemoteAccount(ctx, { handle: { username: 'writer', domain: 'written.test' } })
  const uris = Array.from({ length: 100 }, (_, n) => `https://written.test/statuses/${n}`)
  for (const uri of uris) await createRemoteStatus(ctx, { accountId, uri })
  const costs = []
  for (const length of [20, 100]) {
    const importer = await idle.createUser()
    const page = await openBrowserSession(idle, importer)
    const filter = { title: 'Seen', context: ['home'], statuses: uris.slice(0, length) }
    await confirmImport(page, { type: 'filters', content: JSON.stringify({ custom_filters: [filter] }) })
    const statements = await countQueries(() => runImports(ctx, importer))
    const { rows: messages } = await sql`select from jobs where name = 'publishFilterChange'
      and payload ->> 'accountId' = ${importer.accountId}`.execute(ctx.db)
    costs.push([statements, messages.length])
    assert.equal((await importer.client.get('/api/v2/filters')).body[0].statuses.length, length)
  }
  assert.deepEqual(costs[0], costs[1])
})
