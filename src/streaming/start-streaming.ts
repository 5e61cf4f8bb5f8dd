import type { FastifyInstance } from 'fastify'
import { findUnusableTokens } from '../domain/auth/viewer.ts'
import type { Ctx } from '../domain/context.ts'
import { subscribeToTopic } from '../domain/core/stream-topics.ts'
import type { HomeMessage } from '../domain/core/stream-topics.ts'
import { prepareAnnouncementEvent, prepareReactionEvent } from './events/announcement-events.ts'
import { reportFirstFailure } from '../platform/log/report-first-failure.ts'
import type { FailureReport } from '../platform/log/report-first-failure.ts'
import { ConnectionRegistry } from './connections/connection-registry.ts'
import { eventStreamRoutes } from './connections/event-stream-routes.ts'
import { prepareConversationEvent } from './events/conversation-events.ts'
import { OrderedQueue } from './ordered-queue.ts'
import { prepareListEvent } from './events/list-events.ts'
import { StreamMessage } from './connections/stream-message.ts'
import {
  prepareDeletionEvent,
  prepareEditEvent,
  prepareHomeEvent,
  prepareNotificationEvent,
  preparePublicEvent,
} from './events/status-events.ts'
import type { StreamRedirect } from './redirect-streams.ts'
import { acceptWebSockets } from './connections/accept-web-sockets.ts'
import { startIpBlockCheck } from './connections/start-ip-block-check.ts'

/** The streaming server of one process. */
export interface Streaming {
  /** Returns the number of open connections. */
  count(): number
  /** Closes all connections and accepts no new ones. Idempotent. */
  close(): Promise<void>
}

/** The intervals of recurring work, in milliseconds. */
export interface StreamingIntervals {
  /** Between heartbeats of event streams. WebSockets get a ping at every second heartbeat. */
  heartbeatMs: number
  /** Between checks of the tokens, which close the connections of accounts that are no longer usable. */
  tokenCheckMs: number
  /** Between checks of the IP blocks, which close the connections of addresses without access. */
  ipBlockCheckMs: number
}

const STREAMING_INTERVALS: StreamingIntervals = { heartbeatMs: 15_000, tokenCheckMs: 1_500, ipBlockCheckMs: 400 }

/**
 * Adds the streams to a server that does not listen yet. Events arrive on the bus as ids; this process renders them
 * once for all its connections, and sends them. `redirect`: of WebSocket handshakes to the streaming host.
 */
export async function startStreaming(
  ctx: Ctx,
  {
    server,
    intervals = STREAMING_INTERVALS,
    redirect = null,
  }: { server: FastifyInstance; intervals?: StreamingIntervals; redirect?: StreamRedirect | null },
): Promise<Streaming> {
  const connections = new ConnectionRegistry()
  const queue = new OrderedQueue({ log: ctx.log })
  const unsubscribe = subscribeToEvents(ctx, { connections, queue })
  const stopSockets = acceptWebSockets(ctx, { server: server.server, connections, redirect })
  const stopEventStreams = eventStreamRoutes(server, { ctx, connections })
  const heartbeat = setInterval(() => {
    for (const connection of connections.connections()) connection.sendHeartbeat()
  }, intervals.heartbeatMs)
  let checking: Promise<void> | null = null
  const report = reportFirstFailure(ctx.log, 'The tokens of streaming connections could not be checked')
  const tokenCheck = setInterval(() => {
    checking ??= closeRevokedConnections(ctx, { connections, report }).finally(() => (checking = null))
  }, intervals.tokenCheckMs)
  const ipBlockCheck = startIpBlockCheck(ctx, { connections, intervalMs: intervals.ipBlockCheckMs })

  const close = async (): Promise<void> => {
    clearInterval(heartbeat)
    clearInterval(tokenCheck)
    clearInterval(ipBlockCheck)
    unsubscribe()
    stopSockets()
    stopEventStreams()
    await Promise.all([
      queue.close(),
      ...[...connections.connections()].map(async (connection) => connection.close('restart')),
    ])
  }
  let closing: Promise<void> | null = null
  const closeOnce = () => (closing ??= close())
  // When the server closes, it waits for all connections, and streaming connections would never end.
  server.addHook('preClose', closeOnce)
  return { count: () => connections.size, close: closeOnce }
}

function subscribeToEvents(
  ctx: Ctx,
  { connections, queue }: { connections: ConnectionRegistry; queue: OrderedQueue },
): () => void {
  const unsubscribes = [
    subscribeToTopic(ctx.bus, 'stream.home', onHomeEvent(ctx, { connections, queue })),
    subscribeToTopic(ctx.bus, 'stream.public', ({ statusId }) => {
      queue.add(() => preparePublicEvent(ctx, { connections, statusId }))
    }),
    subscribeToTopic(ctx.bus, 'stream.edited', ({ statusId }) => {
      queue.add(() => prepareEditEvent(ctx, { connections, statusId }))
    }),
    subscribeToTopic(ctx.bus, 'stream.deleted', (event) => {
      queue.add(() => prepareDeletionEvent(ctx, { connections, event }))
    }),
    subscribeToTopic(ctx.bus, 'stream.notification', (event) => {
      if (connections.hasConnection(event.accountId))
        queue.add(() => prepareNotificationEvent(ctx, { connections, event }))
    }),
    subscribeToTopic(ctx.bus, 'stream.lists', ({ statusId, listIds }) => {
      const connected = connections.withListSubscribers(listIds)
      if (connected.length > 0) queue.add(() => prepareListEvent(ctx, { connections, statusId, listIds: connected }))
    }),
    subscribeToTopic(ctx.bus, 'stream.conversation', (event) => {
      const connected = connections.withSubscribers('direct', [event.accountId])
      if (connected.length > 0) queue.add(() => prepareConversationEvent(ctx, { connections, event }))
    }),
    subscribeToTopic(ctx.bus, 'stream.notifications_merged', ({ accountId }) => {
      if (!connections.hasConnection(accountId)) return
      const message = new StreamMessage('notifications_merged', '1')
      const channels = ['user', 'user:notification'] as const
      queue.add(
        async () => () => connections.send({ message, channels, accountIds: [accountId], scope: 'read:notifications' }),
      )
    }),
    subscribeToTopic(ctx.bus, 'stream.filters', ({ accountId }) => {
      if (!connections.hasConnection(accountId)) return
      const message = new StreamMessage('filters_changed', null)
      queue.add(async () => () => connections.send({ message, channels: ['user'], accountIds: [accountId] }))
    }),
    subscribeToTopic(ctx.bus, 'stream.announcement', (event) =>
      queue.add(() => prepareAnnouncementEvent(ctx, { connections, ...event })),
    ),
    subscribeToTopic(ctx.bus, 'stream.reaction', (event) =>
      queue.add(() => prepareReactionEvent(ctx, { connections, ...event })),
    ),
    // Bypasses the queue, because a revoked token must not wait.
    subscribeToTopic(ctx.bus, 'stream.revoked', ({ tokenIds }) => connections.revoke(tokenIds)),
  ]
  return () => unsubscribes.forEach((stop) => stop())
}

/** Events of one status arrive in batches of accounts; merges those that are queued. */
function onHomeEvent(
  ctx: Ctx,
  { connections, queue }: { connections: ConnectionRegistry; queue: OrderedQueue },
): (event: HomeMessage) => void {
  const queuedAccounts = new Map<string, string[]>()
  return ({ event, statusId, accountIds }) => {
    const connected = connections.withSubscribers('user', accountIds)
    if (connected.length === 0) return
    if (event === 'delete') {
      const message = new StreamMessage('delete', statusId)
      queue.add(async () => () => connections.send({ message, channels: ['user'], accountIds: connected }))
      return
    }
    const existing = queuedAccounts.get(statusId)
    if (existing) {
      existing.push(...connected)
      return
    }
    queuedAccounts.set(statusId, connected)
    const added = queue.add(async () => {
      queuedAccounts.delete(statusId)
      return prepareHomeEvent(ctx, { connections, statusId, accountIds: connected })
    })
    if (!added) queuedAccounts.delete(statusId)
  }
}

/** Closes the connections of tokens that are no longer usable, for whatever reason. */
async function closeRevokedConnections(
  ctx: Ctx,
  { connections, report }: { connections: ConnectionRegistry; report: FailureReport },
): Promise<void> {
  const tokenIds = [...new Set([...connections.connections()].map((connection) => connection.tokenId))]
  try {
    const revoked = await findUnusableTokens(ctx, { tokenIds })
    if (revoked.length > 0) connections.closeAll(revoked)
    report.succeeded()
  } catch (err) {
    report.failed(err)
  }
}
