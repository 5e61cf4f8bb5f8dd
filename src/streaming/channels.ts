import { findListOwners } from '../domain/lists/find.ts'
import { readTagName } from '../domain/tags/name.ts'
import type { Read } from '../domain/context.ts'
import { BadRequest, Unauthorized } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { coversScope } from '../lib/scopes.ts'
import { createBatch } from '../platform/batch.ts'
import type { Listener } from './listener.ts'

/** The streams that one can listen to, by their names on a socket. */
const NAMES = [
  'user',
  'user:notification',
  'direct',
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
] as const

/**
 * What one listens to: a stream, `list` with an id, or `hashtag` with a tag as the client wrote it and as it is
 * compared. Blanks stand between the parts, and in none of them.
 */
export type Channel = (typeof NAMES)[number] | `list ${string}` | `hashtag${'' | ':local'} ${string} ${string}`

const NOT_ONES_OWN = 'Not authorized to stream this list'

/** What a client asks for. */
export interface Wish {
  stream?: unknown
  list?: unknown
  tag?: unknown
}

export const PUBLIC_CHANNELS: readonly Channel[] = NAMES.filter((name) => name.startsWith('public'))

export function listChannel(id: string): Channel {
  return `list ${id}`
}

export function isListChannel(channel: Channel): boolean {
  return channel.startsWith('list ')
}

export function isTagChannel(channel: Channel): boolean {
  return channel.startsWith('hashtag')
}

/** Of a channel of a list or a hashtag, which. */
export function subjectOf(channel: Channel): string {
  return channel.slice(channel.lastIndexOf(' ') + 1)
}

/** As it is named to clients: the stream, and what was asked for with it. */
export function labelsOf(channel: Channel): string[] {
  return channel.split(' ').slice(0, 2)
}

/** The channel of a wish. A list is not looked for yet. @throws BadRequest · Unauthorized for what can be no list */
export function findChannel({ stream, list, tag }: Wish): Channel {
  const name = NAMES.find((known) => known === stream)
  if (name) return name
  if (stream === 'list') {
    if (typeof list !== 'string' || list === '') throw new BadRequest('Missing list name parameter')
    if (!isId(list)) throw new Unauthorized(NOT_ONES_OWN)
    return listChannel(list)
  }
  if (stream !== 'hashtag' && stream !== 'hashtag:local') throw new BadRequest('Unknown stream type')
  const known = typeof tag === 'string' ? readTagName(tag) : null
  if (!known) throw new BadRequest('Missing tag name parameter')
  return `${stream} ${known.display} ${known.name}`
}

/** @throws Unauthorized when these scopes do not open the channel */
export function checkScope({ channel, scopes }: { channel: Channel; scopes: readonly string[] }): void {
  const needed = channel === 'user:notification' ? 'read:notifications' : 'read:statuses'
  if (!coversScope(scopes, needed)) throw new Unauthorized('Access token does not have the required scopes')
}

/** Together, as all tokens are: lists are asked for again with every connection. */
const findOwner = createBatch<Read['db'], string, string | null>(
  async (db, ids) => {
    const owners = await findListOwners({ db }, { ids })
    return ids.map((id) => owners.get(id) ?? null)
  },
  { maxItems: 200 },
)

/** @throws Unauthorized when the list is not the listener's own */
export async function checkList(
  read: Pick<Read, 'db'>,
  { channel, listener }: { channel: Channel; listener: Listener },
): Promise<void> {
  if ((await findOwner(read.db, subjectOf(channel))) !== listener.accountId) throw new Unauthorized(NOT_ONES_OWN)
}

/** The public channels that carry a status. */
export function channelsOf({ local, hasMedia }: { local: boolean; hasMedia: boolean }): Channel[] {
  const names: Channel[] = ['public', local ? 'public:local' : 'public:remote']
  return hasMedia ? names.flatMap((name) => [name, `${name}:media` as Channel]) : names
}
