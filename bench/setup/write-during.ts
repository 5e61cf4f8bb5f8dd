import { CommandError } from '../../src/cli/command-error.ts'
import { post } from './post-status.ts'

export const POSTS_PER_SECOND = 50
export const FAVOURITES_PER_SECOND = 20

/** Posts and favourites at a constant rate, each time as another user, until the work ends. @throws CommandError */
export async function writeDuring<Result>(
  server: { port: number; tokens: readonly string[] },
  work: () => Promise<Result>,
): Promise<Result> {
  const { tokens } = server
  const statusIds: string[] = []
  const running = new Set<Promise<void>>()
  const failures: unknown[] = []
  let writes = 0
  const begin = (write: (token: string) => Promise<void>) => {
    const token = tokens[(writes += 1) % tokens.length]!
    const done = write(token)
      .catch((err: unknown) => void failures.push(err))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const timers = [
    setInterval(
      () =>
        begin(async (token) => {
          statusIds.push((await post(server, { token, text: `Number ${writes} of many` })).id)
        }),
      1_000 / POSTS_PER_SECOND,
    ),
    setInterval(() => {
      const statusId = statusIds.shift()
      if (statusId !== undefined) begin(async (token) => favourite(server, { token, statusId }))
    }, 1_000 / FAVOURITES_PER_SECOND),
  ]
  const result = await work().finally(() => timers.forEach(clearInterval))
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
  return result
}

async function favourite(
  { port }: { port: number },
  { token, statusId }: { token: string; statusId: string },
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/statuses/${statusId}/favourite`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new CommandError(`A favourite failed with ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}
