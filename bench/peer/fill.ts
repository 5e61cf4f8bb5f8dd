import { CommandError } from '../../src/cli/command-error.ts'
import type { ComparedServer } from './compared-server.ts'

const POSTS_PER_AUTHOR = 100
/** Every so many posts, the next two authors favourite one. */
const FAVOURITE_INTERVAL = 5
const CONCURRENCY = 8

const SENTENCES = [
  'Fog over the harbour, every mast a pencil line.',
  'The night train was late again, but nobody minded.',
  'Planted garlic between the roses; let us see who wins.',
  'Three rehearsals left, and the second violin has a cold.',
  'Reading about tides while waiting for the ferry.',
]

/**
 * Lets the authors follow each other, post and favourite, through the API: the same on each server.
 * @throws CommandError if a request fails, or if an author then has too few followers
 */
export async function fill(server: ComparedServer): Promise<void> {
  const { authors, name } = server
  let calls = 0
  /** Posts as an author, with one of the tokens in turn. */
  const callAs = async (
    author: number,
    path: string,
    { method = 'POST', body = {} }: { method?: 'GET' | 'POST' | 'PATCH'; body?: object } = {},
  ): Promise<{ id: string; followers_count: number }> => {
    const rounds = server.tokens.length / authors.length
    const token = server.tokens[((calls += 1) % rounds) * authors.length + author]!
    const response = await fetch(`http://localhost:${server.port}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new CommandError(`${name}: ${path} responded with ${response.status}`)
    return (await response.json()) as { id: string; followers_count: number }
  }
  const numbers = authors.keys().toArray()
  // New accounts of GoToSocial accept followers only by hand.
  await forEachConcurrently(numbers, async (author) => {
    await callAs(author, '/api/v1/accounts/update_credentials', { method: 'PATCH', body: { locked: false } })
  })
  await forEachConcurrently(numbers, async (author) => {
    for (const { id } of authors.filter((_, n) => n !== author)) await callAs(author, `/api/v1/accounts/${id}/follow`)
  })
  for (let post = 0; post < POSTS_PER_AUTHOR; post += 1) {
    await forEachConcurrently(numbers, async (author) => {
      const text = SENTENCES.slice(0, 1 + ((post + author) % SENTENCES.length)).join(' ')
      const status = `${text} #harbour${post % 10} ${post}`
      const { id } = await callAs(author, '/api/v1/statuses', { body: { status, visibility: 'public' } })
      if (post % FAVOURITE_INTERVAL > 0) return
      for (const fan of [1, 2].map((n) => (author + n) % authors.length)) {
        await callAs(fan, `/api/v1/statuses/${id}/favourite`)
      }
    })
  }
  const { followers_count: followers } = await callAs(0, '/api/v1/accounts/verify_credentials', { method: 'GET' })
  if (followers !== authors.length - 1) throw new CommandError(`${name}: author 1 has ${followers} followers`)
}

async function forEachConcurrently(items: readonly number[], work: (item: number) => Promise<void>): Promise<void> {
  const queue = items.values()
  const runOne = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runOne))
}
