import { Command, InvalidArgumentError } from 'commander'
import { attempt } from '../src/cli/failure.ts'
import { beginRebuild } from '../src/domain/search/backlog.ts'
import { openLinnet } from '../src/open.ts'
import { showProgress } from '../src/cli/show-progress.ts'
import { seedDatabase } from './dataset/seed-database.ts'
import type { Dataset } from './dataset/plan.ts'

function readCount(value: string): number {
  if (/^\d{1,8}$/.test(value) && Number(value) > 0) return Number(value)
  throw new InvalidArgumentError('It must be a whole number from 1 to 99999999.')
}

await new Command('seed')
  .description('fill an empty database with made-up people and posts, for measuring')
  .option('--accounts <number>', 'people', readCount, 5_000)
  .option('--statuses <number>', 'posts, boosts among them', readCount, 200_000)
  .option('--feeds <number>', 'people who were here lately and have a feed', readCount, 1_000)
  .option('--seed <number>', 'the same gives the same dataset', readCount, 1)
  .action((dataset: Dataset) =>
    attempt(async () => {
      const { app, close } = await openLinnet({ opener: 'tool', onProgress: (text) => console.error(text) })
      const start = performance.now()
      const show = showProgress()
      try {
        const { accounts, statuses, feeds } = dataset
        await seedDatabase(app.ctx, {
          connection: app.connection,
          dataset: { ...dataset, feeds: Math.min(feeds, accounts) },
          onProgress: show,
        })
        // The server enters them when it runs.
        await beginRebuild(app.ctx)
        const seconds = ((performance.now() - start) / 1000).toFixed(1)
        console.error(`Made ${accounts} people and ${statuses} posts in ${seconds} s`)
      } finally {
        await close()
      }
    }),
  )
  .parseAsync()
