interface Waiting<In, Out> {
  item: In
  resolve(out: Out): void
  reject(err: unknown): void
}

interface Line<In, Out> {
  waiting: Waiting<In, Out>[]
  isRunning: boolean
}

/**
 * Does together what is asked for at the same time: while one batch is under way the next one fills, so the more
 * there is to do, the less each item costs. `work` gives as many results as it got items, in their order. What fails
 * together is done again one by one, so nobody fails because of somebody else. Each owner has a line of its own.
 */
export function createBatch<Owner extends object, In, Out>(
  work: (owner: Owner, items: readonly In[]) => Promise<readonly Out[]>,
  { maxItems, maxWeight = Number.POSITIVE_INFINITY, weigh = () => 0 }: BatchLimits<In>,
): (owner: Owner, item: In) => Promise<Out> {
  const lines = new WeakMap<Owner, Line<In, Out>>()

  return async (owner, item) => {
    let line = lines.get(owner)
    if (!line) lines.set(owner, (line = { waiting: [], isRunning: false }))
    const { waiting } = line
    const result = new Promise<Out>((resolve, reject) => waiting.push({ item, resolve, reject }))
    if (!line.isRunning) void run(owner, line)
    return result
  }

  async function run(owner: Owner, line: Line<In, Out>): Promise<void> {
    line.isRunning = true
    // What has come in already is read first.
    await new Promise((resolve) => setImmediate(resolve))
    while (line.waiting.length > 0) await runOne(owner, take(line.waiting))
    line.isRunning = false
  }

  function take(waiting: Waiting<In, Out>[]): Waiting<In, Out>[] {
    let count = 0
    let weight = 0
    for (const { item } of waiting) {
      weight += weigh(item)
      if (count > 0 && (count === maxItems || weight > maxWeight)) break
      count += 1
    }
    return waiting.splice(0, count)
  }

  async function runOne(owner: Owner, batch: readonly Waiting<In, Out>[]): Promise<void> {
    try {
      const results = await work(
        owner,
        batch.map(({ item }) => item),
      )
      batch.forEach(({ resolve }, n) => resolve(results[n]!))
    } catch (err) {
      if (batch.length === 1) batch[0]!.reject(err)
      else for (const one of batch) await runOne(owner, [one])
    }
  }
}

interface BatchLimits<In> {
  maxItems: number
  /** Of all items together; one that is heavier goes alone. */
  maxWeight?: number
  weigh?: (item: In) => number
}
