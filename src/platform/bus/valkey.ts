import type { Log } from '../log.ts'
import type { Valkey } from '../valkey/connect.ts'
import { createHearers, inLoads } from '../bus.ts'
import type { Bus, Parcel } from '../bus.ts'

/** A bus over publish and subscribe of Valkey or Redis. What is said while it is away is lost, as is its way. */
export async function createValkeyBus(valkey: Valkey, { log }: { log: Log }): Promise<Bus> {
  const { hear, subscribe } = createHearers()
  const channel = `${valkey.prefix}bus`
  const listener = valkey.connect({ listens: true })
  listener.on('message', (_channel: string, payload: string) => hear(payload))
  // Once it is back, it listens again by itself.
  await listener.subscribe(channel)
  const send = inLoads(async (parcels: Parcel[]) => {
    await valkey.client
      .publish(channel, JSON.stringify(parcels))
      .catch((err: unknown) => log.warn({ err }, 'bus messages lost'))
  })
  return {
    publish: async (topic, message) => send({ topic, message }),
    subscribe,
    async close() {
      listener.disconnect()
    },
  }
}
