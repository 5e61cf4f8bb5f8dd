import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, makeRemote, newName, statusFacts } from '../../../test/remote.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { Conversation } from '../../entities/conversation.ts'
import { removeRemoteAccount } from '../accounts/remove-remote.ts'
import { recordRemoteStatus } from '../statuses/record-remote.ts'
import type { RemoteStatusFacts } from '../statuses/record-remote.ts'
import { removeRemoteStatus } from '../statuses/remove-remote.ts'
import { updateRemoteStatus } from '../statuses/update-remote.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world
const HOUR_MS = 3_600_000

/** What somebody elsewhere writes to a few people. */
const letter = (accountId: string, mentionedIds: string[], more: Partial<RemoteStatusFacts> = {}): RemoteStatusFacts =>
  statusFacts({ accountId, mentionedIds, visibility: 'direct', ...more })

async function receive(facts: RemoteStatusFacts): Promise<string> {
  const { statusId } = await ctx.write((tx) => recordRemoteStatus(tx, facts))
  await world.settle()
  return statusId
}

async function glance(person: Person): Promise<string[]> {
  const { status, body } = await person.client.get<Conversation[]>('/api/v1/conversations')
  assert.equal(status, 200)
  return body.map(({ accounts, last_status: last, unread }) => {
    const ids = accounts.map((one) => one.id).toSorted()
    return `${ids.join()}: ${last?.id}${unread ? '*' : ''}`
  })
}

test('what somebody elsewhere writes to people here is a conversation of each of these', async () => {
  const far = await makeRemote(ctx)
  const [ann, bob, eve] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const facts = letter(far, [ann.accountId, bob.accountId])
  const id = await receive(facts)
  assert.equal(await receive(facts), id)
  assert.deepEqual(await glance(ann), [`${[far, bob.accountId].toSorted().join()}: ${id}*`])
  assert.deepEqual(await glance(bob), [`${[far, ann.accountId].toSorted().join()}: ${id}*`])
  assert.deepEqual(await glance(eve), [])
  const answer = await ann.client.post('/api/v1/statuses', { status: 'aha', visibility: 'direct', in_reply_to_id: id })
  await world.settle()
  assert.equal(
    (await glance(ann))[0],
    `${ann.accountId}: ${answer.body.id}`,
    'whom one does not name, one does not tell',
  )
})

test('what comes late has its place by when it was written, and is unread', async () => {
  const far = await makeRemote(ctx)
  const ann = await world.createPerson()
  const late = await receive(letter(far, [ann.accountId], { publishedAt: new Date(Date.now() - 30 * HOUR_MS) }))
  assert.deepEqual(await glance(ann), [`${far}: ${late}*`])
})

test('replies that come before what they answer end up in its conversation', async () => {
  const far = await makeRemote(ctx)
  const ann = await world.createPerson()
  const [root, middle] = [`${HOST}/s/${newName()}`, `${HOST}/s/${newName()}`]
  const second = await receive(letter(far, [ann.accountId], { uri: middle, inReplyTo: root }))
  const third = await receive(letter(far, [ann.accountId], { inReplyTo: middle }))
  const elsewhere = await receive(letter(far, [ann.accountId]))
  assert.deepEqual(await glance(ann), [`${far}: ${elsewhere}*`, `${far}: ${third}*`])
  const [, { id: talkId }] = (await ann.client.get('/api/v1/conversations')).body
  await ann.client.post(`/api/v1/conversations/${talkId}/read`)
  await receive(letter(far, [ann.accountId], { uri: root, publishedAt: new Date(Date.now() - HOUR_MS) }))
  assert.deepEqual(await glance(ann), [`${far}: ${elsewhere}*`, `${far}: ${third}*`], 'the first of them is new')
  await ctx.write((tx) => removeRemoteStatus(tx, { uri: middle, accountId: far }))
  await world.settle()
  assert.notEqual(second, third)
  assert.equal((await glance(ann))[1], `${far}: ${third}*`)
})

test('whoever is addressed without being named has no conversation, until an edit names them', async () => {
  const far = await makeRemote(ctx)
  const ann = await world.createPerson()
  const facts = letter(far, [], { silentIds: [ann.accountId], publishedAt: new Date(Date.now() - HOUR_MS) })
  const id = await receive(facts)
  assert.deepEqual(await glance(ann), [])
  const next = { ...facts, content: '<p>now</p>', mentionedIds: [ann.accountId], silentIds: [], updatedAt: new Date() }
  await ctx.write((tx) => updateRemoteStatus(tx, next))
  await world.settle()
  assert.deepEqual(await glance(ann), [`${far}: ${id}*`])
})

test('whoever blocks a domain sees no conversation with people from there, unless they follow them', async () => {
  const far = await makeRemote(ctx)
  const ann = await world.createPerson()
  const id = await receive(letter(far, [ann.accountId]))
  assert.equal((await ann.client.post('/api/v1/domain_blocks', { domain: 'far.test' })).status, 200)
  await world.settle()
  assert.deepEqual(await glance(ann), [])
  await receive(letter(far, [ann.accountId]))
  await ann.client.send({ method: 'DELETE', url: '/api/v1/domain_blocks', payload: { domain: 'far.test' } })
  assert.deepEqual(await glance(ann), [`${far}: ${id}*`])
})

test('when somebody elsewhere is gone for ever, so is what they wrote; what one wrote to them stays', async () => {
  const [far, other] = [await makeRemote(ctx), await makeRemote(ctx)]
  const ann = await world.createPerson()
  await receive(letter(far, [ann.accountId]))
  const shared = await receive(letter(other, [ann.accountId, far]))
  const { uri } = await ctx.db.selectFrom('accounts').select('uri').where('id', '=', far).executeTakeFirstOrThrow()
  await ctx.write((tx) => removeRemoteAccount(tx, { uri }))
  await world.settle()
  assert.deepEqual(await glance(ann), [`${other}: ${shared}*`])
})
