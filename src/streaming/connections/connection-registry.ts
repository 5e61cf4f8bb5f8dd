import { BadRequestError, TooManyRequestsError, UnauthorizedError } from '../../lib/errors.ts'
import { coversScope } from '../../lib/http/scopes.ts'
import { isSameChannel, listChannel } from './channels.ts'
import type { Channel } from './channels.ts'
import type { Subscriber } from './find-subscriber.ts'
import type { StreamMessage } from './stream-message.ts'
import { Deduplicator } from './deduplicator.ts'

/** The maximum number of connections of one account to this process. Further ones are refused; open ones stay. */
const MAX_CONNECTIONS_PER_ACCOUNT = 20

/** The maximum number of channels of one connection; each hashtag and each list counts. */
const MAX_CHANNELS_PER_CONNECTION = 100

/** The number of remembered revoked tokens, to reject connections whose token was loaded just before its revocation. */
const MAX_REVOKED_TOKENS = 1_000

/** The reason for which the server closes a connection. */
export type CloseReason = 'revoked' | 'blocked' | 'restart'

/** An open connection: a WebSocket or an event stream. */
export interface StreamConnection extends Subscriber {
  /** The IP address of the client. */
  readonly ip: string
  readonly channels: Set<Channel>
  /** Sends a message, or terminates the connection if it has more than `MAX_UNREAD_BYTES` unread. */
  send(message: StreamMessage, channel: Channel): void
  /** Keeps the connection alive, and detects a dead one. Called every 15 seconds. */
  sendHeartbeat(): void
  /** Closes the connection; resolves once it is closed. */
  close(reason: CloseReason): Promise<void>
}

/** Channels by name or by a predicate. */
type ChannelSelector = readonly Channel[] | ((channel: Channel) => boolean)

interface EventDispatch {
  message: StreamMessage
  channels: ChannelSelector
  accountIds: readonly string[]
  scope?: string
  /** If set, each account receives the event with this key only once. */
  deduplicationKey?: string | null
}

/** The streaming connections to this process, by account and by channel. */
export class ConnectionRegistry {
  readonly #accounts = new Map<string, Set<StreamConnection>>()
  readonly #channels = new Map<Channel, Set<StreamConnection>>()
  readonly #revoked = new Set<string>()
  #opened = new Set<StreamConnection>()
  readonly #deduplicator = new Deduplicator()
  #size = 0

  get size(): number {
    return this.#size
  }

  /** @throws UnauthorizedError if the token has been revoked meanwhile. @throws TooManyRequestsError above the limit */
  checkLimits({ accountId, tokenId }: Subscriber): void {
    if (this.#revoked.has(tokenId)) throw new UnauthorizedError('Invalid access token')
    if ((this.#accounts.get(accountId)?.size ?? 0) >= MAX_CONNECTIONS_PER_ACCOUNT) {
      throw new TooManyRequestsError(`No more than ${MAX_CONNECTIONS_PER_ACCOUNT} streams at once`)
    }
  }

  add(connection: StreamConnection): void {
    addToIndex(this.#accounts, connection.accountId, connection)
    for (const channel of connection.channels) addToIndex(this.#channels, channel, connection)
    this.#opened.add(connection)
    this.#size += 1
  }

  /** Removes a closed connection, which receives no further events. Idempotent. */
  remove(connection: StreamConnection): void {
    if (!removeFromIndex(this.#accounts, connection.accountId, connection)) return
    for (const channel of connection.channels) removeFromIndex(this.#channels, channel, connection)
    this.#opened.delete(connection)
    this.#size -= 1
  }

  /**
   * Does nothing for a closed connection, and for a channel that it has, also in another spelling.
   * @throws BadRequestError above the limit of channels
   */
  subscribe(connection: StreamConnection, channel: Channel): void {
    if (!this.#accounts.get(connection.accountId)?.has(connection)) return
    if (findSubscription(connection, channel) !== undefined) return
    if (connection.channels.size >= MAX_CHANNELS_PER_CONNECTION) {
      throw new BadRequestError(`No more than ${MAX_CHANNELS_PER_CONNECTION} streams on one connection`)
    }
    connection.channels.add(channel)
    addToIndex(this.#channels, channel, connection)
  }

  unsubscribe(connection: StreamConnection, channel: Channel): void {
    const subscribed = findSubscription(connection, channel)
    if (subscribed === undefined) return
    connection.channels.delete(subscribed)
    removeFromIndex(this.#channels, subscribed, connection)
  }

  *connections(): Iterable<StreamConnection> {
    for (const connections of this.#accounts.values()) yield* connections
  }

  /** Returns the open connections that were added since the last call. */
  takeOpened(): Iterable<StreamConnection> {
    const opened = this.#opened
    this.#opened = new Set()
    return opened
  }

  /** Returns whether the account has a connection to this process. */
  hasConnection(accountId: string): boolean {
    return this.#accounts.has(accountId)
  }

  /** Returns the subscribed channels that match the predicate. */
  openChannels(test: (channel: Channel) => boolean): Channel[] {
    return [...this.#channels.keys()].filter(test)
  }

  /** Returns those of the lists that have a subscriber. */
  withListSubscribers(listIds: readonly string[]): string[] {
    return listIds.filter((id) => this.#channels.has(listChannel(id)))
  }

  /** Returns the accounts that are subscribed to any of the channels. */
  accountsOn(channels: ChannelSelector): string[] {
    const ids = new Set<string>()
    const named = typeof channels === 'function' ? this.openChannels(channels) : channels
    for (const channel of named) for (const { accountId } of this.#channels.get(channel) ?? []) ids.add(accountId)
    return [...ids]
  }

  /** Returns those of the accounts that are subscribed to the channel. */
  withSubscribers(channel: Channel, accountIds: readonly string[]): string[] {
    const subscribed = this.#channels.get(channel)
    if (!subscribed) return []
    return accountIds.filter((id) =>
      this.#accounts
        .get(id)
        ?.values()
        .some((connection) => subscribed.has(connection)),
    )
  }

  /** Returns whether the account is subscribed to any of the channels by a token with the scope. */
  isSubscribed({
    channels,
    accountId,
    scope,
  }: {
    channels: readonly Channel[]
    accountId: string
    scope: string
  }): boolean {
    const connections = this.#accounts.get(accountId) ?? []
    return [...connections].some(
      (connection) =>
        coversScope(connection.scopes, scope) && channels.some((channel) => connection.channels.has(channel)),
    )
  }

  /** Sends a message to the accounts' connections that are subscribed to the channels and whose token has the scope. */
  send({ message, channels, accountIds, scope, deduplicationKey = null }: EventDispatch): void {
    const isSelected = typeof channels === 'function' ? channels : (channel: Channel) => channels.includes(channel)
    for (const id of deduplicationKey === null
      ? accountIds
      : this.#deduplicator.filterNew(deduplicationKey, accountIds)) {
      for (const connection of this.#accounts.get(id) ?? []) {
        if (scope !== undefined && !coversScope(connection.scopes, scope)) continue
        for (const channel of connection.channels) if (isSelected(channel)) connection.send(message, channel)
      }
    }
  }

  /** Closes the connections of revoked tokens, and rejects new ones. */
  revoke(tokenIds: readonly string[]): void {
    for (const id of tokenIds) this.#revoked.add(id)
    for (const id of this.#revoked) {
      if (this.#revoked.size <= MAX_REVOKED_TOKENS) break
      this.#revoked.delete(id)
    }
    this.closeAll(tokenIds)
  }

  /** Closes the connections of these tokens. */
  closeAll(tokenIds: readonly string[]): void {
    const revoked = new Set(tokenIds)
    for (const connection of this.connections()) if (revoked.has(connection.tokenId)) void connection.close('revoked')
  }
}

/** Returns the channel as the connection has subscribed to it. */
function findSubscription({ channels }: StreamConnection, channel: Channel): Channel | undefined {
  return channels.has(channel) ? channel : [...channels].find((one) => isSameChannel(one, channel))
}

function addToIndex<Key>(map: Map<Key, Set<StreamConnection>>, key: Key, connection: StreamConnection): void {
  const set = map.get(key)
  if (set) set.add(connection)
  else map.set(key, new Set([connection]))
}

function removeFromIndex<Key>(map: Map<Key, Set<StreamConnection>>, key: Key, connection: StreamConnection): boolean {
  const set = map.get(key)
  const had = set?.delete(connection) ?? false
  if (set?.size === 0) map.delete(key)
  return had
}
