/** Hints between processes: lost when nobody listens, so they carry ids and never truth. */
export interface Bus {
  publish(topic: string, message: unknown): void
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
