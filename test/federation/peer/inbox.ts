import type { SignatureSpec } from '../../../src/federation/signatures/signature.ts'
import type { PeerRequest } from './behaviour.ts'

/** The time after which `next` fails. */
const TIMEOUT_MS = 60_000

/** An activity as parsed JSON. */
export type Activity = Record<string, any>

/** An activity whose signature two implementations accepted. */
export interface ReceivedActivity {
  activity: Activity
  /** The id of the key that signed it. */
  keyId: string
  spec: SignatureSpec
  request: PeerRequest
}

/** A rejected request with the reason. */
export interface RejectedRequest {
  reason: string
  request: PeerRequest
}

export interface PeerInbox {
  /** All received activities, in order. */
  readonly received: readonly ReceivedActivity[]
  /**
   * Returns the first matching activity that was not returned before, as soon as it arrives.
   * @throws Error that lists the received activities, if none matches within a minute
   */
  next(matches?: (activity: Activity) => boolean): Promise<ReceivedActivity>
  /** Returns the received activities of this type. */
  all(type: string): Activity[]
  clear(): void
}

interface OpenInbox extends PeerInbox {
  put(received: ReceivedActivity): void
}

export function createInbox(owner: string): OpenInbox {
  const received: ReceivedActivity[] = []
  let unread: ReceivedActivity[] = []
  let waiting: (() => void)[] = []

  return {
    received,
    put(one) {
      received.push(one)
      unread.push(one)
      const resumed = waiting
      waiting = []
      for (const resume of resumed) resume()
    },
    async next(matches = () => true) {
      const end = Date.now() + TIMEOUT_MS
      for (;;) {
        const found = unread.find(({ activity }) => matches(activity))
        if (found) {
          unread = unread.filter((one) => one !== found)
          return found
        }
        const remaining = end - Date.now()
        if (remaining <= 0) throw new Error(`${owner} received no matching activity, but ${list(received)}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, remaining)
          waiting.push(() => {
            clearTimeout(timer)
            resolve()
          })
        })
      }
    },
    all: (type) => received.filter(({ activity }) => activity['type'] === type).map(({ activity }) => activity),
    clear() {
      received.length = 0
      unread = []
    },
  }
}

function list(received: readonly ReceivedActivity[]): string {
  return received.map(({ activity }) => `${String(activity['type'])} ${String(activity['id'])}`).join(', ') || 'nothing'
}
