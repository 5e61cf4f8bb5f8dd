/**
 * Returns the longest time in milliseconds for which `work` blocked the event loop. It is processor time of this
 * thread, so the load of the machine does not affect it.
 */
export async function measureEventLoopBlock(work: () => Promise<unknown>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  const tick = () => new Promise((resolve) => setImmediate(resolve))
  let longest = 0
  let working = true
  const watch = async (): Promise<void> => {
    while (working) {
      const before = used()
      await tick()
      longest = Math.max(longest, used() - before)
    }
  }
  const watching = watch()
  try {
    await work()
  } finally {
    working = false
    await watching
  }
  return longest
}
