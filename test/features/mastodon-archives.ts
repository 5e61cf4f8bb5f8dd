import { writeZip } from './archives.ts'

/** The account of the archives. */
export const ACTOR = 'https://old.example/users/ada'
export const FOLLOWERS = `${ACTOR}/followers`
export const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'
const CONTEXT = ['https://www.w3.org/ns/activitystreams', { ostatus: 'http://ostatus.org#', Hashtag: 'as:Hashtag' }]

/** Returns a Create of a public Note, as Mastodon writes it. `note`: properties to replace. */
export function create(id: string, note: Record<string, unknown> = {}): object {
  const audience = { to: note['to'] ?? [PUBLIC], cc: note['cc'] ?? [FOLLOWERS] }
  const uri = `${ACTOR}/statuses/${id}`
  const published = note['published'] ?? '2019-03-04T05:06:07Z'
  return {
    id: `${uri}/activity`,
    type: 'Create',
    actor: ACTOR,
    published,
    ...audience,
    object: {
      id: uri,
      type: 'Note',
      summary: null,
      inReplyTo: null,
      published,
      url: `https://old.example/@ada/${id}`,
      attributedTo: ACTOR,
      ...audience,
      sensitive: false,
      content: '<p>Hello</p>',
      attachment: [],
      tag: [],
      replies: { id: `${uri}/replies`, type: 'Collection' },
      ...note,
    },
    signature: { type: 'RsaSignature2017', signatureValue: 'x' },
  }
}

/** Returns an archive in Mastodon's format with these activities and files. */
export function archiveOf(items: readonly unknown[], files: Record<string, Buffer> = {}): Promise<Buffer> {
  const collection = { id: 'outbox.json', type: 'OrderedCollection', totalItems: items.length, orderedItems: items }
  const actor = { id: ACTOR, type: 'Person', preferredUsername: 'ada', followers: FOLLOWERS, outbox: 'outbox.json' }
  return writeZip({
    'actor.json': JSON.stringify({ '@context': CONTEXT, ...actor }),
    'outbox.json': JSON.stringify({ '@context': CONTEXT, ...collection }),
    'likes.json': JSON.stringify({ id: 'likes.json', type: 'OrderedCollection', orderedItems: [] }),
    ...files,
  })
}
