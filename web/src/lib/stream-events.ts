import type { mastodon } from 'masto'
import { useEffect, useEffectEvent } from 'react'
import { onRenewal, streaming } from './session.ts'

export type StreamEvent = mastodon.streaming.Event

/**
 * Calls `listener` for each event of the subscription that `subscribe` returns. After the token was replaced, it
 * subscribes again with the new one. Returns a function that ends it.
 */
export function listenTo(
  subscribe: () => mastodon.streaming.Subscription,
  listener: (event: StreamEvent) => void,
): () => void {
  let end = listenOnce(subscribe(), listener)
  const stopRenewing = onRenewal(() => {
    end()
    end = listenOnce(subscribe(), listener)
  })
  return () => {
    stopRenewing()
    end()
  }
}

/**
 * masto.js goes on delivering to an ended subscription while another one uses the same stream, so the loop ends at the
 * next event.
 */
function listenOnce(subscription: mastodon.streaming.Subscription, listener: (event: StreamEvent) => void): () => void {
  let isListening = true
  void (async () => {
    try {
      for await (const event of subscription) {
        if (!isListening) break
        listener(event)
      }
    } catch (error) {
      // A client that is closed, since its token was replaced, ends its subscriptions by errors.
      if (isListening) throw error
    }
  })()
  return () => {
    isListening = false
    subscription.unsubscribe()
  }
}

/**
 * Calls `listener` after each opening of the connection, also the first one, which comes a second after the start of the
 * client: the stream delivers nothing of what happened before. Returns a function that ends it.
 */
export function onStreamOpen(listener: () => void): () => void {
  document.addEventListener('linnet-stream-open', listener)
  return () => document.removeEventListener('linnet-stream-open', listener)
}

/** Calls `listener` for each event of a stream of the user while the component is shown. */
export function useStreamEvents(stream: 'user' | 'direct', listener: (event: StreamEvent) => void): void {
  const onEvent = useEffectEvent(listener)
  useEffect(
    () =>
      listenTo(
        () => streaming()[stream].subscribe(),
        (event) => onEvent(event),
      ),
    [stream],
  )
}
