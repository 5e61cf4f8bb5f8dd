/** The pauses before the attempts to connect. The first posts are requested in the first one; the last one repeats. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]

/**
 * Keeps the connection of the stream open. The connector of masto.js doubles its pauses without a limit, so that after a
 * long time without the server the stream would be missing for as long again. This one connects at the latest 30 seconds
 * after the server is back, and at once when the device is online again.
 */
export class StreamConnector {
  readonly #open: () => WebSocket
  readonly #network: EventTarget
  #socket: WebSocket | null = null
  /** Null: the connector is closed. */
  #connected = Promise.withResolvers<WebSocket | null>()
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #isClosed = false

  /** `open` begins to connect. `network` dispatches `online`, as the window does. */
  constructor(open: () => WebSocket, network: EventTarget = window) {
    this.#open = open
    this.#network = network
    network.addEventListener('online', this.#connectNow)
    this.#connectLater()
  }

  /** Returns the open connection, as soon as there is one; null if the connector is closed, or when it gets closed. */
  async acquire(): Promise<WebSocket | null> {
    const socket = await this.#connected.promise
    return this.#isClosed ? null : socket
  }

  /** Closes the connection for good. */
  kill(): void {
    this.#isClosed = true
    this.#network.removeEventListener('online', this.#connectNow)
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#connected.resolve(null)
    this.#socket?.close()
  }

  #connectLater(): void {
    const pause = PAUSES_MS[Math.min(this.#attempts, PAUSES_MS.length - 1)]
    this.#attempts += 1
    this.#timer = setTimeout(this.#connectNow, pause)
  }

  /** Does nothing while a connection is open or being opened. */
  readonly #connectNow = (): void => {
    if (this.#timer === null) return
    clearTimeout(this.#timer)
    this.#timer = null
    const socket = this.#open()
    this.#socket = socket
    let wasOpen = false
    socket.addEventListener('open', () => {
      wasOpen = true
      this.#attempts = 0
      this.#connected.resolve(socket)
    })
    socket.addEventListener('close', () => {
      this.#socket = null
      if (this.#isClosed) return
      if (wasOpen) this.#connected = Promise.withResolvers()
      this.#connectLater()
    })
  }
}
