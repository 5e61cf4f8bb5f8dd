import pg from 'pg'
import type { Window } from './window.ts'
import type { Commits, Hands } from './work.ts'

export function prepareCommits({ connection }: Commits, window: Window): Hands {
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
