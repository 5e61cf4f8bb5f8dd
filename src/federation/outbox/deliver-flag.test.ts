import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { PUBLIC } from '../../../test/federation/peer/actor.ts'
import { openTwoServers } from '../../../test/servers/two-servers.ts'
import type { Report } from '../../entities/instance/report.ts'
import type { Status } from '../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test', 'third.test'] })
const { testServer, peer, origin, deliver, followEachOther, uriOf } = fediverse
after(fediverse.close)
const bob = await peer.host('remote.test').createActor('bob')
const carol = await peer.host('other.test').createActor('carol', { keys: bob.keys })

const flags = (actor: typeof bob) =>
  actor.inbox.received.map(({ activity }) => activity).filter(({ type }) => type === 'Flag')

suite('a report', () => {
  test('FP9, VI19: is forwarded to the account’s server by the instance actor, without the reporter', async () => {
    const alice = await testServer.createUser({ username: 'the_reporter', displayName: 'Reporter' })
    const bobId = await followEachOther(alice, bob)
    const note = bob.note()
    await deliver(bob, bob.activity('Create', note))
    const statusIds = [(await fediverse.getStatus(note['id'])).id]
    const body = { account_id: bobId, status_ids: statusIds, comment: 'Not <b>nice</b>', category: 'spam' }
    const local = await alice.client.post<Report>('/api/v1/reports', body)
    assert.equal(local.body.forwarded, false)
    await testServer.waitForJobs()
    assert.deepEqual([flags(bob), flags(carol)], [[], []])

    const forwarded = await alice.client.post<Report>('/api/v1/reports', { ...body, forward: true })
    assert.deepEqual([forwarded.body.forwarded, forwarded.body.status_ids], [true, statusIds])
    await testServer.waitForJobs()
    const [flag, ...more] = flags(bob)
    assert.equal(more.length, 0)
    assert.deepEqual(flags(carol), [])
    const { '@context': _context, id, ...rest } = flag!
    assert.ok(String(id).startsWith(`${origin}/actor#flags/`))
    assert.deepEqual(rest, {
      type: 'Flag',
      actor: `${origin}/actor`,
      content: 'Not <b>nice</b>',
      object: [bob.id, note['id']],
    })
    const received = JSON.stringify(bob.inbox.received.find(({ activity }) => activity.type === 'Flag'))
    assert.doesNotMatch(received, /the_reporter|Reporter/)
    assert.ok(!received.includes(uriOf(alice)))
  })

  test('is forwarded to the chosen servers of the account and of accounts that the statuses reply to', async () => {
    const alice = await testServer.createUser()
    const bobId = await followEachOther(alice, bob)
    await followEachOther(alice, carol)
    const other = carol.note()
    await deliver(carol, carol.activity('Create', other))
    const reply = bob.note({ inReplyTo: other['id'], to: [PUBLIC], cc: [carol.id] })
    await deliver(bob, bob.activity('Create', reply))
    const statusId = (await fediverse.getStatus(reply['id'])).id
    const send = async (domains: unknown) => {
      for (const actor of [bob, carol]) actor.inbox.clear()
      const payload = { account_id: bobId, status_ids: [statusId], forward: true, forward_to_domains: domains }
      const { body } = await alice.client.post<Report>('/api/v1/reports', payload)
      await testServer.waitForJobs()
      return [body.forwarded, flags(bob).length, flags(carol).length]
    }
    assert.deepEqual(await send(undefined), [true, 1, 0])
    assert.deepEqual(await send(['remote.test', ' OTHER.test ']), [true, 1, 1])
    assert.deepEqual(await send(['other.test']), [false, 0, 1])
    assert.deepEqual(await send(['third.test', 'not a domain', '']), [false, 0, 0])
    await blockDomainAsStaff(testServer.ctx, 'other.test', { severity: 'suspend' })
    assert.deepEqual(await send(['remote.test', 'other.test']), [true, 1, 0])
    await unblockDomainAsStaff(testServer.ctx, 'other.test')
    // The end of the suspension restores a follow, which sends an activity.
    await testServer.waitForJobs()
  })

  test('about a local account is not forwarded', async () => {
    const [alice, dora] = [await testServer.createUser(), await testServer.createUser()]
    const before = (await fediverse.countRows())['sent_activities']
    const payload = { account_id: dora.accountId, forward: true, forward_to_domains: ['remote.test'] }
    assert.equal((await alice.client.post<Report>('/api/v1/reports', payload)).body.forwarded, false)
    await testServer.waitForJobs()
    assert.equal((await fediverse.countRows())['sent_activities'], before)
  })

  test('is received by another Linnet server, which notifies its moderators of it', async () => {
    const two = await openTwoServers()
    try {
      const [alice, moderator] = [
        await two.a.createUser({ username: 'alice' }),
        await two.b.createUser({ role: 'moderator' }),
      ]
      const dave = await two.b.createUser({ username: 'dave' })
      const post = (await dave.client.post<Status>('/api/v1/statuses', { status: 'Words' })).body
      const found = await alice.client.get('/api/v2/search', { q: post.uri, resolve: true })
      const [copy] = found.body.statuses as Status[]
      assert.ok(copy)
      const payload = { account_id: copy.account.id, status_ids: [copy.id], comment: 'Look at this', forward: true }
      assert.equal((await alice.client.post<Report>('/api/v1/reports', payload)).body.forwarded, true)
      await two.settle()
      const { body } = await moderator.client.get('/api/v1/notifications', { types: ['admin.report'] })
      assert.equal(body.length, 1)
      const { account, report } = body[0] as { account: { acct: string }; report: Report }
      assert.deepEqual(
        [report.target_account.id, report.status_ids, report.comment],
        [dave.accountId, [post.id], 'Look at this'],
      )
      assert.match(account.acct, /@a\.test$/)
      assert.doesNotMatch(account.acct, /alice/)
      await dave.client.delete(`/api/v1/statuses/${post.id}`)
      const { rows } = await sql`select from statuses where id = ${post.id} and deleted_at is not null`.execute(
        two.b.ctx.db,
      )
      assert.equal(rows.length, 1)
    } finally {
      await two.close()
    }
  })
})
