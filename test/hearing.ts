import { tellHomes } from '../src/domain/stream-news.ts'
import { idOf, openSocket, until } from './streams.ts'
import type { Socket } from './streams.ts'
import type { Person, World } from './world.ts'

/** Somebody with a socket. */
export interface Hearer {
  person: Person
  socket: Socket
}

/** Opens a socket for each of these people, on these streams. */
export async function hearAll<Name extends string>(
  origin: string,
  { people, streams }: { people: Record<Name, Person>; streams: readonly string[] },
): Promise<Record<Name, Hearer>> {
  const opened = await Promise.all(
    Object.entries<Person>(people).map(async ([name, person]) => {
      const socket = await openSocket(origin, { token: person.token })
      await socket.subscribe(...streams)
      return [name, { person, socket }] as const
    }),
  )
  return Object.fromEntries(opened) as Record<Name, Hearer>
}

let marks = 0

/**
 * What each has heard since the last call, when all that happened has come through: `stream event id`, in the order of
 * the alphabet. Only for those who listen to `user`.
 */
export async function heardBy<Name extends string>(
  world: World,
  hearers: Record<Name, Hearer>,
): Promise<Record<Name, string[]>> {
  await world.settle()
  marks += 1
  const mark = String(marks)
  const all = Object.entries<Hearer>(hearers)
  // It passes through the same line as all that came before.
  const accountIds = all.map(([, { person }]) => person.accountId)
  await tellHomes(world.ctx.bus, { event: 'delete', statusId: mark, accountIds })
  await until(() => all.every(([, { socket }]) => socket.received.some(({ payload }) => payload === mark)))
  return Object.fromEntries(
    all.map(([name, { socket }]) => {
      const events = socket.received.splice(0).filter(({ payload }) => payload !== mark)
      return [name, events.map((one) => `${one.stream.join()} ${one.event} ${idOf(one)}`).toSorted()]
    }),
  ) as Record<Name, string[]>
}
