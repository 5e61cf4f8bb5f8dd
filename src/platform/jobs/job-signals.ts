import type { Bus } from '../bus/bus.ts'
import type { JobSpec } from './job-queue.ts'
import type { QueueName } from './queues.ts'

const TOPIC = 'jobs.enqueued'

/** The shortest time between two messages of a process. */
const MESSAGE_INTERVAL_MS = 10

/** Starts to fetch jobs. Returns whether the worker has a free slot for them. */
type WakeWorker = () => boolean

/** Wakes the workers of a queue, so that jobs do not wait for the next poll. A lost signal delays jobs by a second. */
export interface JobSignals {
  /** Wakes workers for jobs that were committed. */
  wake(jobs: readonly JobSpec[]): void
  /** Adds a worker of this process. Returns a function that removes it. */
  addWorker(queue: QueueName, wakeWorker: WakeWorker): () => void
  close(): void
}

/**
 * Creates the signals of a process. It wakes its own workers directly, and those of other processes by a message only
 * if its own have no free slot. A message is published outside of the transaction, because a commit with NOTIFY takes a
 * database-wide lock, and one commit after the other would wait for the disk.
 */
export function createJobSignals(bus: Bus): JobSignals {
  const workers = new Map<QueueName, Set<WakeWorker>>()
  const pending = new Set<QueueName>()
  let timer: NodeJS.Timeout | undefined
  let nextSendAt = 0

  const wakeOwnWorkers = (queue: QueueName): boolean => {
    let isFree = false
    for (const wakeWorker of workers.get(queue) ?? []) isFree = wakeWorker() || isFree
    return isFree
  }

  const send = () => {
    timer = undefined
    nextSendAt = performance.now() + MESSAGE_INTERVAL_MS
    void bus.publish(TOPIC, [...pending])
    pending.clear()
  }

  const unsubscribe = bus.subscribe(TOPIC, (queues) => (queues as QueueName[]).forEach(wakeOwnWorkers))
  return {
    wake(jobs) {
      const due = jobs.filter(({ delayMs = 0 }) => delayMs <= 0)
      for (const queue of new Set(due.map((job) => job.queue ?? 'default'))) {
        if (!wakeOwnWorkers(queue)) pending.add(queue)
      }
      if (pending.size > 0) timer ??= setTimeout(send, Math.max(0, nextSendAt - performance.now()))
    },
    addWorker(queue, wakeWorker) {
      const set = workers.get(queue) ?? new Set()
      workers.set(queue, set.add(wakeWorker))
      return () => set.delete(wakeWorker)
    },
    close() {
      clearTimeout(timer)
      unsubscribe()
    },
  }
}
