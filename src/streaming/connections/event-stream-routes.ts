import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Ctx } from '../../domain/context.ts'
import { BadRequestError, NotFoundError, ServiceUnavailableError } from '../../lib/errors.ts'
import type { ConnectionRegistry, StreamConnection } from './connection-registry.ts'
import { checkListOwner, checkScope, parseChannel, isListChannel } from './channels.ts'
import type { Channel } from './channels.ts'
import { CLOSE_TIMEOUT_MS, MAX_UNREAD_BYTES } from './limits.ts'
import { findSubscriber } from './find-subscriber.ts'
import type { Subscriber } from './find-subscriber.ts'
import type { StreamMessage } from './stream-message.ts'

const STREAMING_PATH = '/api/v1/streaming'

/** The stream of each path. `only_media` selects the media variant of a public stream. */
const STREAM_OF_PATH: Record<string, string> = {
  '/user': 'user',
  '/user/notification': 'user:notification',
  '/direct': 'direct',
  '/public': 'public',
  '/public/local': 'public:local',
  '/public/remote': 'public:remote',
  '/hashtag': 'hashtag',
  '/hashtag/local': 'hashtag:local',
  '/list': 'list',
}

const HEARTBEAT = Buffer.from(':thump\n')

const Query = Type.Object({
  access_token: Type.Optional(Type.String()),
  only_media: Type.Optional(Type.Boolean()),
  tag: Type.Optional(Type.String({ description: 'The name of a hashtag, without `#`.' })),
  list: Type.Optional(Type.String({ description: 'The id of a list.' })),
})

/**
 * Serves the streams as server-sent events (Mastodon: GET /api/v1/streaming/…). Returns a function that stops
 * accepting.
 */
export function eventStreamRoutes(
  app: FastifyInstance,
  { ctx, connections }: { ctx: Ctx; connections: ConnectionRegistry },
): () => void {
  let isAccepting = true
  const tags = ['streaming']

  const health = {
    tags,
    summary: 'Check the health of the streaming server',
    response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
  }
  app.get(`${STREAMING_PATH}/health`, { schema: health }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('OK'),
  )

  for (const [path, name] of Object.entries(STREAM_OF_PATH)) {
    const schema = {
      tags,
      summary: `Stream \`${name}\` as server-sent events`,
      querystring: Query,
      response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
    }
    // Without HEAD, because the response of a stream does not end.
    app.get(STREAMING_PATH + path, { schema, exposeHeadRoute: false }, async (request, reply) => {
      const { only_media: onlyMedia, tag, list } = request.query as Static<typeof Query>
      const subscriber = await findSubscriber(ctx, { request: request.raw })
      const stream = onlyMedia && name.startsWith('public') ? `${name}:media` : name
      const channel = parseChannel({ stream, tag, list })
      checkScope({ channel, scopes: subscriber.scopes })
      if (isListChannel(channel)) await checkListOwner(ctx, { channel, subscriber })
      if (!isAccepting) throw new ServiceUnavailableError()
      connections.checkLimits(subscriber)
      if (request.raw.socket.destroyed) return reply.hijack()
      const { stream: responseBody } = new EventStreamConnection({
        subscriber,
        ip: request.clientIp,
        channel,
        reply,
        connections,
      })
      return reply
        .headers({ 'cache-control': 'private, no-store', connection: 'close', 'x-accel-buffering': 'no' })
        .type('text/event-stream')
        .send(responseBody)
    })
  }

  // The path of WebSockets has no route.
  app.addHook('onRequest', async (request) => {
    if (request.is404 && request.url.split('?', 1)[0] === STREAMING_PATH) throw new NotFoundError('Not Found')
  })

  app.get(`${STREAMING_PATH}/*`, { schema: { hide: true }, exposeHeadRoute: false }, async () => {
    throw new BadRequestError('Unknown channel requested')
  })

  return () => {
    isAccepting = false
  }
}

class EventStreamConnection implements StreamConnection {
  readonly accountId: string
  readonly tokenId: string
  readonly ip: string
  readonly scopes: readonly string[]
  readonly channels: Set<Channel>
  readonly stream = new Readable({ read() {} })
  readonly #reply: FastifyReply
  readonly #connections: ConnectionRegistry

  constructor({
    subscriber,
    ip,
    channel,
    reply,
    connections,
  }: {
    subscriber: Subscriber
    ip: string
    channel: Channel
    reply: FastifyReply
    connections: ConnectionRegistry
  }) {
    this.accountId = subscriber.accountId
    this.tokenId = subscriber.tokenId
    this.scopes = subscriber.scopes
    this.ip = ip
    this.channels = new Set([channel])
    this.#reply = reply
    this.#connections = connections
    reply.raw.on('close', () => connections.remove(this))
    this.stream.push(':)\n')
    connections.add(this)
  }

  send(message: StreamMessage): void {
    this.#push(message.toServerSentEvent())
  }

  sendHeartbeat(): void {
    this.#push(HEARTBEAT)
  }

  async close(): Promise<void> {
    this.#connections.remove(this)
    const { raw } = this.#reply
    if (raw.closed) return
    const closed = new Promise<void>((resolve) => raw.once('close', () => resolve()))
    const closeTimer = setTimeout(() => raw.destroy(), CLOSE_TIMEOUT_MS)
    this.stream.push(null)
    await closed
    clearTimeout(closeTimer)
  }

  #push(bytes: Buffer): void {
    if (this.stream.readableLength + this.#reply.raw.writableLength > MAX_UNREAD_BYTES) {
      this.#connections.remove(this)
      this.#reply.raw.destroy()
    } else {
      this.stream.push(bytes)
    }
  }
}
