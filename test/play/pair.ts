import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestAPIClient, createStreamingAPIClient } from 'masto'
import type { mastodon } from 'masto'
import { createCa } from '../certificates.ts'
import { findPort } from '../linnet.ts'
import { startServer } from './server.ts'
import type { Server } from './server.ts'

/** A person on one of the two servers, by way of an unmodified client. */
export interface Resident {
  name: string
  handle: string
  server: Server
  api: mastodon.rest.Client
  /** What their own stream told so far. */
  heard: mastodon.streaming.Event[]
  close(): void
}

export interface Pair {
  a: Server
  b: Server
  settle(server: Server, name: string, domain: string): Promise<Resident>
  close(): Promise<void>
}

/**
 * Two servers over https, `a.test` and `b.test`, on high ports of this machine. They find each other by the host map of
 * the outbound agent and trust one certificate authority, which this process has to trust as well: it starts itself
 * anew for that (`NODE_EXTRA_CA_CERTS` counts only at a start).
 */
export async function openPair(): Promise<Pair> {
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
    settle: (server, name, domain) => settle(server, name, domain),
    async close() {
      await Promise.all([a.stop(), b.stop()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function settle(server: Server, name: string, domain: string): Promise<Resident> {
  await server.run('accounts', 'create', name, '--email', `${name}@mail.example`, '--confirmed', '--approved')
  const accessToken = await server.run('tokens', 'create', name)
  const api = createRestAPIClient({ url: server.address, accessToken })
  const heard: mastodon.streaming.Event[] = []
  let closed = false
  let stream: mastodon.streaming.Client | undefined
  // A killed server ends the socket; a client comes back by itself, and so does this one.
  void (async () => {
    while (!closed) {
      stream = createStreamingAPIClient({ streamingApiUrl: server.address.replace(/^http/, 'ws'), accessToken })
      try {
        for await (const event of stream.user.subscribe()) heard.push(event)
      } catch {
        // The next round opens another one.
      }
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  })()
  return {
    name,
    handle: `@${name}@${domain}`,
    server,
    api,
    heard,
    close() {
      closed = true
      stream?.close()
    },
  }
}

/** Makes the certificates in a folder of their own, and says how a process that trusts them is to be started. */
export async function preparePair(): Promise<{ PAIR_FOLDER: string; NODE_EXTRA_CA_CERTS: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-pair-'))
  const ca = createCa()
  const { key, cert } = ca.issue(['a.test', 'b.test', 'localhost', '127.0.0.1'])
  await writeFile(join(folder, 'ca.pem'), ca.pem)
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  return { PAIR_FOLDER: folder, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') }
}
