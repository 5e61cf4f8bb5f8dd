import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestAPIClient, createStreamingAPIClient } from 'masto'
import type { mastodon } from 'masto'
import { createCa } from '../services/certificates.ts'
import { findPort } from '../servers/linnet-process.ts'
import { startServer } from './server.ts'
import type { Server } from './server.ts'

/** A user on one of the two servers, with an unmodified client. */
export interface ClientUser {
  name: string
  handle: string
  server: Server
  api: mastodon.rest.Client
  /** Sends a request for which masto.js has no method. @throws Error unless the response is 2xx */
  request<Body>(method: string, path: string, body?: object): Promise<Body>
  /** The events of the user's own stream so far. */
  receivedEvents: mastodon.streaming.Event[]
  close(): void
}

interface UserOptions {
  role?: 'user' | 'moderator' | 'admin' | 'owner'
  password?: string
  /** Scopes of the client's token, separated by spaces. */
  scopes?: string
}

export interface ServerPair {
  a: Server
  b: Server
  createUser(server: Server, name: string, domain: string, options?: UserOptions): Promise<ClientUser>
  close(): Promise<void>
}

/**
 * Two servers over https, `a.test` and `b.test`, on high ports of this machine. `LINNET_TEST_HOSTS` resolves
 * their names, and both trust one certificate authority. This process has to trust it as well and restarts itself for
 * that, because Node reads `NODE_EXTRA_CA_CERTS` only at its start.
 */
export async function openServerPair(): Promise<ServerPair> {
  const folder = process.env.PAIR_FOLDER!
  const [portA, portB] = [await findPort(), await findPort()]
  const env = {
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
    LINNET_TEST_HOSTS: `a.test=127.0.0.1:${portA},b.test=127.0.0.1:${portB}`,
    TLS_CERT_FILE: join(folder, 'cert.pem'),
    TLS_KEY_FILE: join(folder, 'key.pem'),
    REGISTRATIONS_MODE: 'open',
  }
  const start = async (domain: string, port: string) => {
    const dataDir = join(folder, domain)
    await mkdir(dataDir)
    return startServer({ dataDir, port, env: { ...env, LOCAL_DOMAIN: domain } })
  }
  const [a, b] = await Promise.all([start('a.test', portA), start('b.test', portB)])
  return {
    a,
    b,
    createUser: createClientUser,
    async close() {
      await Promise.all([a.stop(), b.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function createClientUser(
  server: Server,
  name: string,
  domain: string,
  { role = 'user', password, scopes = 'read write follow push' }: UserOptions = {},
): Promise<ClientUser> {
  const words = ['--email', `${name}@mail.example`, '--confirmed', '--approved', '--role', role]
  await server.run('accounts', 'create', name, ...words, ...(password ? ['--password', password] : []))
  const accessToken = await server.run('tokens', 'create', name, '--scopes', scopes)
  const api = createRestAPIClient({ url: server.address, accessToken })
  const received: mastodon.streaming.Event[] = []
  let closed = false
  let stream: mastodon.streaming.Client | undefined
  // A killed server closes the socket; this client reconnects, like others.
  void (async () => {
    while (!closed) {
      stream = createStreamingAPIClient({ streamingApiUrl: server.address.replace(/^http/, 'ws'), accessToken })
      try {
        for await (const event of stream.user.subscribe()) received.push(event)
      } catch {
        // The next iteration opens another stream.
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  return {
    name,
    handle: `@${name}@${domain}`,
    server,
    api,
    async request<Body>(method: string, path: string, body?: object) {
      const response = await fetch(server.address + path, {
        method,
        headers: { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return JSON.parse(text) as Body
    },
    receivedEvents: received,
    close() {
      closed = true
      stream?.close()
    },
  }
}

/** Creates the certificates in a folder of their own, and returns the environment for a process that trusts them. */
export async function prepareServerPair(): Promise<{ PAIR_FOLDER: string; NODE_EXTRA_CA_CERTS: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-pair-'))
  const ca = createCa()
  const { key, cert } = ca.issue(['a.test', 'b.test', 'localhost', '127.0.0.1'])
  await writeFile(join(folder, 'ca.pem'), ca.pem)
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  return { PAIR_FOLDER: folder, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
}
