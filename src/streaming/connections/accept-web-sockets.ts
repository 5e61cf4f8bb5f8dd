import { STATUS_CODES } from 'node:http'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { RawData, WebSocket } from 'ws'
import type { Ctx, Read } from '../../domain/context.ts'
import { isAccessBlocked } from '../../domain/ip-blocks/find-ip-block.ts'
import {
  ForbiddenError,
  NotFoundError,
  RequestError,
  RETRY_AFTER_SECONDS,
  ServiceUnavailableError,
} from '../../lib/errors.ts'
import { createClientIpReader } from '../../lib/http/client-ip-of.ts'
import { mergeSlashes } from '../../lib/http/merge-slashes.ts'
import type { StreamRedirect } from '../redirect-streams.ts'
import type { ConnectionRegistry, CloseReason, StreamConnection } from './connection-registry.ts'
import { checkListOwner, checkScope, parseChannel, isListChannel } from './channels.ts'
import type { Channel, ChannelRequest } from './channels.ts'
import { CLOSE_TIMEOUT_MS, MAX_UNREAD_BYTES } from './limits.ts'
import { findSubscriber, queryOf } from './find-subscriber.ts'
import type { Subscriber } from './find-subscriber.ts'
import type { StreamMessage } from './stream-message.ts'

const STREAMING_PATH = /^\/api\/v1\/streaming(\/|\?|$)/

/** The maximum size of a client message; commands are short. */
const MAX_FRAME_BYTES = 16 * 1024

/** The maximum number of commands between two pings. A connection that exceeds it is closed. */
const MAX_COMMANDS_PER_PING = 200

/** The maximum number of upgrade requests in progress. Further ones get 503 and can be retried. */
const MAX_PENDING_UPGRADES = 20_000

/** Sends a ping at every second heartbeat, which is every 30 seconds. */
const HEARTBEATS_PER_PING = 2

const CLOSE_CODES = {
  revoked: { code: 1008, reason: 'The access token was revoked' },
  blocked: { code: 1008, reason: 'The IP address was blocked' },
  restart: { code: 1012, reason: 'The server restarts' },
} as const

/** Without compression, which costs memory for each socket and was the target of past attacks on `ws`. */
const TEXT_FRAME = { binary: false, compress: false }

/** A variable instead of a literal argument, because `closeTimeout` is not in the library's types yet. */
const WEB_SOCKET_OPTIONS = {
  noServer: true,
  clientTracking: false,
  maxPayload: MAX_FRAME_BYTES,
  perMessageDeflate: false,
  closeTimeout: CLOSE_TIMEOUT_MS,
  // A browser that offers its token as subprotocol closes the connection unless the server selects it.
  handleProtocols: (offered: Set<string>) => offered.values().next().value ?? false,
}

/**
 * Accepts WebSockets at `/api/v1/streaming`, or redirects their handshakes to the streaming host. Returns a function
 * that stops accepting.
 */
export function acceptWebSockets(
  ctx: Ctx,
  {
    server,
    connections,
    redirect,
  }: { server: Server; connections: ConnectionRegistry; redirect: StreamRedirect | null },
): () => void {
  let isAccepting = true
  let pendingUpgrades = 0
  const webSocketServer = new WebSocketServer(WEB_SOCKET_OPTIONS)
  const clientIpOf = createClientIpReader(ctx.config.trustedProxies)
  const admit = async (request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> => {
    const url = mergeSlashes(request)
    const { headers } = request
    if (!STREAMING_PATH.test(url)) throw new NotFoundError()
    const location = redirect?.({ url, host: headers.host ?? '' }) ?? null
    if (location !== null) return endUpgrade(socket, { status: 301, headers: { Location: location } })
    if (pendingUpgrades > MAX_PENDING_UPGRADES) throw new ServiceUnavailableError()
    const ip = clientIpOf(request)
    if (await isAccessBlocked(ctx, { ip })) throw new ForbiddenError()
    const subscriber = await findSubscriber(ctx, { request })
    if (!isAccepting) throw new ServiceUnavailableError()
    connections.checkLimits(subscriber)
    webSocketServer.handleUpgrade(request, socket, head, (ws) => {
      const connection = new WebSocketConnection({ read: ctx, subscriber, ip, ws, connections })
      const { stream, list, tag } = Object.fromEntries(queryOf(request.url))
      if (stream !== undefined) connection.runCommand({ type: 'subscribe', stream, list, tag })
    })
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Without a listener, an error of the socket meanwhile would terminate the process.
    const ignore = () => {}
    socket.on('error', ignore)
    pendingUpgrades += 1
    admit(request, socket, head)
      .catch((err: unknown) => {
        if (!(err instanceof RequestError)) ctx.log.error({ err }, 'A WebSocket could not be opened')
        rejectUpgrade(socket, err instanceof RequestError ? err : new ServiceUnavailableError())
      })
      .finally(() => {
        pendingUpgrades -= 1
        socket.off('error', ignore)
      })
  })
  return () => {
    isAccepting = false
  }
}

/**
 * Rejects an upgrade by an HTTP response. Browsers hide it from scripts; other clients find the reason in the header.
 */
function rejectUpgrade(socket: Duplex, { status, message }: RequestError): void {
  const headers: Record<string, string | number> = { 'X-Error-Message': message }
  if (status === 503 || status === 429) headers['Retry-After'] = RETRY_AFTER_SECONDS
  endUpgrade(socket, { status, headers })
}

/** Answers an upgrade by an HTTP response without a body. The values of the headers contain no line breaks. */
function endUpgrade(
  socket: Duplex,
  { status, headers }: { status: number; headers: Record<string, string | number> },
): void {
  socket.once('finish', () => socket.destroy())
  const lines = Object.entries({ Connection: 'close', 'Content-Length': 0, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}

/** A message of the client, such as `{"type":"subscribe","stream":"user"}`. */
interface Command extends ChannelRequest {
  type?: unknown
}

class WebSocketConnection implements StreamConnection {
  readonly accountId: string
  readonly tokenId: string
  readonly ip: string
  readonly scopes: readonly string[]
  readonly channels = new Set<Channel>()
  readonly #ws: WebSocket
  readonly #connections: ConnectionRegistry
  #heartbeats = 0
  #commands = 0
  #hasPong = true
  #closing: Promise<void> | null = null
  /** The number of commands that wait until the owner of a list is known. */
  #pendingCommands = 0
  #lastCommand: Promise<void> = Promise.resolve()
  readonly #read: Read

  constructor({
    read,
    subscriber,
    ip,
    ws,
    connections,
  }: {
    read: Read
    subscriber: Subscriber
    ip: string
    ws: WebSocket
    connections: ConnectionRegistry
  }) {
    this.#read = read
    this.accountId = subscriber.accountId
    this.tokenId = subscriber.tokenId
    this.scopes = subscriber.scopes
    this.ip = ip
    this.#ws = ws
    this.#connections = connections
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary))
    ws.on('pong', () => {
      this.#hasPong = true
    })
    // An error is followed by `close`, so it needs no handling of its own.
    ws.on('error', () => {})
    ws.on('close', () => connections.remove(this))
    connections.add(this)
  }

  send(message: StreamMessage, channel: Channel): void {
    if (this.#ws.bufferedAmount > MAX_UNREAD_BYTES) this.#terminate()
    else this.#ws.send(message.toWebSocketFrame(channel), TEXT_FRAME)
  }

  sendHeartbeat(): void {
    this.#heartbeats += 1
    if (this.#heartbeats % HEARTBEATS_PER_PING !== 0) return
    this.#commands = 0
    if (!this.#hasPong) return this.#terminate()
    this.#hasPong = false
    this.#ws.ping()
  }

  async close(closeReason: CloseReason): Promise<void> {
    const { code, reason } = CLOSE_CODES[closeReason]
    return this.#close(code, reason)
  }

  /** Runs the commands of a client in order. Ignores unknown commands. */
  runCommand(command: Command): void {
    const { type } = command
    if (type !== 'subscribe' && type !== 'unsubscribe') return
    try {
      const channel = parseChannel(command)
      checkScope({ channel, scopes: this.scopes })
      if (this.#pendingCommands > 0 || (type === 'subscribe' && isListChannel(channel)))
        this.#changeAfterPending(type, channel)
      else this.#applyChange(type, channel)
    } catch (err) {
      this.#sendError(err)
    }
  }

  #changeAfterPending(type: 'subscribe' | 'unsubscribe', channel: Channel): void {
    this.#pendingCommands += 1
    this.#lastCommand = this.#lastCommand
      .then(async () => {
        if (type === 'subscribe' && isListChannel(channel))
          await checkListOwner(this.#read, { channel, subscriber: this })
        this.#applyChange(type, channel)
      })
      .catch((err: unknown) => this.#sendError(err))
      .finally(() => {
        this.#pendingCommands -= 1
      })
  }

  #applyChange(type: 'subscribe' | 'unsubscribe', channel: Channel): void {
    if (type === 'subscribe') this.#connections.subscribe(this, channel)
    else this.#connections.unsubscribe(this, channel)
  }

  #sendError(err: unknown): void {
    const { message, status } = err instanceof RequestError ? err : new ServiceUnavailableError()
    this.#ws.send(JSON.stringify({ error: message, status }), TEXT_FRAME)
  }

  #receive(data: RawData, isBinary: boolean): void {
    // Messages can still arrive after the server has sent the close frame.
    if (this.#closing) return
    this.#commands += 1
    if (isBinary) return void this.#close(1003, 'Only text is understood')
    if (this.#commands > MAX_COMMANDS_PER_PING) return void this.#close(1008, 'Too many messages')
    const command = parseCommand(data)
    if (command) this.runCommand(command)
  }

  /** Stops sending events at once, whether or not the client confirms the close frame. */
  #close(code: number, reason: string): Promise<void> {
    this.#connections.remove(this)
    this.#closing ??= new Promise((resolve) => {
      this.#ws.once('close', () => resolve())
      this.#ws.close(code, reason)
    })
    return this.#closing
  }

  #terminate(): void {
    this.#connections.remove(this)
    this.#ws.terminate()
  }
}

function parseCommand(data: RawData): Command | null {
  try {
    const value: unknown = JSON.parse((data as Buffer).toString())
    return typeof value === 'object' && value !== null ? value : null
  } catch {
    return null
  }
}
