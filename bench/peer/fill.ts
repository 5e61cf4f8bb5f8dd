import { CommandError } from '../../src/cli/command-error.ts'
import type { ComparedServer } from './compared-server.ts'

const POSTS_PER_AUTHOR = 100
/** Every so many posts, the next two authors favourite one, which causes notifications. */
const FAVOURITE_INTERVAL = 5
const CONCURRENCY = 8

const SENTENCES = [
  'Fog over the harbour, every mast a pencil line.',
  'The night train was late again, but nobody minded.',
  'Planted garlic between the roses; let us see who wins.',
  'Three rehearsals left, and the second violin has a cold.',
  'Reading about tides while waiting for the ferry.',
]

/** Lets the authors follow each other, post and favourite, through the API: the same on each server. */
export async function fill(server: ComparedServer): Promise<void> {
  const { authors, name } = server
  let calls = 0
  /** Posts as an author, with one of the tokens in turn. */
  const callAs = async (author: number, path: string, body: object = {}): Promise<{ id: string }> => {
    const rounds = server.tokens.length / authors.length
    const token = server.tokens[((calls += 1) % rounds) * authors.length + author]!
    const response = await fetch(`http://localhost:${server.port}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new CommandError(`${name}: ${path} responded with ${response.status}`)
    return (await response.json()) as { id: string }
  }
  const numbers = authors.keys().toArray()
  await forEachConcurrently(numbers, async (author) => {
    for (const { id } of authors.filter((_, n) => n !== author)) await callAs(author, `/api/v1/accounts/${id}/follow`)
  })
  for (let post = 0; post < POSTS_PER_AUTHOR; post += 1) {
    await forEachConcurrently(numbers, async (author) => {
      const text = SENTENCES.slice(0, 1 + ((post + author) % SENTENCES.length)).join(' ')
      const status = `${text} #harbour${post % 10} ${post}`
      const { id } = await callAs(author, '/api/v1/statuses', { status, visibility: 'public' })
      if (post % FAVOURITE_INTERVAL > 0) return
      for (const fan of [1, 2].map((n) => (author + n) % authors.length)) {
        await callAs(fan, `/api/v1/statuses/${id}/favourite`)
      }
    })
  }
}

async function forEachConcurrently(items: readonly number[], work: (item: number) => Promise<void>): Promise<void> {
  const queue = items.values()
  const runOne = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runOne))
}
