import { createPrivateKey } from 'node:crypto'
import { createSigner } from '../../src/federation/signatures/create-signer.ts'
import { sendRequests } from './http.ts'
import type { MeasurementWindow } from './measurement-window.ts'
import type { Activities, Author, PreparedWork } from './work.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const CONTEXT = [
  'https://www.w3.org/ns/activitystreams',
  { ostatus: 'http://ostatus.org#', atomUri: 'ostatus:atomUri', sensitive: 'as:sensitive', Hashtag: 'as:Hashtag' },
]

/** Every fourth post has a hashtag, one of `TAGS`. */
const TAG_INTERVAL = 4
const TAGS = 200

/** The number of concurrent signatures. */
const SIGNERS = 8

let written = 0

/** Writes and signs all requests in advance, because that takes longer than their delivery. */
export async function prepareActivities(
  { port, path = '/inbox', authors, count }: Activities,
  window: MeasurementWindow,
): Promise<PreparedWork> {
  const signers = authors.map(({ keyId, privateKey }) =>
    createSigner({ key: { keyId, privateKey: createPrivateKey(privateKey) }, now: () => new Date() }),
  )
  const requests: Buffer[] = []
  let remaining = count
  const work = async () => {
    while (remaining > 0) {
      remaining -= 1
      written += 1
      const n = written % authors.length
      const body = Buffer.from(JSON.stringify(writeNote(authors[n]!, written)))
      const headers: Record<string, string> = {
        host: `localhost:${port}`,
        'user-agent': 'bench',
        'content-type': 'application/activity+json',
      }
      const request = { method: 'POST' as const, url: `http://localhost:${port}${path}`, headers, body }
      const all = { ...headers, ...(await signers[n]!(request)), 'content-length': String(body.length) }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
      requests.push(Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]))
    }
  }
  await Promise.all(Array.from({ length: SIGNERS }, work))
  const queue = requests.values()
  return {
    async run() {
      await sendRequests(port, { next: () => queue.next().value ?? null, window })
    },
  }
}

/** Returns the Create of a post of average length, as Mastodon sends it. */
function writeNote({ uri }: Author, number: number): object {
  const id = `${uri}/statuses/${process.pid}-${number}`
  const published = new Date().toISOString()
  const audience = { to: [PUBLIC], cc: [`${uri}/followers`] }
  const name = `tag${(number / TAG_INTERVAL) % TAGS}`
  const href = `${new URL(uri).origin}/tags/${name}`
  const isTagged = number % TAG_INTERVAL === 0
  const link = isTagged ? ` <a href="${href}" class="mention hashtag" rel="tag">#<span>${name}</span></a>` : ''
  return {
    '@context': CONTEXT,
    id: `${id}/activity`,
    type: 'Create',
    actor: uri,
    published,
    ...audience,
    object: {
      id,
      type: 'Note',
      summary: null,
      inReplyTo: null,
      published,
      url: id.replace('/users/', '/@'),
      attributedTo: uri,
      ...audience,
      sensitive: false,
      atomUri: id,
      content: `<p>Number ${number}: fog over the harbour, every mast a pencil line, and the night train was late again, but nobody minded.${link}</p>`,
      contentMap: { en: `<p>Number ${number}: fog over the harbour.</p>` },
      attachment: [],
      tag: isTagged ? [{ type: 'Hashtag', href, name: `#${name}` }] : [],
      replies: {
        id: `${id}/replies`,
        type: 'Collection',
        first: { type: 'CollectionPage', next: `${id}/replies?page=true`, partOf: `${id}/replies`, items: [] },
      },
    },
  }
}
