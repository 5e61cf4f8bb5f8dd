import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { issueToken } from '../../src/domain/auth/access-tokens.ts'
import type { Ctx } from '../../src/domain/context.ts'
import type { Status } from '../../src/entities/statuses/status.ts'
import { registerFederationRoutes } from '../../src/federation/routes.ts'
import { createServer } from '../../src/http/server.ts'
import { startStreaming } from '../../src/streaming/start-streaming.ts'
import type { StreamingIntervals, Streaming } from '../../src/streaming/start-streaming.ts'

/** The time limit for an event. */
const TIMEOUT_MS = 60_000

/** Polls until the result is truthy, and returns it. @throws Error after the time limit */
export async function until<T>(
  find: () => T | Promise<T>,
  description = 'the result',
): Promise<Exclude<T, false | null | undefined>> {
  const end = Date.now() + TIMEOUT_MS
  for (;;) {
    const found = await find()
    if (found) return found as Exclude<T, false | null | undefined>
    if (Date.now() > end) throw new Error(`Timeout: ${description}`)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
}

/** Opens a second server on the same database and bus, like a process for streams only. */
export async function openStreamingServer(
  ctx: Ctx,
  intervals?: StreamingIntervals,
): Promise<{ origin: string; streaming: Streaming; close(): Promise<void> }> {
  const server = await createServer(ctx)
  await server.register(async (scope) => registerFederationRoutes(scope, ctx))
  const streaming = await startStreaming(ctx, { server, ...(intervals && { intervals }) })
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  return { origin, streaming, close: async () => server.close() }
}

export interface ReceivedEvent {
  stream: string[]
  event: string
  /** An entity as JSON, or a bare id. */
  payload: string
}

/** Returns the status of an `update` event. */
export function statusOf({ payload }: { payload: string }): Status {
  return JSON.parse(payload) as Status
}

/** Returns the id of the object of an event. */
export function idOf({ payload }: { payload: string }): string {
  return payload.startsWith('{') ? statusOf({ payload }).id : payload
}

export interface Socket {
  ws: WebSocket
  /** All received events, in order. */
  received: ReceivedEvent[]
  errors: { error: string; status: number }[]
  send(command: object): void
  /** Subscribes to streams, and resolves when the subscriptions are active. */
  subscribe(...streams: string[]): Promise<void>
  closed: Promise<{ code: number; reason: string }>
}

export interface RejectedConnection {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export interface SocketOptions {
  token?: string | undefined
  /** The part of the request that contains the token. */
  by?: 'header' | 'query' | 'protocol'
  path?: string
  stream?: string
  /** The IP address that a reverse proxy would report. */
  ip?: string
  /** The `Host` header, if it is not that of the URL. */
  host?: string
}

/** Opens a socket. @throws RejectedConnection if the server rejects it */
export async function openSocket(
  origin: string,
  { token, by = 'header', path = '/api/v1/streaming', stream, ip, host }: SocketOptions = {},
): Promise<Socket> {
  const url = new URL(origin.replace('http', 'ws') + path)
  if (stream !== undefined) url.searchParams.set('stream', stream)
  if (by === 'query' && token) url.searchParams.set('access_token', token)
  const ws = new WebSocket(url, by === 'protocol' && token ? [token] : [], {
    headers: {
      ...(by === 'header' && token ? { authorization: `Bearer ${token}` } : {}),
      ...(ip !== undefined && { 'x-forwarded-for': ip }),
      ...(host !== undefined && { host }),
    },
    perMessageDeflate: false,
  })
  const received: ReceivedEvent[] = []
  const errors: Socket['errors'] = []
  ws.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as ReceivedEvent | { error: string; status: number }
    if ('error' in message) errors.push(message)
    else received.push(message)
  })
  const closed = new Promise<{ code: number; reason: string }>((resolve) =>
    ws.on('close', (code, reason) => resolve({ code, reason: String(reason) })),
  )
  await new Promise<void>((resolve, reject) => {
    ws.on('open', () => resolve())
    ws.on('error', reject)
    ws.on('unexpected-response', (_request, response) => void readAnswer(response).then(reject))
  })
  const send = (command: object) => ws.send(JSON.stringify(command))
  let pings = 0
  return {
    ws,
    received,
    errors,
    closed,
    send,
    async subscribe(...streams) {
      for (const one of streams) send({ type: 'subscribe', stream: one })
      // The server sends the pong after it has processed the earlier messages.
      const mark = String((pings += 1))
      const answered = new Promise<void>((resolve) => {
        const onMessage = (data: Buffer) => {
          if (String(data) !== mark) return
          ws.off('pong', onMessage)
          resolve()
        }
        ws.on('pong', onMessage)
      })
      ws.ping(mark)
      await answered
    },
  }
}

/** Tries to open a socket, and returns the rejection. */
export async function expectSocketRejected(origin: string, options: SocketOptions = {}): Promise<RejectedConnection> {
  return openSocket(origin, options).then(
    () => assert.fail('the socket was opened'),
    (err: unknown) => err as RejectedConnection,
  )
}

/** Issues a token of a user, or (null) of an app only. */
export async function issueTokenWithScopes(
  ctx: Ctx,
  { user, scopes }: { user: { userId: string } | null; scopes: string },
): Promise<{ id: string; token: string }> {
  const userId = user?.userId ?? null
  return ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes: scopes.split(' ') }))
}

async function readAnswer(response: IncomingMessage): Promise<RejectedConnection> {
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

export interface EventStream {
  status: number
  headers: IncomingHttpHeaders
  /** Returns the text received so far. */
  text(): string
  events(): { event: string; payload: string }[]
  request: ClientRequest
  response: IncomingMessage
  ended: Promise<void>
}

/** Opens a stream of server-sent events; a rejection is returned with its status and text. */
export async function openEventStream(
  origin: string,
  { path, token, headers = {} }: { path: string; token?: string; headers?: Record<string, string> },
): Promise<EventStream> {
  const all = token ? { authorization: `Bearer ${token}`, ...headers } : headers
  const request = get(origin + path, { headers: all, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve).on('error', reject)
  })
  request.on('error', () => {})
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  const ended = new Promise<void>((resolve) => response.on('close', () => resolve()).on('error', () => resolve()))
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    events: () =>
      [...text.matchAll(/^event: (.+)\ndata: (.+)\n\n/gm)].map(([, event = '', data = '']) => ({
        event,
        payload: data,
      })),
    request,
    response,
    ended,
  }
}
