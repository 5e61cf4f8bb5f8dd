import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createRestAPIClient, createStreamingAPIClient } from 'masto'
import sharp from 'sharp'
import { WebSocket } from 'ws'
import { StreamEvent } from '../entities/stream-event.ts'
import { openFediverse } from '../../test/fediverse.ts'
import { urlOf } from '../../test/linnet.ts'
import { PUBLIC } from '../../test/peer/actor.ts'
import { runCommand } from '../../test/run-command.ts'
import { until } from '../../test/streams.ts'

const { world, peer, deliver, befriend, getStatus, close } = await openFediverse({ hosts: ['remote.test'] })
after(close)
const url = await world.listen()
const [ann, bob, cat] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
const restOf = ({ token }: { token: string }) => createRestAPIClient({ url, accessToken: token })
const [anns, bobs, cats] = [restOf(ann), restOf(bob), restOf(cat)]

async function run(...args: string[]): Promise<string> {
  const { dataDir } = world.ctx.config
  const env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(world.connection), LOCAL_DOMAIN: 'linnet.test' }
  const { code, stdout, stderr } = await runCommand(args, env)
  assert.equal(code, 0, stderr)
  return stdout.trim()
}

const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#2b7a78' } })
  .png()
  .toBuffer()

const GREETING = 'Is anybody there?'

/** Counts what the server has read of what the client sent: a pong comes after it. */
let obeyed = 0
class ObedientSocket extends WebSocket {
  constructor(...how: ConstructorParameters<typeof WebSocket>) {
    super(...how)
    // Each subscription listens by itself.
    this.setMaxListeners(50)
  }

  override send(data: string): void {
    super.send(data)
    this.once('pong', () => (obeyed += 1))
    this.ping()
  }
}

function describe({ event, payload }: { event: string; payload: unknown }): string {
  if (typeof payload === 'string' || typeof payload === 'number') return `${event} ${payload}`
  const { id, announcementId } = (payload ?? {}) as { id?: string; announcementId?: string }
  return `${event} ${id ?? announcementId ?? ''}`.trim()
}

test('masto.js opens every stream and hears every event, each where it belongs and nowhere else', async (t) => {
  const far = await peer.host('remote.test').createActor('far')
  await befriend(ann, far)
  await anns.v1.accounts.$select(bob.accountId).follow()
  const list = await anns.v1.lists.create({ title: 'Neighbours' })
  await anns.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.accountId] })
  await anns.v2.notifications.policy.update({ forNotFollowing: 'filter' })
  await world.settle()

  const client = createStreamingAPIClient({
    streamingApiUrl: url.replace('http', 'ws'),
    accessToken: ann.token,
    implementation: ObedientSocket,
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
  const heard = Object.fromEntries(names.map((name) => [name, [] as string[]])) as Record<Name, string[]>
  const events = new Set<string>()
  const greeted = new Set<Name>()
  for (const name of names) {
    void (async () => {
      for await (const event of streams[name]) {
        if (JSON.stringify(event).includes(GREETING)) greeted.add(name)
        else heard[name].push(describe(event))
        events.add(event.event)
      }
    })()
  }
  /** Does something, and finds that just these streams, and no others, tell just this. */
  const causes = async (expected: Partial<Record<Name, string[]>>) => {
    const count = Object.values(expected).flat().length
    await until(() => Object.values(heard).flat().length >= count, JSON.stringify(expected)).catch(() => {})
    await world.settle()
    const told = Object.entries(heard).flatMap(([name, lines]) => lines.splice(0).map((line) => `${name}: ${line}`))
    const meant = Object.entries(expected).flatMap(([name, lines]) => lines.map((line) => `${name}: ${line}`))
    assert.deepEqual(told.toSorted(), meant.toSorted())
  }
  const on = (lines: string[], ...where: Name[]) => Object.fromEntries(where.map((name) => [name, lines]))

  await until(() => obeyed === names.length, 'every subscription')
  // The list is looked for before it is heard.
  await until(async () => {
    await bobs.v1.statuses.create({ status: GREETING, visibility: 'unlisted' })
    return greeted.has('list')
  }, 'the list')

  const ofHere = [
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
  await causes(on([`update ${post.id}`], ...ofHere))
  await bobs.v1.statuses.$select(post.id).update({ status: 'A green #field', mediaIds: [media.id] })
  await causes(on([`status.update ${post.id}`], ...ofHere))
  await bobs.v1.statuses.$select(post.id).remove()
  await causes(on([`delete ${post.id}`], ...ofHere))

  const note = far.note({
    content: '<p>A far <a href="https://remote.test/tags/field">#field</a></p>',
    tag: [{ type: 'Hashtag', name: '#field', href: 'https://remote.test/tags/field' }],
    attachment: [{ type: 'Document', mediaType: 'image/png', url: 'https://remote.test/field.png' }],
  })
  const ofThere = ['user', 'hashtag', 'public', 'public:media', 'public:remote', 'public:remote:media'] as const
  await deliver(far, far.activity('Create', note, { to: [PUBLIC] }))
  const { id: farId } = await getStatus(note['id'])
  await causes(on([`update ${farId}`], ...ofThere))
  const edited = { ...note, content: '<p>A golden #field</p>', updated: new Date().toISOString() }
  await deliver(far, far.activity('Update', edited, { to: [PUBLIC] }))
  await causes(on([`status.update ${farId}`], ...ofThere))
  await deliver(far, far.activity('Delete', { id: note['id'], type: 'Tombstone' }, { to: [PUBLIC] }))
  // In which lists it was is not known any more.
  await causes(on([`delete ${farId}`], ...ofThere, 'list'))

  const letter = await bobs.v1.statuses.create({ status: `@${ann.username} psst`, visibility: 'direct' })
  await world.settle()
  const [notification] = await anns.v1.notifications.list()
  const [conversation] = await anns.v1.conversations.list()
  await causes({
    user: [`update ${letter.id}`, `notification ${notification!.id}`],
    'user:notification': [`notification ${notification!.id}`],
    direct: [`conversation ${conversation!.id}`],
  })
  await bobs.v1.statuses.$select(letter.id).update({ status: `@${ann.username} psst!` })
  await causes(on([`status.update ${letter.id}`], 'user', 'user:notification', 'direct'))

  await cats.v1.statuses.create({ status: `@${ann.username} let me in`, visibility: 'unlisted' })
  await causes({})
  const [request] = await anns.v1.notifications.requests.list()
  await anns.v1.notifications.requests.$select(request!.id).accept()
  await causes(on(['notifications_merged 1'], 'user', 'user:notification'))

  await anns.v2.filters.create({ title: 'Weeds', context: ['home'] })
  await causes(on(['filters_changed'], 'user'))

  const announcementId = await run('announcements', 'publish', 'The gate is closed at night')
  await causes(on([`announcement ${announcementId}`], 'user'))
  await bobs.v1.announcements.$select(announcementId).reactions.$select('👍').update()
  await causes(on([`announcement.reaction ${announcementId}`], 'user'))
  await run('announcements', 'remove', announcementId)
  await causes(on([`announcement.delete ${announcementId}`], 'user'))

  assert.deepEqual([...events].toSorted(), StreamEvent.properties.event.enum.toSorted())
})
