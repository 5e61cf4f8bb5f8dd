import assert from 'node:assert/strict'
import type { Status } from '../src/entities/status.ts'
import { openPeer } from './peer.ts'
import { openWorld } from './world.ts'
import type { Person, World } from './world.ts'

/** Servers of ours that know each other only by the network. */
export interface Neighbours {
  worlds: readonly World[]
  /** Waits until none of them has anything to do. */
  settle(): Promise<void>
  /** What somebody finds at the address of a status of any of the servers. */
  findStatus(person: Person, uri: string): Promise<Status>
  /** Makes somebody follow somebody of another server. Gives the id of their account there. */
  follow(fan: Person, handle: string): Promise<string>
  close(): Promise<void>
}

/** How often news may go to and fro between servers before all is said. */
const ROUNDS = 6

export async function openNeighbours(names: readonly string[]): Promise<Neighbours> {
  const peer = await openPeer({ hosts: names })
  const worlds: World[] = []
  for (const name of names) {
    const world = await openWorld({ env: { ...peer.env, LOCAL_DOMAIN: name }, extraCa: peer.ca })
    worlds.push(world)
    peer.host(name).behave(/.*/, async ({ request, response }) => {
      const { method, path: url, headers, body } = request
      const answer = await world.server.inject({ method: method as 'GET' | 'POST', url, headers, payload: body })
      response.writeHead(answer.statusCode, answer.headers as Record<string, string>).end(answer.rawPayload)
    })
  }
  async function settle(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) for (const world of worlds) await world.settle()
  }
  async function find({ client }: Person, kind: 'accounts' | 'statuses', q: string) {
    const { body } = await client.get('/api/v2/search', { q, resolve: true, type: kind })
    assert.equal(body[kind].length, 1, `${q} was not found`)
    return body[kind][0]
  }
  return {
    worlds,
    settle,
    findStatus: async (person, uri) => find(person, 'statuses', uri),
    async follow(fan, handle) {
      const { id } = await find(fan, 'accounts', handle)
      await fan.client.post(`/api/v1/accounts/${id}/follow`)
      await settle()
      return id
    },
    async close() {
      for (const world of worlds) await world.close()
      await peer.close()
    },
  }
}
