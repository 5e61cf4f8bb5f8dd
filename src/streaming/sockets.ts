import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import type { Ctx, Read } from '../domain/context.ts'
import { NotFound, Refusal, RETRY_AFTER_SECONDS, Unavailable } from '../lib/errors.ts'
import type { Audience, Ending, Reader } from './audience.ts'
import { checkList, checkScope, findChannel, isListChannel } from './channels.ts'
import type { Channel, Wish } from './channels.ts'
import { GOODBYE_MS, MAX_UNREAD_BYTES } from './limits.ts'
import { findListener, queryOf } from './listener.ts'
import type { Listener } from './listener.ts'
import type { Message } from './message.ts'

const PATH = /^\/api\/v1\/streaming(\/|\?|$)/

/** Commands are short. */
const MAX_FRAME_BYTES = 16 * 1024

/** Commands between two pings. Nobody needs so many; who sends them is cut off. */
const MAX_COMMANDS = 200

/** So many may wait to be let in. More come back later. */
const MAX_ARRIVING = 20_000

/** A ping at every second beat, which is each 30 seconds. */
const BEATS_PER_PING = 2

const CLOSINGS = {
  revoked: { code: 1008, reason: 'The access token was revoked' },
  restart: { code: 1012, reason: 'The server restarts' },
} as const

/** Compression would cost memory for every socket, and is where `ws` was attacked before. */
const TEXT = { binary: false, compress: false }

/** `closeTimeout` is not in the library's types yet. */
const OPTIONS = {
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
  closeTimeout: GOODBYE_MS,
  // A browser that offered its token as subprotocol hangs up unless it is chosen.
  handleProtocols: (offered: Set<string>) => offered.values().next().value ?? false,
}

/** Lets WebSockets in at `/api/v1/streaming`. Returns the way to let in no more. */
export function acceptSockets(ctx: Ctx, { server, audience }: { server: Server; audience: Audience }): () => void {
  let open = true
  let arriving = 0
  const acceptor = new WebSocketServer(OPTIONS)
  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    if (!PATH.test(request.url ?? '')) throw new NotFound()
    if (arriving > MAX_ARRIVING) throw new Unavailable()
    const listener = await findListener(ctx, { request })
    if (!open) throw new Unavailable()
    audience.checkRoom(listener)
    acceptor.handleUpgrade(request, socket, head, (ws) => {
      const reader = new SocketReader({ read: ctx, listener, ws, audience })
      const { stream, list, tag } = Object.fromEntries(queryOf(request.url))
      if (stream !== undefined) reader.obey({ type: 'subscribe', stream, list, tag })
    })
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener, a client that hangs up meanwhile would end the process.
    const ignore = () => {}
    socket.on('error', ignore)
    arriving += 1
    admit(request, socket, head)
      .catch((err: unknown) => {
        if (!(err instanceof Refusal)) ctx.log.error({ err }, 'a socket could not be opened')
        refuse(socket, err instanceof Refusal ? err : new Unavailable())
      })
      .finally(() => {
        arriving -= 1
        socket.off('error', ignore)
      })
  })
  return () => {
    open = false
  }
}

/** Answers an upgrade by HTTP. A browser shows none of it to a script; other clients find the reason in the header. */
function refuse(socket: Duplex, { status, message }: Refusal): void {
  socket.once('finish', () => socket.destroy())
  const retryAfter = status === 503 ? `Retry-After: ${RETRY_AFTER_SECONDS}\r\n` : ''
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n${retryAfter}X-Error-Message: ${message}\r\n\r\n`,
  )
}

/** What a client may send: `{"type":"subscribe","stream":"user"}`. */
interface Command extends Wish {
  type?: unknown
}

class SocketReader implements Reader {
  readonly accountId: string
  readonly tokenId: string
  readonly scopes: readonly string[]
  readonly channels = new Set<Channel>()
  readonly #ws: WebSocket
  readonly #audience: Audience
  #beats = 0
  #commands = 0
  #answered = true
  #ending: Promise<void> | null = null
  /** Commands that wait until it is known whose list another one means. */
  #unsettled = 0
  #settled: Promise<void> = Promise.resolve()
  readonly #read: Read

  constructor({ read, listener, ws, audience }: { read: Read; listener: Listener; ws: WebSocket; audience: Audience }) {
    this.#read = read
    this.accountId = listener.accountId
    this.tokenId = listener.tokenId
    this.scopes = listener.scopes
    this.#ws = ws
    this.#audience = audience
    ws.on('message', (data, isBinary) => this.#hear(data, isBinary))
    ws.on('pong', () => {
      this.#answered = true
    })
    // What breaks a socket also closes it.
    ws.on('error', () => {})
    ws.on('close', () => audience.remove(this))
    audience.add(this)
  }

  send(message: Message, channel: Channel): void {
    if (this.#ws.bufferedAmount > MAX_UNREAD_BYTES) this.#cut()
    else this.#ws.send(message.forSocket(channel), TEXT)
  }

  beat(): void {
    this.#beats += 1
    if (this.#beats % BEATS_PER_PING !== 0) return
    this.#commands = 0
    if (!this.#answered) return this.#cut()
    this.#answered = false
    this.#ws.ping()
  }

  async end(ending: Ending): Promise<void> {
    const { code, reason } = CLOSINGS[ending]
    return this.#close(code, reason)
  }

  /** Does what the client asks for, one after the other. What makes no sense at all is passed over. */
  obey(command: Command): void {
    const { type } = command
    if (type !== 'subscribe' && type !== 'unsubscribe') return
    try {
      const channel = findChannel(command)
      checkScope({ channel, scopes: this.scopes })
      if (this.#unsettled > 0 || (type === 'subscribe' && isListChannel(channel))) this.#wait(type, channel)
      else this.#change(type, channel)
    } catch (err) {
      this.#refuse(err)
    }
  }

  #wait(type: 'subscribe' | 'unsubscribe', channel: Channel): void {
    this.#unsettled += 1
    this.#settled = this.#settled
      .then(async () => {
        if (type === 'subscribe' && isListChannel(channel)) await checkList(this.#read, { channel, listener: this })
        this.#change(type, channel)
      })
      .catch((err: unknown) => this.#refuse(err))
      .finally(() => {
        this.#unsettled -= 1
      })
  }

  #change(type: 'subscribe' | 'unsubscribe', channel: Channel): void {
    if (type === 'subscribe') this.#audience.subscribe(this, channel)
    else this.#audience.unsubscribe(this, channel)
  }

  #refuse(err: unknown): void {
    const { message, status } = err instanceof Refusal ? err : new Unavailable()
    this.#ws.send(JSON.stringify({ error: message, status }), TEXT)
  }

  #hear(data: RawData, isBinary: boolean): void {
    // After the goodbye, what was on its way still comes in.
    if (this.#ending) return
    this.#commands += 1
    if (isBinary) return void this.#close(1003, 'Only text is understood')
    if (this.#commands > MAX_COMMANDS) return void this.#close(1008, 'Too many messages')
    const command = parse(data)
    if (command) this.obey(command)
  }

  /** From now on the reader is told nothing, whether its client takes note of the end or not. */
  #close(code: number, reason: string): Promise<void> {
    this.#audience.remove(this)
    this.#ending ??= new Promise((resolve) => {
      this.#ws.once('close', () => resolve())
      this.#ws.close(code, reason)
    })
    return this.#ending
  }

  #cut(): void {
    this.#audience.remove(this)
    this.#ws.terminate()
  }
}

function parse(data: RawData): Command | null {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString())
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
