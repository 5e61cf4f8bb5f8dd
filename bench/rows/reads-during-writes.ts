import { CommandError } from '../../src/cli/command-error.ts'
import type { Row } from '../measure/row.ts'
import type { BenchStage } from '../setup/open-stage.ts'
import { post } from '../setup/post-status.ts'
import { pages } from './pages.ts'

const POSTS_PER_SECOND = 50
const FAVOURITES_PER_SECOND = 20

const PAGES = ['home timeline, 20', 'local public timeline, 20', 'account statuses, 20', 'notifications, 20']

/** Measures pages, which are repeated and cached, while many users post and favourite: each write invalidates some. */
export function readsDuringWrites(): Row[] {
  return pages()
    .filter(({ name }) => PAGES.includes(name))
    .map(({ name, measure }) => ({
      name: `${name}, while ${POSTS_PER_SECOND} posts and ${FAVOURITES_PER_SECOND} favourites are written per second`,
      goals: [{ of: 'share', atLeast: 0.6 }],
      limits: [{ title: 'while nothing is written', measure }],
      measure: async (stage) => writeDuring(stage, async () => measure(stage)),
    }))
}

/** Posts and favourites at a constant rate, each time as another user, until the work ends. @throws CommandError */
async function writeDuring<Result>(stage: BenchStage, work: () => Promise<Result>): Promise<Result> {
  const { tokens } = stage
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
          statusIds.push((await post(stage, { token, text: `Number ${writes} of many` })).id)
        }),
      1_000 / POSTS_PER_SECOND,
    ),
    setInterval(() => {
      const statusId = statusIds.shift()
      if (statusId !== undefined) begin(async (token) => favourite(stage, { token, statusId }))
    }, 1_000 / FAVOURITES_PER_SECOND),
  ]
  const result = await work().finally(() => timers.forEach(clearInterval))
  await Promise.all(running)
  if (failures.length > 0) throw failures[0]
  return result
}

async function favourite(
  { port }: BenchStage,
  { token, statusId }: { token: string; statusId: string },
): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/statuses/${statusId}/favourite`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw new CommandError(`A favourite failed with ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}
