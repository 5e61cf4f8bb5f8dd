import { BadRequest, TooManyRequests, Unauthorized } from '../lib/errors.ts'
import { coversScope } from '../lib/scopes.ts'
import { listChannel } from './channels.ts'
import type { Channel } from './channels.ts'
import type { Listener } from './listener.ts'
import type { Message } from './message.ts'
import { Told } from './told.ts'

/** Connections of one person to this process. One more is refused, so that those which work go on working. */
const MAX_PER_PERSON = 20

/** Streams of one connection: each hashtag and each list is one. */
const MAX_PER_READER = 100

/** Revoked tokens that are remembered, for those who were let in just before and are not listed yet. */
const REVOKED_KEPT = 1_000

/** Why a connection is ended by the server. */
export type Ending = 'revoked' | 'restart'

/** One open connection, of either kind. */
export interface Reader extends Listener {
  readonly channels: Set<Channel>
  /** Sends, or cuts the connection when too much waits to be read already. */
  send(message: Message, channel: Channel): void
  /** Keeps the connection alive, and notices when it is dead. Called each 15 seconds. */
  beat(): void
  /** Ends the connection; done when nothing of it is left. */
  end(ending: Ending): Promise<void>
}

/** Channels by name, or those for which this is true. */
type Channels = readonly Channel[] | ((channel: Channel) => boolean)

interface Telling {
  message: Message
  channels: Channels
  accountIds: readonly string[]
  scope?: string
  /** Names what nobody is told a second time. */
  once?: string | null
}

/** Everybody who listens to this process, by person and by channel. */
export class Audience {
  readonly #people = new Map<string, Set<Reader>>()
  readonly #channels = new Map<Channel, Set<Reader>>()
  readonly #revoked = new Set<string>()
  readonly #told = new Told()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @throws Unauthorized when the token was revoked meanwhile · TooManyRequests */
  checkRoom({ accountId, tokenId }: Listener): void {
    if (this.#revoked.has(tokenId)) throw new Unauthorized('Invalid access token')
    if ((this.#people.get(accountId)?.size ?? 0) >= MAX_PER_PERSON) {
      throw new TooManyRequests(`No more than ${MAX_PER_PERSON} streams at once`)
    }
  }

  add(reader: Reader): void {
    put(this.#people, reader.accountId, reader)
    for (const channel of reader.channels) put(this.#channels, channel, reader)
    this.#size += 1
  }

  /** Whoever is gone is told nothing more. Twice is once. */
  remove(reader: Reader): void {
    if (!take(this.#people, reader.accountId, reader)) return
    for (const channel of reader.channels) take(this.#channels, channel, reader)
    this.#size -= 1
  }

  /** For a reader that is gone it does nothing. @throws BadRequest when it has too many already */
  subscribe(reader: Reader, channel: Channel): void {
    if (!this.#people.get(reader.accountId)?.has(reader)) return
    if (reader.channels.size >= MAX_PER_READER && !reader.channels.has(channel)) {
      throw new BadRequest(`No more than ${MAX_PER_READER} streams on one connection`)
    }
    reader.channels.add(channel)
    put(this.#channels, channel, reader)
  }

  unsubscribe(reader: Reader, channel: Channel): void {
    reader.channels.delete(channel)
    take(this.#channels, channel, reader)
  }

  *readers(): Iterable<Reader> {
    for (const readers of this.#people.values()) yield* readers
  }

  /** Whether this person has anything open here. */
  has(accountId: string): boolean {
    return this.#people.has(accountId)
  }

  /** Those of the channels that somebody listens to. */
  channelsOf(test: (channel: Channel) => boolean): Channel[] {
    return [...this.#channels.keys()].filter(test)
  }

  /** Of these lists, those that somebody listens to here. */
  keepHeard(listIds: readonly string[]): string[] {
    return listIds.filter((id) => this.#channels.has(listChannel(id)))
  }

  /** The people on any of these channels. */
  peopleOn(channels: Channels): string[] {
    const ids = new Set<string>()
    const named = typeof channels === 'function' ? this.channelsOf(channels) : channels
    for (const channel of named) for (const { accountId } of this.#channels.get(channel) ?? []) ids.add(accountId)
    return [...ids]
  }

  /** Of these people, those who listen to the channel here. */
  keepOn(channel: Channel, accountIds: readonly string[]): string[] {
    const listening = this.#channels.get(channel)
    if (!listening) return []
    return accountIds.filter((id) =>
      this.#people
        .get(id)
        ?.values()
        .some((reader) => listening.has(reader)),
    )
  }

  /** Whether a person has any of the channels open here, by a token that holds the scope. */
  hears({ channels, accountId, scope }: { channels: readonly Channel[]; accountId: string; scope: string }): boolean {
    const readers = this.#people.get(accountId) ?? []
    return [...readers].some(
      (reader) => coversScope(reader.scopes, scope) && channels.some((channel) => reader.channels.has(channel)),
    )
  }

  /** Sends to whatever these people have open on the channels, if its token holds the scope. */
  tell({ message, channels, accountIds, scope, once = null }: Telling): void {
    const isMeant = typeof channels === 'function' ? channels : (channel: Channel) => channels.includes(channel)
    for (const id of once === null ? accountIds : this.#told.keepNew(once, accountIds)) {
      for (const reader of this.#people.get(id) ?? []) {
        if (scope !== undefined && !coversScope(reader.scopes, scope)) continue
        for (const channel of reader.channels) if (isMeant(channel)) reader.send(message, channel)
      }
    }
  }

  /** These tokens are dead for ever: ends what was opened with them, and lets nobody in by them any more. */
  revoke(tokenIds: readonly string[]): void {
    for (const id of tokenIds) this.#revoked.add(id)
    for (const id of this.#revoked) {
      if (this.#revoked.size <= REVOKED_KEPT) break
      this.#revoked.delete(id)
    }
    this.endAll(tokenIds)
  }

  /** Ends what was opened with these tokens. */
  endAll(tokenIds: readonly string[]): void {
    const dead = new Set(tokenIds)
    for (const reader of this.readers()) if (dead.has(reader.tokenId)) void reader.end('revoked')
  }
}

function put<Key>(map: Map<Key, Set<Reader>>, key: Key, reader: Reader): void {
  const set = map.get(key)
  if (set) set.add(reader)
  else map.set(key, new Set([reader]))
}

function take<Key>(map: Map<Key, Set<Reader>>, key: Key, reader: Reader): boolean {
  const set = map.get(key)
  const had = set?.delete(reader) ?? false
  if (set?.size === 0) map.delete(key)
  return had
}
