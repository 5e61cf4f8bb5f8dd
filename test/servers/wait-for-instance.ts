import type { Instance } from '../../src/entities/instance/instance.ts'
import type { Client } from '../http/client.ts'
import { until } from '../streaming/streams.ts'

let requestCount = 0

/**
 * Polls the instance entity until it matches: the server reloads its settings each second. Each request has another
 * address, so that no throttle is reached.
 */
export async function waitForInstance(client: Client, matches: (instance: Instance) => boolean): Promise<Instance> {
  return until(async () => {
    requestCount += 1
    const remoteAddress = `10.0.${requestCount >> 8}.${requestCount & 255}`
    const { body } = await client.send<Instance>({ url: '/api/v2/instance', remoteAddress })
    return matches(body) && body
  }, 'the instance')
}
