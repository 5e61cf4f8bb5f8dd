import type { Log } from '../log/log.ts'
import type { Valkey } from '../connect-valkey.ts'
import { createSubscriptions, batchSends } from './bus.ts'
import type { Bus, BusMessage } from './bus.ts'

/** Creates a bus over Pub/Sub of Valkey or Redis. Messages that are published while it is unreachable are lost. */
export async function createValkeyBus(valkey: Valkey, { log }: { log: Log }): Promise<Bus> {
  const { dispatch, subscribe } = createSubscriptions()
  const channel = `${valkey.keyPrefix}bus`
  const listener = valkey.connect({ listens: true })
  listener.on('message', (_channel: string, payload: string) => dispatch(payload))
  // The client resubscribes after each reconnection.
  await listener.subscribe(channel)
  const send = batchSends(async (messages: BusMessage[]) => {
    await valkey.client
      .publish(channel, JSON.stringify(messages))
      .catch((err: unknown) => log.warn({ err }, 'Bus messages were lost'))
  })
  return {
    publish: async (topic, message) => send({ topic, message }),
    subscribe,
    async close() {
      listener.disconnect()
    },
  }
}
