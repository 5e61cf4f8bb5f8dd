/** Asks again until the answer is there. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null | undefined | false>,
  { seconds = 15, pauseMs = 50 } = {},
): Promise<T> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > end) throw new Error(`Not within ${seconds} s: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}
