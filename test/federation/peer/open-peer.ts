import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { SecureContext } from 'node:tls'
import { createCa } from '../../services/certificates.ts'
import { createHost } from './host.ts'
import type { PeerHost, ServingHost } from './host.ts'
import { sendRequest } from './send-request.ts'
import type { PeerCall, PeerReply, ServerTarget } from './send-request.ts'

/**
 * Fake servers of the fediverse: any number of hosts behind one https server of this process, with actors that send
 * activities and inboxes that accept only valid signatures. Tests can make hosts misbehave (`peer/behaviour.ts`).
 *
 *     const peer = await openPeer({ hosts: ['remote.test'] })
 *     const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
 *     peer.connect(testServer.ctx.config.origin, testServer.server)
 *     const bob = await peer.host('remote.test').createActor('bob')
 *     await bob.send(bob.activity('Follow', aliceUri))
 *     const { activity } = await bob.inbox.next(({ type }) => type === 'Accept')
 */
export interface Peer {
  /** Returns a host. @throws Error for a name that the peer was not opened with */
  host(name: string): PeerHost
  /** The environment variables with which a server under test reaches the hosts. */
  readonly env: { ALLOWED_PRIVATE_ADDRESSES: string; LINNET_TEST_HOSTS: string }
  /** The certificate authority to trust (PEM): by `openTestServer({ extraCa })`, or by NODE_EXTRA_CA_CERTS. */
  readonly ca: string
  /** The path of a file with `ca`. */
  readonly caFile: string
  /** Sets the target for requests to a server under test: actors send there, and hosts fetch its keys there. */
  connect(origin: string, via: ServerTarget): void
  close(): Promise<void>
}

const MAX_BODY_BYTES = 16 * 1024 * 1024

export async function openPeer({ hosts: names }: { hosts: readonly string[] }): Promise<Peer> {
  const ca = createCa()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-peer-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, ca.pem)
  const addresses = new Map<string, ServerTarget>()
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
    connect: (origin, via) => void addresses.set(new URL(origin).origin, via),
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await closed
      // The variables of a test file live as long as its process, so the peer would keep the servers in memory.
      addresses.clear()
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

  async function call(request: PeerCall, via: ServerTarget | undefined): Promise<PeerReply> {
    const target = via ?? addresses.get(new URL(request.url).origin)
    if (target === undefined) throw new Error(`The peer is not connected to ${request.url}`)
    return sendRequest(target, request)
  }

  async function load(url: string): Promise<unknown> {
    const headers = { accept: 'application/activity+json' }
    const { status, json } = await call({ method: 'GET', url, headers, body: null }, undefined)
    if (status !== 200 || json === null) throw new Error(`${url} answered ${status}`)
    return json
  }

  function defaultInbox(): string {
    const [origin, ...others] = addresses.keys()
    if (origin === undefined || others.length > 0)
      throw new Error('The option `to` is required unless the peer is connected to one server')
    return `${origin}/inbox`
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) throw new Error('The request body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
