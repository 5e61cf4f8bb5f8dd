import { CommandError } from '../../src/cli/command-error.ts'
import { waitFor } from '../setup/wait-for.ts'
import type { ComparedServer } from './compared-server.ts'
import type { RemoteAuthors } from './remote-authors.ts'

const POSTS_PER_AUTHOR = 100
/** Every so many posts, the next two authors favourite one. */
const FAVOURITE_INTERVAL = 5
/** The number of local followers of each remote author. */
const FOLLOWERS = 10
const CONCURRENCY = 8
const POLL_MS = 200

const SENTENCES = [
  'Fog over the harbour, every mast a pencil line.',
  'The night train was late again, but nobody minded.',
  'Planted garlic between the roses; let us see who wins.',
  'Three rehearsals left, and the second violin has a cold.',
  'Reading about tides while waiting for the ferry.',
]

/** What the used responses contain. */
interface Answer {
  id: string
  followers_count: number
  /** Of a search. */
  accounts: { id: string }[]
  /** The relationship, if one was requested. */
  0: { following: boolean }
}

/** Calls the API as an author: with POST if there is a body and no method, else with GET. */
type CallAs = (author: number, path: string, request?: { method?: 'POST' | 'PATCH'; body: object }) => Promise<Answer>

/**
 * Lets the authors follow each other and the remote authors, post and favourite, through the API: the same on each
 * server.
 * @throws CommandError if a request fails, or if an author then has too few followers
 */
export async function fill(server: ComparedServer, remote: RemoteAuthors): Promise<void> {
  const { authors, name } = server
  const callAs = createCaller(server)
  const numbers = authors.keys().toArray()
  // New accounts of GoToSocial accept followers only by hand.
  await forEachConcurrently(numbers, async (author) => {
    await callAs(author, '/api/v1/accounts/update_credentials', { method: 'PATCH', body: { locked: false } })
  })
  await forEachConcurrently(numbers, async (author) => {
    for (const { id } of authors.filter((_, n) => n !== author)) {
      await callAs(author, `/api/v1/accounts/${id}/follow`, { body: {} })
    }
  })
  for (let post = 0; post < POSTS_PER_AUTHOR; post += 1) {
    await forEachConcurrently(numbers, async (author) => {
      const text = SENTENCES.slice(0, 1 + ((post + author) % SENTENCES.length)).join(' ')
      const status = `${text} #harbour${post % 10} ${post}`
      const { id } = await callAs(author, '/api/v1/statuses', { body: { status, visibility: 'public' } })
      if (post % FAVOURITE_INTERVAL > 0) return
      for (const fan of [1, 2].map((n) => (author + n) % authors.length)) {
        await callAs(fan, `/api/v1/statuses/${id}/favourite`, { body: {} })
      }
    })
  }
  const { followers_count: followers } = await callAs(0, '/api/v1/accounts/verify_credentials')
  if (followers !== authors.length - 1) throw new CommandError(`${name}: author 1 has ${followers} followers`)
  await followRemoteAuthors(callAs, { server, remote })
  await server.prepareReaders()
}

/** Returns a function that calls the API as one of the authors, with the author's tokens in turn. */
function createCaller({ name, port, authors, tokens }: ComparedServer): CallAs {
  const rounds = tokens.length / authors.length
  let calls = 0
  return async (author, path, request) => {
    const token = tokens[((calls += 1) % rounds) * authors.length + author]!
    const response = await fetch(`http://localhost:${port}${path}`, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(request && { method: request.method ?? 'POST', body: JSON.stringify(request.body) }),
    })
    if (!response.ok) throw new CommandError(`${name}: ${path} responded with ${response.status}`)
    return (await response.json()) as Answer
  }
}

/** Lets some authors follow each remote author, and waits until all follows are accepted. */
async function followRemoteAuthors(
  callAs: CallAs,
  { server: { name, authors }, remote }: { server: ComparedServer; remote: RemoteAuthors },
): Promise<void> {
  const numbers = remote.authors.keys().toArray()
  const followersOf = (n: number) => Array.from({ length: FOLLOWERS }, (_, follower) => (n + follower) % authors.length)
  await forEachConcurrently(numbers, async (n) => {
    const handle = `@author@${new URL(remote.authors[n]!.uri).host}`
    const first = n % authors.length
    const found = await callAs(first, `/api/v2/search?type=accounts&resolve=true&q=${encodeURIComponent(handle)}`)
    const id = found.accounts[0]?.id
    if (id === undefined) throw new CommandError(`${name}: ${handle} was not found`)
    for (const follower of followersOf(n)) {
      await callAs(follower, `/api/v1/accounts/${id}/follow`, { body: {} })
      await waitFor(
        `the acceptance by ${handle} on ${name}`,
        async () => {
          const relationships = await callAs(follower, `/api/v1/accounts/relationships?id[]=${id}`)
          return relationships[0].following
        },
        { pollMs: POLL_MS },
      )
    }
  })
}

async function forEachConcurrently(items: readonly number[], work: (item: number) => Promise<void>): Promise<void> {
  const queue = items.values()
  const runOne = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, runOne))
}
