import type { EventName, Events } from './domain/events.ts'
import { effects } from './effects.ts'
import type { JobSpec } from './platform/jobs/queue.ts'
import type { QueueName } from './platform/jobs/queues.ts'

/** How often an effect is tried before it is dead. The pauses grow to six hours, so 20 tries are about three days. */
const TRIES = 8
const TRIES_OF: Partial<Record<string, number>> = { sendMail: 20, handleActivity: 12 }

/** Effects that wait for other servers: however slow those are, feeds, notifications and streams do not wait behind. */
const NETWORK: ReadonlySet<string> = new Set([
  'sendMail',
  'sendPush',
  'deliverToHost',
  'handleActivity',
  'fetchCounters',
  'verifyLinks',
  'fetchFeatured',
  'fetchReplies',
  'fetchCard',
])

/** Effects that take minutes of the processor: one after the other. */
const LENGTHY: ReadonlySet<string> = new Set(['processMedia'])

/** The queue in which the job of an effect waits; each has a worker of its own. */
export function queueOf(name: string): QueueName {
  if (NETWORK.has(name)) return 'network'
  return LENGTHY.has(name) ? 'lengthy' : 'prompt'
}

/** Of these effects only one job waits for each key: what is to be done now never waits for what is to be done later. */
const KEY_OF: Partial<Record<string, (payload: Events[EventName]) => string>> = {
  deliverToHost: (payload) => `host:${(payload as Events['deliveries.due']).domain}`,
  endPoll: (payload) => `poll:${(payload as Events['poll.due']).pollId}`,
  deliverTally: (payload) => `tally:${(payload as Events['poll.tallied']).statusId}`,
  fetchCard: (payload) => `card:${(payload as Events['link.due']).linkId}`,
  verifyLinks: (payload) => `links:${(payload as Events['account.updated']).accountId}`,
}

/**
 * What is begun together when an event happens, by its name: one job costs much less than one for each. What fails is
 * tried again alone. What waits for others, takes long or has a key is a job of its own from the beginning.
 */
export const bundles: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(effects).flatMap(([event, row]) => {
    const names = Object.keys(row).filter((name) => queueOf(name) === 'prompt' && !Object.hasOwn(KEY_OF, name))
    return names.length > 1 ? [[event, names]] : []
  }),
)

/** The names of all jobs: one with another name is parked. */
export const jobNames: readonly string[] = [
  ...new Set([...Object.keys(bundles), ...Object.values(effects).flatMap((row) => Object.keys(row))]),
]

/** The jobs that an event becomes, to be done at once or after a while. */
export function jobsOf<Name extends EventName>(name: Name, payload: Events[Name], delayMs?: number): JobSpec[] {
  const together = bundles[name] ?? []
  const alone = Object.keys(effects[name]).filter((effect) => !together.includes(effect))
  return [...(together.length > 0 ? [name] : []), ...alone].map((job) => {
    const key = KEY_OF[job]?.(payload)
    return {
      name: job,
      queue: queueOf(job),
      payload,
      attempts: TRIES_OF[job] ?? TRIES,
      key: key !== undefined && delayMs !== undefined ? `${key} later` : key,
      ...(delayMs !== undefined && { delayMs }),
    }
  })
}

/** The jobs of effects that were begun together and failed: each alone, with the tries that are left. */
export function jobsAgain(names: readonly string[], payload: unknown): JobSpec[] {
  return names.map((name) => ({ name, payload, attempts: TRIES - 1 }))
}

/** The job of an effect that was postponed: with all its tries, and once however often it is written. */
export function jobLater(name: string, payload: unknown, delayMs: number): JobSpec {
  const key = `postponed ${name} ${JSON.stringify(payload)}`
  return { name, queue: queueOf(name), payload, attempts: TRIES_OF[name] ?? TRIES, key, delayMs }
}
