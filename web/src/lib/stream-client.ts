import type { mastodon } from 'masto'
import { createActionProxy, WebSocketActionDispatcher } from 'masto/adapters/action/index.js'
import { WebSocketConfigImpl } from 'masto/adapters/config/index.js'
import { SerializerNativeImpl } from 'masto/adapters/serializers/index.js'
import { WebSocketSubscriptionCounterImpl } from 'masto/adapters/ws/index.js'
import { startData } from './start-data.ts'
import { StreamConnector } from './stream-connector.ts'
import { StreamSocket } from './stream-socket.ts'

/** Does the same as `createStreamingAPIClient` of masto.js, which accepts no connector, with that of this client. */
export function createStreamClient(accessToken: string): mastodon.streaming.Client {
  const serializer = new SerializerNativeImpl()
  const config = new WebSocketConfigImpl({ streamingApiUrl: startData.streamingUrl, accessToken }, serializer)
  const url = config.resolvePath('/api/v1/streaming')
  const connector = new StreamConnector(() => new StreamSocket(url, config.getProtocols()))
  const counter = new WebSocketSubscriptionCounterImpl()
  return createActionProxy(new WebSocketActionDispatcher(connector, counter, serializer))
}
