/**
 * Runs `work` while caches that expire after some time do not expire, so that the number of its statements does not
 * depend on the speed of the machine. Workers may search for no jobs meanwhile.
 */
export async function keepCaches<T>(work: () => Promise<T>): Promise<T> {
  const { now } = performance
  const frozen = performance.now()
  performance.now = () => frozen
  try {
    return await work()
  } finally {
    performance.now = now
  }
}
