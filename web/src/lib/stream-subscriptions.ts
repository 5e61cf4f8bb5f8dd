import type { mastodon } from 'masto'
import { toCamelCase } from './api/convert-names.ts'
import type { StreamConnector } from './stream-connector.ts'

export type StreamEvent = mastodon.streaming.Event

/** A stream of the server, as clients name it in messages (Mastodon: `/api/v1/streaming`). */
export type Stream =
  | { stream: 'user' | 'direct' | 'public' | 'public:local' | 'public:remote' }
  | { stream: 'hashtag'; tag: string }
  | { stream: 'list'; list: string }

type Listener = (event: StreamEvent) => void

/** The events whose payload is an id; that of all others is JSON. */
const WITH_ID = new Set(['delete', 'announcement.delete'])

interface Message {
  stream: readonly string[]
  event: string
  payload?: string
}

/**
 * The streams of one connection: subscribes to each once while it has listeners, also again on each new connection.
 * masto.js counts its subscriptions on all connections together, so that after a reconnection it ends none.
 */
export class StreamSubscriptions {
  readonly #connector: StreamConnector
  /** By the JSON of the stream. */
  readonly #listeners = new Map<string, { stream: Stream; all: Set<Listener> }>()
  /** Null while there is no connection. */
  #socket: WebSocket | null = null

  constructor(connector: StreamConnector) {
    this.#connector = connector
    void this.#subscribeOnEachConnection()
  }

  /** Calls `listener` for each event of a stream. Returns a function that ends it. */
  listen(stream: Stream, listener: Listener): () => void {
    const key = JSON.stringify(stream)
    const { all } = this.#listeners.get(key) ?? this.#add(key, stream)
    // The same function may listen more than once.
    const own: Listener = (event) => listener(event)
    all.add(own)
    return () => {
      if (!all.delete(own) || all.size > 0) return
      this.#listeners.delete(key)
      this.#send('unsubscribe', stream)
    }
  }

  /** Closes the connection for good. */
  close(): void {
    this.#connector.kill()
  }

  #add(key: string, stream: Stream) {
    const added = { stream, all: new Set<Listener>() }
    this.#listeners.set(key, added)
    this.#send('subscribe', stream)
    return added
  }

  async #subscribeOnEachConnection(): Promise<void> {
    for (;;) {
      const socket = await this.#connector.acquire()
      if (!socket) return
      const closed = new Promise((resolve) => socket.addEventListener('close', resolve, { once: true }))
      socket.addEventListener('message', ({ data }: MessageEvent<string>) => this.#receive(data))
      this.#socket = socket
      for (const { stream } of this.#listeners.values()) this.#send('subscribe', stream)
      await closed
      this.#socket = null
    }
  }

  /** Without a connection, nothing is sent: the next one begins without subscriptions. */
  #send(type: 'subscribe' | 'unsubscribe', stream: Stream): void {
    this.#socket?.send(JSON.stringify({ type, ...stream }))
  }

  #receive(data: string): void {
    const message = JSON.parse(data) as Message | { error: string }
    // An error concerns a single stream, for example that of a list which was deleted meanwhile.
    if ('error' in message) return
    const { event, payload } = message
    const parsed = payload === undefined || WITH_ID.has(event) ? payload : toCamelCase(JSON.parse(payload))
    const streamEvent = { stream: message.stream, event, payload: parsed } as unknown as StreamEvent
    for (const { stream, all } of this.#listeners.values())
      if (Object.values(stream).every((part) => message.stream.includes(part)))
        for (const listener of all) listener(streamEvent)
  }
}
