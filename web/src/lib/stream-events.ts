import { useEffect, useEffectEvent } from 'react'
import { onRenewal, streaming } from './session.ts'
import type { Stream, StreamEvent } from './stream-subscriptions.ts'

/**
 * Calls `listener` for each event of a stream. After the token was replaced, it subscribes again with the new one.
 * Returns a function that ends it.
 */
export function listenTo(stream: Stream, listener: (event: StreamEvent) => void): () => void {
  let end = streaming().listen(stream, listener)
  const stopRenewing = onRenewal(() => {
    end()
    end = streaming().listen(stream, listener)
  })
  return () => {
    stopRenewing()
    end()
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
  useEffect(() => listenTo({ stream }, (event) => onEvent(event)), [stream])
}
