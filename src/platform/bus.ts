/** Hints between processes: lost when nobody listens, so they carry ids and never truth. */
export interface Bus {
  /** Resolves when the message is out, or lost: whoever ends before that may have said nothing. */
  publish(topic: string, message: unknown): Promise<void>
  /** Returns the way to stop listening. */
  subscribe(topic: string, hear: (message: unknown) => void): () => void
  close(): Promise<void>
}

/** What travels: some messages at once, each with its topic. */
export interface Parcel {
  topic: string
  message: unknown
}

/** Who hears what in this process. */
export interface Hearers {
  subscribe: Bus['subscribe']
  /** `payload`: a list of parcels as JSON. */
  hear(payload: string | undefined): void
}

export function createHearers(): Hearers {
  const hearers = new Map<string, Set<(message: unknown) => void>>()
  return {
    subscribe(topic, one) {
      const set = hearers.get(topic) ?? new Set()
      hearers.set(topic, set.add(one))
      return () => set.delete(one)
    },
    hear(payload) {
      for (const { topic, message } of JSON.parse(payload ?? '[]') as Parcel[]) {
        for (const one of hearers.get(topic) ?? []) one(message)
      }
    },
  }
}

/** Sends what is given at once together, one load after the other. Each item's promise resolves with its load's. */
export function inLoads<Item>(send: (items: Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let waiting: Item[] = []
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  const sendAll = async () => {
    const items = waiting
    waiting = []
    next = null
    await send(items)
  }
  return async (item) => {
    waiting.push(item)
    next ??= last = last.then(sendAll)
    return next
  }
}
