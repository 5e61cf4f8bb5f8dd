import type { Log } from '../log/log.ts'
import { reportFirstFailure } from '../log/report-first-failure.ts'

/**
 * Messages between the processes of a server. Delivery is not guaranteed: a process that is not subscribed misses them.
 * So a message contains ids, and subscribers read the current rows from the database.
 */
export interface Bus {
  /** Resolves when the message is sent or lost. A process that exits before that may not have sent it. */
  publish(topic: string, message: unknown): Promise<void>
  /** Returns a function that unsubscribes. */
  subscribe(topic: string, listener: (message: unknown) => void): () => void
  /** Sends the last messages first, within a few seconds. */
  close(): Promise<void>
}

/** The payload of the bus is a JSON array of these. */
export interface BusMessage {
  topic: string
  message: unknown
}

/** The subscribers of this process. */
export interface Subscriptions {
  subscribe: Bus['subscribe']
  /** Calls the subscribers of each message. `payload`: a JSON array of `BusMessage`. */
  dispatch(payload: string | undefined): void
}

export function createSubscriptions(): Subscriptions {
  const subscribers = new Map<string, Set<(message: unknown) => void>>()
  return {
    subscribe(topic, subscriber) {
      const set = subscribers.get(topic) ?? new Set()
      subscribers.set(topic, set.add(subscriber))
      return () => set.delete(subscriber)
    },
    dispatch(payload) {
      for (const { topic, message } of JSON.parse(payload ?? '[]') as BusMessage[]) {
        for (const subscriber of subscribers.get(topic) ?? []) subscriber(message)
      }
    },
  }
}

/** The lines of the log. */
export const MESSAGES_LOST = 'Bus messages were lost'
export const BUS_RECOVERED = 'Bus messages are sent again'

/**
 * Returns a function that sends a batch, and logs a failure instead of rejecting: a busy process sends many batches per
 * second.
 */
export function reportLosses<Item>(
  log: Log,
  send: (items: Item[]) => Promise<unknown>,
): (items: Item[]) => Promise<void> {
  const report = reportFirstFailure(log, MESSAGES_LOST, { recovery: BUS_RECOVERED })
  return async (items) => {
    try {
      await send(items)
      report.succeeded()
    } catch (err) {
      report.failed(err)
    }
  }
}

/** Sends items in batches. */
interface BatchSender<Item> {
  /** Resolves when the batch of the item is sent. */
  add(item: Item): Promise<void>
  /** Resolves when all items are sent. */
  flush(): Promise<void>
}

/** Creates a sender of batches: items that arrive while a batch is being sent form the next batch. */
export function createBatchSender<Item>(send: (items: Item[]) => Promise<void>): BatchSender<Item> {
  let pending: Item[] = []
  let lastSend: Promise<void> = Promise.resolve()
  let nextSend: Promise<void> | null = null
  const sendAll = async () => {
    const items = pending
    pending = []
    nextSend = null
    await send(items)
  }
  return {
    async add(item) {
      pending.push(item)
      nextSend ??= lastSend = lastSend.then(sendAll)
      return nextSend
    },
    flush: async () => lastSend,
  }
}
