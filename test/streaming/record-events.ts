import { publishToHomes } from '../../src/domain/core/stream-topics.ts'
import { idOf, openSocket, until } from './streams.ts'
import type { Socket } from './streams.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

/** A user with an open socket. */
export interface EventListener {
  user: TestUser
  socket: Socket
}

/** Opens a socket for each of these users, subscribed to these streams. */
export async function listenAs<Name extends string>(
  origin: string,
  { users, streams }: { users: Record<Name, TestUser>; streams: readonly string[] },
): Promise<Record<Name, EventListener>> {
  const opened = await Promise.all(
    Object.entries<TestUser>(users).map(async ([name, user]) => {
      const socket = await openSocket(origin, { token: user.token })
      await socket.subscribe(...streams)
      return [name, { user, socket }] as const
    }),
  )
  return Object.fromEntries(opened) as Record<Name, EventListener>
}

let markerCount = 0

/**
 * Waits for all events, and returns those that each listener has received since the last call: `stream event id`,
 * sorted alphabetically. The listeners must be subscribed to `user`.
 */
export async function eventsReceived<Name extends string>(
  testServer: TestServer,
  listeners: Record<Name, EventListener>,
): Promise<Record<Name, string[]>> {
  await testServer.waitForJobs()
  markerCount += 1
  const mark = String(markerCount)
  const all = Object.entries<EventListener>(listeners)
  // This event follows all earlier ones in the same queue.
  const accountIds = all.map(([, { user }]) => user.accountId)
  await publishToHomes(testServer.ctx.bus, { event: 'delete', statusId: mark, accountIds })
  await until(() => all.every(([, { socket }]) => socket.received.some(({ payload }) => payload === mark)))
  return Object.fromEntries(
    all.map(([name, { socket }]) => {
      const events = socket.received.splice(0).filter(({ payload }) => payload !== mark)
      return [name, events.map((one) => `${one.stream.join()} ${one.event} ${idOf(one)}`).toSorted()]
    }),
  ) as Record<Name, string[]>
}
