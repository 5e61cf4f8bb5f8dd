import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Ctx } from '../domain/context.ts'
import { BadRequest, Unavailable } from '../lib/errors.ts'
import type { Audience, Reader } from './audience.ts'
import { checkList, checkScope, findChannel, isListChannel } from './channels.ts'
import type { Channel } from './channels.ts'
import { GOODBYE_MS, MAX_UNREAD_BYTES } from './limits.ts'
import { findListener } from './listener.ts'
import type { Listener } from './listener.ts'
import type { Message } from './message.ts'

const ROOT = '/api/v1/streaming'

/** Path → stream. On the public ones `only_media` narrows it down. */
const PATHS: Record<string, string> = {
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

const THUMP = Buffer.from(':thump\n')

const Query = Type.Object({
  access_token: Type.Optional(Type.String()),
  only_media: Type.Optional(Type.Boolean()),
  tag: Type.Optional(Type.String({ description: 'Of a hashtag, its name without `#`.' })),
  list: Type.Optional(Type.String({ description: 'The id of a list.' })),
})

/** `GET /api/v1/streaming/…`: streams as server-sent events. Returns the way to let in no more. */
export function streamingRoutes(app: FastifyInstance, { ctx, audience }: { ctx: Ctx; audience: Audience }): () => void {
  let open = true
  const tags = ['streaming']

  const health = {
    tags,
    summary: 'See whether streams are served',
    response: { 200: { content: { 'text/plain': { schema: Type.String() } } } },
  }
  app.get(`${ROOT}/health`, { schema: health }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send('OK'),
  )

  for (const [path, name] of Object.entries(PATHS)) {
    const schema = {
      tags,
      summary: `Listen to the stream \`${name}\`, as server-sent events`,
      querystring: Query,
      response: { 200: { content: { 'text/event-stream': { schema: Type.String() } } } },
    }
    // A stream has no end, so there is nothing that HEAD could tell of it.
    app.get(ROOT + path, { schema, exposeHeadRoute: false }, async (request, reply) => {
      const { only_media: onlyMedia, tag, list } = request.query as Static<typeof Query>
      const listener = await findListener(ctx, { request: request.raw })
      const stream = onlyMedia && name.startsWith('public') ? `${name}:media` : name
      const channel = findChannel({ stream, tag, list })
      checkScope({ channel, scopes: listener.scopes })
      if (isListChannel(channel)) await checkList(ctx, { channel, listener })
      if (!open) throw new Unavailable()
      audience.checkRoom(listener)
      if (request.raw.socket.destroyed) return reply.hijack()
      const { stream: answer } = new EventStreamReader({ listener, channel, reply, audience })
      return reply
        .headers({ 'cache-control': 'private, no-store', connection: 'close', 'x-accel-buffering': 'no' })
        .type('text/event-stream')
        .send(answer)
    })
  }

  app.get(`${ROOT}/*`, { schema: { hide: true }, exposeHeadRoute: false }, async () => {
    throw new BadRequest('Unknown channel requested')
  })

  return () => {
    open = false
  }
}

class EventStreamReader implements Reader {
  readonly accountId: string
  readonly tokenId: string
  readonly scopes: readonly string[]
  readonly channels: Set<Channel>
  readonly stream = new Readable({ read() {} })
  readonly #reply: FastifyReply
  readonly #audience: Audience

  constructor({
    listener,
    channel,
    reply,
    audience,
  }: {
    listener: Listener
    channel: Channel
    reply: FastifyReply
    audience: Audience
  }) {
    this.accountId = listener.accountId
    this.tokenId = listener.tokenId
    this.scopes = listener.scopes
    this.channels = new Set([channel])
    this.#reply = reply
    this.#audience = audience
    reply.raw.on('close', () => audience.remove(this))
    this.stream.push(':)\n')
    audience.add(this)
  }

  send(message: Message): void {
    this.#push(message.forEventStream())
  }

  beat(): void {
    this.#push(THUMP)
  }

  async end(): Promise<void> {
    this.#audience.remove(this)
    const { raw } = this.#reply
    if (raw.closed) return
    const closed = new Promise<void>((resolve) => raw.once('close', () => resolve()))
    const late = setTimeout(() => raw.destroy(), GOODBYE_MS)
    this.stream.push(null)
    await closed
    clearTimeout(late)
  }

  #push(bytes: Buffer): void {
    if (this.stream.readableLength + this.#reply.raw.writableLength > MAX_UNREAD_BYTES) {
      this.#audience.remove(this)
      this.#reply.raw.destroy()
    } else {
      this.stream.push(bytes)
    }
  }
}
