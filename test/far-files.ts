import { after, beforeEach } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { RemoteMediaFacts } from '../src/domain/media/record-remote.ts'
import type { MediaAttachment } from '../src/entities/media.ts'
import type { Status } from '../src/entities/status.ts'
import { openPeer } from './peer.ts'
import type { Peer } from './peer.ts'
import type { PeerAnswer } from './peer/behaviour.ts'
import type { PeerHost } from './peer/host.ts'
import { HOST, makeRemote, makeRemoteStatus, newName } from './remote.ts'
import { openWorld } from './world.ts'
import type { Person, World } from './world.ts'

type Attached = MediaAttachment & { statusId: string; accountId: string }

/** A server of ours, and another one with files that somebody here sees. */
export interface FarFiles {
  world: World
  peer: Peer
  far: PeerHost
  viewer: Person
  /** Moves the clock of our server. */
  pass(hours: number): void
  /** Serves a file there; gives its address. */
  serve(body: Buffer | string, type?: string, more?: Partial<PeerAnswer>): string
  /** A public post from there with a file, unless more is said; as the viewer sees the file. */
  attach(url: string, more?: Partial<RemoteMediaFacts> & { status?: object }): Promise<Attached>
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** How often a file was asked for there. */
  requestsFor(url: string): number
  /** The keys of all files that are kept of other servers. */
  keysStored(): Promise<string[]>
}

/** Closed after the tests of the file; the other server misbehaves only within a test. */
export async function openFarFiles({ env = {} }: { env?: Record<string, string> } = {}): Promise<FarFiles> {
  const peer = await openPeer({ hosts: ['far.test', 'other.test'] })
  let offset = 0
  const now = () => new Date(Date.now() + offset * 3_600_000)
  const world = await openWorld({ env: { ...peer.env, ...env }, extraCa: peer.ca, now })
  after(async () => {
    await world.close()
    await peer.close()
  })
  const far = peer.host('far.test')
  beforeEach(() => far.recover())
  const viewer = await world.createPerson()
  return {
    world,
    peer,
    far,
    viewer,
    pass: (hours) => void (offset += hours),
    serve(body, type = 'image/png', more = {}) {
      const path = `/files/${newName()}`
      far.serveAt(path, () => ({ status: 200, headers: { 'content-type': type }, body, ...more }))
      return HOST + path
    },
    async attach(url, { status = {}, ...more } = {}) {
      const facts = { type: 'image', mediaType: null, description: null, blurhash: null, focus: null } as const
      const attachment: RemoteMediaFacts = { ...facts, url, width: null, height: null, previewUrl: null, ...more }
      const accountId = await makeRemote(world.ctx)
      const id = await makeRemoteStatus(world.ctx, { accountId, attachments: [attachment], ...status })
      const { body } = await viewer.client.get<Status>(`/api/v1/statuses/${id}`)
      return { ...body.media_attachments[0]!, statusId: id, accountId }
    },
    get: (url, headers = {}) => world.server.inject({ url: url.replace(/^https:\/\/linnet\.test/, ''), headers }),
    requestsFor: (url) => far.countRequests(new URL(url).pathname),
    async keysStored() {
      return (await Array.fromAsync(world.ctx.storage.list({ folder: 'cache/' }))).map(({ key }) => key)
    },
  }
}
