import { createCollection } from '../../src/domain/collections/create-collection.ts'
import type { BuilderCtx } from '../../test/query-builder.ts'
import type { DemoUser } from './simulate-activity.ts'

interface DemoCollection {
  owner: string
  name: string
  description: string
  /** A hashtag, without the number sign. */
  tag?: string
  members: readonly string[]
}

const COLLECTIONS: readonly DemoCollection[] = [
  {
    owner: 'wren',
    name: 'Start here',
    description: 'Six people who make this harbour what it is. Follow them, and nothing here will pass you by.',
    members: ['mabel', 'otis', 'juno', 'ingrid', 'greta', 'harbourweather'],
  },
  {
    owner: 'juno',
    name: 'Awake at night',
    description: 'For those who look up: stars, tides and the first bread of the day.',
    tag: 'stars',
    members: ['wren', 'mabel', 'aino', 'haruka'],
  },
]

/** Creates collections of accounts, by the two accounts that can log in. */
export async function createDemoCollections(ctx: BuilderCtx, demoUsers: readonly DemoUser[]): Promise<void> {
  const idOf = (username: string) => demoUsers.find((user) => user.username === username)!.accountId
  for (const { owner, name, description, tag, members } of COLLECTIONS) {
    const texts = {
      name,
      description,
      language: 'en',
      sensitive: false,
      discoverable: true,
      ...(tag !== undefined && { tagName: tag }),
    }
    await ctx.write((tx) =>
      createCollection(tx, { accountId: idOf(owner), texts, targetAccountIds: members.map(idOf) }),
    )
  }
}
