import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../test/servers/linnet-process.ts'
import { limit, suspend, unlimit } from '../../../test/features/moderation.ts'
import { openSearchServer } from '../../../test/features/search.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import { startIndexRebuild, indexBacklog, readIndexProgress } from './index-backlog.ts'
import { indexStatuses } from './index-statuses.ts'

const port = await findPort()
const { testServer, alice, bob, post, find, upload } = await openSearchServer({
  PORT: port,
  LOCAL_DOMAIN: `localhost:${port}`,
})
after(testServer.close)
await testServer.listen()
const { ctx } = testServer
const { db } = ctx

const setIndexable = (user: TestUser, indexable: boolean) =>
  user.client.patch('/api/v1/accounts/update_credentials', { indexable })

suite('a user finds', () => {
  test('public statuses of others only while their authors are indexable', async () => {
    const id = await post(bob, { status: 'walnut', visibility: 'public' })
    const unlisted = await post(bob, { status: 'walnut', visibility: 'unlisted' })
    assert.deepEqual(await find('walnut'), [])
    assert.deepEqual(await find('walnut', {}, bob), [unlisted, id])
    await setIndexable(bob, true)
    await testServer.waitForJobs()
    assert.deepEqual(await find('walnut'), [id])
    // The change applies immediately, before the index is updated.
    await setIndexable(bob, false)
    assert.deepEqual(await find('walnut'), [])
    await testServer.waitForJobs()
    assert.deepEqual(await find('walnut'), [])
    await setIndexable(bob, true)
    await testServer.waitForJobs()
    await limit(ctx, bob)
    assert.deepEqual(await find('walnut'), [], 'VI17')
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    await sql`insert into follows (account_id, target_account_id) values (${alice.accountId}, ${bob.accountId})
      on conflict do nothing`.execute(db)
    assert.deepEqual(await find('walnut'), [id])
    await unlimit(ctx, bob)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)
    await setIndexable(bob, false)
    await testServer.waitForJobs()
  })

  test('statuses that the user favourited, reblogged, bookmarked, voted in or is mentioned in, until that is undone', async () => {
    const draft = { status: 'hazelnut', visibility: 'public', poll: { options: ['a', 'b'], expires_in: 3_600 } }
    for (const [action, undoAction] of [
      ['favourite', 'unfavourite'],
      ['reblog', 'unreblog'],
      ['bookmark', 'unbookmark'],
    ] as const) {
      const id = await post(bob, draft)
      assert.deepEqual(await find('hazelnut'), [], action)
      await alice.client.post(`/api/v1/statuses/${id}/${action}`)
      for (const q of ['hazelnut', 'hazelnut in:library']) assert.deepEqual(await find(q), [id], action)
      assert.deepEqual(await find('hazelnut in:public'), [], action)
      await alice.client.post(`/api/v1/statuses/${id}/${undoAction}`)
      assert.deepEqual(await find('hazelnut'), [], undoAction)
      await bob.client.delete(`/api/v1/statuses/${id}`)
    }
    const id = await post(bob, draft)
    const { body: status } = await bob.client.get(`/api/v1/statuses/${id}`)
    await alice.client.post(`/api/v1/polls/${status.poll.id}/votes`, { choices: [0] })
    assert.deepEqual(await find('hazelnut'), [id])
    const mention = await post(bob, { status: 'hazelnut @alice', visibility: 'direct' })
    assert.deepEqual(await find('hazelnut'), [mention, id])
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
    assert.deepEqual(await find('hazelnut'), [])
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/unblock`)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/mute`)
    assert.deepEqual(await find('hazelnut'), [])
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unmute`)
    assert.deepEqual(await find('hazelnut'), [mention, id])
  })

  test('old statuses of a library that has thousands of newer ones', async () => {
    const dora = await testServer.createUser()
    const liked = await post(bob, 'pecan')
    await dora.client.post(`/api/v1/statuses/${liked}/favourite`)
    const open = await post(alice, { status: 'pecan', visibility: 'public' })
    await dora.client.post(`/api/v1/statuses/${open}/bookmark`)
    await sql`with liked as (
        insert into statuses (account_id, uri, url, content, visibility)
        select ${bob.accountId}, 'https://many.test/' || n, '', '', 'public' from generate_series(1, 2100) n returning id)
      insert into favourites (account_id, status_id) select ${dora.accountId}, id from liked`.execute(db)
    const other = await post(bob, 'pecan')
    for (const q of ['pecan', 'pecan in:library']) assert.deepEqual(await find(q, {}, dora), [open, liked], q)
    await dora.client.post(`/api/v1/statuses/${other}/favourite`)
    assert.deepEqual(await find('pecan', {}, dora), [other, open, liked])
    await sql`delete from statuses where uri like 'https://many.test/%'`.execute(db)
  })

  test('VI3 no status that is not visible to the user any more, whatever the former interactions', async () => {
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    const id = await post(bob, { status: 'pistachio', visibility: 'private' })
    await post(bob, { status: 'pistachio', visibility: 'direct' })
    await alice.client.post(`/api/v1/statuses/${id}/bookmark`)
    assert.deepEqual(await find('pistachio'), [id])
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)
    assert.deepEqual(await find('pistachio'), [])
  })

  test('VI10 no scheduled statuses, no deleted statuses, and no unattached uploads', async () => {
    await setIndexable(bob, true)
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await bob.client.post('/api/v1/statuses', { status: 'cashew', visibility: 'public', scheduled_at: at })
    await upload(bob, 'cashew')
    const id = await post(bob, { status: 'cashew', visibility: 'public' })
    assert.deepEqual(await find('cashew'), [id])
    // A deleted status that is evidence in a report remains in the database.
    await alice.client.post('/api/v1/reports', { account_id: bob.accountId, status_ids: [id] })
    await bob.client.delete(`/api/v1/statuses/${id}`)
    await testServer.waitForJobs()
    for (const user of [alice, bob]) assert.deepEqual(await find('cashew', {}, user), [])
    await indexStatuses(ctx, { ids: [id] })
    for (const user of [alice, bob]) assert.deepEqual(await find('cashew', {}, user), [])
    await setIndexable(bob, false)
  })

  test('no statuses of suspended accounts', async () => {
    const carol = await testServer.createUser()
    await setIndexable(carol, true)
    const id = await post(carol, { status: 'macadamia', visibility: 'public' })
    await alice.client.post(`/api/v1/statuses/${id}/favourite`)
    assert.deepEqual(await find('macadamia'), [id])
    await suspend(ctx, carol)
    assert.deepEqual(await find('macadamia'), [])
  })
})

suite('a search of posts', () => {
  test('BI6 BI14 BI16 accepts any input, and responds quickly', async () => {
    const id = await post(alice, "o'clock back\\slash a&b (c|d) 100%")
    for (const q of [
      "o'clock",
      'back\\slash',
      'a&b',
      '(c|d)',
      '100%',
      "'; drop table statuses; --  o'clock".slice(-7),
    ]) {
      assert.deepEqual(await find(q), [id], q)
    }
    const hostile = [
      'a:*',
      "'",
      "''",
      '\\',
      '!a',
      'a & !b | (c',
      '<->',
      'a <5> b',
      '%',
      '_',
      '\0',
      'a\0b',
      '\ud800',
      '\udc00x',
      `language:'\\`,
      `has:'|'`,
      "from:' or 1=1",
      'from:@@@',
      'from:\0',
      '#'.repeat(100),
      '-'.repeat(1_000),
      '"'.repeat(1_001),
      'x'.repeat(10_000),
      '猫'.repeat(10_000),
      'a\u0301'.repeat(5_000),
      `a${'\u0301'.repeat(9_999)}`,
      '\ufdfa'.repeat(9_999),
      'w '.repeat(5_000),
      'from:me '.repeat(1_250),
      '-from:@bob@example.com '.repeat(400),
      'has:media -has:media '.repeat(400),
      Array.from({ length: 3_000 }, (_, n) => `-"a ${n}"`).join(' '),
      Array.from({ length: 1_000 }, (_, n) => `-during:${2000 + (n % 99)}`).join(' '),
    ]
    for (const q of hostile) {
      for (const type of ['statuses', undefined]) {
        const query = new URLSearchParams({ q, ...(type && { type }) }).toString()
        const { status } = await alice.client.get(`/api/v2/search?${query}`)
        assert.ok([200, 400, 414, 422].includes(status), `${q.slice(0, 20)}: ${status}`)
      }
    }
    for (const q of ['%ff', '%00', '%ed%a0%80', 'a%00b']) {
      assert.ok((await alice.client.get(`/api/v2/search?type=statuses&q=${q}`)).status < 500, q)
    }
  })

  test('BI15 is cancelled when it exceeds the time limit', async () => {
    await db.transaction().execute(async (trx) => {
      await sql`lock table status_search_entries in access exclusive mode`.execute(trx)
      const { status, body } = await alice.client.get('/api/v2/search', { q: 'in:library', type: 'statuses' })
      assert.deepEqual([status, /too long/.test(body.error)], [503, true])
    })
    assert.ok((await find('in:library')).length > 0)
  })

  test('requires a token, and resolves the URL of a post', async () => {
    assert.equal((await testServer.anonymous.get('/api/v2/search', { q: 'x', type: 'statuses' })).status, 401)
    assert.equal(
      (await testServer.anonymous.get('/api/v2/search', { q: 'x', type: 'statuses', offset: 1 })).status,
      401,
    )
    assert.equal((await alice.client.get('/api/v1/search', { q: 'x' })).status, 404)
    const id = await post(bob, { status: 'linked', visibility: 'public' })
    const { body } = await bob.client.get(`/api/v1/statuses/${id}`)
    assert.deepEqual(await find(body.url, { resolve: true }), [id])
  })

  test('finds older posts after the index was rebuilt, in the same order', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.unshift(await post(alice, 'periwinkle'))
    await sql`delete from status_search_entries`.execute(db)
    assert.deepEqual(await find('periwinkle'), [])
    assert.equal(await readIndexProgress(ctx), null)
    await ctx.write(startIndexRebuild)
    const progress = await readIndexProgress(ctx)
    assert.ok(progress && progress.done === 0 && progress.all >= 3)
    await indexBacklog(ctx)
    assert.equal(await readIndexProgress(ctx), null)
    assert.deepEqual(await find('periwinkle'), ids)
  })

  test('has no entries of a deleted account', async () => {
    const dora = await testServer.createUser()
    await post(dora, 'nasturtium')
    const count = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from status_search_entries w
        where lexemes @@ ${`'@${dora.accountId}'`}::tsquery`.execute(db)
      return rows[0]!.n
    }
    assert.equal(await count(), 1)
    await ctx.write(async (tx) => {
      await sql`delete from statuses where account_id = ${dora.accountId}`.execute(tx.db)
    })
    assert.equal(await count(), 0)
  })

  test('works with masto.js', async () => {
    const id = await post(alice, 'gooseberry #Gooseberries')
    const rest = createRestAPIClient({ url: `http://localhost:${port}`, accessToken: alice.token })
    const found = await rest.v2.search.list({ q: 'gooseberries', resolve: true, limit: 5 })
    assert.deepEqual([found.statuses.map((status) => status.id), found.accounts], [[id], []])
    assert.deepEqual(
      found.hashtags.map(({ name }) => name),
      ['Gooseberries'],
    )
    const statusesOnly = await rest.v2.search.list({
      q: 'gooseberry',
      type: 'statuses',
      accountId: alice.accountId,
      offset: 1,
    })
    assert.deepEqual([statusesOnly.statuses, statusesOnly.hashtags], [[], []])
  })
})
