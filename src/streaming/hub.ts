import type { FastifyInstance } from 'fastify'
import { findDeadTokens } from '../domain/auth/viewer.ts'
import type { Ctx } from '../domain/context.ts'
import { hear } from '../domain/stream-news.ts'
import type { HomeNews } from '../domain/stream-news.ts'
import { prepareAnnouncement, prepareReaction } from './announcements.ts'
import { Audience } from './audience.ts'
import { streamingRoutes } from './event-streams.ts'
import { prepareConversation } from './conversations.ts'
import { Line } from './line.ts'
import { prepareLists } from './lists.ts'
import { Message } from './message.ts'
import { prepareDeletion, prepareEdit, prepareHome, prepareNotification, prepareOpen } from './news.ts'
import { acceptSockets } from './sockets.ts'

/** The streams of one process. */
export interface Streaming {
  /** How many connections are open. */
  count(): number
  /** Says goodbye to all who listen, and lets nobody in any more. Twice is once. */
  close(): Promise<void>
}

/** Milliseconds between two of the things that are done again and again. */
export interface Pace {
  /** A sign of life on every event stream; on sockets a ping at every second one. */
  beatMs: number
  /** Whoever may not act any more, for whatever reason, is put out at the next of these. */
  checkMs: number
}

const PACE: Pace = { beatMs: 15_000, checkMs: 1_500 }

/**
 * Serves the streams on a server that does not listen yet. News come over the bus as ids; here they are rendered, for
 * all who listen to this process at once, and handed on.
 */
export async function startStreaming(
  ctx: Ctx,
  { server, pace = PACE }: { server: FastifyInstance; pace?: Pace },
): Promise<Streaming> {
  const audience = new Audience()
  const line = new Line({ log: ctx.log })
  const stopNews = hearNews(ctx, { audience, line })
  const stopSockets = acceptSockets(ctx, { server: server.server, audience })
  const stopEventStreams = streamingRoutes(server, { ctx, audience })
  const beat = setInterval(() => {
    for (const reader of audience.readers()) reader.beat()
  }, pace.beatMs)
  let checking: Promise<void> | null = null
  const check = setInterval(() => {
    checking ??= endDead(ctx, audience).finally(() => (checking = null))
  }, pace.checkMs)

  const close = async (): Promise<void> => {
    clearInterval(beat)
    clearInterval(check)
    stopNews()
    stopSockets()
    stopEventStreams()
    await Promise.all([line.close(), ...[...audience.readers()].map(async (reader) => reader.end('restart'))])
  }
  let closing: Promise<void> | null = null
  const closeOnce = () => (closing ??= close())
  // A server waits for all its connections when it closes, and these would never end.
  server.addHook('preClose', closeOnce)
  return { count: () => audience.size, close: closeOnce }
}

function hearNews(ctx: Ctx, { audience, line }: { audience: Audience; line: Line }): () => void {
  const stops = [
    hear(ctx.bus, 'stream.home', hearHomes(ctx, { audience, line })),
    hear(ctx.bus, 'stream.public', ({ statusId }) => {
      line.add(() => prepareOpen(ctx, { audience, statusId }))
    }),
    hear(ctx.bus, 'stream.edited', ({ statusId }) => {
      line.add(() => prepareEdit(ctx, { audience, statusId }))
    }),
    hear(ctx.bus, 'stream.deleted', (news) => {
      line.add(() => prepareDeletion(ctx, { audience, news }))
    }),
    hear(ctx.bus, 'stream.notification', (news) => {
      if (audience.has(news.accountId)) line.add(() => prepareNotification(ctx, { audience, news }))
    }),
    hear(ctx.bus, 'stream.lists', ({ statusId, listIds }) => {
      const here = audience.keepHeard(listIds)
      if (here.length > 0) line.add(() => prepareLists(ctx, { audience, statusId, listIds: here }))
    }),
    hear(ctx.bus, 'stream.conversation', (news) => {
      const here = audience.keepOn('direct', [news.accountId])
      if (here.length > 0) line.add(() => prepareConversation(ctx, { audience, news }))
    }),
    hear(ctx.bus, 'stream.notifications_merged', ({ accountId }) => {
      if (!audience.has(accountId)) return
      const message = new Message('notifications_merged', '1')
      const channels = ['user', 'user:notification'] as const
      line.add(
        async () => () => audience.tell({ message, channels, accountIds: [accountId], scope: 'read:notifications' }),
      )
    }),
    hear(ctx.bus, 'stream.filters', ({ accountId }) => {
      if (!audience.has(accountId)) return
      const message = new Message('filters_changed', null)
      line.add(async () => () => audience.tell({ message, channels: ['user'], accountIds: [accountId] }))
    }),
    hear(ctx.bus, 'stream.announcement', (news) => line.add(() => prepareAnnouncement(ctx, { audience, ...news }))),
    hear(ctx.bus, 'stream.reaction', (news) => line.add(() => prepareReaction(ctx, { audience, ...news }))),
    // Not in the line: a revoked token waits for nobody.
    hear(ctx.bus, 'stream.revoked', ({ tokenIds }) => audience.revoke(tokenIds)),
  ]
  return () => stops.forEach((stop) => stop())
}

/** News of one status come in parts; those that wait are taken together. */
function hearHomes(ctx: Ctx, { audience, line }: { audience: Audience; line: Line }): (news: HomeNews) => void {
  const waiting = new Map<string, string[]>()
  return ({ event, statusId, accountIds }) => {
    const here = audience.keepOn('user', accountIds)
    if (here.length === 0) return
    if (event === 'delete') {
      const message = new Message('delete', statusId)
      line.add(async () => () => audience.tell({ message, channels: ['user'], accountIds: here }))
      return
    }
    const others = waiting.get(statusId)
    if (others) {
      others.push(...here)
      return
    }
    waiting.set(statusId, here)
    const added = line.add(async () => {
      waiting.delete(statusId)
      return prepareHome(ctx, { audience, statusId, accountIds: here })
    })
    if (!added) waiting.delete(statusId)
  }
}

/** Ends what was opened with tokens that no longer count, however they came to that. */
async function endDead(ctx: Ctx, audience: Audience): Promise<void> {
  const tokenIds = [...new Set([...audience.readers()].map((reader) => reader.tokenId))]
  try {
    const dead = await findDeadTokens(ctx, { tokenIds })
    if (dead.length > 0) audience.endAll(dead)
  } catch (err) {
    ctx.log.warn({ err }, 'the tokens of the streams could not be checked')
  }
}
