import assert from 'node:assert/strict'
import { get } from 'node:http'
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { issueToken } from '../src/domain/auth/tokens.ts'
import type { Ctx } from '../src/domain/context.ts'
import type { Status } from '../src/entities/status.ts'
import { federationRoutes } from '../src/federation/routes.ts'
import { createServer } from '../src/http/server.ts'
import { startStreaming } from '../src/streaming/hub.ts'
import type { Pace, Streaming } from '../src/streaming/hub.ts'

/** How long an event may take before a test fails. */
const PATIENCE_MS = 10_000

/** Looks again and again until something is there. */
export async function until<T>(find: () => T | Promise<T>, what = 'it'): Promise<Exclude<T, false | null | undefined>> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const found = await find()
    if (found) return found as Exclude<T, false | null | undefined>
    if (Date.now() > end) throw new Error(`Waited in vain until ${what} was there`)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
}

/** A server beside that of the world, on the same database and bus, as a process for streams alone would be. */
export async function serveStreams(
  ctx: Ctx,
  pace?: Pace,
): Promise<{ origin: string; streaming: Streaming; close(): Promise<void> }> {
  const server = await createServer(ctx)
  await server.register(async (scope) => federationRoutes(scope, ctx))
  const streaming = await startStreaming(ctx, { server, ...(pace && { pace }) })
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  return { origin, streaming, close: async () => server.close() }
}

export interface Received {
  stream: string[]
  event: string
  /** An entity as JSON, or a bare id. */
  payload: string
}

/** The status of an update. */
export function statusOf({ payload }: { payload: string }): Status {
  return JSON.parse(payload) as Status
}

/** The id of what an event tells of. */
export function idOf({ payload }: { payload: string }): string {
  return payload.startsWith('{') ? statusOf({ payload }).id : payload
}

export interface Socket {
  ws: WebSocket
  /** Everything that came, in order. */
  received: Received[]
  errors: { error: string; status: number }[]
  send(command: object): void
  /** Subscribes, and resolves when the server has done so. */
  subscribe(...streams: string[]): Promise<void>
  closed: Promise<{ code: number; reason: string }>
}

export interface Refused {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export interface SocketOptions {
  token?: string | undefined
  /** Where the token is carried. */
  by?: 'header' | 'query' | 'protocol'
  path?: string
  stream?: string
}

/** Opens a socket. @throws the server's answer when it is refused */
export async function openSocket(
  origin: string,
  { token, by = 'header', path = '/api/v1/streaming', stream }: SocketOptions = {},
): Promise<Socket> {
  const url = new URL(origin.replace('http', 'ws') + path)
  if (stream !== undefined) url.searchParams.set('stream', stream)
  if (by === 'query' && token) url.searchParams.set('access_token', token)
  const ws = new WebSocket(url, by === 'protocol' && token ? [token] : [], {
    headers: by === 'header' && token ? { authorization: `Bearer ${token}` } : {},
    perMessageDeflate: false,
  })
  const received: Received[] = []
  const errors: Socket['errors'] = []
  ws.on('message', (data) => {
    const message = JSON.parse((data as Buffer).toString()) as Received | { error: string; status: number }
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
      // A pong comes back after what was sent before has been done.
      const mark = String((pings += 1))
      const answered = new Promise<void>((resolve) => {
        const hear = (data: Buffer) => {
          if (String(data) !== mark) return
          ws.off('pong', hear)
          resolve()
        }
        ws.on('pong', hear)
      })
      ws.ping(mark)
      await answered
    },
  }
}

/** Tries to open a socket, and gives how the server refuses it. */
export async function refuseSocket(origin: string, options: SocketOptions = {}): Promise<Refused> {
  return openSocket(origin, options).then(
    () => assert.fail('the socket was opened'),
    (err: unknown) => err as Refused,
  )
}

/** Another token of a person, or (null) one of an app alone. */
export async function issueScoped(
  ctx: Ctx,
  { person, scopes }: { person: { userId: string } | null; scopes: string },
): Promise<{ id: string; token: string }> {
  const userId = person?.userId ?? null
  return ctx.write((tx) => issueToken(tx, { applicationId: null, userId, scopes: scopes.split(' ') }))
}

async function readAnswer(response: IncomingMessage): Promise<Refused> {
  let body = ''
  for await (const chunk of response) body += String(chunk)
  return { status: response.statusCode ?? 0, headers: response.headers, body }
}

export interface EventStream {
  status: number
  headers: IncomingHttpHeaders
  /** All that came so far. */
  text(): string
  events(): { event: string; payload: string }[]
  request: ClientRequest
  response: IncomingMessage
  ended: Promise<void>
}

/** Opens a stream of server-sent events; a refusal comes back with its status and text. */
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
