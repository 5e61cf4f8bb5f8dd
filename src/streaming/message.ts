import type { StreamEvent } from '../entities/stream-event.ts'
import type { Channel } from './channels.ts'

/** An event on its way to many readers. Each of its forms is written once, when the first of them needs it. */
export class Message {
  readonly event: StreamEvent['event']
  readonly #payload: string
  #quoted: string | undefined
  #eventStream: Buffer | undefined
  readonly #frames = new Map<Channel, Buffer>()

  /** `payload`: an entity as JSON, or a bare id. */
  constructor(event: StreamEvent['event'], payload: string) {
    this.event = event
    this.#payload = payload
  }

  /** The text of a WebSocket message; there the payload is JSON inside of JSON. */
  forSocket(channel: Channel): Buffer {
    let frame = this.#frames.get(channel)
    if (!frame) {
      this.#quoted ??= JSON.stringify(this.#payload)
      frame = Buffer.from(`{"stream":["${channel}"],"event":"${this.event}","payload":${this.#quoted}}`)
      this.#frames.set(channel, frame)
    }
    return frame
  }

  /** The lines of an event stream. */
  forEventStream(): Buffer {
    return (this.#eventStream ??= Buffer.from(`event: ${this.event}\ndata: ${this.#payload}\n\n`))
  }
}
