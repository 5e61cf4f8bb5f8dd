/**
 * Does the work, and gives the longest time, in milliseconds, for which it held up everything else in the process.
 * Time of this thread's processor, so a busy machine does not count.
 */
export async function measureStall(work: () => Promise<unknown>): Promise<number> {
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
