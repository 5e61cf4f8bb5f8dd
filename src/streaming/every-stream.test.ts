import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient, createStreamingAPIClient } from 'masto'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { StreamEvent } from '../entities/notifications/stream-event.ts'
import { openFediverse } from '../../test/federation/fediverse.ts'
import { urlOf } from '../../test/servers/linnet-process.ts'
import { PUBLIC } from '../../test/federation/peer/actor.ts'
import { runCommand } from '../../test/run-command.ts'
import { until } from '../../test/streaming/streams.ts'

const { testServer, peer, deliver, followEachOther, getStatus, close } = await openFediverse({ hosts: ['remote.test'] })
after(close)
const url = await testServer.listen()
const [ann, bob, cat] = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
const restOf = ({ token }: { token: string }) => createRestAPIClient({ url, accessToken: token })
const [anns, bobs, cats] = [restOf(ann), restOf(bob), restOf(cat)]

async function run(...args: string[]): Promise<string> {
  const { dataDir } = testServer.ctx.config
  const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(testServer.connection), LOCAL_DOMAIN: 'linnet.test' }
  const { code, stdout, stderr } = await runCommand(args, env)
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#2b7a78' } })
  .png()
  .toBuffer()

const GREETING = 'Is anybody there?'

/** The number of client messages that the server has read: a pong follows each. */
let acknowledged = 0
class AcknowledgingSocket extends WebSocket {
  constructor(...args: ConstructorParameters<typeof WebSocket>) {
    super(...args)
    // Each subscription adds a listener.
    this.setMaxListeners(50)
  }

  override send(data: string): void {
    super.send(data)
    this.once('pong', () => (acknowledged += 1))
    this.ping()
  }
}

function describe({ event, payload }: { event: string; payload: unknown }): string {
  if (typeof payload === 'string' || typeof payload === 'number') return `${event} ${payload}`
  const { id, announcementId } = (payload ?? {}) as { id?: string; announcementId?: string }
  return `${event} ${id ?? announcementId ?? ''}`.trim()
}

test('masto.js opens every stream and receives every event, on the right streams only', async (t) => {
  const far = await peer.host('remote.test').createActor('far')
  await followEachOther(ann, far)
  await anns.v1.accounts.$select(bob.accountId).follow()
  const list = await anns.v1.lists.create({ title: 'Neighbours' })
  await anns.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.accountId] })
  await anns.v2.notifications.policy.update({ forNotFollowing: 'filter' })
  await testServer.waitForJobs()

  const client = createStreamingAPIClient({
    streamingApiUrl: url.replace('http', 'ws'),
    accessToken: ann.token,
    implementation: AcknowledgingSocket,
  })
  t.after(() => client.close())
  const streams = {
    user: client.user.subscribe(),
    'user:notification': client.user.notification.subscribe(),
    direct: client.direct.subscribe(),
    list: client.list.subscribe({ list: list.id }),
    hashtag: client.hashtag.subscribe({ tag: 'Field' }),
    'hashtag:local': client.hashtag.local.subscribe({ tag: 'field' }),
    public: client.public.subscribe(),
    'public:media': client.public.media.subscribe(),
    'public:local': client.public.local.subscribe(),
    'public:local:media': client.public.local.media.subscribe(),
    'public:remote': client.public.remote.subscribe(),
    'public:remote:media': client.public.remote.media.subscribe(),
  }
  type Name = keyof typeof streams
  const names = Object.keys(streams) as Name[]
  const received = Object.fromEntries(names.map((name) => [name, [] as string[]])) as Record<Name, string[]>
  const events = new Set<string>()
  const greeted = new Set<Name>()
  for (const name of names) {
    void (async () => {
      for await (const event of streams[name]) {
        if (JSON.stringify(event).includes(GREETING)) greeted.add(name)
        else received[name].push(describe(event))
        events.add(event.event)
      }
    })()
  }
  /** Asserts that the streams have received exactly these events since the last call. */
  const expectEvents = async (expected: Partial<Record<Name, string[]>>) => {
    const count = Object.values(expected).flat().length
    await until(() => Object.values(received).flat().length >= count, JSON.stringify(expected)).catch(() => {})
    await testServer.waitForJobs()
    const actual = Object.entries(received).flatMap(([name, lines]) =>
      lines.splice(0).map((line) => `${name}: ${line}`),
    )
    const expectedLines = Object.entries(expected).flatMap(([name, lines]) => lines.map((line) => `${name}: ${line}`))
    assert.deepEqual(actual.toSorted(), expectedLines.toSorted())
  }
  const on = (lines: string[], ...streamNames: Name[]) => Object.fromEntries(streamNames.map((name) => [name, lines]))

  await until(() => acknowledged === names.length, 'every subscription')
  // The subscription to the list is active once its owner has been looked up.
  await until(async () => {
    await bobs.v1.statuses.create({ status: GREETING, visibility: 'unlisted' })
    return greeted.has('list')
  }, 'the list')

  const localStreams = [
    'user',
    'list',
    'hashtag',
    'hashtag:local',
    'public',
    'public:media',
    'public:local',
    'public:local:media',
  ] as const
  const media = await bobs.v2.media.create({ file: new Blob([picture], { type: 'image/png' }) })
  const post = await bobs.v1.statuses.create({ status: 'A #field', mediaIds: [media.id] })
  await expectEvents(on([`update ${post.id}`], ...localStreams))
  await bobs.v1.statuses.$select(post.id).update({ status: 'A green #field', mediaIds: [media.id] })
  await expectEvents(on([`status.update ${post.id}`], ...localStreams))
  await bobs.v1.statuses.$select(post.id).remove()
  await expectEvents(on([`delete ${post.id}`], ...localStreams))

  const note = far.note({
    content: '<p>A far <a href="https://remote.test/tags/field">#field</a></p>',
    tag: [{ type: 'Hashtag', name: '#field', href: 'https://remote.test/tags/field' }],
    attachment: [{ type: 'Document', mediaType: 'image/png', url: 'https://remote.test/field.png' }],
  })
  const remoteStreams = ['user', 'hashtag', 'public', 'public:media', 'public:remote', 'public:remote:media'] as const
  await deliver(far, far.activity('Create', note, { to: [PUBLIC] }))
  const { id: farId } = await getStatus(note['id'])
  await expectEvents(on([`update ${farId}`], ...remoteStreams))
  const edited = { ...note, content: '<p>A golden #field</p>', updated: new Date().toISOString() }
  await deliver(far, far.activity('Update', edited, { to: [PUBLIC] }))
  await expectEvents(on([`status.update ${farId}`], ...remoteStreams))
  await deliver(far, far.activity('Delete', { id: note['id'], type: 'Tombstone' }, { to: [PUBLIC] }))
  // The lists that contained it are no longer known.
  await expectEvents(on([`delete ${farId}`], ...remoteStreams, 'list'))

  const directMessage = await bobs.v1.statuses.create({ status: `@${ann.username} psst`, visibility: 'direct' })
  await testServer.waitForJobs()
  const [notification] = await anns.v1.notifications.list()
  const [conversation] = await anns.v1.conversations.list()
  await expectEvents({
    user: [`update ${directMessage.id}`, `notification ${notification!.id}`],
    'user:notification': [`notification ${notification!.id}`],
    direct: [`conversation ${conversation!.id}`],
  })
  await bobs.v1.statuses.$select(directMessage.id).update({ status: `@${ann.username} psst!` })
  await expectEvents(on([`status.update ${directMessage.id}`], 'user', 'user:notification', 'direct'))

  await cats.v1.statuses.create({ status: `@${ann.username} let me in`, visibility: 'unlisted' })
  await expectEvents({})
  const [request] = await anns.v1.notifications.requests.list()
  await anns.v1.notifications.requests.$select(request!.id).accept()
  await expectEvents(on(['notifications_merged 1'], 'user', 'user:notification'))

  await anns.v2.filters.create({ title: 'Weeds', context: ['home'] })
  await expectEvents(on(['filters_changed'], 'user'))

  const announcementId = await run('announcements', 'publish', 'The gate is closed at night')
  await expectEvents(on([`announcement ${announcementId}`], 'user'))
  await bobs.v1.announcements.$select(announcementId).reactions.$select('👍').update()
  await expectEvents(on([`announcement.reaction ${announcementId}`], 'user'))
  await run('announcements', 'remove', announcementId)
  await expectEvents(on([`announcement.delete ${announcementId}`], 'user'))

  assert.deepEqual([...events].toSorted(), StreamEvent.properties.event.enum.toSorted())
})
