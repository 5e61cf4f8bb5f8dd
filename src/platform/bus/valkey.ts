import type { Log } from '../log.ts'
import type { Valkey } from '../valkey/connect.ts'
import { createHearers } from '../bus.ts'
import type { Bus, Parcel } from '../bus.ts'

/** A bus over publish and subscribe of Valkey or Redis. What is said while it is away is lost, as is its way. */
export async function createValkeyBus(valkey: Valkey, { log }: { log: Log }): Promise<Bus> {
  const { hear, subscribe } = createHearers()
  const channel = `${valkey.prefix}bus`
  const listener = valkey.connect({ listens: true })
  listener.on('message', (_channel: string, payload: string) => hear(payload))
  // Once it is back, it listens again by itself.
  await listener.subscribe(channel)
  let waiting: Parcel[] = []
  const flush = async () => {
    const payload = JSON.stringify(waiting)
    waiting = []
    await valkey.client
      .publish(channel, payload)
      .catch((err: unknown) => log.warn({ err }, 'messages of the bus were lost'))
  }
  return {
    publish(topic, message) {
      if (waiting.push({ topic, message }) === 1) queueMicrotask(() => void flush())
    },
    subscribe,
    async close() {
      listener.disconnect()
    },
  }
}
