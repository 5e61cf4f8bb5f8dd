import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** The longest pause before a client reconnects. */
const RETRY_MS = 500

/** A streaming client that reconnects its socket. */
export class StreamClient {
  /** The ids of the received posts. */
  readonly receivedIds: string[] = []
  #socket: WebSocket | null = null
  #stopped = false
  /** The number of sockets that were opened. */
  opened = 0
  readonly #url: string
  readonly #token: string

  constructor({ origin, token }: { origin: string; token: string }) {
    this.#url = `${origin.replace('http', 'ws')}/api/v1/streaming?stream=user`
    this.#token = token
    void this.#stayOpen()
  }

  stop(): void {
    this.#stopped = true
    this.#socket?.terminate()
  }

  async #stayOpen(): Promise<void> {
    while (!this.#stopped) {
      const socket = new WebSocket(this.#url, { headers: { authorization: `Bearer ${this.#token}` } })
      this.#socket = socket
      // An error also closes the socket.
      socket.on('error', () => {})
      socket.on('open', () => (this.opened += 1))
      socket.on('message', (data: Buffer) => {
        const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: string }
        if (event === 'update') this.receivedIds.push((JSON.parse(payload) as { id: string }).id)
      })
      await new Promise((resolve) => socket.once('close', resolve))
      await wait(Math.random() * RETRY_MS)
    }
  }
}
