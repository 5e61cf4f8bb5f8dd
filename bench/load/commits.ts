import pg from 'pg'
import type { MeasurementWindow } from './measurement-window.ts'
import type { Commits, PreparedWork } from './work.ts'

export function prepareCommits({ connection }: Commits, window: MeasurementWindow): PreparedWork {
  return {
    async run(isOver) {
      const client = new pg.Client(connection)
      await client.connect()
      try {
        while (!isOver()) {
          const start = performance.now()
          const text = 'insert into bench_commits (text) values ($1)'
          await client.query({ name: 'commit', text, values: ['one row'] })
          window.count(performance.now() - start)
        }
      } finally {
        await client.end()
      }
    },
  }
}
