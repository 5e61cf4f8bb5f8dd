import { findListOwners } from '../../domain/lists/find-list.ts'
import type { Read } from '../../domain/context.ts'
import { BadRequestError, UnauthorizedError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { coversScope } from '../../lib/http/scopes.ts'
import { normalizeHashtag } from '../../lib/text/entities/normalize-hashtag.ts'
import { createBatch } from '../../platform/create-batch.ts'
import type { Subscriber } from './find-subscriber.ts'

/** The streams without a parameter, by their names on a WebSocket (Mastodon: streaming API). */
const STREAM_NAMES = [
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
 * A subscription: a stream, `list` with an id, or `hashtag` with the tag as the client wrote it and its normalised
 * name. Spaces separate the parts; no part contains one.
 */
export type Channel = (typeof STREAM_NAMES)[number] | `list ${string}` | `hashtag${'' | ':local'} ${string} ${string}`

const LIST_NOT_OWNED = 'Not authorized to stream this list'

/** The stream that a client requests, with its parameters. */
export interface ChannelRequest {
  stream?: unknown
  list?: unknown
  tag?: unknown
}

export const PUBLIC_CHANNELS: readonly Channel[] = STREAM_NAMES.filter((name) => name.startsWith('public'))

export function listChannel(id: string): Channel {
  return `list ${id}`
}

export function isListChannel(channel: Channel): boolean {
  return channel.startsWith('list ')
}

export function isTagChannel(channel: Channel): boolean {
  return channel.startsWith('hashtag')
}

/** Returns the list id or the normalised hashtag of a channel. */
export function channelSubjectOf(channel: Channel): string {
  return channel.slice(channel.lastIndexOf(' ') + 1)
}

/** Returns whether two channels are the same subscription: hashtags may differ in their spelling. */
export function isSameChannel(one: Channel, other: Channel): boolean {
  if (!isTagChannel(one)) return one === other
  return streamNameOf(one)[0] === streamNameOf(other)[0] && channelSubjectOf(one) === channelSubjectOf(other)
}

/** Returns the name of a channel for clients: the stream, and its parameter as requested. */
export function streamNameOf(channel: Channel): string[] {
  return channel.split(' ').slice(0, 2)
}

/**
 * Parses the channel that a client requests. Of an array of streams, which messages contain, the first one counts, and
 * an id may be a number, as in Mastodon. Does not check the owner of a list.
 * @throws BadRequestError for an unknown stream or a missing parameter
 * @throws UnauthorizedError for an invalid list id
 */
export function parseChannel(request: ChannelRequest): Channel {
  const stream: unknown = Array.isArray(request.stream) ? request.stream[0] : request.stream
  const list = typeof request.list === 'number' ? String(request.list) : request.list
  const { tag } = request
  const streamName = STREAM_NAMES.find((known) => known === stream)
  if (streamName) return streamName
  if (stream === 'list') {
    if (typeof list !== 'string' || list === '') throw new BadRequestError('Missing list name parameter')
    if (!isId(list)) throw new UnauthorizedError(LIST_NOT_OWNED)
    return listChannel(list)
  }
  if (stream !== 'hashtag' && stream !== 'hashtag:local') throw new BadRequestError('Unknown stream type')
  // As in Mastodon, a hashtag may be written with `#`.
  if (typeof tag !== 'string' || /\s/.test(tag)) throw new BadRequestError('Missing tag name parameter')
  const name = normalizeHashtag(tag)
  if (name === null) throw new BadRequestError('Missing tag name parameter')
  return `${stream} ${tag} ${name}`
}

/** @throws UnauthorizedError if the scopes do not permit the channel */
export function checkScope({ channel, scopes }: { channel: Channel; scopes: readonly string[] }): void {
  const needed = channel === 'user:notification' ? 'read:notifications' : 'read:statuses'
  if (!coversScope(scopes, needed)) throw new UnauthorizedError('Access token does not have the required scopes')
}

/** Batched, like token lookups, because clients subscribe to their lists again after a mass reconnect. */
const findListOwner = createBatch<Read['db'], string, string | null>(
  async (db, ids) => {
    const owners = await findListOwners({ db }, { ids })
    return ids.map((id) => owners.get(id) ?? null)
  },
  { maxItems: 200 },
)

/** @throws UnauthorizedError if the subscriber does not own the list */
export async function checkListOwner(
  read: Pick<Read, 'db'>,
  { channel, subscriber }: { channel: Channel; subscriber: Subscriber },
): Promise<void> {
  if ((await findListOwner(read.db, channelSubjectOf(channel))) !== subscriber.accountId)
    throw new UnauthorizedError(LIST_NOT_OWNED)
}

/** Returns the public channels to which a status is published. */
export function publicChannelsOf({ local, hasMedia }: { local: boolean; hasMedia: boolean }): Channel[] {
  const names: Channel[] = ['public', local ? 'public:local' : 'public:remote']
  return hasMedia ? names.flatMap((name) => [name, `${name}:media` as Channel]) : names
}
