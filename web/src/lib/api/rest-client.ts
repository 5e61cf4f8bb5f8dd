import type { mastodon } from 'masto'
import { HttpActionDispatcherHookMastodon } from 'masto/adapters/action/dispatcher-http-hook-mastodon.js'
import { createActionProxy, HttpActionDispatcher } from 'masto/adapters/action/index.js'
import { HttpConfigImpl } from 'masto/adapters/config/index.js'
import { HttpNativeImpl } from 'masto/adapters/http/index.js'
import { SerializerNativeImpl } from 'masto/adapters/serializers/index.js'
import { locale } from '../i18n/messages.ts'
import { recordToken } from './request-tokens.ts'
import { numberEntities, takeNumber } from './request-numbers.ts'

/** The HTTP client of masto.js, which also records the number of each request, and the token of those that failed. */
class RecordingHttp extends HttpNativeImpl {
  readonly #accessToken: string

  constructor(serializer: SerializerNativeImpl, config: HttpConfigImpl, accessToken: string) {
    super(serializer, config)
    this.#accessToken = accessToken
  }

  override async request<Data>(...parameters: Parameters<HttpNativeImpl['request']>) {
    const number = takeNumber()
    try {
      const response = await super.request<Data>(...parameters)
      numberEntities(response.data, number)
      return response
    } catch (error) {
      recordToken(error, this.#accessToken)
      throw error
    }
  }
}

/** Does the same as `createRestAPIClient` of masto.js, which accepts no HTTP client, with recorded requests. */
export function createRestClient(accessToken: string): mastodon.rest.Client {
  const serializer = new SerializerNativeImpl()
  // The server returns errors in this language, which may differ from that of the browser.
  const requestInit = { headers: { 'accept-language': locale } }
  const config = new HttpConfigImpl({ url: location.origin, accessToken, requestInit }, serializer)
  const http = new RecordingHttp(serializer, config, accessToken)
  const dispatcher = new HttpActionDispatcher(http, new HttpActionDispatcherHookMastodon(http))
  return createActionProxy(dispatcher, { context: ['api'] })
}
