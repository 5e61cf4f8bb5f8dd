import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { makeRemote, makeRemoteStatus } from '../../../../../test/remote.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { Status, StatusEdit } from '../../../../entities/status.ts'

const world = await openWorld({ env: { DB_POOL: '10' } })
after(world.close)
const { db } = world.ctx

async function post(person: Person, body: Record<string, unknown>): Promise<Status> {
  const answer = await person.client.post<Status>('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function edit(person: Person, id: string, body: Record<string, unknown>): Promise<Status> {
  const answer = await person.client.put<Status>(`/api/v1/statuses/${id}`, body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function history(id: string, person?: Person): Promise<StatusEdit[]> {
  const { status, body } = await (person?.client ?? world.anonymous).get(`/api/v1/statuses/${id}/history`)
  assert.equal(status, 200)
  return body
}

async function kindsOf(person: Person): Promise<string[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map((one: { type: string; status?: Status }) => `${one.type} ${one.status?.id}`)
}

/** An upload of somebody, as far as statuses care. */
async function upload({ accountId }: Person, type = 'image'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${accountId}, ${type}, 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(db)
  return rows[0]!.id
}

test('an edit replaces everything but the language; every version stays readable, the first one first', async () => {
  const alice = await world.createPerson()
  const first = await post(alice, {
    status: 'one #tag',
    spoiler_text: 'careful',
    visibility: 'unlisted',
    language: 'de',
    media_ids: [await upload(alice)],
  })
  const second = await edit(alice, first.id, { status: 'two #other' })
  assertOnWire('Status', second)
  assert.deepEqual(
    [second.id, second.content, second.spoiler_text, second.sensitive, second.media_attachments, second.language],
    [
      first.id,
      '<p>two <a href="https://linnet.test/tags/other" class="mention hashtag" rel="tag">#<span>other</span></a></p>',
      '',
      false,
      [],
      'de',
    ],
  )
  assert.deepEqual([second.visibility, second.created_at], ['unlisted', first.created_at])
  assert.ok(second.edited_at)
  assert.deepEqual(
    second.tags.map(({ name }) => name),
    ['other'],
  )
  const third = await edit(alice, first.id, { status: 'three', language: 'fr', sensitive: true })
  assert.equal(third.language, 'fr')
  const versions = await history(first.id)
  for (const version of versions) assertOnWire('StatusEdit', version)
  assert.deepEqual(
    versions.map((one) => [one.created_at, one.spoiler_text, one.sensitive, one.media_attachments.length]),
    [
      [first.created_at, 'careful', true, 1],
      [second.edited_at, '', false, 0],
      [third.edited_at, '', true, 0],
    ],
  )
  assert.match(versions[0]!.content, /one/)
  assert.equal(versions[2]!.content, '<p>three</p>')
})

test('a status that was never edited has one version, and its source as it was typed', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const text = 'plain <b> &amp; @nobody'
  const status = await post(alice, { status: text, spoiler_text: 'cw' })
  const [version, ...more] = await history(status.id)
  assert.deepEqual([version?.created_at, version?.content, more], [status.created_at, status.content, []])
  const source = await bob.client.get(`/api/v1/statuses/${status.id}/source`)
  assertOnWire('StatusSource', source.body)
  assert.deepEqual(source.body, { id: status.id, text, spoiler_text: 'cw' })
  assert.equal((await world.anonymous.get(`/api/v1/statuses/${status.id}/source`)).status, 401)
})

test('an edit that changes nothing makes no version; another language is a change', async () => {
  const alice = await world.createPerson()
  const media_ids = [await upload(alice), await upload(alice)]
  const body = { status: 'same', spoiler_text: 'cw', media_ids }
  const { id } = await post(alice, { ...body, language: 'en' })
  const again = await edit(alice, id, { ...body, media_attributes: [{ id: media_ids[0] }] })
  assert.equal(again.edited_at, null)
  assert.equal((await history(id)).length, 1)
  await edit(alice, id, { ...body, language: 'de' })
  assert.equal((await history(id)).length, 2)
  await edit(alice, id, { ...body, media_ids: media_ids.toReversed() })
  assert.equal((await history(id)).length, 3)
})

test('descriptions and focus change with an edit; the history shows them as they were', async () => {
  const alice = await world.createPerson()
  const [a, b] = [await upload(alice), await upload(alice)]
  const { id } = await post(alice, { status: 'pictures', media_ids: [a] })
  const edited = await edit(alice, id, {
    status: 'pictures',
    media_ids: [b, a],
    media_attributes: [
      { id: a, description: 'the first', focus: '0.5,-0.5' },
      { id: b, focus: 'nonsense' },
      { id: '999999', description: 'of nothing' },
    ],
  })
  const shown = ({ media_attachments }: Pick<Status, 'media_attachments'>) =>
    media_attachments.map((one) => [one.id, one.description, one.meta?.focus])
  const now = [
    [b, null, undefined],
    [a, 'the first', { x: 0.5, y: -0.5 }],
  ]
  assert.deepEqual(shown(edited), now)
  const versions = await history(id)
  assert.deepEqual(versions.map(shown), [[[a, null, undefined]], now])
  // What was taken out can come back.
  await edit(alice, id, { status: 'pictures' })
  assert.deepEqual(shown(await edit(alice, id, { status: 'pictures', media_ids: [a] })), [now[1]])
})

test('VI18 an edit takes no fifth upload, none of others, and keeps to whom the status is shown', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const parent = await post(bob, { status: 'parent' })
  const status = await post(alice, { status: 'x', visibility: 'private', in_reply_to_id: parent.id })
  const five = await Promise.all(Array.from({ length: 5 }, () => upload(alice)))
  const refused = async (media_ids: string[]) =>
    (await alice.client.put(`/api/v1/statuses/${status.id}`, { status: 'y', media_ids })).status
  assert.equal(await refused(five), 422)
  assert.equal(await refused([await upload(bob)]), 422)
  assert.equal(await refused([await upload(alice), await upload(alice, 'video')]), 422)
  const taken = await upload(alice)
  await post(alice, { status: 'has it', media_ids: [taken] })
  assert.equal(await refused([taken]), 422)
  assert.equal((await history(status.id, alice)).length, 1)
  const after_ = await edit(alice, status.id, { status: 'z', visibility: 'public', in_reply_to_id: '' })
  assert.deepEqual([after_.visibility, after_.in_reply_to_id], ['private', parent.id])
})

test('VI1 nobody edits what is not theirs, and hidden statuses have no history', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const status = await post(alice, { status: 'mine', visibility: 'private' })
  const remote = await makeRemoteStatus(world.ctx, { accountId: await makeRemote(world.ctx) })
  const boost = await alice.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  const put = async (person: Person, id: string) =>
    (await person.client.put(`/api/v1/statuses/${id}`, { status: 'changed' })).status
  assert.deepEqual(
    [await put(bob, status.id), await put(bob, remote), await put(alice, boost.body.id)],
    [404, 404, 404],
  )
  for (const path of ['history', 'source']) {
    const hidden = await bob.client.get(`/api/v1/statuses/${status.id}/${path}`)
    const absent = await bob.client.get(`/api/v1/statuses/1/${path}`)
    assert.deepEqual([hidden.status, hidden.body], [404, absent.body])
  }
  assert.equal((await alice.client.put(`/api/v1/statuses/${status.id}`, { status: ' ' })).status, 422)
})

test('VI4 an edit tells who is newly mentioned and who boosted; who is no longer mentioned still reads, and hears nothing', async () => {
  const [alice, bob, carol, fan] = await Promise.all(Array.from({ length: 4 }, () => world.createPerson()))
  const status = await post(alice!, { status: `hi @${bob!.username}`, visibility: 'private' })
  const open = await post(alice!, { status: 'open' })
  await fan!.client.post(`/api/v1/statuses/${open.id}/reblog`)
  assert.deepEqual(await kindsOf(bob!), [`mention ${status.id}`])
  const edited = await edit(alice!, status.id, { status: `hi @${carol!.username}` })
  assert.deepEqual(
    edited.mentions.map(({ id }) => id),
    [carol!.accountId],
  )
  assert.deepEqual(await kindsOf(carol!), [`mention ${status.id}`])
  assert.deepEqual(await kindsOf(bob!), [`mention ${status.id}`])
  assert.equal((await bob!.client.get(`/api/v1/statuses/${status.id}`)).status, 200)

  await edit(alice!, open.id, { status: 'open, edited' })
  assert.deepEqual(await kindsOf(fan!), [`update ${open.id}`])
  const ids = async () => (await fan!.client.get('/api/v1/notifications')).body.map((one: { id: string }) => one.id)
  const before = await ids()
  await edit(alice!, open.id, { status: 'open, edited again' })
  assert.deepEqual(await kindsOf(fan!), [`update ${open.id}`])
  assert.notDeepEqual(await ids(), before)
  await fan!.client.post(`/api/v1/accounts/${alice!.accountId}/mute`)
  await edit(alice!, open.id, { status: 'unheard' })
  assert.deepEqual(await kindsOf(fan!), [])
})

test('edits are counted with posts', async () => {
  const alice = await world.createPerson()
  const { id } = await post(alice, { status: 'x' })
  const { headers } = await alice.client.put(`/api/v1/statuses/${id}`, { status: 'y' })
  assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['300', '298'])
})

test('BI17 one status, edited 20 times at once, has every version once', async () => {
  const alice = await world.createPerson()
  const { id } = await post(alice, { status: 'start' })
  await Promise.all(Array.from({ length: 20 }, (_, n) => edit(alice, id, { status: `version ${n}` })))
  const versions = await history(id)
  assert.equal(versions.length, 21)
  assert.equal(new Set(versions.map(({ content }) => content)).size, 21)
})
