import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { findPort } from '../../../../test/linnet.ts'
import { openSocket, until } from '../../../../test/streams.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import { publishAnnouncement } from '../../../domain/announcements/publish.ts'
import { removeAnnouncement } from '../../../domain/announcements/remove.ts'
import { keepEmoji } from '../../../domain/emojis/keep.ts'
import { removeEmoji } from '../../../domain/emojis/remove.ts'
import type { Announcement } from '../../../entities/announcement.ts'

const port = await findPort()
const domain = `localhost:${port}`
let now = () => new Date()
const world = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain }, now: () => now() })
after(world.close)
const origin = await world.listen()
const { ctx } = world
const [alice, bob] = [await world.createPerson(), await world.createPerson()]

const PATH = '/api/v1/announcements'
const HOUR_MS = 3_600_000

interface When {
  startsAt?: Date
  endsAt?: Date
  allDay?: boolean
}
const publish = (text: string, { startsAt, endsAt, allDay = false }: When = {}) =>
  ctx.write((tx) => publishAnnouncement(tx, { text, startsAt: startsAt ?? null, endsAt: endsAt ?? null, allDay }))
const remove = (announcementId: string) => ctx.write((tx) => removeAnnouncement(tx, { announcementId }))
const list = async (person = alice) => (await person.client.get<Announcement[]>(PATH)).body
const one = async (id: string, person = alice) => (await list(person)).find((each) => each.id === id)
const react = (person: typeof alice, id: string, name: string) =>
  person.client.put(`${PATH}/${id}/reactions/${encodeURIComponent(name)}`)

const picture = await sharp({ create: { width: 40, height: 40, channels: 4, background: 'teal' } })
  .png()
  .toBuffer()
const makeEmoji = (shortcode: string) =>
  keepEmoji(ctx, { shortcode, picture: { buffer: picture }, category: null, listed: true, replaces: false })

test('an announcement has what its text names, and is shown to people of here until it is over', async () => {
  await makeEmoji('tada')
  const { body: said } = await bob.client.post('/api/v1/statuses', { status: 'The plan' })
  const { body: secret } = await bob.client.post('/api/v1/statuses', { status: 'x', visibility: 'private' })
  const text = `Ask @${bob.username} :tada: #Party <b> ${said.url} ${secret.url}`
  const id = await publish(text, { endsAt: new Date(Date.now() + HOUR_MS) })
  const found = await one(id)
  assertOnWire('Announcement', found)
  assert.ok(found)
  assert.match(found.content, /^<p>Ask <span class="h-card".*&lt;b&gt;/)
  assert.deepEqual([found.read, found.all_day, found.starts_at, found.reactions], [false, false, null, []])
  assert.deepEqual(
    found.mentions.map((mention) => mention.id),
    [bob.accountId],
  )
  assert.deepEqual(
    found.tags.map((tag) => tag.name),
    ['party'],
  )
  assert.deepEqual(
    found.emojis.map((emoji) => emoji.shortcode),
    ['tada'],
  )
  assert.deepEqual(
    found.statuses.map((status) => status.id),
    [said.id],
  )

  assert.equal((await world.anonymous.get(PATH)).status, 401)
  const pending = await world.createPerson({ approved: false })
  assert.equal((await pending.client.get(PATH)).status, 403)

  now = () => new Date(Date.now() + 2 * HOUR_MS)
  assert.equal(await one(id), undefined)
  assert.equal((await alice.client.post(`${PATH}/${id}/dismiss`)).status, 404)
  assert.equal((await react(alice, id, '🎉')).status, 404)
  now = () => new Date()
  await remove(id)
})

test('announcements stand in the order of what they tell of; of whole days, the last one counts to its end', async () => {
  const day = (text: string) => new Date(`${text}T12:00:00Z`)
  now = () => day('2027-03-01')
  const later = await publish('Later', { startsAt: day('2027-03-09'), endsAt: day('2027-03-10'), allDay: true })
  const sooner = await publish('Sooner', { startsAt: day('2027-03-05') })
  const plain = await publish('Plain')
  assert.deepEqual(
    (await list()).map(({ id }) => id),
    [plain, sooner, later],
  )
  now = () => new Date('2027-03-10T23:59:59Z')
  assert.equal((await one(later))?.all_day, true)
  now = () => new Date('2027-03-11T00:00:00Z')
  assert.equal(await one(later), undefined)
  now = () => new Date()
  for (const id of [later, sooner, plain]) await remove(id)
})

test('who dismisses an announcement has read it, and nobody else has', async () => {
  const id = await publish('Read me')
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await alice.client.post(`${PATH}/${id}/dismiss`)
    assert.deepEqual([status, body], [200, {}])
  }
  assert.deepEqual([(await one(id))?.read, (await one(id, bob))?.read], [true, false])
  for (const unknown of ['0', '999999', 'x']) {
    assert.equal((await alice.client.post(`${PATH}/${unknown}/dismiss`)).status, 404)
  }
  await remove(id)
})

test('people react with emojis and custom emojis of here, each once, and take it back', async () => {
  await makeEmoji('blob')
  const id = await publish('What do you say?')
  for (const [person, name] of [
    [alice, '🎉'],
    [alice, '🎉'],
    [bob, '🎉'],
    [bob, 'blob'],
    // The same heart, with and without the sign that it is an emoji.
    [alice, '❤'],
    [bob, '❤️'],
  ] as const) {
    assert.deepEqual([(await react(person, id, name)).status], [200], name)
  }
  const found = await one(id)
  assertOnWire('Announcement', found)
  assert.deepEqual(
    found!.reactions.map(({ name, count, me }) => [name, count, me]),
    [
      ['🎉', 2, true],
      ['blob', 1, false],
      ['❤️', 2, true],
    ],
  )
  assert.match(found!.reactions[1]!.url!, /\/system\/emojis\/.*\.png$/)
  for (const wrong of ['nobodys_emoji', 'a', '🎉🎉', ':blob:', '1', '<b>', ' ']) {
    const { status, body } = await react(alice, id, wrong)
    assert.deepEqual([status, body.error], [422, 'Validation failed: Name is not a recognized emoji'], wrong)
  }
  const withdraw = (person: typeof alice, name: string) =>
    person.client.delete(`${PATH}/${id}/reactions/${encodeURIComponent(name)}`)
  for (let time = 0; time < 2; time += 1) assert.deepEqual((await withdraw(alice, '🎉')).body, {})
  assert.equal((await withdraw(bob, '❤')).status, 200)
  await ctx.write((tx) => removeEmoji(tx, { shortcode: 'blob' }))
  assert.deepEqual(
    (await one(id))!.reactions.map(({ name, count, me }) => [name, count, me]),
    [
      ['🎉', 1, false],
      ['❤️', 1, true],
    ],
  )
  await remove(id)
  assert.equal((await withdraw(bob, '🎉')).status, 404)
})

test('an announcement has eight different reactions at most, however many come at once', async () => {
  const id = await publish('Eight')
  const names = Array.from('😀😁😂🤣😃😄😅😆😉😊😋😎')
  const people = await Promise.all(names.map(() => world.createPerson()))
  const answers = await Promise.all(names.map((name, n) => react(people[n]!, id, name)))
  assert.equal(answers.filter(({ status }) => status === 200).length, 8)
  const refused = answers.find(({ status }) => status === 422)
  assert.equal(refused?.body.error, 'Validation failed: Limit of different reactions reached')
  const { reactions } = (await one(id))!
  assert.equal(reactions.length, 8)
  assert.equal((await react(alice, id, reactions[3]!.name)).status, 200)
  await remove(id)
})

test('whoever listens hears of announcements, of reactions to them, and of their end', async () => {
  await world.settle()
  const socket = await openSocket(origin, { token: alice.token })
  await socket.subscribe('user')
  const heard = (event: string) => socket.received.filter((message) => message.event === event)
  const id = await publish('Listen')
  const [told] = await until(() => heard('announcement').length > 0 && heard('announcement'))
  const payload = JSON.parse(told!.payload) as Announcement
  assertOnWire('Announcement', payload)
  assert.deepEqual([payload.id, payload.read, told!.stream], [id, undefined, ['user']])

  await react(bob, id, '👍')
  await react(alice, id, '👍')
  await alice.client.delete(`${PATH}/${id}/reactions/${encodeURIComponent('👍')}`)
  await until(() => heard('announcement.reaction').length === 3)
  const last = JSON.parse(heard('announcement.reaction').at(-1)!.payload) as object
  assertOnWire('AnnouncementReaction', last)
  assert.deepEqual(last, { name: '👍', count: 1, announcement_id: id })

  await remove(id)
  await until(() => heard('announcement.delete').length === 1)
  assert.equal(heard('announcement.delete')[0]!.payload, id)

  const ending = await publish('Ends', { endsAt: new Date(Date.now() + 300) })
  await until(() => heard('announcement.delete').length === 2)
  assert.equal(heard('announcement.delete')[1]!.payload, ending)
  socket.ws.close()
})

test('what somebody who leaves has read and said is gone with them', async () => {
  const [leaving, id] = [await world.createPerson(), await publish('Bye')]
  await react(leaving, id, '👋')
  await leaving.client.post(`${PATH}/${id}/dismiss`)
  await sql`delete from accounts where id = ${leaving.accountId}`.execute(ctx.db)
  assert.deepEqual((await one(id))?.reactions, [])
  await remove(id)
})

test('masto.js reads, dismisses and answers announcements', async () => {
  const rest = createRestAPIClient({ url: `http://${domain}`, accessToken: bob.token })
  const id = await publish('For masto.js')
  const announcement = rest.v1.announcements.$select(id)
  await announcement.reactions.$select('🎈').update()
  await announcement.dismiss()
  const [first] = await rest.v1.announcements.list()
  assert.deepEqual([first?.id, (await one(id, bob))?.read, first?.reactions[0]?.me], [id, true, true])
  await announcement.reactions.$select('🎈').remove()
  assert.deepEqual((await rest.v1.announcements.list())[0]?.reactions, [])
  await remove(id)
})
