import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { createServer as createProxy } from 'node:http'
import { createServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { IncomingMessage, Server } from 'node:http'
import { createSigner } from '../../src/federation/signatures/create-signer.ts'
import { createCa } from '../../test/services/certificates.ts'
import type { Author } from '../load/work.ts'
import { hostName } from '../setup/open-sink.ts'

/**
 * A process that represents remote servers with one author each. It serves their documents over TLS and accepts each
 * follow. A server without a setting for the addresses of hosts reaches them through the proxy. Sends `RemoteAuthors` to
 * its parent.
 */

const HOSTS = 50

export interface RemoteAuthors {
  port: number
  proxyPort: number
  /** The certificate authority (PEM). */
  ca: string
  authors: Author[]
}

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
const publicKeyPem = keys.publicKey.export({ type: 'spki', format: 'pem' })
const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' })

const ca = createCa()
const site = createServer(ca.issue(['*.bench.test']), (request, response) => {
  const url = new URL(request.url!, `https://${request.headers.host}`)
  if (request.method === 'POST') {
    response.writeHead(202).end()
    void readJson(request).then(acceptFollow)
    return
  }
  const document = documentAt(url)
  response.writeHead(document === null ? 404 : 200, { 'content-type': document?.type ?? 'text/plain' })
  response.end(JSON.stringify(document?.content))
})
const proxy = createProxy().on('connect', (_request, client) => {
  const target = connect(portOf(site), '127.0.0.1', () => {
    client.write('HTTP/1.1 200 OK\r\n\r\n')
    client.pipe(target).pipe(client)
  })
  target.on('error', () => client.destroy())
  client.on('error', () => target.destroy())
})

/** Returns the WebFinger descriptor or the actor at this URL; null for anything else. */
function documentAt({ origin, host, pathname }: URL): { type: string; content: object } | null {
  const id = `${origin}/users/author`
  if (pathname === '/.well-known/webfinger') {
    const links = [{ rel: 'self', type: 'application/activity+json', href: id }]
    return { type: 'application/jrd+json', content: { subject: `acct:author@${host}`, links } }
  }
  if (pathname !== '/users/author') return null
  return {
    type: 'application/activity+json',
    content: {
      '@context': ['https://www.w3.org/ns/activitystreams', 'https://w3id.org/security/v1'],
      id,
      type: 'Person',
      preferredUsername: 'author',
      name: `Author of ${host}`,
      inbox: `${id}/inbox`,
      outbox: `${id}/outbox`,
      followers: `${id}/followers`,
      following: `${id}/following`,
      url: `${origin}/@author`,
      publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem },
    },
  }
}

async function readJson(request: IncomingMessage): Promise<Record<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
}

/** Sends the Accept of a Follow to the inbox of its actor, without TLS like the compared servers. */
async function acceptFollow(follow: Record<string, string>): Promise<void> {
  const { id, type, actor, object } = follow
  if (type !== 'Follow') return
  const body = Buffer.from(
    JSON.stringify({
      '@context': 'https://www.w3.org/ns/activitystreams',
      id: `${object}/accepts/${encodeURIComponent(id!)}`,
      type: 'Accept',
      actor: object,
      object: { id, type, actor, object },
    }),
  )
  const url = `${actor}/inbox`
  const headers = { host: new URL(url).host, 'content-type': 'application/activity+json' }
  const key = { keyId: `${object}#main-key`, privateKey: createPrivateKey(privateKey) }
  const signed = await createSigner({ key, now: () => new Date() })({ method: 'POST', url, headers, body })
  const response = await fetch(url, { method: 'POST', headers: { ...headers, ...signed }, body })
  if (!response.ok) console.error(`An Accept was answered with ${response.status}: ${await response.text()}`)
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

site.listen(0, '127.0.0.1', () => {
  proxy.listen(0, '127.0.0.1', () => {
    const authors = Array.from({ length: HOSTS }, (_, n) => {
      const uri = `https://${hostName(n)}/users/author`
      return { uri, keyId: `${uri}#main-key`, privateKey }
    })
    process.send!({ port: portOf(site), proxyPort: portOf(proxy), ca: ca.pem, authors } satisfies RemoteAuthors)
  })
})
process.on('disconnect', () => process.exit())
