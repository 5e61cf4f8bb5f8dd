import type { mastodon } from 'masto'
import { useEffect, useEffectEvent } from 'react'
import { streaming } from './session.ts'

export type StreamEvent = mastodon.streaming.Event

/**
 * Calls `listener` for each event of a subscription. Returns a function that ends it. masto.js goes on delivering to an
 * ended subscription while another one uses the same stream, so the loop ends at the next event.
 */
export function listenTo(subscription: mastodon.streaming.Subscription, listener: (event: StreamEvent) => void) {
  let isListening = true
  void (async () => {
    for await (const event of subscription) {
      if (!isListening) break
      listener(event)
    }
  })()
  return () => {
    isListening = false
    subscription.unsubscribe()
  }
}

/** Calls `listener` for each event of a stream of the user while the component is shown. */
export function useStreamEvents(stream: 'user' | 'direct', listener: (event: StreamEvent) => void): void {
  const onEvent = useEffectEvent(listener)
  useEffect(() => listenTo(streaming()[stream].subscribe(), (event) => onEvent(event)), [stream])
}
