/** The last request of each key that has not ended. */
const running = new Map<string, Promise<unknown>>()

/**
 * Sends a request after the earlier ones with the same key have ended. Without that, a follow and its end, as of a double
 * click, are on their way at the same time, and the server may perform them in the other order.
 * @throws the error of the request
 */
export async function inOrder<Result>(key: string, send: () => Promise<Result>): Promise<Result> {
  const previous = running.get(key)
  const current = previous
    ? previous.then(
        () => send(),
        () => send(),
      )
    : send()
  running.set(key, current)
  try {
    return await current
  } finally {
    if (running.get(key) === current) running.delete(key)
  }
}
