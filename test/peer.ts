import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { createCa } from './certificates.ts'
import { createHost } from './peer/host.ts'
import type { PeerHost, ServingHost } from './peer/host.ts'
import { reach } from './peer/reach.ts'
import type { PeerCall, Reply, Via } from './peer/reach.ts'

/**
 * Fake servers of the fediverse: any number of hosts behind one https server of this process, with actors that send,
 * and inboxes that let in only what is rightly signed. They can also be told to misbehave (`peer/behaviour.ts`).
 *
 *     const peer = await openPeer({ hosts: ['remote.test'] })
 *     const world = await openWorld({ env: peer.env, extraCa: peer.ca })
 *     peer.connect(world.ctx.config.origin, world.server)
 *     const bob = await peer.host('remote.test').createActor('bob')
 *     await bob.send(bob.activity('Follow', aliceUri))
 *     const { activity } = await bob.inbox.next(({ type }) => type === 'Accept')
 */
export interface Peer {
  /** @throws Error for a name that the peer was not opened with */
  host(name: string): PeerHost
  /** What a server under test needs in its environment to find the hosts. */
  readonly env: { ALLOWED_PRIVATE_ADDRESSES: string; LINNET_TEST_HOSTS: string }
  /** What it has to trust (PEM): by `openWorld({ extraCa })`, or a process by NODE_EXTRA_CA_CERTS. */
  readonly ca: string
  /** The same in a file. */
  readonly caFile: string
  /** Tells where a server under test is: actors send there, and hosts find its keys there. */
  connect(origin: string, via: Via): void
  close(): Promise<void>
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

export async function openPeer({ hosts: names }: { hosts: readonly string[] }): Promise<Peer> {
  const ca = createCa()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-peer-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, ca.pem)
  const places = new Map<string, Via>()
  const hosts = new Map<string, ServingHost>(
    names.map((name) => [name, createHost(name, { call, load, defaultInbox })]),
  )

  const contexts = new Map<string, SecureContext>()
  const sockets = new Set<Socket>()
  const server = createServer(
    {
      ...ca.issue(['peer.test']),
      SNICallback(name, callback) {
        let context = contexts.get(name)
        if (!context) contexts.set(name, (context = createSecureContext(ca.issue([name]))))
        callback(null, context)
      },
    },
    (request, response) => void handle(request, response),
  )
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    host(name) {
      const host = hosts.get(name)
      if (!host) throw new Error(`The peer was not opened with ${name}`)
      return host
    },
    env: {
      ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
      LINNET_TEST_HOSTS: names.map((name) => `${name}=127.0.0.1:${port}`).join(','),
    },
    ca: ca.pem,
    caFile,
    connect: (origin, via) => void places.set(new URL(origin).origin, via),
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
      await rm(folder, { recursive: true, force: true })
    },
  }

  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = hosts.get((message.headers.host ?? '').replace(/:\d+$/, ''))
    if (!host) return void response.writeHead(421).end()
    try {
      const body = await readBody(message)
      await host.handle({ method: message.method!, path: message.url!, headers: message.headers, body }, response)
    } catch (err) {
      if (response.destroyed) return
      if (!response.headersSent) response.writeHead(500)
      response.end(String((err as Error).stack))
    }
  }

  async function call(one: PeerCall, via: Via | undefined): Promise<Reply> {
    const place = via ?? places.get(new URL(one.url).origin)
    if (place === undefined) throw new Error(`The peer is not connected to ${one.url}`)
    return reach(place, one)
  }

  async function load(url: string): Promise<unknown> {
    const headers = { accept: 'application/activity+json' }
    const { status, json } = await call({ method: 'GET', url, headers, body: null }, undefined)
    if (status !== 200 || json === null) throw new Error(`${url} answered ${status}`)
    return json
  }

  function defaultInbox(): string {
    const [origin, ...others] = places.keys()
    if (origin === undefined || others.length > 0) throw new Error('Say to which inbox: the peer has no only server')
    return `${origin}/inbox`
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('a body without end')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
