import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { findPort } from '../../../test/linnet.ts'
import { openSearching } from '../../../test/searching.ts'
import type { Person } from '../../../test/world.ts'
import { beginRebuild, indexBacklog, readProgress } from './backlog.ts'
import { indexStatuses } from './index-statuses.ts'

const port = await findPort()
const { world, alice, bob, post, find, upload } = await openSearching({ PORT: port, LOCAL_DOMAIN: `localhost:${port}` })
after(world.close)
await world.listen()
const { ctx } = world
const { db } = ctx

const allow = (person: Person, indexable: boolean) =>
  person.client.patch('/api/v1/accounts/update_credentials', { indexable })

suite('somebody finds', () => {
  test('what others wrote in public only while these let everybody search it', async () => {
    const id = await post(bob, { status: 'walnut', visibility: 'public' })
    const quiet = await post(bob, { status: 'walnut', visibility: 'unlisted' })
    assert.deepEqual(await find('walnut'), [])
    assert.deepEqual(await find('walnut', {}, bob), [quiet, id])
    await allow(bob, true)
    await world.settle()
    assert.deepEqual(await find('walnut'), [id])
    // From the moment on, and not only when the index says so.
    await allow(bob, false)
    assert.deepEqual(await find('walnut'), [])
    await world.settle()
    assert.deepEqual(await find('walnut'), [])
    await allow(bob, true)
    await world.settle()
    await sql`update accounts set silenced_at = now() where id = ${bob.accountId}`.execute(db)
    assert.deepEqual(await find('walnut'), [], 'VI17')
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    await sql`insert into follows (account_id, target_account_id) values (${alice.accountId}, ${bob.accountId})
      on conflict do nothing`.execute(db)
    assert.deepEqual(await find('walnut'), [id])
    await sql`update accounts set silenced_at = null where id = ${bob.accountId}`.execute(db)
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)
    await allow(bob, false)
    await world.settle()
  })

  test('what they favourited, boosted, bookmarked, voted in or are mentioned in, as long as it is so', async () => {
    const draft = { status: 'hazelnut', visibility: 'public', poll: { options: ['a', 'b'], expires_in: 3_600 } }
    for (const [deed, undone] of [
      ['favourite', 'unfavourite'],
      ['reblog', 'unreblog'],
      ['bookmark', 'unbookmark'],
    ] as const) {
      const id = await post(bob, draft)
      assert.deepEqual(await find('hazelnut'), [], deed)
      await alice.client.post(`/api/v1/statuses/${id}/${deed}`)
      for (const q of ['hazelnut', 'hazelnut in:library']) assert.deepEqual(await find(q), [id], deed)
      assert.deepEqual(await find('hazelnut in:public'), [], deed)
      await alice.client.post(`/api/v1/statuses/${id}/${undone}`)
      assert.deepEqual(await find('hazelnut'), [], undone)
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

  test('VI3 nothing that is for others, whatever they once did with it', async () => {
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)
    const id = await post(bob, { status: 'pistachio', visibility: 'private' })
    await post(bob, { status: 'pistachio', visibility: 'direct' })
    await alice.client.post(`/api/v1/statuses/${id}/bookmark`)
    assert.deepEqual(await find('pistachio'), [id])
    await alice.client.post(`/api/v1/accounts/${bob.accountId}/unfollow`)
    assert.deepEqual(await find('pistachio'), [])
  })

  test('VI10 neither what is scheduled, nor what was deleted, nor what belongs to an upload in no post', async () => {
    await allow(bob, true)
    const at = new Date(Date.now() + 3_600_000).toISOString()
    await bob.client.post('/api/v1/statuses', { status: 'cashew', visibility: 'public', scheduled_at: at })
    await upload(bob, 'cashew')
    const id = await post(bob, { status: 'cashew', visibility: 'public' })
    assert.deepEqual(await find('cashew'), [id])
    // Evidence of a report stays in the database.
    await alice.client.post('/api/v1/reports', { account_id: bob.accountId, status_ids: [id] })
    await bob.client.delete(`/api/v1/statuses/${id}`)
    await world.settle()
    for (const person of [alice, bob]) assert.deepEqual(await find('cashew', {}, person), [])
    await indexStatuses(ctx, { ids: [id] })
    for (const person of [alice, bob]) assert.deepEqual(await find('cashew', {}, person), [])
    await allow(bob, false)
  })

  test('nothing of whom the server suspended', async () => {
    const carol = await world.createPerson()
    await allow(carol, true)
    const id = await post(carol, { status: 'macadamia', visibility: 'public' })
    await alice.client.post(`/api/v1/statuses/${id}/favourite`)
    assert.deepEqual(await find('macadamia'), [id])
    await sql`update accounts set suspended_at = now() where id = ${carol.accountId}`.execute(db)
    assert.deepEqual(await find('macadamia'), [])
  })
})

suite('a search of posts', () => {
  test('BI6 BI14 BI16 takes whatever is typed, and soon says what it finds', async () => {
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

  test('BI15 is given up when it takes too long', async () => {
    await db.transaction().execute(async (trx) => {
      await sql`lock table status_words in access exclusive mode`.execute(trx)
      const { status, body } = await alice.client.get('/api/v2/search', { q: 'in:library', type: 'statuses' })
      assert.deepEqual([status, /too long/.test(body.error)], [503, true])
    })
    assert.ok((await find('in:library')).length > 0)
  })

  test('is for people with a token for it, and answers a post that is linked to', async () => {
    assert.equal((await world.anonymous.get('/api/v2/search', { q: 'x', type: 'statuses' })).status, 401)
    assert.equal((await world.anonymous.get('/api/v2/search', { q: 'x', type: 'statuses', offset: 1 })).status, 401)
    assert.equal((await alice.client.get('/api/v1/search', { q: 'x' })).status, 404)
    const id = await post(bob, { status: 'linked', visibility: 'public' })
    const { body } = await bob.client.get(`/api/v1/statuses/${id}`)
    assert.deepEqual(await find(body.url, { resolve: true }), [id])
  })

  test('finds what was there before the index was, from the newest on, and again when all is entered anew', async () => {
    const ids: string[] = []
    for (let n = 0; n < 3; n += 1) ids.unshift(await post(alice, 'periwinkle'))
    await sql`delete from status_words`.execute(db)
    assert.deepEqual(await find('periwinkle'), [])
    assert.equal(await readProgress(ctx), null)
    await beginRebuild(ctx)
    const progress = await readProgress(ctx)
    assert.ok(progress && progress.done === 0 && progress.all >= 3)
    await indexBacklog(ctx)
    assert.equal(await readProgress(ctx), null)
    assert.deepEqual(await find('periwinkle'), ids)
  })

  test('goes with an account that is deleted', async () => {
    const dora = await world.createPerson()
    await post(dora, 'nasturtium')
    const count = async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from status_words w
        where words @@ ${`'@${dora.accountId}'`}::tsquery`.execute(db)
      return rows[0]!.n
    }
    assert.equal(await count(), 1)
    await ctx.write(async (tx) => {
      await sql`delete from statuses where account_id = ${dora.accountId}`.execute(tx.db)
    })
    assert.equal(await count(), 0)
  })

  test('masto.js searches', async () => {
    const id = await post(alice, 'gooseberry #Gooseberries')
    const rest = createRestAPIClient({ url: `http://localhost:${port}`, accessToken: alice.token })
    const found = await rest.v2.search.list({ q: 'gooseberries', resolve: true, limit: 5 })
    assert.deepEqual([found.statuses.map((status) => status.id), found.accounts], [[id], []])
    assert.deepEqual(
      found.hashtags.map(({ name }) => name),
      ['Gooseberries'],
    )
    const only = await rest.v2.search.list({ q: 'gooseberry', type: 'statuses', accountId: alice.accountId, offset: 1 })
    assert.deepEqual([only.statuses, only.hashtags], [[], []])
  })
})
