import { isDatabaseUnreachable } from './db/connection.ts'

interface PendingItem<In, Out> {
  item: In
  resolve(out: Out): void
  reject(err: unknown): void
}

interface BatchQueue<In, Out> {
  pending: PendingItem<In, Out>[]
  isRunning: boolean
}

/**
 * How long a batch waits for further items under load, which is when the batch before it had several. A fifth of the
 * processor time of pages is saved by larger batches (docs/performance.md, "Reads during writes").
 */
const LOADED_WAIT_MS = 1

/**
 * Returns a function that processes concurrent calls in batches: items that arrive while a batch runs form the next
 * batch, so items become cheaper under load. `work` returns one result for each item, in the order of the items. If a
 * batch fails, its items run again one by one, so that an item fails only because of itself; without a database, all
 * fail at once. Each owner has its own queue.
 */
export function createBatch<Owner extends object, In, Out>(
  work: (owner: Owner, items: readonly In[]) => Promise<readonly Out[]>,
  { maxItems, maxWeight = Number.POSITIVE_INFINITY, weigh = () => 0 }: BatchLimits<In>,
): (owner: Owner, item: In) => Promise<Out> {
  const queues = new WeakMap<Owner, BatchQueue<In, Out>>()

  return async (owner, item) => {
    let queue = queues.get(owner)
    if (!queue) queues.set(owner, (queue = { pending: [], isRunning: false }))
    const { pending } = queue
    const result = new Promise<Out>((resolve, reject) => pending.push({ item, resolve, reject }))
    if (!queue.isRunning) void run(owner, queue)
    return result
  }

  async function run(owner: Owner, queue: BatchQueue<In, Out>): Promise<void> {
    queue.isRunning = true
    let isLoaded = false
    while (queue.pending.length > 0) {
      await collect(queue.pending, { isLoaded })
      const batch = takeBatch(queue.pending)
      isLoaded = batch.length > 1
      await runOne(owner, batch)
    }
    queue.isRunning = false
  }

  /** Waits for the items of input that has already arrived and, under load, for those of the next millisecond. */
  async function collect(pending: readonly unknown[], { isLoaded }: { isLoaded: boolean }): Promise<void> {
    if (isLoaded && pending.length < maxItems) {
      await new Promise((resolve) => setTimeout(resolve, LOADED_WAIT_MS))
    }
    let count: number
    do {
      count = pending.length
      await new Promise((resolve) => setImmediate(resolve))
    } while (pending.length > count && pending.length < maxItems)
  }

  function takeBatch(pending: PendingItem<In, Out>[]): PendingItem<In, Out>[] {
    let count = 0
    let weight = 0
    for (const { item } of pending) {
      weight += weigh(item)
      if (count > 0 && (count === maxItems || weight > maxWeight)) break
      count += 1
    }
    return pending.splice(0, count)
  }

  async function runOne(owner: Owner, batch: readonly PendingItem<In, Out>[]): Promise<void> {
    try {
      const results = await work(
        owner,
        batch.map(({ item }) => item),
      )
      batch.forEach(({ resolve }, n) => resolve(results[n]!))
    } catch (err) {
      if (batch.length === 1 || isDatabaseUnreachable(err)) for (const { reject } of batch) reject(err)
      else for (const pendingItem of batch) await runOne(owner, [pendingItem])
    }
  }
}

interface BatchLimits<In> {
  maxItems: number
  /** Limit of the total weight of a batch. A heavier item forms a batch alone. */
  maxWeight?: number
  weigh?: (item: In) => number
}
