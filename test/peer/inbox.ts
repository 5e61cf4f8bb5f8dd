import type { SignatureSpec } from '../../src/federation/signatures/signature.ts'
import type { PeerRequest } from './behaviour.ts'

/** How long something may take to come before a test fails. */
const PATIENCE_MS = 10_000

/** An activity as JSON: whatever was sent, to be looked into. */
export type Activity = Record<string, any>

/** What came, with a signature that two judges found good. */
export interface Received {
  activity: Activity
  /** Whose key signed it. */
  keyId: string
  spec: SignatureSpec
  request: PeerRequest
}

/** What did not get in, and why. */
export interface Refused {
  reason: string
  request: PeerRequest
}

export interface PeerInbox {
  /** Everything that came, in order. */
  readonly received: readonly Received[]
  /**
   * The first that was not handed out yet and fits, as soon as it is there.
   * @throws Error with what came instead, when nothing fits within ten seconds
   */
  next(fits?: (activity: Activity) => boolean): Promise<Received>
  /** The activities of this type that came so far. */
  all(type: string): Activity[]
  clear(): void
}

interface OpenInbox extends PeerInbox {
  put(received: Received): void
}

export function createInbox(owner: string): OpenInbox {
  const received: Received[] = []
  let fresh: Received[] = []
  let waiting: (() => void)[] = []

  return {
    received,
    put(one) {
      received.push(one)
      fresh.push(one)
      const woken = waiting
      waiting = []
      for (const wake of woken) wake()
    },
    async next(fits = () => true) {
      const end = Date.now() + PATIENCE_MS
      for (;;) {
        const found = fresh.find(({ activity }) => fits(activity))
        if (found) {
          fresh = fresh.filter((one) => one !== found)
          return found
        }
        const left = end - Date.now()
        if (left <= 0) throw new Error(`${owner} waited in vain; there came ${list(received)}`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
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
      fresh = []
    },
  }
}

function list(received: readonly Received[]): string {
  return received.map(({ activity }) => `${String(activity['type'])} ${String(activity['id'])}`).join(', ') || 'nothing'
}
