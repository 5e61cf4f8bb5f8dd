import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** It tries again after as long as this, at most. */
const RETRY_MS = 500

/** An app that is never without a socket for long. */
export class App {
  /** The ids of the posts that it was told of. */
  readonly heard: string[] = []
  #socket: WebSocket | null = null
  #stopped = false
  /** How often it had a socket. */
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
      // What breaks it also closes it.
      socket.on('error', () => {})
      socket.on('open', () => (this.opened += 1))
      socket.on('message', (data: Buffer) => {
        const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: string }
        if (event === 'update') this.heard.push((JSON.parse(payload) as { id: string }).id)
      })
      await new Promise((resolve) => socket.once('close', resolve))
      await wait(Math.random() * RETRY_MS)
    }
  }
}
