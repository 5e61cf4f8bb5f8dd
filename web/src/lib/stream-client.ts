import { startData } from './start-data.ts'
import { StreamConnector } from './stream-connector.ts'
import { StreamSocket } from './stream-socket.ts'
import { StreamSubscriptions } from './stream-subscriptions.ts'

/** Opens the connection of the streams, in the name of an account. */
export function createStreamClient(accessToken: string): StreamSubscriptions {
  const url = new URL('/api/v1/streaming', startData.streamingUrl)
  // Browsers can send no header with the token; Mastodon's clients send it as the protocol.
  return new StreamSubscriptions(new StreamConnector(() => new StreamSocket(url, [accessToken])))
}
