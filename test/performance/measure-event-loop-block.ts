/**
 * Returns the longest time in milliseconds for which `work` blocked the event loop. It is processor time of this
 * thread, so other processes do not affect it. `times`: the lowest of so many measurements, because the pauses of a
 * virtual machine count as processor time. They occur in some of the measurements, what the code does in each.
 */
export async function measureEventLoopBlock(work: () => Promise<unknown>, { times = 1 } = {}): Promise<number> {
  let lowest = Infinity
  for (let n = 0; n < times; n += 1) lowest = Math.min(lowest, await measureOnce(work))
  return lowest
}

async function measureOnce(work: () => Promise<unknown>): Promise<number> {
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
