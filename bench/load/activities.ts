import { createPrivateKey } from 'node:crypto'
import { createSigner } from '../../src/federation/signatures/sign.ts'
import { ask } from './http.ts'
import type { Window } from './window.ts'
import type { Activities, Author, Hands } from './work.ts'

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const CONTEXT = [
  'https://www.w3.org/ns/activitystreams',
  { ostatus: 'http://ostatus.org#', atomUri: 'ostatus:atomUri', sensitive: 'as:sensitive', Hashtag: 'as:Hashtag' },
]

/** Every fourth post has a hashtag, one of so many. */
const TAGGED = 4
const TAGS = 200

/** Signatures under way at once. */
const SIGNERS = 8

let written = 0

/** Writes and signs everything that is to be delivered: it takes longer than to deliver it. */
export async function prepareActivities({ port, authors, count }: Activities, window: Window): Promise<Hands> {
  const signers = authors.map(({ keyId, privateKey }) =>
    createSigner({ key: { keyId, privateKey: createPrivateKey(privateKey) }, now: () => new Date() }),
  )
  const requests: Buffer[] = []
  let left = count
  const work = async () => {
    while (left > 0) {
      left -= 1
      written += 1
      const n = written % authors.length
      const body = Buffer.from(JSON.stringify(writeNote(authors[n]!, written)))
      const headers: Record<string, string> = { host: `localhost:${port}`, 'content-type': 'application/activity+json' }
      const request = { method: 'POST' as const, url: `http://localhost:${port}/inbox`, headers, body }
      const all = { ...headers, ...(await signers[n]!(request)), 'content-length': String(body.length) }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
      requests.push(Buffer.concat([Buffer.from(`POST /inbox HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), body]))
    }
  }
  await Promise.all(Array.from({ length: SIGNERS }, work))
  const queue = requests.values()
  return {
    async run() {
      await ask(port, { next: () => queue.next().value ?? null, window })
    },
  }
}

/** A post of usual length, as Mastodon sends it. */
function writeNote({ uri }: Author, number: number): object {
  const id = `${uri}/statuses/${process.pid}-${number}`
  const published = new Date().toISOString()
  const audience = { to: [PUBLIC], cc: [`${uri}/followers`] }
  const name = `tag${(number / TAGGED) % TAGS}`
  const href = `${new URL(uri).origin}/tags/${name}`
  const isTagged = number % TAGGED === 0
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
