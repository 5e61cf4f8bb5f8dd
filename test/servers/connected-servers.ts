import assert from 'node:assert/strict'
import type { Status } from '../../src/entities/statuses/status.ts'
import { openPeer } from '../federation/peer/open-peer.ts'
import { openTestServer } from './test-server.ts'
import type { TestUser, TestServer } from './test-server.ts'

/** Linnet servers that are connected by the network only. */
export interface ConnectedServers {
  servers: readonly TestServer[]
  /** Waits until no server has due jobs. */
  deliverAll(): Promise<void>
  /** Finds a status of any server by its URI, as a user. */
  findStatus(user: TestUser, uri: string): Promise<Status>
  /** Makes a user follow an account of another server. Returns the account's id on the follower's server. */
  follow(follower: TestUser, handle: string): Promise<string>
  close(): Promise<void>
}

/** The number of rounds in which all servers run their jobs: an activity may cause activities in return. */
const ROUNDS = 6

export async function openConnectedServers(names: readonly string[]): Promise<ConnectedServers> {
  const peer = await openPeer({ hosts: names })
  const testServers: TestServer[] = []
  for (const name of names) {
    const testServer = await openTestServer({ env: { ...peer.env, LOCAL_DOMAIN: name }, extraCa: peer.ca })
    testServers.push(testServer)
    peer.host(name).behave(/.*/, async ({ request, response }) => {
      const { method, path: url, headers, body } = request
      const answer = await testServer.server.inject({ method: method as 'GET' | 'POST', url, headers, payload: body })
      response.writeHead(answer.statusCode, answer.headers as Record<string, string>).end(answer.rawPayload)
    })
  }
  async function deliverAll(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) for (const testServer of testServers) await testServer.waitForJobs()
  }
  async function find({ client }: TestUser, kind: 'accounts' | 'statuses', q: string) {
    const { body } = await client.get('/api/v2/search', { q, resolve: true, type: kind })
    assert.equal(body[kind].length, 1, `${q} was not found`)
    return body[kind][0]
  }
  return {
    servers: testServers,
    deliverAll,
    findStatus: async (user, uri) => find(user, 'statuses', uri),
    async follow(follower, handle) {
      const { id } = await find(follower, 'accounts', handle)
      await follower.client.post(`/api/v1/accounts/${id}/follow`)
      await deliverAll()
      return id
    },
    async close() {
      for (const testServer of testServers) await testServer.close()
      await peer.close()
    },
  }
}
