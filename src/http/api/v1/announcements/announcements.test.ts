import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import sharp from 'sharp'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { openSocket, until } from '../../../../../test/streaming/streams.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import { createAnnouncement } from '../../../../domain/announcements/write-announcement.ts'
import { removeAnnouncement } from '../../../../domain/announcements/remove-announcement.ts'
import { saveEmoji } from '../../../../domain/emojis/save-emoji.ts'
import { removeEmoji } from '../../../../domain/emojis/remove-emoji.ts'
import type { Announcement } from '../../../../entities/instance/announcement.ts'

const port = await findPort()
const domain = `localhost:${port}`
let now = () => new Date()
const testServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain }, now: () => now() })
after(testServer.close)
const origin = await testServer.listen()
const { ctx } = testServer
const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]

const PATH = '/api/v1/announcements'
const HOUR_MS = 3_600_000

interface AnnouncementTimes {
  startsAt?: Date
  endsAt?: Date
  allDay?: boolean
}
const publish = (text: string, { startsAt, endsAt, allDay = false }: AnnouncementTimes = {}) =>
  ctx.write((tx) =>
    createAnnouncement(tx, { by: null, text, startsAt: startsAt ?? null, endsAt: endsAt ?? null, allDay }),
  )
const remove = (announcementId: string) => ctx.write((tx) => removeAnnouncement(tx, { by: null, announcementId }))
const list = async (user = alice) => (await user.client.get<Announcement[]>(PATH)).body
const find = async (id: string, user = alice) => (await list(user)).find((announcement) => announcement.id === id)
const react = (user: typeof alice, id: string, name: string) =>
  user.client.put(`${PATH}/${id}/reactions/${encodeURIComponent(name)}`)

const image = await sharp({ create: { width: 40, height: 40, channels: 4, background: 'teal' } })
  .png()
  .toBuffer()
const createEmoji = (shortcode: string) =>
  saveEmoji(ctx, { by: null, shortcode, image: { buffer: image }, category: null, listed: true, replaces: false })

test('an announcement has the entities of its text and is visible to users until it ends', async () => {
  await createEmoji('tada')
  const { body: publicStatus } = await bob.client.post('/api/v1/statuses', { status: 'The plan' })
  const { body: privateStatus } = await bob.client.post('/api/v1/statuses', { status: 'x', visibility: 'private' })
  const text = `Ask @${bob.username} :tada: #Party <b> ${publicStatus.url} ${privateStatus.url}`
  const id = await publish(text, { endsAt: new Date(Date.now() + HOUR_MS) })
  const found = await find(id)
  assertEntity('Announcement', found)
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
    [publicStatus.id],
  )

  assert.equal((await testServer.anonymous.get(PATH)).status, 401)
  const pending = await testServer.createUser({ approved: false })
  assert.equal((await pending.client.get(PATH)).status, 403)

  now = () => new Date(Date.now() + 2 * HOUR_MS)
  assert.equal(await find(id), undefined)
  assert.equal((await alice.client.post(`${PATH}/${id}/dismiss`)).status, 404)
  assert.equal((await react(alice, id, '🎉')).status, 404)
  now = () => new Date()
  await remove(id)
})

test('announcements are sorted by their start; all-day announcements end with their last day', async () => {
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
  assert.equal((await find(later))?.all_day, true)
  now = () => new Date('2027-03-11T00:00:00Z')
  assert.equal(await find(later), undefined)
  now = () => new Date()
  for (const id of [later, sooner, plain]) await remove(id)
})

test('dismissing an announcement marks it as read for that user only', async () => {
  const id = await publish('Read me')
  for (let time = 0; time < 2; time += 1) {
    const { status, body } = await alice.client.post(`${PATH}/${id}/dismiss`)
    assert.deepEqual([status, body], [200, {}])
  }
  assert.deepEqual([(await find(id))?.read, (await find(id, bob))?.read], [true, false])
  for (const unknown of ['0', '999999', 'x']) {
    assert.equal((await alice.client.post(`${PATH}/${unknown}/dismiss`)).status, 404)
  }
  await remove(id)
})

test('users add and remove reactions with Unicode and local custom emojis, each once', async () => {
  await createEmoji('blob')
  const id = await publish('What do you say?')
  for (const [user, name] of [
    [alice, '🎉'],
    [alice, '🎉'],
    [bob, '🎉'],
    [bob, 'blob'],
    // The same heart, with and without the emoji variation selector.
    [alice, '❤'],
    [bob, '❤️'],
  ] as const) {
    assert.deepEqual([(await react(user, id, name)).status], [200], name)
  }
  const found = await find(id)
  assertEntity('Announcement', found)
  assert.deepEqual(
    found!.reactions.map(({ name, count, me }) => [name, count, me]),
    [
      ['🎉', 2, true],
      ['blob', 1, false],
      ['❤️', 2, true],
    ],
  )
  assert.match(found!.reactions[1]!.url!, /\/system\/emojis\/.*\.png$/)
  for (const invalid of ['unknown_emoji', 'a', '🎉🎉', ':blob:', '1', '<b>', ' ']) {
    const { status, body } = await react(alice, id, invalid)
    assert.deepEqual([status, body.error], [422, 'Validation failed: Name is not a recognized emoji'], invalid)
  }
  const removeReaction = (user: typeof alice, name: string) =>
    user.client.delete(`${PATH}/${id}/reactions/${encodeURIComponent(name)}`)
  for (let time = 0; time < 2; time += 1) assert.deepEqual((await removeReaction(alice, '🎉')).body, {})
  assert.equal((await removeReaction(bob, '❤')).status, 200)
  await ctx.write((tx) => removeEmoji(tx, { by: null, shortcode: 'blob' }))
  assert.deepEqual(
    (await find(id))!.reactions.map(({ name, count, me }) => [name, count, me]),
    [
      ['🎉', 1, false],
      ['❤️', 1, true],
    ],
  )
  await remove(id)
  assert.equal((await removeReaction(bob, '🎉')).status, 404)
})

test('an announcement has at most eight different reactions, also with concurrent requests', async () => {
  const id = await publish('Eight')
  const names = Array.from('😀😁😂🤣😃😄😅😆😉😊😋😎')
  const users = await Promise.all(names.map(() => testServer.createUser()))
  const responses = await Promise.all(names.map((name, n) => react(users[n]!, id, name)))
  assert.equal(responses.filter(({ status }) => status === 200).length, 8)
  const rejected = responses.find(({ status }) => status === 422)
  assert.equal(rejected?.body.error, 'Validation failed: Limit of different reactions reached')
  const { reactions } = (await find(id))!
  assert.equal(reactions.length, 8)
  assert.equal((await react(alice, id, reactions[3]!.name)).status, 200)
  await remove(id)
})

test('announcements, their reactions and their end are streamed', async () => {
  await testServer.waitForJobs()
  const socket = await openSocket(origin, { token: alice.token })
  await socket.subscribe('user')
  const received = (event: string) => socket.received.filter((entry) => entry.event === event)
  const id = await publish('Listen')
  const [message] = await until(() => received('announcement').length > 0 && received('announcement'))
  const payload = JSON.parse(message!.payload) as Announcement
  assertEntity('Announcement', payload)
  assert.deepEqual([payload.id, payload.read, message!.stream], [id, undefined, ['user']])

  await react(bob, id, '👍')
  await react(alice, id, '👍')
  await alice.client.delete(`${PATH}/${id}/reactions/${encodeURIComponent('👍')}`)
  await until(() => received('announcement.reaction').length === 3)
  const last = JSON.parse(received('announcement.reaction').at(-1)!.payload) as object
  assertEntity('AnnouncementReaction', last)
  assert.deepEqual(last, { name: '👍', count: 1, announcement_id: id })
  await createEmoji('cheer')
  await react(bob, id, 'cheer')
  await until(() => received('announcement.reaction').length === 4)
  const { announcement_id, ...custom } = JSON.parse(received('announcement.reaction').at(-1)!.payload)
  assertEntity('AnnouncementReaction', { announcement_id, ...custom })
  const shown = (await find(id))!.reactions.find(({ name }) => name === 'cheer')
  assert.deepEqual({ ...custom, me: false }, shown)

  await remove(id)
  await until(() => received('announcement.delete').length === 1)
  assert.equal(received('announcement.delete')[0]!.payload, id)

  const ending = await publish('Ends', { endsAt: new Date(Date.now() + 300) })
  await until(() => received('announcement.delete').length === 2)
  assert.equal(received('announcement.delete')[1]!.payload, ending)
  socket.ws.close()
})

test('deleting an account deletes its reactions', async () => {
  const [deletedUser, id] = [await testServer.createUser(), await publish('Bye')]
  await react(deletedUser, id, '👋')
  await deletedUser.client.post(`${PATH}/${id}/dismiss`)
  await sql`delete from accounts where id = ${deletedUser.accountId}`.execute(ctx.db)
  assert.deepEqual((await find(id))?.reactions, [])
  await remove(id)
})

test('masto.js reads, dismisses and reacts to announcements', async () => {
  const rest = createRestAPIClient({ url: `http://${domain}`, accessToken: bob.token })
  const id = await publish('For masto.js')
  const announcement = rest.v1.announcements.$select(id)
  await announcement.reactions.$select('🎈').update()
  await announcement.dismiss()
  const [first] = await rest.v1.announcements.list()
  assert.deepEqual([first?.id, (await find(id, bob))?.read, first?.reactions[0]?.me], [id, true, true])
  await announcement.reactions.$select('🎈').remove()
  assert.deepEqual((await rest.v1.announcements.list())[0]?.reactions, [])
  await remove(id)
})
