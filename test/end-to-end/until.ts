/** Polls until the result is truthy, and returns it. @throws Error if that takes longer than `seconds` */
export async function until<T>(
  description: string,
  poll: () => Promise<T | null | undefined | false>,
  { seconds = 15, pauseMs = 50 } = {},
): Promise<T> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const result = await poll()
    if (result) return result
    if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${description}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
