import { EntityJson, jsonText } from '../../lib/json/json-content.ts'
import type { StreamEvent } from '../../entities/notifications/stream-event.ts'
import { streamNameOf } from './channels.ts'
import type { Channel } from './channels.ts'

/** An event for many connections. Each serialisation is created once, when the first connection needs it. */
export class StreamMessage {
  readonly event: StreamEvent['event']
  readonly #payload: string | null
  #quoted: string | undefined
  #eventStream: Buffer | undefined
  readonly #frames = new Map<Channel, Buffer>()

  /** `payload`: an entity, a bare id, or null for an event without a payload. */
  constructor(event: StreamEvent['event'], payload: EntityJson<unknown> | string | null) {
    this.event = event
    this.#payload = payload instanceof EntityJson ? jsonText(payload) : payload
  }

  /** Returns the text of a WebSocket message, in which the payload is a JSON string that contains JSON. */
  toWebSocketFrame(channel: Channel): Buffer {
    let frame = this.#frames.get(channel)
    if (!frame) {
      this.#quoted ??= this.#payload === null ? '' : `,"payload":${JSON.stringify(this.#payload)}`
      frame = Buffer.from(`{"stream":${JSON.stringify(streamNameOf(channel))},"event":"${this.event}"${this.#quoted}}`)
      this.#frames.set(channel, frame)
    }
    return frame
  }

  /**
   * Returns the lines of a server-sent event. An event without a payload has the data `null`: browsers ignore events
   * without data, and Mastodon.py ends a stream whose data are not JSON.
   */
  toServerSentEvent(): Buffer {
    return (this.#eventStream ??= Buffer.from(`event: ${this.event}\ndata: ${this.#payload ?? 'null'}\n\n`))
  }
}
