import { ByteLimit } from '../lib/memory/byte-limited-cache.ts'
import type { Config } from './config/config.ts'

const limits = new WeakMap<Config, ByteLimit>()

/** Returns the memory limit that all caches of a process share. */
export function cacheLimitOf(config: Config): ByteLimit {
  let limit = limits.get(config)
  if (!limit) limits.set(config, (limit = new ByteLimit({ maxBytes: config.cacheBytes })))
  return limit
}
