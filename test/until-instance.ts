import type { Instance } from '../src/entities/instance.ts'
import type { Client } from './client.ts'
import { until } from './streams.ts'

let asked = 0

/** What the server tells of itself, once it is so: it is read anew each second. Asked each time from elsewhere, so that no throttle minds. */
export async function untilInstance(client: Client, isSo: (told: Instance) => boolean): Promise<Instance> {
  return until(async () => {
    asked += 1
    const remoteAddress = `10.0.${asked >> 8}.${asked & 255}`
    const { body } = await client.send<Instance>({ url: '/api/v2/instance', remoteAddress })
    return isSo(body) && body
  }, 'the instance')
}
