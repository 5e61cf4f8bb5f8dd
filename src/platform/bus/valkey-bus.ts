import type { Log } from '../log/log.ts'
import type { Valkey } from '../connect-valkey.ts'
import { createBatchSender, createSubscriptions, reportLosses } from './bus.ts'
import type { Bus, BusMessage } from './bus.ts'

/** How often the listener sends a command, because it would never notice a lost connection by listening only. */
const HEARTBEAT_MS = 10_000

/** Creates a bus over Pub/Sub of Valkey or Redis. Messages that are published while it is unreachable are lost. */
export async function createValkeyBus(
  valkey: Valkey,
  { log, heartbeatMs = HEARTBEAT_MS }: { log: Log; heartbeatMs?: number },
): Promise<Bus> {
  const { dispatch, subscribe } = createSubscriptions()
  const channel = `${valkey.keyPrefix}bus`
  const listener = valkey.connect({ listens: true })
  listener.on('message', (_channel: string, payload: string) => dispatch(payload))
  // After each reconnection. If `close` interrupted a resubscription of the client itself, that would end the process.
  listener.on('ready', () => void listener.subscribe(channel).catch(() => {}))
  await listener.subscribe(channel)
  const heartbeat = setInterval(() => {
    // While the connection is lost, a command would wait for the next one.
    if (listener.status === 'ready') listener.ping().catch(() => {})
  }, heartbeatMs)
  const sender = createBatchSender(
    reportLosses(log, async (messages: BusMessage[]) => valkey.client.publish(channel, JSON.stringify(messages))),
  )
  return {
    publish: async (topic, message) => sender.add({ topic, message }),
    subscribe,
    async close() {
      clearInterval(heartbeat)
      // The last messages need the client, which is closed next. Its commands have a time limit.
      await sender.flush()
      listener.disconnect()
    },
  }
}
