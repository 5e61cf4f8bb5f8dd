import { MAX_RECONNECT_DELAY_MS } from '../connect-valkey.ts'
import type { Valkey } from '../connect-valkey.ts'
import type { Log } from '../log/log.ts'
import { reportFirstFailure } from '../log/report-first-failure.ts'
import { BUS_RECOVERED, createBatchSender, createSubscriptions, MESSAGES_LOST } from './bus.ts'
import type { Bus, BusMessage } from './bus.ts'

/** How often the listener sends a command, because it would never notice a lost connection by listening only. */
const HEARTBEAT_MS = 10_000

/**
 * After this process has reconnected, messages wait for so long: the listeners of other processes may reconnect later,
 * and would miss them.
 */
const SETTLE_MS = 2 * MAX_RECONNECT_DELAY_MS

/** How many messages wait while Valkey is unreachable: a few MB. Of more, the oldest ones are lost. */
const MAX_WAITING = 10_000

interface ValkeyBusOptions {
  log: Log
  heartbeatMs?: number
  settleMs?: number
  maxWaiting?: number
}

/** Creates a bus over Pub/Sub of Valkey or Redis. While it is unreachable, messages wait in the memory of the process. */
export async function createValkeyBus(
  valkey: Valkey,
  { heartbeatMs = HEARTBEAT_MS, ...options }: ValkeyBusOptions,
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
  const { send, close: sendLast } = createWaitingSender(valkey, { channel, ...options })
  const sender = createBatchSender(send)
  return {
    publish: async (topic, message) => sender.add({ topic, message }),
    subscribe,
    async close() {
      clearInterval(heartbeat)
      // The last messages need the client, which is closed next. Its commands have a time limit.
      await sender.flush()
      await sendLast()
      listener.disconnect()
    },
  }
}

/** Returns a function that publishes messages, or lets them wait until Valkey is reachable again. */
function createWaitingSender(
  { client }: Valkey,
  { channel, log, settleMs = SETTLE_MS, maxWaiting = MAX_WAITING }: ValkeyBusOptions & { channel: string },
): { send(messages: BusMessage[]): Promise<void>; close(): Promise<void> } {
  const report = reportFirstFailure(log, MESSAGES_LOST, { recovery: BUS_RECOVERED })
  let waiting: BusMessage[] = []
  let isPaused = false
  let timer: NodeJS.Timeout | undefined

  const publish = async (messages: BusMessage[]) => client.publish(channel, JSON.stringify(messages))

  function pause(): void {
    isPaused = true
    clearTimeout(timer)
    timer = setTimeout(() => void sendWaiting(), settleMs).unref()
  }

  function hold(messages: BusMessage[]): void {
    waiting = messages
    if (waiting.length <= maxWaiting) return
    waiting = waiting.slice(-maxWaiting)
    report.failed(new Error('Too many messages wait for Valkey'))
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const messages = waiting
      waiting = []
      try {
        await publish(messages)
      } catch {
        hold([...messages, ...waiting])
        return pause()
      }
    }
    isPaused = false
    report.succeeded()
  }

  // Also if the connection is lost and opened again between two messages. The time begins with the last event.
  client.on('close', pause)
  client.on('ready', pause)
  return {
    async send(messages) {
      if (isPaused) return hold([...waiting, ...messages])
      try {
        await publish(messages)
      } catch {
        hold([...messages, ...waiting])
        pause()
      }
    },
    async close() {
      client.off('close', pause)
      client.off('ready', pause)
      clearTimeout(timer)
      if (waiting.length > 0) await publish(waiting).catch((err: unknown) => report.failed(err))
    },
  }
}
