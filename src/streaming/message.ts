import { EntityJson, jsonText } from '../lib/entity-json.ts'
import type { StreamEvent } from '../entities/stream-event.ts'
import { labelsOf } from './channels.ts'
import type { Channel } from './channels.ts'

/** An event on its way to many readers. Each of its forms is written once, when the first of them needs it. */
export class Message {
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

  /** The text of a WebSocket message; there the payload is JSON inside of JSON. */
  forSocket(channel: Channel): Buffer {
    let frame = this.#frames.get(channel)
    if (!frame) {
      this.#quoted ??= this.#payload === null ? '' : `,"payload":${JSON.stringify(this.#payload)}`
      frame = Buffer.from(`{"stream":${JSON.stringify(labelsOf(channel))},"event":"${this.event}"${this.#quoted}}`)
      this.#frames.set(channel, frame)
    }
    return frame
  }

  /** The lines of an event stream. Without any data, browsers would not hand an event on. */
  forEventStream(): Buffer {
    const data = this.#payload === null ? 'data:' : `data: ${this.#payload}`
    return (this.#eventStream ??= Buffer.from(`event: ${this.event}\n${data}\n\n`))
  }
}
