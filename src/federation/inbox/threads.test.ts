import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import { answer } from '../../../test/peer/behaviour.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import type { Fetcher } from '../../platform/fetch.ts'
import { Postponed } from '../../platform/jobs/postponed.ts'
import { handleActivity } from './handle.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { world, peer, uriOf, deliver, befriend, findStatus, getStatus, show } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const other = peer.host('other.test')
const bob = await remote.createActor('bob')
const mallory = await other.createActor('mallory', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })
await befriend(alice, bob)

const create = (note: Activity, actor = bob) => actor.activity('Create', note, { to: note['to'], cc: note['cc'] })

suite('threads', () => {
  const chain = (length: number) => {
    const notes = Array.from({ length }, () => mallory.note())
    notes.forEach((note, n) => {
      if (n > 0) note['inReplyTo'] = notes[n - 1]!['id']
    })
    return notes
  }

  test('are followed upwards and shown whole', async () => {
    const notes = chain(5)
    const answer = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(answer))
    const { id } = await getStatus(answer['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${id}/context`)
    assert.deepEqual(
      body.ancestors.map(({ uri }: { uri: string }) => uri),
      notes.map((note) => note['id']),
    )
  })

  test('IN22 without end are followed for a while, circles once', async () => {
    const asked = () => other.countRequests(/\/statuses\//)
    const notes = chain(200)
    let before = asked()
    const answer = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    await deliver(bob, create(answer))
    assert.ok(await findStatus(answer['id']))
    assert.ok(asked() - before <= 60, `${asked() - before} requests`)
    const circle = chain(3)
    circle[0]!['inReplyTo'] = circle[2]!['id']
    before = asked()
    await deliver(bob, create(bob.note({ inReplyTo: circle[1]!['id'] })))
    assert.equal(asked() - before, 3)
    const selfish = bob.note()
    selfish['inReplyTo'] = selfish['id']
    await deliver(bob, create(selfish))
    assert.ok(await findStatus(selfish['id']))
  })

  test('IN22 a thousand strangers who are mentioned are not all looked for', async () => {
    const tag = Array.from({ length: 100 }, (_one, n) => ({ type: 'Mention', href: `${other.origin}/users/s${n}` }))
    const before = other.requests.length
    await deliver(bob, create(bob.note({ tag, cc: tag.map(({ href }) => href) })))
    assert.ok(other.requests.length - before <= 10)
  })

  test('whose upper part is not to be had begin where they are known', async () => {
    const [top] = chain(1)
    other.behave(new URL(top!['id']).pathname, answer(500), { times: 1 })
    const note = bob.note({ inReplyTo: top!['id'] })
    await deliver(bob, create(note))
    assert.equal((await show(alice, note['id'])).in_reply_to_id, null)
    await deliver(mallory, create({ ...top!, cc: [uriOf(alice)] }, mallory))
    assert.equal((await show(alice, note['id'])).in_reply_to_id, (await getStatus(top!['id'])).id)
  })

  test('are followed further when a run was postponed half-way', async () => {
    const { ctx } = world
    const notes = chain(4)
    const reply = bob.note({ inReplyTo: notes.at(-1)!['id'] })
    const { rows } = await sql<{ id: string }>`
      insert into received_activities (actor_uri, activity_id, body, received_at)
      values (${bob.id}, 'postponed', ${JSON.stringify(create(reply))}::jsonb, now()) returning id`.execute(ctx.db)
    const activityId = rows[0]!.id
    const fetcher: Fetcher = {
      ...ctx.fetcher,
      request: async (input) => {
        if (input.url === notes[1]!['id']) throw new Postponed('no place', { delayMs: 1_000 })
        return ctx.fetcher.request(input)
      },
    }
    await assert.rejects(handleActivity({ ...ctx, fetcher }, { activityId }), Postponed)
    assert.ok(await findStatus(reply['id']), 'the reply itself does not wait')
    assert.equal(await findStatus(notes[1]!['id']), undefined)
    await handleActivity(ctx, { activityId })
    const { id } = await getStatus(reply['id'])
    const { body } = await alice.client.get(`/api/v1/statuses/${id}/context`)
    assert.deepEqual(
      body.ancestors.map(({ uri }: { uri: string }) => uri),
      notes.map((note) => note['id']),
    )
  })
})
