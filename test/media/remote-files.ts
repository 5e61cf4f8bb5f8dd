import { after, beforeEach } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import type { RemoteMediaFacts } from '../../src/domain/media/record-remote-media.ts'
import type { MediaAttachment } from '../../src/entities/statuses/media.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import type { Peer } from '../federation/peer/open-peer.ts'
import type { PeerResponse } from '../federation/peer/behaviour.ts'
import type { PeerHost } from '../federation/peer/host.ts'
import { HOST, createRemoteAccount, createRemoteStatus, uniqueName } from '../federation/remote-records.ts'
import { openTestServer } from '../servers/test-server.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

type RemoteAttachment = MediaAttachment & { statusId: string; accountId: string }

/** A local server, and a remote one whose files a local user views. */
export interface RemoteFiles {
  testServer: TestServer
  peer: Peer
  remoteHost: PeerHost
  viewer: TestUser
  /** Moves the clock of the local server. */
  advanceClock(hours: number): void
  /** Serves a file on the remote host; returns its URL. */
  serve(body: Buffer | string, type?: string, more?: Partial<PeerResponse>): string
  /** Records a remote post with a file, by default a public one; returns the attachment as the viewer sees it. */
  attach(url: string, more?: Partial<RemoteMediaFacts> & { status?: object }): Promise<RemoteAttachment>
  get(url: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** Returns the number of requests for a file. */
  requestsFor(url: string): number
  /** Returns the storage keys of all cached remote files. */
  listStoredKeys(): Promise<string[]>
}

/** Opens both servers until the end of the test file. Before each test, the remote host recovers from behaviours. */
export async function openRemoteFiles({ env = {} }: { env?: Record<string, string> } = {}): Promise<RemoteFiles> {
  const peer = await openPeer({ hosts: ['far.test', 'other.test'] })
  let offset = 0
  const now = () => new Date(Date.now() + offset * 3_600_000)
  const testServer = await openTestServer({ env: { ...peer.env, ...env }, extraCa: peer.ca, now })
  after(async () => {
    await testServer.close()
    await peer.close()
  })
  const remoteHost = peer.host('far.test')
  beforeEach(() => remoteHost.recover())
  const viewer = await testServer.createUser()
  return {
    testServer,
    peer,
    remoteHost,
    viewer,
    advanceClock: (hours) => void (offset += hours),
    serve(body, type = 'image/png', more = {}) {
      const path = `/files/${uniqueName()}`
      remoteHost.serveAt(path, () => ({ status: 200, headers: { 'content-type': type }, body, ...more }))
      return HOST + path
    },
    async attach(url, { status = {}, ...more } = {}) {
      const facts = { type: 'image', mediaType: null, description: null, blurhash: null, focus: null } as const
      const attachment: RemoteMediaFacts = { ...facts, url, width: null, height: null, previewUrl: null, ...more }
      const accountId = await createRemoteAccount(testServer.ctx)
      const id = await createRemoteStatus(testServer.ctx, { accountId, attachments: [attachment], ...status })
      const { body } = await viewer.client.get<Status>(`/api/v1/statuses/${id}`)
      return { ...body.media_attachments[0]!, statusId: id, accountId }
    },
    get: (url, headers = {}) => testServer.server.inject({ url: url.replace(/^https:\/\/linnet\.test/, ''), headers }),
    requestsFor: (url) => remoteHost.countRequests(new URL(url).pathname),
    async listStoredKeys() {
      return (await Array.fromAsync(testServer.ctx.storage.list({ folder: 'cache/' }))).map(({ key }) => key)
    },
  }
}
